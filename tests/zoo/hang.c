/* SPDX-License-Identifier: MIT
 *
 * Never comes back, without using the processor.
 */
#include "zoo.h"

#include <unistd.h>

static int32_t hang(th_call *call, const void *input)
{
	(void)call;
	(void)input;
	for (;;)
		pause();
	return TH_OK;
}

ZOO_PACK(hang)
