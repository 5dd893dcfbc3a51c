/* SPDX-License-Identifier: MIT
 *
 * control_chart: a target, limits, and what lies outside.
 */
#include "monitoring/monitoring.h"

#include "common/scale.h"

#include <math.h>

/* What the robust charts multiply a MAD by; shorter than 1 / NORMAL_QUARTILE by convention. */
#define CHART_MAD_FACTOR 1.4826

/* clang-format off */
const th_param chart_params[] = {
	TH_NUMBERS(struct chart_in, values, "The measurements in order of time, in one unit.", {"minItems": 5}),
	TH_CHOICE_OR(struct chart_in, chart_type, "holt_winters",
		     "shewhart: single values far off; ewma and cusum: small shifts that last; holt_winters: a target and a spread that trends and outliers do not spoil.",
		     ["shewhart", "holt_winters", "ewma", "cusum"]),
	TH_CHOICE_OR(struct chart_in, style, "robust",
		     "robust: median and MAD; regular: mean and standard deviation. Of no effect with holt_winters.",
		     ["robust", "regular"]),
	TH_END
};

const th_param chart_results[] = {
	TH_GIVES_NUMBER(target, "Centre line.", {}),
	TH_GIVES_NUMBER_OR_NULL(upper_control_limit, "Upper limit; null for cusum, which has none. For ewma the limit of the average in the long run.", {}),
	TH_GIVES_NUMBER_OR_NULL(lower_control_limit, "Lower limit, likewise.", {}),
	TH_GIVES_NUMBER_OR_NULL(spread, "The standard deviation that the chart judges by.", {"minimum": 0}),
	TH_GIVES_INTEGERS(out_of_control_indices, "Positions out of control, from 0; for cusum where alarms were raised.", {}),
	TH_GIVES_NUMBERS(out_of_control_values, "The values there.", {}),
	TH_GIVES_INTEGER(n_out_of_control, "How many there are.", {"minimum": 0}),
	TH_GIVES_INTEGER(n_observations, "Number of values.", {"minimum": 5}),
	TH_GIVES(chart_type, TH_KIND_TEXT, 0, "The chart asked for.", {"enum": ["shewhart", "holt_winters", "ewma", "cusum"]}),
	TH_GIVES(style, TH_KIND_TEXT, 0, "The style asked for.", {"enum": ["robust", "regular"]}),
	TH_GIVES(ewma_weight, TH_KIND_NUMBER, TH_OPTIONAL, "ewma: weight of the newest value.", {}),
	TH_GIVES(out_of_control_ewma, TH_KIND_NUMBERS, TH_OPTIONAL | TH_GAPS, "ewma: the averages at the positions out of control.", {}),
	TH_GIVES(reference_value, TH_KIND_NUMBER, TH_OPTIONAL | TH_NULLABLE, "cusum: what a value may be off without adding to the sum.", {}),
	TH_GIVES(decision_interval, TH_KIND_NUMBER, TH_OPTIONAL | TH_NULLABLE, "cusum: the sum above which an alarm is raised.", {}),
	TH_GIVES(cusum_alarms, TH_KIND_JSON, TH_OPTIONAL, "cusum: each alarm, with the sample where the shift began and the mean since.",
		 {"type": "array", "items": {"type": "object", "required": ["sample", "direction", "shift_start", "new_mean"],
		  "properties": {"sample": {"type": "integer"}, "direction": {"enum": ["up", "down"]},
				 "shift_start": {"type": "integer"}, "new_mean": {"type": ["number", "null"]}}}}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why the limits meet, or are null.", {}),
	TH_END
};
/* clang-format on */

/* A chart in the making: the values, what they are judged by, and room for what is found. */
struct chart {
	const double *values;
	size_t n;
	struct baseline base;
	double *scratch;      /* 4 n */
	int64_t *indices;     /* 2 n: cusum may raise two alarms at one value */
	double *found_values; /* 2 n */
	size_t found;
	bool beyond; /* a number of the answer is beyond a double, and so null */
};

static bool chart_make(th_call *call, const struct chart_in *in, struct chart *ret_chart)
{
	uint64_t n = in->values.count;
	struct chart c = { .values = in->values.values, .n = (size_t)n };

	c.scratch = th_allocate(call, 4 * n, sizeof(*c.scratch));
	c.indices = th_allocate(call, 2 * n, sizeof(*c.indices));
	c.found_values = th_allocate(call, 2 * n, sizeof(*c.found_values));
	*ret_chart = c;
	return c.scratch && c.indices && c.found_values;
}

static void found(struct chart *c, size_t i)
{
	c->indices[c->found] = (int64_t)i;
	c->found_values[c->found++] = c->values[i];
}

static void find_outside(struct chart *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (fabs(deviation(c->values[i], c->base.target)) > 3 * c->base.spread)
			found(c, i);
}

static struct baseline median_and(struct chart *c, bool mad)
{
	struct moments m = moments_of(c->values, c->n);
	double *copy = c->scratch, *room = c->scratch + c->n;
	struct baseline base = { .spread = moments_deviation(&m, c->n - 1) };

	memcpy(copy, c->values, c->n * sizeof(*copy));
	base.target = median_of(copy, c->n, room);
	if (mad)
		base.spread = CHART_MAD_FACTOR *
			      median_absolute_deviation_from(copy, c->n, base.target, room);
	return base;
}

static struct baseline baseline_of(struct chart *c, const struct chart_in *in)
{
	struct moments m;

	if (in->chart_type == CHART_HOLT_WINTERS)
		return c->n < HOLT_WINTERS_LEAST
			       ? median_and(c, false)
			       : holt_winters_baseline(c->values, c->n, c->scratch);
	if (in->style == STYLE_ROBUST)
		return median_and(c, true);
	m = moments_of(c->values, c->n);
	return (struct baseline){ m.mean, moments_deviation(&m, c->n - 1) };
}

/* Writes a number that is null only where it is beyond a double. */
static void put_finite(th_call *call, struct chart *c, const char *key, double value)
{
	c->beyond |= !isfinite(value);
	th_put_number(call, key, value);
}

static void put_limits(th_call *call, struct chart *c, double reach)
{
	const struct twofold target = c->base.target;

	put_finite(call, c, "upper_control_limit", target.high + reach + target.low);
	put_finite(call, c, "lower_control_limit", target.high - reach + target.low);
}

/* The keys that all charts have. reach: from the target to either limit; NaN: no limits. */
static void put_chart(th_call *call, struct chart *c, const struct chart_in *in, double reach)
{
	static const char *const types[] = { "shewhart", "holt_winters", "ewma", "cusum" };

	th_put_number(call, "target", twofold_value(c->base.target));
	if (isnan(reach)) {
		th_put_null(call, "upper_control_limit");
		th_put_null(call, "lower_control_limit");
	} else {
		put_limits(call, c, reach);
	}
	put_finite(call, c, "spread", c->base.spread);
	th_put_integers(call, "out_of_control_indices", c->indices, c->found);
	th_put_numbers(call, "out_of_control_values", c->found_values, c->found);
	th_put_integer(call, "n_out_of_control", (int64_t)c->found);
	th_put_integer(call, "n_observations", (int64_t)c->n);
	th_put_string(call, "chart_type", types[in->chart_type]);
	th_put_string(call, "style", in->style == STYLE_ROBUST ? "robust" : "regular");
}

static void chart_limits(th_call *call, struct chart *c, const struct chart_in *in)
{
	find_outside(c);
	put_chart(call, c, in, 3 * c->base.spread);
}

static void chart_ewma(th_call *call, struct chart *c, const struct chart_in *in)
{
	double *averages = c->scratch;
	bool *out = (bool *)(c->scratch + c->n);

	ewma_run(c->values, c->n, c->base, averages, out);
	for (size_t i = 0; i < c->n; i++)
		if (out[i]) {
			/* found never overtakes i, so the averages that are yet to be read stay. */
			averages[c->found] = c->base.target.high + averages[i] + c->base.target.low;
			c->beyond |= !isfinite(averages[c->found]);
			found(c, i);
		}
	put_chart(call, c, in, ewma_reach(c->base.spread));
	th_put_number(call, "ewma_weight", EWMA_WEIGHT);
	th_put_numbers(call, "out_of_control_ewma", averages, c->found);
}

static int32_t chart_cusum(th_call *call, struct chart *c, const struct chart_in *in)
{
	struct cusum_alarm *alarms = th_allocate(call, 2 * c->n, sizeof(*alarms));
	size_t count;

	if (!alarms)
		return out_of_memory(call);
	count = cusum_run(c->values, c->n, c->base, alarms);
	for (size_t i = 0; i < count; i++)
		found(c, alarms[i].sample);
	put_chart(call, c, in, NAN);
	put_finite(call, c, "reference_value", c->base.spread / 2);
	put_finite(call, c, "decision_interval", 5 * c->base.spread);
	th_begin_list(call, "cusum_alarms");
	for (size_t i = 0; i < count; i++) {
		th_begin_object(call, NULL);
		th_put_integer(call, "sample", (int64_t)alarms[i].sample);
		th_put_string(call, "direction", alarms[i].shift > 0 ? "up" : "down");
		th_put_integer(call, "shift_start", (int64_t)alarms[i].shift_start);
		put_finite(call, c, "new_mean",
			   c->base.target.high + alarms[i].shift + c->base.target.low);
		th_end(call);
	}
	th_end(call);
	return TH_OK;
}

static const char *chart_reason(const struct chart *c, const struct chart_in *in)
{
	if (c->beyond || !isfinite(3 * c->base.spread))
		return BEYOND_RANGE;
	if (c->base.spread > 0)
		return NULL;
	return in->style == STYLE_ROBUST
		       ? "Half of the values or more are equal, so that the MAD is 0 and the "
			 "limits meet."
		       : "There is no variation in the values, so that the limits meet.";
}

int32_t control_chart(th_call *call, const void *input)
{
	const struct chart_in *in = input;
	int32_t r = TH_OK;
	struct chart c;

	if (!chart_make(call, in, &c))
		return out_of_memory(call);
	c.base = baseline_of(&c, in);
	switch (in->chart_type) {
	case CHART_HOLT_WINTERS:
		if (!(c.base.spread > 0))
			return th_fail(call, "The data have no spread to set limits by: all "
					     "values, or most errors of the smoothing, are equal. "
					     "Use chart_type shewhart, whose limits then meet.");
		chart_limits(call, &c, in);
		break;
	case CHART_EWMA:
		chart_ewma(call, &c, in);
		break;
	case CHART_CUSUM:
		r = chart_cusum(call, &c, in);
		break;
	default:
		chart_limits(call, &c, in);
	}
	if (r == TH_OK)
		give_reason(call, chart_reason(&c, in));
	return r;
}
