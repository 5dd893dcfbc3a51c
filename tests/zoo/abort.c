/* SPDX-License-Identifier: MIT
 *
 * Aborts, which is signal 6.
 */
#include "zoo.h"

#include <stdlib.h>

static int32_t run(th_call *call, const void *input)
{
	(void)call;
	(void)input;
	abort();
}

ZOO_PACK_NAMED("abort", run)
