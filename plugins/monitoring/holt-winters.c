/* SPDX-License-Identifier: MIT
 *
 * Robust exponential smoothing with a trend, and what it says about target and spread.
 */
#include "monitoring/monitoring.h"

#include "common/line.h"
#include "common/order.h"
#include "common/scale.h"

#include <math.h>
#include <string.h>

#define WARM_UP_MOST 20

/* The paper's constants: how fast the running scale follows; the biweight's cutoff, with what makes
 * its scale consistent for normal errors; where errors are clipped, in scales; and the plain factor
 * of a MAD. */
#define SCALE_WEIGHT 0.2
#define BIWEIGHT_CUTOFF 2.52
#define BIWEIGHT_TOP 3.266736
#define CLIP 2.0
#define MAD_FACTOR 1.48

/* Values beyond FAR are scaled down first, so that no difference leaves the range of a double. */
#define FAR 1e300
#define SCALE_DOWN 0x1p64

static const double weights[] = { 0.1, 0.3, 0.5, 0.7, 0.9 };

#define WEIGHTS (sizeof(weights) / sizeof(weights[0]))

static double biweight(double x)
{
	double in = x / BIWEIGHT_CUTOFF, rest = 1 - in * in;

	return fabs(x) <= BIWEIGHT_CUTOFF ? BIWEIGHT_TOP * (1 - rest * rest * rest) : BIWEIGHT_TOP;
}

/* Values counted from the middle one, and where smoothing starts. */
struct series {
	const double *values;
	size_t count;
	size_t train; /* the first value whose error counts towards the choice of weights */
	double level;
	double trend;
	double scale;
	double median; /* of the warm-up */
};

/* Smooths with one pair of weights. One-step errors of the values from 1 on go to `errors`, or what
 * cleaning makes of all values to `cleaned`; either may be NULL. */
static void smooth(const struct series *s, double level_weight, double trend_weight, double *errors,
		   double *cleaned)
{
	double level = s->level, trend = s->trend, scale = s->scale;

	if (cleaned)
		cleaned[0] = s->median;
	for (size_t i = 1; i < s->count; i++) {
		double forecast = level + trend, error = s->values[i] - forecast, clean, next;

		scale *= sqrt(SCALE_WEIGHT * biweight(error / scale) + (1 - SCALE_WEIGHT));
		clean = forecast + fmax(-CLIP * scale, fmin(CLIP * scale, error));
		next = level_weight * clean + (1 - level_weight) * forecast;
		trend = trend_weight * (next - level) + (1 - trend_weight) * trend;
		level = next;
		if (errors)
			errors[i] = error;
		if (cleaned)
			cleaned[i] = clean;
	}
}

/* The tau scale of the training errors. Overwrites them. */
static double tau_scale(const struct series *s, double *errors, double *scratch)
{
	size_t n = s->count - s->train;
	double scale, sum = 0;

	for (size_t i = s->train; i < s->count; i++)
		errors[i] = fabs(errors[i]);
	scale = MAD_FACTOR * twofold_value(median_of(errors + s->train, n, scratch));
	if (!(scale > 0))
		return 0;
	for (size_t i = s->train; i < s->count; i++)
		sum += biweight(errors[i] / scale);
	return scale * sqrt(sum / (double)n);
}

/* The line through the warm-up gives level and trend, and what it leaves gives the scale. */
static void warm_up(struct series *s, size_t length)
{
	double position[WARM_UP_MOST] = { 0 }, rest[WARM_UP_MOST] = { 0 }, room[WARM_UP_MOST];
	double points[REPEATED_MEDIAN_BYTES(WARM_UP_MOST) / sizeof(double)];
	struct interrupt never = { NULL, NULL };
	struct moments m;

	for (size_t i = 0; i < length; i++)
		position[i] = (double)i;
	s->trend = repeated_median_slope(position, s->values, length, points, never);
	for (size_t i = 0; i < length; i++)
		rest[i] = s->values[i] - s->trend * (double)i;
	memcpy(position, rest, length * sizeof(*position));
	s->level = twofold_value(median_of(position, length, room));
	for (size_t i = 0; i < length; i++)
		rest[i] -= s->level;
	m = moments_of(rest, length);
	s->scale =
		median_absolute_deviation_from(rest, length, median_of(rest, length, room), room) /
		NORMAL_QUARTILE;
	if (!(s->scale > 0))
		s->scale = moments_deviation(&m, length - 1);
	memcpy(rest, s->values, length * sizeof(*rest));
	s->median = twofold_value(median_of(rest, length, room));
}

static size_t warm_up_length(size_t count)
{
	size_t tenth = (count + 9) / 10;

	if (tenth < HOLT_WINTERS_LEAST)
		return HOLT_WINTERS_LEAST;
	return tenth < WARM_UP_MOST ? tenth : WARM_UP_MOST;
}

struct baseline holt_winters_baseline(const double *values, size_t count, double *scratch)
{
	double *shifted = scratch, *errors = scratch + count, *room = scratch + 2 * count;
	size_t length = warm_up_length(count);
	struct series s = { .values = shifted, .count = count };
	struct baseline base = { { 0, 0 }, 0 };
	double least = INFINITY, level_weight = 0, trend_weight = 0;
	struct twofold median;
	double factor = 1, pivot;

	for (size_t i = 0; i < count; i++)
		if (fabs(values[i]) > FAR)
			factor = 1 / SCALE_DOWN;
	memcpy(shifted, values, count * sizeof(*shifted));
	pivot = select_rank(shifted, count, count / 2, room);
	for (size_t i = 0; i < count; i++)
		shifted[i] = values[i] * factor - pivot * factor;
	s.train = 2 * length > count ? 1 : length;
	warm_up(&s, length);
	if (!(s.scale > 0))
		return base;
	for (size_t i = 0; i < WEIGHTS; i++)
		for (size_t j = 0; j < WEIGHTS; j++) {
			double tau;

			smooth(&s, weights[i], weights[j], errors, NULL);
			tau = tau_scale(&s, errors, room);
			if (tau < least) {
				least = tau;
				level_weight = weights[i];
				trend_weight = weights[j];
			}
		}
	smooth(&s, level_weight, trend_weight, NULL, errors);
	median = median_of(errors, count, room);
	base.target = twofold_add(pivot, twofold_value(median) / factor);
	base.spread = least / factor;
	return base;
}
