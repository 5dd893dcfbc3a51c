/* SPDX-License-Identifier: MIT
 *
 * Tools that draw random numbers, in each of the ways in which a pack can declare that.
 */
#include <toolhost/plugin.h>

/* ---- With a seed that the caller may give -------------------------------------------------------- */

struct draw_in {
	int64_t count;
	int64_t random_state;
};

static const th_param draw_params[] = {
	TH_INTEGER_OR(struct draw_in, count, 5, "How many numbers.", {"minimum": 1, "maximum": 10000}),
	TH_INTEGER_OR(struct draw_in, random_state, 42, "Where the random numbers start.", {}),
	TH_END
};

static const th_param draw_results[] = {
	TH_GIVES_NUMBERS(numbers, "Numbers between 0 and 1.", {}),
	TH_END
};

static int32_t put_draws(th_call *call, int64_t count)
{
	th_begin_list(call, "numbers");
	for (int64_t i = 0; i < count; i++)
		th_put_number(call, NULL, th_uniform(call));
	return th_end(call);
}

static int32_t draw_numbers(th_call *call, const void *input)
{
	const struct draw_in *in = (const struct draw_in *)input;

	return put_draws(call, in->count);
}

/* ---- A statistic that rests on draws ------------------------------------------------------------- */

struct bootstrap_in {
	th_numbers values;
	int64_t random_state;
};

static const th_param bootstrap_params[] = {
	TH_NUMBERS(struct bootstrap_in, values, "The sample.", {"minItems": 2}),
	TH_INTEGER_OR(struct bootstrap_in, random_state, 42, "Where the random numbers start.", {}),
	TH_END
};

static const th_param bootstrap_results[] = {
	TH_GIVES_NUMBER(lowest_mean, "The lowest mean of 1,000 samples drawn from the sample.", {}),
	TH_GIVES_NUMBER(highest_mean, "The highest one.", {}),
	TH_END
};

static double resampled_mean(th_call *call, const th_numbers *sample)
{
	double sum = 0;

	for (uint64_t i = 0; i < sample->count; i++)
		sum += sample->values[th_random(call) % sample->count];
	return sum / (double)sample->count;
}

static int32_t bootstrap_mean(th_call *call, const void *input)
{
	const struct bootstrap_in *in = (const struct bootstrap_in *)input;
	double lowest = resampled_mean(call, &in->values), highest = lowest;

	for (int i = 1; i < 1000; i++) {
		double mean = resampled_mean(call, &in->values);

		lowest = mean < lowest ? mean : lowest;
		highest = mean > highest ? mean : highest;
	}
	th_put_number(call, "lowest_mean", lowest);
	return th_put_number(call, "highest_mean", highest);
}

/* ---- With a seed that only the host chooses ------------------------------------------------------ */

static const th_param no_params[] = { TH_END };

static int32_t draw_afresh(th_call *call, const void *input)
{
	(void)input;
	return put_draws(call, 5);
}

static const th_tool tools[] = {
	TH_TOOL(draw_numbers, struct draw_in, draw_params, draw_results, "Draw", "Draws random numbers.",
		{"threads": "parallel",
		 "rng": {"uses_rng": true, "seed_param": "random_state", "default_seed": 42},
		 "examples": [{"arguments": {"count": 3}}]}),
	TH_TOOL(bootstrap_mean, struct bootstrap_in, bootstrap_params, bootstrap_results, "Bootstrap the mean",
		"Tells how far means of samples lie apart.",
		{"threads": "parallel",
		 "rng": {"uses_rng": true, "seed_param": "random_state", "default_seed": 42},
		 "examples": [{"arguments": {"values": [4.5, 5.25, 4.75, 5.5, 6]}}]}),
	TH_TOOL(draw_afresh, th_no_input, no_params, draw_results, "Draw afresh",
		"Draws other random numbers in each call.",
		{"threads": "parallel", "rng": {"uses_rng": true}, "examples": [{"arguments": {}}]}),
};

TH_PACK(tools, {"version": "1.0.0", "summary": "Tools that draw random numbers.", "license": "MIT"})
