/* SPDX-License-Identifier: MIT
 *
 * Writes 16 MiB to standard error, and then answers.
 */
#include "zoo.h"

#include <unistd.h>

static int32_t giant_stderr(th_call *call, const void *input)
{
	static char piece[1 << 16];

	(void)input;
	memset(piece, 'e', sizeof(piece));
	piece[sizeof(piece) - 1] = '\n';
	for (int i = 0; i < 256; i++)
		if (write(STDERR_FILENO, piece, sizeof(piece)) < 0)
			break;
	return th_put_boolean(call, "well", 1);
}

ZOO_PACK(giant_stderr)
