/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a sample lies: the summary, and the interval of its centre.
 */
#include "univariate/univariate.h"

#include "common/scale.h"
#include "common/student.h"

#include <math.h>

/* ---- robust_summary_stats --------------------------------------------------------------- */

/* clang-format off */
const th_param summary_params[] = {
	TH_NUMBERS(struct summary_in, values, "The sample, in one unit.", {"minItems": 2}),
	TH_CHOICE_OR(struct summary_in, method, "robust",
		     "How center, spread and rsd are found: robust takes the median and Sn, which outliers hardly move; classical the mean and the standard deviation.",
		     ["robust", "classical"]),
	TH_END
};

const th_param summary_results[] = {
	TH_GIVES_NUMBER(mean, "Arithmetic mean.", {}),
	TH_GIVES_NUMBER_OR_NULL(std_ddof0, "Standard deviation of the values as a whole population (divisor n).", {"minimum": 0}),
	TH_GIVES_NUMBER_OR_NULL(std_ddof1, "Standard deviation of the values as a sample (divisor n - 1).", {"minimum": 0}),
	TH_GIVES_NUMBER_OR_NULL(rsd_classical, "std_ddof1 over the mean; null where the mean is 0.", {}),
	TH_GIVES_NUMBER(percentile_05, "5th percentile, linear between neighbours.", {}),
	TH_GIVES_NUMBER(percentile_25, "Lower quartile.", {}),
	TH_GIVES_NUMBER(median, "Median.", {}),
	TH_GIVES_NUMBER(percentile_75, "Upper quartile.", {}),
	TH_GIVES_NUMBER(percentile_95, "95th percentile.", {}),
	TH_GIVES_NUMBER_OR_NULL(iqr, "Upper less lower quartile.", {"minimum": 0}),
	TH_GIVES_NUMBER(min, "Smallest value.", {}),
	TH_GIVES_NUMBER(max, "Largest value.", {}),
	TH_GIVES_INTEGER(N_non_missing, "Number of values.", {"minimum": 2}),
	TH_GIVES_NUMBER(center, "The centre by the chosen method.", {}),
	TH_GIVES_NUMBER_OR_NULL(spread, "The spread by the chosen method.", {"minimum": 0}),
	TH_GIVES_NUMBER_OR_NULL(rsd, "spread over center; null where the centre is 0.", {}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why a number is null, or why the robust method gave way.", {}),
	TH_END
};
/* clang-format on */

enum { P05, P25, P50, P75, P95, PERCENTILES };

/* Centre and spread by the method asked for. `work` holds the values and as much scratch. Answers
 * why another method stepped in, or NULL. */
static const char *centre_by_method(const struct summary_in *in, const struct moments *m,
				    double median, double *work, double *ret_centre,
				    double *ret_spread)
{
	double sn;

	*ret_centre = twofold_value(m->mean);
	*ret_spread = moments_deviation(m, m->count - 1);
	if (in->method == METHOD_CLASSICAL)
		return NULL;
	sn = scale_sn(work, m->count, work + m->count);
	if (sn == 0 && m->least < m->greatest)
		return "More than half of the values are equal, so that Sn is 0: "
		       "center and spread are the mean and the standard deviation.";
	*ret_centre = median;
	*ret_spread = sn;
	return NULL;
}

int32_t robust_summary_stats(th_call *call, const void *input)
{
	static const double fractions[PERCENTILES] = { 0.05, 0.25, 0.5, 0.75, 0.95 };
	const struct summary_in *in = input;
	size_t n = (size_t)in->values.count;
	double *work = copy_numbers(call, in->values, n);
	double p[PERCENTILES], largest, centre, spread, rsd, rsd_classical;
	const char *reason;
	struct moments m;

	if (!work)
		return out_of_memory(call);
	m = moments_of(in->values.values, n);
	largest = fmax(fabs(m.least), fabs(m.greatest));
	quantiles_of(work, n, fractions, PERCENTILES, p, work + n);
	reason = centre_by_method(in, &m, p[P50], work, &centre, &spread);
	/* A median is one of the values, or the middle of two: the size of others does not blur it. */
	rsd = relative_spread(spread, centre,
			      in->method == METHOD_ROBUST && !reason ? 0 : largest);
	rsd_classical =
		relative_spread(moments_deviation(&m, n - 1), twofold_value(m.mean), largest);
	th_put_number(call, "mean", twofold_value(m.mean));
	th_put_number(call, "std_ddof0", moments_deviation(&m, n));
	th_put_number(call, "std_ddof1", moments_deviation(&m, n - 1));
	th_put_number(call, "rsd_classical", rsd_classical);
	th_put_number(call, "percentile_05", p[P05]);
	th_put_number(call, "percentile_25", p[P25]);
	th_put_number(call, "median", p[P50]);
	th_put_number(call, "percentile_75", p[P75]);
	th_put_number(call, "percentile_95", p[P95]);
	th_put_number(call, "iqr", p[P75] - p[P25]);
	th_put_number(call, "min", m.least);
	th_put_number(call, "max", m.greatest);
	th_put_integer(call, "N_non_missing", (int64_t)n);
	th_put_number(call, "center", centre);
	th_put_number(call, "spread", spread);
	th_put_number(call, "rsd", rsd);
	if (!isfinite(spread) || !isfinite(p[P75] - p[P25]) || isinf(rsd) || isinf(rsd_classical))
		reason = BEYOND_RANGE;
	else if (!reason && (isnan(rsd) || isnan(rsd_classical)))
		reason = "The centre is 0, and nothing is relative to that.";
	give_reason(call, reason);
	return TH_OK;
}

/* ---- confidence_interval ---------------------------------------------------------------- */

/* clang-format off */
const th_param interval_params[] = {
	TH_NUMBERS(struct interval_in, values, "The sample, in one unit.", {"minItems": 3}),
	TH_NUMBER_OR(struct interval_in, confidence_level, 0.95, "How sure the interval is to hold the centre, between 0 and 1.",
		     {"exclusiveMinimum": 0, "exclusiveMaximum": 1}),
	TH_CHOICE_OR(struct interval_in, method, "robust",
		     "robust: the median with the normal-scaled MAD; classical: the mean with the standard deviation.",
		     ["robust", "classical"]),
	TH_END
};

const th_param interval_results[] = {
	TH_GIVES_NUMBER_OR_NULL(lower, "Lower end of the interval.", {}),
	TH_GIVES_NUMBER(center, "The median, or the mean.", {}),
	TH_GIVES_NUMBER_OR_NULL(upper, "Upper end of the interval.", {}),
	TH_GIVES_NUMBER_OR_NULL(margin_of_error, "Half the width of the interval.", {"minimum": 0}),
	TH_GIVES_NUMBER(confidence_level, "The level asked for.", {}),
	TH_GIVES(method, TH_KIND_TEXT, 0, "The method asked for.", {"enum": ["robust", "classical"]}),
	TH_GIVES_INTEGER(n, "Number of values.", {"minimum": 3}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why the interval has no width, or no ends.", {}),
	TH_END
};
/* clang-format on */

/* error: what the values spread by; reach: of the interval, the larger of its ends and its margin. */
static const char *interval_reason(double error, double reach, bool robust)
{
	if (error > 0)
		return isfinite(reach) ? NULL : BEYOND_RANGE;
	return robust ? "Half of the values or more are equal to the median, so that the MAD is 0."
		      : "There is no variation in the values.";
}

int32_t confidence_interval(th_call *call, const void *input)
{
	const struct interval_in *in = input;
	size_t n = (size_t)in->values.count;
	bool robust = in->method == METHOD_ROBUST;
	double error, margin, lower, upper;
	struct twofold centre;

	if (robust) {
		double *work = copy_numbers(call, in->values, n);
		double mad;

		if (!work)
			return out_of_memory(call);
		centre = median_of(work, n, work + n);
		mad = median_absolute_deviation_from(work, n, centre, work + n);
		/* The median of normal data varies by pi/2 as much as the mean. */
		error = mad / NORMAL_QUARTILE * sqrt(acos(0.0));
	} else {
		struct moments m = moments_of(in->values.values, n);

		centre = m.mean;
		error = moments_deviation(&m, n - 1);
	}
	margin = student_reach(in->confidence_level, (double)n - 1) * error / sqrt((double)n);
	lower = centre.high - margin + centre.low;
	upper = centre.high + margin + centre.low;
	th_put_number(call, "lower", lower);
	th_put_number(call, "center", twofold_value(centre));
	th_put_number(call, "upper", upper);
	th_put_number(call, "margin_of_error", margin);
	th_put_number(call, "confidence_level", in->confidence_level);
	th_put_string(call, "method", robust ? "robust" : "classical");
	th_put_integer(call, "n", (int64_t)n);
	give_reason(call, interval_reason(error, fmax(margin, fmax(fabs(lower), fabs(upper))), robust));
	return TH_OK;
}
