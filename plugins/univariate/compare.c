/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether two groups differ: t tests of independent and of paired samples.
 */
#include "univariate/univariate.h"

#include "common/prose.h"
#include "common/student.h"
#include "common/sums.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static const char *t_reason(double difference, double standard_error, const struct t_test *test)
{
	if (!isfinite(difference) || !isfinite(standard_error) || isinf(test->upper) ||
	    isinf(test->lower) || isinf(test->t))
		return BEYOND_RANGE;
	if (standard_error > 0)
		return NULL;
	return difference == 0 ? "Nothing varies and nothing differs: t would be 0/0."
			       : "Nothing varies, so that t is infinite for any difference.";
}

/* The verdict in a sentence. `what` is the difference, as in "the mean of B less that of A". */
static void put_interpretation(th_call *call, const char *what, double difference,
			       double standard_error, const struct t_test *test, double level)
{
	struct prose_number by = prose_number(difference, 6);
	char sentence[320];

	if (!isfinite(difference) || !isfinite(standard_error))
		snprintf(sentence, sizeof(sentence),
			 "There is no verdict: the difference (%s) or its standard error is beyond "
			 "the range of a double.",
			 what);
	else if (isnan(test->p))
		snprintf(sentence, sizeof(sentence),
			 "There is no spread to judge the difference by (%s: %s).", what, by.text);
	else
		snprintf(sentence, sizeof(sentence),
			 "The difference (%s: %s) is %ssignificant at the %s %% level of "
			 "confidence (p = %s).",
			 what, by.text, test->significant ? "" : "not ",
			 prose_number(100 * level, 6).text, prose_number(test->p, 4).text);
	th_put_string(call, "interpretation", sentence);
}

/* ---- ttest_two_samples ------------------------------------------------------------------ */

/* clang-format off */
const th_param two_samples_params[] = {
	TH_NUMBERS(struct two_samples_in, group_a, "The measurements of the one group.", {"minItems": 2}),
	TH_NUMBERS(struct two_samples_in, group_b, "The measurements of the other group, in the same unit.", {"minItems": 2}),
	TH_NUMBER_OR(struct two_samples_in, confidence_level, 0.95, "Level of confidence, between 0 and 1.",
		     {"exclusiveMinimum": 0, "exclusiveMaximum": 1}),
	TH_BOOLEAN_OR(struct two_samples_in, equal_var, 1,
		      "true: both groups are taken to spread alike, and their variances are pooled; false: Welch's test, which does without that.", {}),
	TH_END
};

