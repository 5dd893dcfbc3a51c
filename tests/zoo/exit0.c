/* SPDX-License-Identifier: MIT
 *
 * Ends its process with the status of success, and without an answer.
 */
#include "zoo.h"

#include <stdlib.h>

static int32_t exit0(th_call *call, const void *input)
{
	(void)call;
	(void)input;
	exit(0);
}

ZOO_PACK(exit0)
