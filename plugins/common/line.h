/* SPDX-License-Identifier: MIT
 *
 * The repeated median slope: a line that up to half of the points may spoil.
 */
#ifndef TOOLHOST_COMMON_LINE_H
#define TOOLHOST_COMMON_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Asked now and then by what may take long; true makes it give up. */
struct interrupt {
	bool (*asked)(void *owner); /* NULL: never */
	void *owner;
};

/* How many bytes, aligned for a double, repeated_median_slope() wants as scratch for this many
 * points. */
#define REPEATED_MEDIAN_BYTES(count) ((size_t)(count)*112 + 8)

/* The slope of Siegel's repeated median line through `count` points (at least 2, below 2^32), in
 * units of y per unit of x: the median over i of the median over j of (y_j - y_i) / (x_j - x_i),
 * pairs of equal x left out; the median of an even number is the mean of the middle two. (Siegel
 * 1982, Biometrika 69.) NaN where all x are equal, or when `interrupt` said so.
 *
 * Few points are done by the definition. Many are done in O(n log n) a step, by narrowing an
 * interval that holds the slope: how many of the slopes at a point are below a bound is how many
 * residuals from that bound are out of order with the point's, which sorting tells for all points
 * at once (Matousek, Mount and Netanyahu 1998, Algorithmica 20, with bisection in the place of
 * their random choice); the few points whose medians stay inside are then done by the definition.
 * Only where very many points have no slopes between the middle two and those two are far apart is
 * it quadratic again. */
double repeated_median_slope(const double *x, const double *y, size_t count, void *scratch,
			     struct interrupt interrupt);

#endif