const th_param two_samples_results[] = {
	TH_GIVES_INTEGER(group_a_n, "Number of values in A.", {}),
	TH_GIVES_INTEGER(group_b_n, "Number of values in B.", {}),
	TH_GIVES_NUMBER(group_a_mean, "Mean of A.", {}),
	TH_GIVES_NUMBER(group_b_mean, "Mean of B.", {}),
	TH_GIVES_NUMBER_OR_NULL(t_value, "The difference of the means, B less A, in standard errors; null where nothing varies.", {}),
	TH_GIVES_NUMBER_OR_NULL(std_error_of_difference, "Standard error of that difference.", {"minimum": 0}),
	TH_GIVES_NUMBER_OR_NULL(pooled_std_dev, "The standard deviation common to both groups; null with equal_var false.", {"minimum": 0}),
	TH_GIVES_NUMBER_OR_NULL(conf_int_lower, "Lower end of the interval of the difference B less A.", {}),
	TH_GIVES_NUMBER_OR_NULL(conf_int_upper, "Upper end of that interval.", {}),
	TH_GIVES_NUMBER_OR_NULL(p_value, "Chance of so large a difference, in either direction, where there is none.", {"minimum": 0, "maximum": 1}),
	TH_GIVES_NUMBER_OR_NULL(degrees_of_freedom, "Degrees of freedom; with equal_var false not a whole number.", {}),
	TH_GIVES_BOOLEAN(equal_var, "Whether variances were pooled.", {}),
	TH_GIVES_NUMBER(confidence_level, "The level asked for.", {}),
	TH_GIVES_BOOLEAN(significant, "Whether p_value is below 1 - confidence_level.", {}),
	TH_GIVES_STRING(interpretation, "The verdict in a sentence.", {}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why numbers are null.", {}),
	TH_END
};
/* clang-format on */

/* Standard error and degrees of freedom of the difference of two means. */
struct comparison {
	double pooled; /* NaN: not pooled */
	double error;
	double freedom; /* NaN where nothing varies and nothing is pooled */
};

static struct comparison pooled(const struct moments *a, const struct moments *b)
{
	double n = (double)a->count, m = (double)b->count, freedom = n + m - 2;
	double deviation = hypot(a->norm, b->norm) / sqrt(freedom);

	return (struct comparison){ deviation, deviation * sqrt(1 / n + 1 / m), freedom };
}

/* Welch 1947, Satterthwaite 1946: the share of each group in the squared standard error says how
 * many degrees of freedom that has. */
static struct comparison welch(const struct moments *a, const struct moments *b)
{
	double n = (double)a->count, m = (double)b->count;
	double error_a = moments_deviation(a, a->count - 1) / sqrt(n);
	double error_b = moments_deviation(b, b->count - 1) / sqrt(m);
	double error = hypot(error_a, error_b);
	double share_a = (error_a / error) * (error_a / error);
	double share_b = (error_b / error) * (error_b / error);

	return (struct comparison){
		NAN, error, 1 / (share_a * share_a / (n - 1) + share_b * share_b / (m - 1))
	};
}

int32_t ttest_two_samples(th_call *call, const void *input)
{
	const struct two_samples_in *in = input;
	struct moments a = moments_of(in->group_a.values, (size_t)in->group_a.count);
	struct moments b = moments_of(in->group_b.values, (size_t)in->group_b.count);
	struct comparison c = in->equal_var ? pooled(&a, &b) : welch(&a, &b);
	double difference = twofold_difference(b.mean, a.mean);
	struct t_test test = t_test_of(difference, c.error, c.freedom, in->confidence_level);

	th_put_integer(call, "group_a_n", (int64_t)a.count);
	th_put_integer(call, "group_b_n", (int64_t)b.count);
	th_put_number(call, "group_a_mean", twofold_value(a.mean));
	th_put_number(call, "group_b_mean", twofold_value(b.mean));
	th_put_number(call, "t_value", test.t);
	th_put_number(call, "std_error_of_difference", c.error);
	th_put_number(call, "pooled_std_dev", c.pooled);
	th_put_number(call, "conf_int_lower", test.lower);
	th_put_number(call, "conf_int_upper", test.upper);
	th_put_number(call, "p_value", test.p);
	th_put_number(call, "degrees_of_freedom", c.freedom);
	th_put_boolean(call, "equal_var", in->equal_var);
	th_put_number(call, "confidence_level", in->confidence_level);
	th_put_boolean(call, "significant", test.significant);
	put_interpretation(call, "the mean of group B less that of group A", difference,
			   c.error, &test, in->confidence_level);
	give_reason(call, t_reason(difference, c.error, &test));
	return TH_OK;
}

/* ---- ttest_paired_samples --------------------------------------------------------------- */

/* clang-format off */
const th_param paired_params[] = {
	TH_NUMBERS(struct paired_in, group_a, "The first measurement of each pair.", {"minItems": 2}),
	TH_NUMBERS(struct paired_in, group_b, "The second measurement of each pair, in the same order and unit.", {"minItems": 2}),
	TH_NUMBER_OR(struct paired_in, confidence_level, 0.95, "Level of confidence, between 0 and 1.",
		     {"exclusiveMinimum": 0, "exclusiveMaximum": 1}),
	TH_END
};

const th_param paired_results[] = {
	TH_GIVES_INTEGER(n_pairs, "Number of pairs.", {}),
	TH_GIVES_NUMBER_OR_NULL(differences_mean, "Mean of the differences, A less B.", {}),
	TH_GIVES_NUMBER_OR_NULL(differences_std, "Their standard deviation.", {"minimum": 0}),
	TH_GIVES_NUMBER_OR_NULL(std_error_of_mean_difference, "Standard error of their mean.", {"minimum": 0}),
	TH_GIVES_NUMBER_OR_NULL(t_value, "That mean in standard errors; null where the differences do not vary.", {}),
	TH_GIVES_NUMBER_OR_NULL(z_value, "The same as t_value, under its older name.", {}),
	TH_GIVES_NUMBER_OR_NULL(conf_int_lower, "Lower end of the interval of the mean difference.", {}),
	TH_GIVES_NUMBER_OR_NULL(conf_int_upper, "Upper end of that interval.", {}),
	TH_GIVES_NUMBER_OR_NULL(p_value, "Chance of so large a mean difference, in either direction, where there is none.", {"minimum": 0, "maximum": 1}),
	TH_GIVES_INTEGER(degrees_of_freedom, "Number of pairs less 1.", {}),
	TH_GIVES_NUMBER(confidence_level, "The level asked for.", {}),
	TH_GIVES_BOOLEAN(significant, "Whether p_value is below 1 - confidence_level.", {}),
	TH_GIVES_STRING(interpretation, "The verdict in a sentence.", {}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why numbers are null.", {}),
	TH_END
};
/* clang-format on */

/* The moments of the differences A less B, as if those were worked out in twice the precision: where
 * one group lies far from the other, the rounding of the differences would be that of the larger.
 * `room` is for twice the pairs. Only the mean, the range and the spread are of use after. */
static struct moments differences_of(const struct paired_in *in, double *room)
{
	size_t n = (size_t)in->group_a.count;
	double *differences = room, *lost = room + n;
	struct twofold mean, rest;
	struct moments m;

	for (size_t i = 0; i < n; i++) {
		struct twofold d = twofold_add(in->group_a.values[i], -in->group_b.values[i]);

		differences[i] = d.high;
		lost[i] = d.low;
	}
	m = moments_of(differences, n);
	if (fmax(fabs(m.least), fabs(m.greatest)) > DBL_MAX / 4)
		return m;
	rest = sum_of(lost, n);
	mean = twofold_add(m.mean.high, m.mean.low + twofold_value(rest) / (double)n);
	for (size_t i = 0; i < n; i++)
		differences[i] = deviation(differences[i], mean) + lost[i];
	m = moments_of(differences, n);
	m.mean = mean;
	return m;
}

/* Whether differences vary by no more than rounding. The decimals that were sent are off by half a
 * unit in the last place, and so is each difference: 1.1 - 0.1 and 2.2 - 1.2 are not the same double. */
static bool alike_but_for_rounding(const struct paired_in *in, const struct moments *differences)
{
	double largest = 0;

	for (uint64_t i = 0; i < in->group_a.count; i++)
		largest = fmax(largest,
			       fabs(in->group_a.values[i]) / 2 + fabs(in->group_b.values[i]) / 2);
	return differences->greatest - differences->least <= 4 * DBL_EPSILON * largest;
}

int32_t ttest_paired_samples(th_call *call, const void *input)
{
	const struct paired_in *in = input;
	size_t n = (size_t)in->group_a.count;
	double *room = th_allocate(call, in->group_a.count, 2 * sizeof(*room));
	double mean, spread, error;
	struct moments m;
	struct t_test test;

	if (in->group_a.count != in->group_b.count)
		return refuse_lengths(call, "group_a", in->group_a.count, "group_b",
				      in->group_b.count);
	if (!room)
		return out_of_memory(call);
	m = differences_of(in, room);
	mean = twofold_value(m.mean);
	spread = alike_but_for_rounding(in, &m) ? 0 : moments_deviation(&m, n - 1);
	error = spread / sqrt((double)n);
	test = t_test_of(mean, error, (double)n - 1, in->confidence_level);
	th_put_integer(call, "n_pairs", (int64_t)n);
	th_put_number(call, "differences_mean", mean);
	th_put_number(call, "differences_std", spread);
	th_put_number(call, "std_error_of_mean_difference", error);
	th_put_number(call, "t_value", test.t);
	th_put_number(call, "z_value", test.t);
	th_put_number(call, "conf_int_lower", test.lower);
	th_put_number(call, "conf_int_upper", test.upper);
	th_put_number(call, "p_value", test.p);
	th_put_integer(call, "degrees_of_freedom", (int64_t)n - 1);
	th_put_number(call, "confidence_level", in->confidence_level);
	th_put_boolean(call, "significant", test.significant);
	put_interpretation(call, "the mean of A less B over the pairs", mean, error, &test,
			   in->confidence_level);
	give_reason(call, t_reason(mean, error, &test));
	return TH_OK;
}
