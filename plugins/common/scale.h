/* SPDX-License-Identifier: MIT
 *
 * Robust measures of spread.
 *
 * Nothing here allocates, fails or holds state; every function may be used from any thread. Values
 * are finite.
 */
#ifndef TOOLHOST_COMMON_SCALE_H
#define TOOLHOST_COMMON_SCALE_H

#include "common/order.h"

/* The upper quartile of the standard normal distribution: what a MAD is divided by to estimate a
 * standard deviation. */
#define NORMAL_QUARTILE 0.6744897501960817

/* The median of |value - centre|, in the units of the values; not divided by NORMAL_QUARTILE.
 * Overwrites `values` with the deviations, in another order. scratch: count entries. count is at
 * least 1. */
double median_absolute_deviation_from(double *values, size_t count, struct twofold centre,
				      double *scratch);

/* The scale estimate Sn of at least one value, in the units of the values: 1.1926 times the low
 * median over i of the high median over j of |x_i - x_j|, times the factor for small samples that
 * makes it unbiased for normal data. 0 where more than half of the values are equal, and for one
 * value. (Rousseeuw and Croux 1993, equation 2.1; the factors of Croux and Rousseeuw 1992,
 * section 3.) O(n log n) in the worst case: sorting, then one sweep. Sorts `values`. scratch: count
 * entries. */
double scale_sn(double *values, size_t count, double *scratch);

#endif
