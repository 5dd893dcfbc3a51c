/* SPDX-License-Identifier: MIT
 *
 * Writes the head of an answer to the channel that claims to be longer than any memory.
 */
#include "zoo.h"

#include <string.h>
#include <unistd.h>

static int32_t length_forger(th_call *call, const void *input)
{
	unsigned char head[32] = "HTF1\x02";

	(void)input;
	memset(head + 8, 0xff, 8);
	return th_put_boolean(call, "forged", write(3, head, sizeof(head)) == sizeof(head));
}

ZOO_PACK(length_forger)
