/* SPDX-License-Identifier: MIT
 *
 * Writes to address 16, which is signal 11.
 */
#include "zoo.h"

static int32_t segv(th_call *call, const void *input)
{
	volatile int *volatile nowhere = (volatile int *)16;

	(void)input;
	*nowhere = 1;
	return th_put_boolean(call, "alive", 1);
}

ZOO_PACK(segv)
