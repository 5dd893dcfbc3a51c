/* SPDX-License-Identifier: MIT
 *
 * Answers with numbers that JSON does not have, at the top, in a list and in a nested object.
 */
#include "zoo.h"

#include <math.h>

static int32_t run(th_call *call, const void *input)
{
	const double numbers[] = { 1.5, NAN, INFINITY, -INFINITY };

	(void)input;
	th_put_number(call, "nan", NAN);
	th_put_number(call, "up", INFINITY);
	th_put_number(call, "down", -INFINITY);
	th_put_numbers(call, "packed", numbers, 4);
	th_begin_list(call, "list");
	for (int i = 0; i < 4; i++)
		th_put_number(call, NULL, numbers[i]);
	th_end(call);
	th_begin_object(call, "nested");
	th_put_number(call, "nan", NAN);
	th_put_number(call, "up", INFINITY);
	th_put_number(call, "down", -INFINITY);
	return th_end(call);
}

ZOO_PACK_NAMED("nan", run)
