/* SPDX-License-Identifier: MIT
 *
 * A good pack of the first minor version: it is compiled against the header of ABI 1.0 that tests/old/ keeps,
 * whatever the header has grown into since.
 */
#include "zoo.h"

struct older_in {
	th_numbers values;
	th_text label;
	double scale;
};

static const th_param params[] = {
	TH_NUMBERS_MAYBE(struct older_in, values, "Numbers to add up.", {}),
	TH_STRING_OR(struct older_in, label, "none", "What the numbers are.", {}),
	TH_NUMBER_OR(struct older_in, scale, 1.5, "A factor.", {"minimum": 0}),
	TH_END
};

static int32_t ok_minor_older(th_call *call, const void *input)
{
	const struct older_in *in = (const struct older_in *)input;
	double sum = 0;

	for (uint64_t i = 0; i < in->values.count; i++)
		sum += in->values.values[i];
	th_put_text(call, "label", in->label);
	return th_put_number(call, "sum", sum * in->scale);
}

static const th_tool tools[] = {
	TH_TOOL(ok_minor_older, struct older_in, params, NULL, "Older", "A tool of the zoo.", {})
};
TH_PACK(tools, {"version": "1.0.0", "summary": "One of the zoo."})
