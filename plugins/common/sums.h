/* SPDX-License-Identifier: MIT
 *
 * Sums and moments that keep their digits: far from 0, near the ends of the range of a double, and
 * at any length.
 *
 * Nothing here allocates, fails or holds state; every function may be used from any thread. Values
 * are finite.
 */
#ifndef TOOLHOST_COMMON_SUMS_H
#define TOOLHOST_COMMON_SUMS_H

#include <stddef.h>

/* A number as the unevaluated sum of two doubles, `high` being the nearest double and `low` what
 * that leaves out. As the centre of a sample it keeps deviations exact that a rounded centre would
 * blur: data of 1e9 with a spread of 1e-3 lose nine digits to the rounding of their mean alone. */
struct twofold {
	double high;
	double low;
};

static inline double twofold_value(struct twofold a)
{
	return a.high + a.low;
}

/* a - b, rounded once. */
static inline double twofold_difference(struct twofold a, struct twofold b)
{
	return (a.high - b.high) + (a.low - b.low);
}

/* x - centre, with a relative error of a rounding or two however large the centre is. */
static inline double deviation(double x, struct twofold centre)
{
	return (x - centre.high) - centre.low;
}

/* a + b as high and low part, without error. (Knuth 1969, TAOCP volume 2, section 4.2.2, theorem
 * B.) */
static inline struct twofold twofold_add(double a, double b)
{
	double high = a + b;
	double part = high - a;

	return (struct twofold){ high, (a - (high - part)) + (b - part) };
}

/* The sum of count values, as if worked out in twice the precision and rounded then. (Ogita, Rump
 * and Oishi 2005, algorithm 4.4, Sum2, on eight sums at a time.) The high part is infinite
 * where the sum is beyond the range of a double. */
struct twofold sum_of(const double *values, size_t count);

/* The root of the sum of squares of the values, which stays in range where the squares themselves
 * do not. */
double root_of_squares(const double *values, size_t count);

/* Size, location and spread of a sample, all in the units of the values. */
struct moments {
	size_t count;
	double least;
	double greatest;
	struct twofold mean;
	/* Root of the sum of squared deviations from the mean, 0 exactly when all are equal; and
	 * the same times a power of two, for what the root itself may be beyond a double. */
	double norm;
	double scaled_norm;
	double factor;
};

/* The moments of at least one value. The mean is a twofold sum, the spread comes from a second pass
 * over the deviations from it (the two-pass algorithm of Chan, Golub and LeVeque 1983, whose
 * correction the twofold mean makes needless), scaled by a power of two where squares would leave
 * the range of a double. */
struct moments moments_of(const double *values, size_t count);

/* Root of the mean squared deviation with `freedom` as the divisor: count for the whole population,
 * count - 1 for a sample. NaN where freedom is 0. */
double moments_deviation(const struct moments *moments, size_t freedom);

/* A power of two that brings `size`, at least 0, near 1. */
double unit_factor(double size);

/* What spread is in terms of centre, with the sign of the centre. NaN where the centre is 0 to the
 * accuracy of the data: no larger than one rounding of the largest value. */
double relative_spread(double spread, double centre, double largest);

#endif
