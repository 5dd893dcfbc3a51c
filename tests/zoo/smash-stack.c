/* SPDX-License-Identifier: MIT
 *
 * Overwrites the stack of its callers and aborts, as a stack protector has it.
 */
#include "zoo.h"

#include <stdlib.h>
#include <string.h>

static int32_t smash_stack(th_call *call, const void *input)
{
	void *(*volatile fill)(void *, int, size_t) = memset;
	char here;

	(void)call;
	(void)input;
	fill(&here, 0x41, 1500);
	abort();
}

ZOO_PACK(smash_stack)
