/* SPDX-License-Identifier: MIT
 *
 * Answers with numbers that JSON does not have, at the top, in a list and in a nested object.
 */
#include "zoo.h"

#include <math.h>

static int32_t nan_(th_call *call, const void *input)
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

/* The tool's own name is that of a function in math.h, so it is spelled out. */
static const th_tool tools[] = {
	TH_TOOL_SCHEMA("nan", nan_, "{\"type\": \"object\", \"additionalProperties\": false}", "", "nan",
		       "A tool of the zoo.", {})
};
TH_PACK(tools, {"version": "1.0.0", "summary": "One of the zoo."})
