/* SPDX-License-Identifier: MIT
 *
 * What sums up the readings of a batch.
 */
#include "batch/batch.h"

#include "common/line.h"
#include "common/order.h"

#include <math.h>

_Static_assert(FEATURES_SCRATCH(1000) * sizeof(double) >= REPEATED_MEDIAN_BYTES(1000) &&
		       FEATURES_SCRATCH(1) * sizeof(double) >= REPEATED_MEDIAN_BYTES(1),
	       "the slope has room");

/* By trapezoids. (0 for one reading.) */
static double area_of(const struct readings *r, double *scratch)
{
	for (size_t i = 1; i < r->timed; i++)
		scratch[i - 1] = (r->in_time[i] / 2 + r->in_time[i - 1] / 2) *
				 (r->times[i] - r->times[i - 1]);
	return r->timed > 1 ? twofold_value(sum_of(scratch, r->timed - 1)) : 0;
}

/* The median, and with it the distance between the quartiles. Those are counted from the median, so
 * that they keep the digits that far from 0 their own rounding would cost. Values are overwritten. */
static double median_and_iqr(double *values, size_t count, double *scratch, double *ret_iqr)
{
	static const double fractions[] = { 0.25, 0.5, 0.75 };
	double plain[3], counted[3];

	quantiles_of(values, count, fractions, 3, plain, scratch);
	for (size_t i = 0; i < count; i++)
		values[i] -= plain[1];
	quantiles_of(values, count, fractions, 3, counted, scratch);
	*ret_iqr = counted[2] - counted[0];
	if (!isfinite(*ret_iqr)) /* a distance from the median was beyond a double */
		*ret_iqr = plain[2] - plain[0];
	return plain[1];
}

void features_of(const struct readings *r, double ret_features[FEATURES], double *scratch)
{
	struct interrupt never = { NULL, NULL };
	struct moments m;

	for (int i = 0; i < FEATURES; i++)
		ret_features[i] = NAN;
	ret_features[FEATURE_SUM] = 0;
	ret_features[FEATURE_COUNT] = (double)r->count;
	if (!r->count)
		return;
	m = moments_of(r->values, r->count);
	memcpy(scratch, r->values, r->count * sizeof(*scratch));
	ret_features[FEATURE_MEAN] = twofold_value(m.mean);
	ret_features[FEATURE_MEDIAN] =
		median_and_iqr(scratch, r->count, scratch + r->count, &ret_features[FEATURE_IQR]);
	ret_features[FEATURE_STD] = moments_deviation(&m, r->count - 1);
	ret_features[FEATURE_SUM] = twofold_value(sum_of(r->values, r->count));
	ret_features[FEATURE_MIN] = m.least;
	ret_features[FEATURE_MAX] = m.greatest;
	ret_features[FEATURE_LAST] = r->values[r->count - 1];
	if (!r->times || !r->timed)
		return;
	ret_features[FEATURE_AREA] = area_of(r, scratch);
	if (r->timed > 1)
		ret_features[FEATURE_SLOPE] =
			repeated_median_slope(r->times, r->in_time, r->timed, scratch, never);
}
