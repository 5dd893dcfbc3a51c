/* SPDX-License-Identifier: MIT
 *
 * process_capability: how well a process fits between its specification limits.
 */
#include "monitoring/monitoring.h"

#include "common/prose.h"
#include "common/scale.h"

#include <math.h>

/* clang-format off */
const th_param capability_params[] = {
	TH_NUMBERS(struct capability_in, values, "Measurements of the process, in one unit.", {"minItems": 5}),
	TH_NUMBER_MAYBE(struct capability_in, lower_spec, "Lower specification limit, in the same unit; leave it out where there is none.", {}),
	TH_NUMBER_MAYBE(struct capability_in, upper_spec, "Upper specification limit, likewise.", {}),
	TH_BOOLEAN_OR(struct capability_in, robust, 1, "true: median and Sn, which outliers hardly move; false: mean and standard deviation.", {}),
	TH_END
};

const th_param capability_results[] = {
	TH_GIVES_NUMBER_OR_NULL(cpk, "Distance from the centre to the nearer limit, in three spreads; null without a limit or a spread.", {}),
	TH_GIVES_NUMBER_OR_NULL(rsd, "Spread over centre, in percent; null where the centre is 0.", {}),
	TH_GIVES_STRING(interpretation, "The verdict in a sentence.", {}),
	TH_GIVES_NUMBER_OR_NULL(lower_spec, "The limit that was given.", {}),
	TH_GIVES_NUMBER_OR_NULL(upper_spec, "The limit that was given.", {}),
	TH_GIVES_INTEGER(n, "Number of values.", {"minimum": 5}),
	TH_GIVES_BOOLEAN(robust, "The choice made.", {}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why cpk or rsd is null.", {}),
	TH_END
};
/* clang-format on */

/* The distance to a limit that there is, in three spreads. */
static double side(th_maybe_number limit, struct twofold centre, double spread, double direction)
{
	double distance = direction * -deviation(limit.value, centre);

	if (!limit.present)
		return INFINITY;
	/* Three spreads may be beyond a double where one is not, and so may the distance in single
	 * ones. */
	return spread > 1 ? distance / spread / 3 : distance / 3 / spread;
}

static const char *verdict(double cpk)
{
	if (cpk >= 1.67)
		return "excellent: the process stays far inside its limits";
	if (cpk >= 1.33)
		return "good: the process stays inside its limits with room to spare";
	if (cpk >= 1)
		return "marginal: the process just fits, and small shifts will break limits";
	return "poor: the process breaks its limits, or soon will";
}

/* Judged is what is shown, to four decimals and never as -0: a Cpk of 1 is no less for its
 * rounding. */
static void put_interpretation(th_call *call, double cpk)
{
	double shown = fabs(cpk) < 1e6 ? rint(cpk * 1e4) / 1e4 + 0.0 : cpk;
	char sentence[160];

	if (isnan(cpk))
		snprintf(sentence, sizeof(sentence), "The capability is undefined.");
	else
		snprintf(sentence, sizeof(sentence), "Cpk %s is %s.",
			 prose_number(shown, 10).text, verdict(shown));
	th_put_string(call, "interpretation", sentence);
}

static const char *capability_reason(const struct capability_in *in, const struct moments *m,
				     double spread, double cpk, double rsd)
{
	if (!in->lower_spec.present && !in->upper_spec.present)
		return "No specification limit was given.";
	if (m->least == m->greatest)
		return "There is no variation in the values.";
	if (!isfinite(spread))
		return BEYOND_RANGE;
	if (!(spread > 0))
		return "More than half of the values are equal, so that Sn is 0: try robust false.";
	if (!isfinite(cpk) || isinf(rsd))
		return BEYOND_RANGE;
	return isnan(rsd) ? "The centre is 0, and nothing is relative to that." : NULL;
}

int32_t process_capability(th_call *call, const void *input)
{
	const struct capability_in *in = input;
	size_t n = (size_t)in->values.count;
	double *work = copy_numbers(call, in->values, in->values.count);
	double spread, cpk = NAN, rsd;
	struct twofold centre;
	struct moments m;

	if (!work)
		return out_of_memory(call);
	if (in->lower_spec.present && in->upper_spec.present &&
	    in->lower_spec.value > in->upper_spec.value)
		return th_refuse(call, "lower_spec",
				 "lower_spec is above upper_spec: exchange the two.");
	m = moments_of(work, n);
	centre = in->robust ? median_of(work, n, work + n) : m.mean;
	spread = in->robust ? scale_sn(work, n, work + n) : moments_deviation(&m, n - 1);
	if (spread > 0 && (in->lower_spec.present || in->upper_spec.present))
		cpk = fmin(side(in->lower_spec, centre, spread, 1),
			   side(in->upper_spec, centre, spread, -1));
	/* A median is one of the values, or the middle of two: the size of others does not blur it. */
	rsd = 100 * relative_spread(spread, twofold_value(centre),
				    in->robust ? 0 : fmax(fabs(m.least), fabs(m.greatest)));
	th_put_number(call, "cpk", cpk);
	th_put_number(call, "rsd", rsd);
	put_interpretation(call, cpk);
	th_put_number(call, "lower_spec", in->lower_spec.present ? in->lower_spec.value : NAN);
	th_put_number(call, "upper_spec", in->upper_spec.present ? in->upper_spec.value : NAN);
	th_put_integer(call, "n", (int64_t)n);
	th_put_boolean(call, "robust", in->robust);
	give_reason(call, capability_reason(in, &m, spread, cpk, rsd));
	return TH_OK;
}
