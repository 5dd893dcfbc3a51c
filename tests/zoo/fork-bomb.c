/* SPDX-License-Identifier: MIT
 *
 * Starts processes that start processes; were they let, they would stop at 64 and end after two
 * seconds.
 */
#include "zoo.h"

#include <unistd.h>

static int32_t fork_bomb(th_call *call, const void *input)
{
	(void)input;
	for (int i = 0; i < 6; i++)
		fork();
	sleep(2);
	return th_put_boolean(call, "exploded", 1);
}

ZOO_PACK(fork_bomb)
