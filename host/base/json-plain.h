/* SPDX-License-Identifier: MIT
 *
 * Plain bytes: those that stand in a JSON string as they are, and mean themselves. All others are a
 * quote, a backslash, a control character, or no ASCII. Private to base.
 */
#ifndef TOOLHOST_JSON_PLAIN_H
#define TOOLHOST_JSON_PLAIN_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool json_is_plain(char c)
{
	unsigned char byte = (unsigned char)c;

	return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* How many of the eight bytes at `p` are plain, up to the first that is not. */
static inline unsigned json_plain_bytes(const char *p)
{
	const uint64_t each = 0x0101010101010101u, high = each * 0x80;
	uint64_t word, quote, backslash, special;

	memcpy(&word, p, sizeof(word));
	word = le64toh(word);
	quote = word ^ each * '"';
	backslash = word ^ each * '\\';
	/* (x - n) & ~x has the high bit of the lowest byte of x that is below n; bytes above that
	 * one may be marked too. */
	special = ((word - each * 0x20) & ~word) | ((quote - each) & ~quote) |
		  ((backslash - each) & ~backslash) | word;
	special &= high;
	return special ? (unsigned)__builtin_ctzll(special) / 8 : 8;
}

/* The first byte of [p, end) that is not plain. */
static inline const char *json_plain_end(const char *p, const char *end)
{
	for (; end - p >= 8; p += 8) {
		unsigned plain = json_plain_bytes(p);

		if (plain < 8)
			return p + plain;
	}
	while (p < end && json_is_plain(*p))
		p++;
	return p;
}

#endif
