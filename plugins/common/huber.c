/* SPDX-License-Identifier: MIT
 *
 * Straight lines by Huber's M estimate.
 */
#include "common/huber.h"
#include "common/scale.h"

#include <float.h>
#include <math.h>

#define TUNING 1.345
#define ROUNDS_MAX 100
#define SETTLED 1e-10

/* Weighted least squares about the weighted means. scale 0: all weights are 1; else Huber's for the
 * residuals of `from`. */
static struct straight weighted_line(const double *x, const double *y, size_t count,
				     struct straight from, double scale)
{
	double weights = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0;
	struct straight line;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < count; i++) {
			double size = fabs(y[i] - from.slope * x[i] - from.intercept);
			double weight =
				size <= TUNING * scale || scale == 0 ? 1 : TUNING * scale / size;

			if (pass == 0) {
				weights += weight;
				mean_x += weight * x[i];
				mean_y += weight * y[i];
			} else {
				xx += weight * (x[i] - mean_x) * (x[i] - mean_x);
				xy += weight * (x[i] - mean_x) * (y[i] - mean_y);
			}
		}
		if (pass == 0) {
			mean_x /= weights;
			mean_y /= weights;
		}
	}
	line.slope = xy / xx;
	line.intercept = mean_y - line.slope * mean_x;
	return line;
}

static double scale_of_residuals(const double *x, const double *y, size_t count,
				 struct straight line, double *scratch)
{
	for (size_t i = 0; i < count; i++)
		scratch[i] = fabs(y[i] - line.slope * x[i] - line.intercept);
	return twofold_value(median_of(scratch, count, scratch + count)) / NORMAL_QUARTILE;
}

struct straight huber_line(const double *x, const double *y, size_t count, double *scratch)
{
	struct straight line = weighted_line(x, y, count, (struct straight){ 0, 0 }, 0);

	for (int round = 0; round < ROUNDS_MAX; round++) {
		struct straight next;
		double scale = scale_of_residuals(x, y, count, line, scratch);

		/* Rounding noise is no scale: most points are on the line already. */
		if (scale <= 4 * DBL_EPSILON)
			break;
		next = weighted_line(x, y, count, line, scale);
		if (fabs(next.slope - line.slope) <= SETTLED &&
		    fabs(next.intercept - line.intercept) <= SETTLED)
			return next;
		line = next;
	}
	return line;
}
