/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quantiles of two distributions, to about 12 digits.
 *
 * GSL's own inverses give up where degrees of freedom are many (F with 1 and 9950 at 0.95 is NaN)
 * or few, though its distribution functions are right there; so these invert them by a bracketed
 * Newton iteration. No state; any thread.
 */
#ifndef TOOLHOST_MULTIVARIATE_QUANTILES_H
#define TOOLHOST_MULTIVARIATE_QUANTILES_H

/* The value that chi-squared with `freedom` (above 0, need not be whole) stays below with
 * probability `level` in (0, 1). 0 where that is below the range of a double. */
double quantile_chi_squared(double level, double freedom);

/* The same for F with `freedom` and `freedom_below` degrees of freedom. */
double quantile_f(double level, double freedom, double freedom_below);

#endif
