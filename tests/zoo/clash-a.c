/* SPDX-License-Identifier: MIT
 *
 * Exports helper(), as clash-b does: each has to call its own.
 */
#include "zoo.h"

TH_EXPORT int32_t helper(void);

int32_t helper(void)
{
	return 1;
}

static int32_t clash_a(th_call *call, const void *input)
{
	(void)input;
	return th_put_integer(call, "helper", helper());
}

ZOO_PACK(clash_a)
