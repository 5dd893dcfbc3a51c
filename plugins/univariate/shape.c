/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What shape a sample has: outliers, and the test for normality.
 */
#include "univariate/univariate.h"

#include "common/esd.h"
#include "common/normal.h"
#include "common/prose.h"

/* ---- detect_outliers -------------------------------------------------------------------- */

/* clang-format off */
const th_param outliers_params[] = {
	TH_NUMBERS(struct outliers_in, values, "The sample, in one unit; its order says which index a value has.", {"minItems": 3}),
	TH_INTEGER_OR(struct outliers_in, max_outliers_to_detect, 5,
		      "How many outliers to look for at most. More than n - 2 are never looked for.", {"minimum": 1}),
	TH_NUMBER_OR(struct outliers_in, alpha, 0.05, "Level of significance: the chance of an outlier being found where there is none.",
		     {"exclusiveMinimum": 0, "exclusiveMaximum": 1}),
	TH_BOOLEAN_OR(struct outliers_in, robust_variant, 0,
		      "false: distances from the mean in standard deviations, as the test is defined; true: from the median in normal-scaled MADs, which finds more and is right less often.", {}),
	TH_END
};

const th_param outliers_results[] = {
	TH_GIVES_INTEGERS(outlier_indices, "Positions of the outliers in values, from 0; the most extreme first.", {}),
	TH_GIVES_NUMBERS(outlier_values, "The outliers themselves, in the same order.", {}),
	TH_GIVES_INTEGER(n_outliers_found, "How many there are.", {"minimum": 0}),
	TH_GIVES_NUMBER(alpha, "The level asked for.", {}),
	TH_GIVES_BOOLEAN(robust_variant, "The variant asked for.", {}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why looking ended early.", {}),
	TH_END
};
/* clang-format on */

/* The cap of max_outliers_to_detect, which the host holds calls to. */
#define OUTLIERS_MOST 20

int32_t detect_outliers(th_call *call, const void *input)
{
	const struct outliers_in *in = input;
	size_t n = (size_t)in->values.count, found;
	struct esd_options options = { .level = in->alpha, .robust = in->robust_variant };
	void *scratch = th_allocate(call, 1, ESD_SCRATCH_BYTES(in->values.count));
	int64_t indices[OUTLIERS_MOST];
	double outliers[OUTLIERS_MOST];
	bool spread_gone;

	if (!scratch)
		return out_of_memory(call);
	options.most = in->max_outliers_to_detect < OUTLIERS_MOST
			       ? (size_t)in->max_outliers_to_detect
			       : OUTLIERS_MOST;
	found = esd_outliers(in->values.values, n, &options, indices, &spread_gone, scratch);
	for (size_t i = 0; i < found; i++)
		outliers[i] = in->values.values[indices[i]];
	th_put_integers(call, "outlier_indices", indices, found);
	th_put_numbers(call, "outlier_values", outliers, found);
	th_put_integer(call, "n_outliers_found", (int64_t)found);
	th_put_number(call, "alpha", in->alpha);
	th_put_boolean(call, "robust_variant", in->robust_variant);
	if (spread_gone)
		give_reason(call, in->robust_variant
					  ? "The MAD of the values looked at last is 0, so that no "
					    "distance can be judged: try robust_variant false."
					  : "The values looked at last do not vary, so that no "
					    "distance can be judged.");
	return TH_OK;
}

/* ---- normality_test --------------------------------------------------------------------- */

/* clang-format off */
const th_param normality_params[] = {
	TH_NUMBERS(struct normality_in, values, "The sample.", {"minItems": 3}),
	TH_NUMBER_OR(struct normality_in, alpha, 0.05, "Level of significance: is_normal is p_value > alpha.",
		     {"exclusiveMinimum": 0, "exclusiveMaximum": 1}),
	TH_END
};

const th_param normality_results[] = {
	TH_GIVES_NUMBER(statistic, "Shapiro-Wilk W: 1 is a perfect fit.", {"minimum": 0, "maximum": 1}),
	TH_GIVES_NUMBER(p_value, "Chance of so small a W where the data are normal.", {"minimum": 0, "maximum": 1}),
	TH_GIVES_NUMBER(alpha, "The level asked for.", {}),
	TH_GIVES_BOOLEAN(is_normal, "Whether normality is not rejected at that level.", {}),
	TH_GIVES_STRING(interpretation, "The verdict in a sentence.", {}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "What stands in the way of a verdict.", {}),
	TH_END
};
/* clang-format on */

/* The verdict in a sentence. */
static void put_normality(th_call *call, const struct shapiro_wilk *test, double alpha,
			  bool constant)
{
	char sentence[200];

	if (constant)
		snprintf(sentence, sizeof(sentence),
			 "All values are equal: nothing speaks for or against a normal "
			 "distribution.");
	else
		snprintf(sentence, sizeof(sentence), "%s at the level %s (W = %s, p = %s).",
			 test->p > alpha ? "Nothing speaks against a normal distribution"
					 : "A normal distribution is rejected",
			 prose_number(alpha, 6).text, prose_number(test->statistic, 4).text,
			 prose_number(test->p, 4).text);
	th_put_string(call, "interpretation", sentence);
}

int32_t normality_test(th_call *call, const void *input)
{
	const struct normality_in *in = input;
	size_t n = (size_t)in->values.count;
	double *work = copy_numbers(call, in->values, n);
	struct shapiro_wilk test;
	bool constant;

	if (!work)
		return out_of_memory(call);
	test = shapiro_wilk_test(work, n, work + n);
	constant = work[0] == work[n - 1];
	th_put_number(call, "statistic", test.statistic);
	th_put_number(call, "p_value", test.p);
	th_put_number(call, "alpha", in->alpha);
	th_put_boolean(call, "is_normal", test.p > in->alpha);
	put_normality(call, &test, in->alpha, constant);
	if (constant)
		give_reason(call,
			    "There is no variation in the values: W and p are 1 by convention.");
	if (n > SHAPIRO_WILK_MAX)
		th_warn(call, "accuracy",
			"The p value is calibrated for up to %d values; with %zu it may be off.",
			SHAPIRO_WILK_MAX, n);
	return TH_OK;
}
