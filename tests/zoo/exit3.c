/* SPDX-License-Identifier: MIT
 *
 * Ends its process with status 3.
 */
#include "zoo.h"

#include <stdlib.h>

static int32_t exit3(th_call *call, const void *input)
{
	(void)call;
	(void)input;
	exit(3);
}

ZOO_PACK(exit3)
