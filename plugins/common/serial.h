/* SPDX-License-Identifier: MIT
 *
 * How values in a row depend on those before them.
 *
 * Nothing here allocates, fails or holds state; every function may be used from any thread. Values
 * are finite.
 */
#ifndef TOOLHOST_COMMON_SERIAL_H
#define TOOLHOST_COMMON_SERIAL_H

#include <stddef.h>

/* The autocorrelation of at least one value at `lag`, below count: the sum of products of
 * deviations that are lag apart, over the sum of their squares; from -1 to 1. NaN where the values
 * do not vary. (Box, Jenkins and Reinsel 1994, Time Series Analysis, 3rd edition, equation 2.1.12.)
 */
double autocorrelation(const double *values, size_t count, size_t lag);

#endif
