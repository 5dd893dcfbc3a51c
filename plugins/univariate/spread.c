/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a sample spreads: Sn, the MAD, and variance within and between groups.
 */
#include "univariate/univariate.h"

#include "common/labels.h"
#include "common/scale.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* ---- robust_scale_sn -------------------------------------------------------------------- */

/* clang-format off */
const th_param sn_params[] = {
	TH_NUMBERS(struct values_in, values, "The sample, in one unit.", {"minItems": 2}),
	TH_END
};

const th_param sn_results[] = {
	TH_GIVES_NUMBER_OR_NULL(sn, "The scale estimate Sn, in the unit of the values.", {"minimum": 0}),
	TH_GIVES_NUMBER_OR_NULL(rsd, "sn over the mean; null where the mean is 0.", {}),
	TH_GIVES_INTEGER(n, "Number of values.", {"minimum": 2}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why sn is 0 or rsd is null.", {}),
	TH_END
};
/* clang-format on */

int32_t robust_scale_sn(th_call *call, const void *input)
{
	const struct values_in *in = input;
	size_t n = (size_t)in->values.count;
	double *work = copy_numbers(call, in->values, n);
	struct moments m;
	double sn, rsd;

	if (!work)
		return out_of_memory(call);
	m = moments_of(work, n);
	sn = scale_sn(work, n, work + n);
	rsd = relative_spread(sn, twofold_value(m.mean), fmax(fabs(m.least), fabs(m.greatest)));
	th_put_number(call, "sn", sn);
	th_put_number(call, "rsd", rsd);
	th_put_integer(call, "n", (int64_t)n);
	if (!isfinite(sn))
		give_reason(call, BEYOND_RANGE);
	else if (isnan(rsd))
		give_reason(call, "The mean is 0, and nothing is relative to that.");
	else if (m.least == m.greatest)
		give_reason(call, "There is no variation in the values.");
	else if (sn == 0)
		give_reason(call, "More than half of the values are equal.");
	return TH_OK;
}

/* ---- median_absolute_deviation ---------------------------------------------------------- */

enum { SCALE_NORMAL, SCALE_RAW };

/* clang-format off */
const th_param mad_params[] = {
	TH_NUMBERS(struct mad_in, values, "The sample, in one unit.", {"minItems": 2}),
	TH_CHOICE_OR(struct mad_in, scale, "normal",
		     "normal: divided by 0.6745, so that it estimates the standard deviation of normal data; raw: the plain median of the distances.",
		     ["normal", "raw"]),
	TH_END
};

const th_param mad_results[] = {
	TH_GIVES_NUMBER_OR_NULL(mad, "The median absolute deviation from the median.", {"minimum": 0}),
	TH_GIVES(scale, TH_KIND_TEXT, 0, "The scale asked for.", {"enum": ["normal", "raw"]}),
	TH_GIVES_INTEGER(n, "Number of values.", {"minimum": 2}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why mad is 0.", {}),
	TH_END
};
/* clang-format on */

int32_t median_absolute_deviation(th_call *call, const void *input)
{
	const struct mad_in *in = input;
	size_t n = (size_t)in->values.count;
	double *work = copy_numbers(call, in->values, n);
	struct twofold centre;
	double mad;

	if (!work)
		return out_of_memory(call);
	centre = median_of(work, n, work + n);
	mad = median_absolute_deviation_from(work, n, centre, work + n);
	if (in->scale == SCALE_NORMAL)
		mad /= NORMAL_QUARTILE;
	th_put_number(call, "mad", mad);
	th_put_string(call, "scale", in->scale == SCALE_NORMAL ? "normal" : "raw");
	th_put_integer(call, "n", (int64_t)n);
	if (mad == 0)
		give_reason(call, "Half of the values or more are equal to the median.");
	else if (!isfinite(mad))
		give_reason(call, BEYOND_RANGE);
	return TH_OK;
}

/* ---- within_between_variance ------------------------------------------------------------ */

/* clang-format off */
const th_param variance_params[] = {
	TH_NUMBERS(struct variance_in, values, "The measurements, in one unit.", {"minItems": 3}),
	TH_JSON(struct variance_in, groups,
		"The group of each measurement, in the same order: texts, numbers or booleans. 1 and 1.0 are one group, \"1\" is another.",
		{"type": "array", "minItems": 3, "items": {"type": ["string", "number", "boolean"]}}),
	TH_END
};

const th_param variance_results[] = {
	TH_GIVES_NUMBER_OR_NULL(total_ms, "Mean square of all values about their mean.", {"minimum": 0}),
	TH_GIVES_INTEGER(total_dof, "Its degrees of freedom.", {"minimum": 0}),
	TH_GIVES_NUMBER_OR_NULL(within_ms, "Mean square of the values about the mean of their group.", {"minimum": 0}),
	TH_GIVES_NUMBER_OR_NULL(within_stddev, "Standard deviation within groups: repeatability.", {"minimum": 0}),
	TH_GIVES_INTEGER(within_dof, "Its degrees of freedom.", {"minimum": 0}),
	TH_GIVES_NUMBER_OR_NULL(between_ms, "Mean square of the groups' means, weighted by size.", {"minimum": 0}),
	TH_GIVES_NUMBER_OR_NULL(between_stddev, "Standard deviation between groups, without what varies within them; 0 where that explains it all.", {"minimum": 0}),
	TH_GIVES_INTEGER(between_dof, "Its degrees of freedom.", {"minimum": 0}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why there is no within or no between part.", {}),
	TH_END
};
/* clang-format on */

/* Values sorted by group: those of group g are values[start[g]] up to values[start[g + 1]]. */
struct groups {
	double *values;
	size_t *start;
	size_t count;
};

/* False: the call has failed. */
static bool sort_by_group(th_call *call, const struct variance_in *in, struct groups *ret_groups)
{
	size_t n = (size_t)in->values.count;
	size_t label_count = labels_read(in->groups.data, (size_t)in->groups.length, NULL);
	struct label *labels = th_allocate(call, n, sizeof(*labels));
	uint32_t *group = th_allocate(call, n + labels_slots(n), sizeof(*group));
	uint64_t *places = th_allocate(call, n, sizeof(*places));

	if (label_count == SIZE_MAX)
		th_refuse(call, "groups",
			  "A label in groups must be a text, a number or a boolean.");
	else if (label_count != n)
		refuse_lengths(call, "values", n, "groups", label_count);
	if (label_count != n)
		return false;
	ret_groups->values = th_allocate(call, n, sizeof(double));
	if (!labels || !group || !places || !ret_groups->values)
		goto no_memory;
	labels_read(in->groups.data, (size_t)in->groups.length, labels);
	for (size_t i = 0; i < n; i++)
		if (label_is_blurred(&labels[i])) {
			th_refuse(call, "groups",
				  "Label %zu in groups is a number too long to be told from its "
				  "neighbours: send the labels as texts.",
				  i);
			return false;
		}
	ret_groups->count = labels_group(labels, n, group, group + n);
	ret_groups->start = th_allocate(call, ret_groups->count + 1, sizeof(size_t));
	if (!ret_groups->start)
		goto no_memory;
	groups_sort(group, n, ret_groups->count, ret_groups->start, places);
	for (size_t i = 0; i < n; i++)
		ret_groups->values[i] = in->values.values[places[i]];
	return true;

no_memory:
	out_of_memory(call);
	return false;
}

/* Roots of the sums of squares, which stay in range where the sums may not. */
struct variance_parts {
	double within;
	double between;
	double group_size; /* the size that equal groups of as much information would have */
};

/* The part between comes from the groups' means; as what the total leaves over it would be rounding
 * noise. False: the call has failed. */
static bool variance_parts_of(th_call *call, const struct groups *g, struct twofold mean,
			      struct variance_parts *ret_parts)
{
	double *within = th_allocate(call, 2 * g->count, sizeof(*within)), *between;
	double squares = 0, n = (double)g->start[g->count];

	if (!within) {
		out_of_memory(call);
		return false;
	}
	between = within + g->count;
	for (size_t k = 0; k < g->count; k++) {
		double size = (double)(g->start[k + 1] - g->start[k]);
		struct moments m = moments_of(g->values + g->start[k], (size_t)size);

		within[k] = m.norm;
		between[k] = twofold_difference(m.mean, mean) * sqrt(size);
		squares += size * (size / n);
	}
	ret_parts->within = root_of_squares(within, g->count);
	ret_parts->between = root_of_squares(between, g->count);
	ret_parts->group_size = g->count > 1 ? (n - squares) / ((double)g->count - 1) : NAN;
	return true;
}

static double root_mean_square(double root, size_t freedom)
{
	return freedom ? root / sqrt((double)freedom) : 0;
}

/* What the mean square between groups is above the one within, as a standard deviation. From the
 * roots, whose squares may be beyond a double; 0 where that is nothing. */
static double excess_deviation(double between, double within, double group_size)
{
	if (!(between > within))
		return 0;
	return between *
	       sqrt((between - within) / between * (1 + within / between) / group_size);
}

static const char *variance_reason(const struct moments *all, size_t within_dof, size_t between_dof,
				   double largest_ms)
{
	if (!isfinite(largest_ms))
		return BEYOND_RANGE;
	if (all->least == all->greatest)
		return "There is no variation in the values.";
	if (!between_dof)
		return "There is one group only: nothing varies between groups.";
	if (!within_dof)
		return "Every group has one value only: nothing varies within groups.";
	if (largest_ms < DBL_MIN)
		return "The mean squares are below the range of a double: use a smaller unit.";
	return NULL;
}

int32_t within_between_variance(th_call *call, const void *input)
{
	const struct variance_in *in = input;
	size_t n = (size_t)in->values.count, within_dof, between_dof;
	double total, within, between, largest;
	struct variance_parts parts;
	struct moments all;
	struct groups g;

	all = moments_of(in->values.values, n);
	if (!sort_by_group(call, in, &g) || !variance_parts_of(call, &g, all.mean, &parts))
		return TH_FAILED;
	within_dof = n - g.count;
	between_dof = g.count - 1;
	total = moments_deviation(&all, n - 1);
	within = root_mean_square(parts.within, within_dof);
	between = root_mean_square(parts.between, between_dof);
	th_put_number(call, "total_ms", total * total);
	th_put_integer(call, "total_dof", (int64_t)n - 1);
	th_put_number(call, "within_ms", within * within);
	th_put_number(call, "within_stddev", within);
	th_put_integer(call, "within_dof", (int64_t)within_dof);
	th_put_number(call, "between_ms", between * between);
	th_put_number(call, "between_stddev", excess_deviation(between, within, parts.group_size));
	th_put_integer(call, "between_dof", (int64_t)between_dof);
	largest = fmax(total, fmax(within, between));
	give_reason(call, variance_reason(&all, within_dof, between_dof, largest * largest));
	return TH_OK;
}
