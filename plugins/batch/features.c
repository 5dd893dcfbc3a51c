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

void features_of(const struct readings *r, double ret_features[FEATURES], double *scratch)
{
	static const double quartiles[] = { 0.25, 0.5, 0.75 };
	struct interrupt never = { NULL, NULL };
	double quantiles[3];
	struct moments m;

	for (int i = 0; i < FEATURES; i++)
		ret_features[i] = NAN;
	ret_features[FEATURE_SUM] = 0;
	ret_features[FEATURE_COUNT] = (double)r->count;
	if (!r->count)
		return;
	m = moments_of(r->values, r->count);
	memcpy(scratch, r->values, r->count * sizeof(*scratch));
	quantiles_of(scratch, r->count, quartiles, 3, quantiles, scratch + r->count);
	ret_features[FEATURE_MEAN] = twofold_value(m.mean);
	ret_features[FEATURE_MEDIAN] = quantiles[1];
	ret_features[FEATURE_STD] = moments_deviation(&m, r->count - 1);
	ret_features[FEATURE_IQR] = quantiles[2] - quantiles[0];
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
