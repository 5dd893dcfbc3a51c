/* SPDX-License-Identifier: MIT
 *
 * Numbers and texts inside sentences.
 */
#include "common/prose.h"

#include <stdio.h>
#include <string.h>

struct prose_number prose_number(double value, int digits)
{
	struct prose_number number = { "" };
	char local[64];
	size_t length = 0;

	snprintf(local, sizeof(local), "%.*g", digits, value);
	/* A decimal point of the locale may be several bytes, none of which is in this list. */
	for (const char *at = local; *at && length < sizeof(number.text) - 1; at++) {
		if (strchr("0123456789+-einfa", *at))
			number.text[length++] = *at;
		else if (length && number.text[length - 1] != '.')
			number.text[length++] = '.';
	}
	return number;
}

int prose_cut(const char *text, uint64_t length, int most)
{
	if (length <= (uint64_t)most)
		return (int)length;
	/* Bytes 10xxxxxx continue a character. */
	while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80)
		most--;
	return most;
}
