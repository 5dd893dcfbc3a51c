/* SPDX-License-Identifier: MIT
 *
 * A pack that loads and whose examples do not hold: `pack check` has to find each.
 */
#include <toolhost/plugin.h>

#include <signal.h>

struct number_in {
	double x;
};

static const th_param number_params[] = { TH_NUMBER(struct number_in, x, "A number.", {}), TH_END };
static const th_param number_results[] = { TH_GIVES_NUMBER(y, "A number.", {"maximum": 10}), TH_END };

static int32_t liar_double(th_call *call, const void *input)
{
	return th_put_number(call, "y", 2 * ((const struct number_in *)input)->x);
}

static int32_t liar_large(th_call *call, const void *input)
{
	return th_put_number(call, "y", 100 * ((const struct number_in *)input)->x);
}

static int32_t liar_lacks(th_call *call, const void *input)
{
	return th_put_number(call, "z", ((const struct number_in *)input)->x);
}

static int32_t liar_fails(th_call *call, const void *input)
{
	(void)input;
	return th_fail(call, "it never works");
}

static int32_t liar_crashes(th_call *call, const void *input)
{
	(void)input;
	raise(SIGSEGV);
	return th_put_number(call, "y", 0);
}

static int32_t liar_draws(th_call *call, const void *input)
{
	(void)input;
	return th_put_number(call, "y", th_uniform(call));
}

static int32_t liar_destroys(th_call *call, const void *input)
{
	return liar_crashes(call, input);
}

static const th_tool tools[] = {
	TH_TOOL(liar_double, struct number_in, number_params, number_results, "Double", "Says the wrong double.",
		{"examples": [{"arguments": {"x": 2}, "result": {"y": 4}}, {"arguments": {"x": 2}, "result": {"y": 5}},
			      {"arguments": {"x": 3}, "result": {"y": 6.0000001}}]}),
	TH_TOOL(liar_large, struct number_in, number_params, number_results, "Large", "Breaks its output schema.",
		{"examples": [{"arguments": {"x": 1}}]}),
	TH_TOOL(liar_lacks, struct number_in, number_params, number_results, "Lacks", "Leaves a key of its result out.",
		{"examples": [{"arguments": {"x": 1}}]}),
	TH_TOOL(liar_fails, struct number_in, number_params, number_results, "Fails", "Fails.",
		{"examples": [{"arguments": {"x": 1}}]}),
	TH_TOOL(liar_crashes, struct number_in, number_params, number_results, "Crashes", "Crashes.",
		{"examples": [{"arguments": {"x": 1}}]}),
	TH_TOOL(liar_draws, struct number_in, number_params, number_results, "Draws", "Gives another number each time.",
		{"rng": {"uses_rng": true}, "examples": [{"arguments": {"x": 1}, "result": {"y": 0.5}}]}),
	TH_TOOL(liar_destroys, struct number_in, number_params, number_results, "Destroys", "Would not be safe to try.",
		{"annotations": {"destructiveHint": true}, "examples": [{"arguments": {"x": 1}}]}),
};

TH_PACK(tools, {"version": "1.0.0"})
