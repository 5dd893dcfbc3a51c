/* SPDX-License-Identifier: MIT
 *
 * Waits for a moment that is an hour away, using the processor.
 */
#include "zoo.h"

#include <time.h>

static int32_t clock_slow(th_call *call, const void *input)
{
	time_t end = time(NULL) + 3600;

	(void)input;
	while (time(NULL) < end)
		;
	return th_put_boolean(call, "waited", 1);
}

ZOO_PACK(clock_slow)
