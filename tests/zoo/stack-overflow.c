/* SPDX-License-Identifier: MIT
 *
 * Calls itself until the stack ends, which is signal 11.
 */
#include "zoo.h"

static uint64_t deeper(volatile uint64_t *above)
{
	volatile uint64_t here[512];

	here[0] = above[0] + 1;
	return here[0] ? deeper(here) + here[0] : 0;
}

static int32_t stack_overflow(th_call *call, const void *input)
{
	volatile uint64_t top[1] = { 0 };

	(void)input;
	return th_put_integer(call, "depth", (int64_t)deeper(top));
}

ZOO_PACK(stack_overflow)
