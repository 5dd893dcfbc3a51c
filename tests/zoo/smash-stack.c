/* SPDX-License-Identifier: MIT
 *
 * Overwrites the stack of its callers and aborts, as a stack protector has it.
 */
#include "zoo.h"

#include <stdlib.h>

/* Not memset(), which AddressSanitizer looks after. */
static void fill(volatile char *from, int count)
{
	for (int i = 0; i < count; i++)
		from[i] = 0x41;
}

static int32_t smash_stack(th_call *call, const void *input)
{
	void (*volatile overwrite)(volatile char *, int) = fill;
	char here;

	(void)call;
	(void)input;
	overwrite(&here, 1500);
	abort();
}

ZOO_PACK(smash_stack)
