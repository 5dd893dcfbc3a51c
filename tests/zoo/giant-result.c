/* SPDX-License-Identifier: MIT
 *
 * Answers with more than any cap allows, and does not look at what the host says to that.
 */
#include "zoo.h"

static int32_t giant_result(th_call *call, const void *input)
{
	static char piece[1 << 20];

	(void)input;
	memset(piece, 'x', sizeof(piece) - 1);
	th_begin_list(call, "pieces");
	for (int i = 0; i < 128; i++)
		th_put_string(call, NULL, piece);
	return th_end(call);
}

ZOO_PACK(giant_result)
