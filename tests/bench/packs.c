/* SPDX-License-Identifier: MIT
 *
 * A pack of ten tools with a number in its names, 0000, that run.py writes over to make a thousand
 * packs.
 */
#include <toolhost/plugin.h>

struct bench_in {
	th_numbers values;
	double level;
	th_text label;
};

static const th_param params[] = {
	TH_NUMBERS(struct bench_in, values, "The sample.", {"minItems": 2}),
	TH_NUMBER_OR(struct bench_in, level, 0.95, "The confidence level.",
		     {"minimum": 0.5, "maximum": 0.999}),
	TH_STRING_OR(struct bench_in, label, "", "What the sample is.", {"maxLength": 80}),
	TH_END
};

static const th_param results[] = {
	TH_GIVES_INTEGER(count, "How many values there were.", {}),
	TH_END
};

static int32_t count_values(th_call *call, const void *input)
{
	const struct bench_in *in = (const struct bench_in *)input;

	return th_put_integer(call, "count", (int64_t)in->values.count);
}

#define BENCH_TOOL(name)                                                                           \
	{ TH_TEXT(name), TH_TEXT("Count"), TH_TEXT("Counts values, as one tool of ten thousand."), \
	  TH_TEXT("{\"category\": \"bench\"}"), TH_NO_TEXT, TH_NO_TEXT, params, results,             \
	  count_values, sizeof(struct bench_in), sizeof(th_param) }

static const th_tool tools[] = {
	BENCH_TOOL("bench_0000_zero"),  BENCH_TOOL("bench_0000_one"),   BENCH_TOOL("bench_0000_two"),
	BENCH_TOOL("bench_0000_three"), BENCH_TOOL("bench_0000_four"),  BENCH_TOOL("bench_0000_five"),
	BENCH_TOOL("bench_0000_six"),   BENCH_TOOL("bench_0000_seven"), BENCH_TOOL("bench_0000_eight"),
	BENCH_TOOL("bench_0000_nine"),
};

TH_PACK(tools, {"version": "1.0.0", "summary": "One pack of a thousand."})
