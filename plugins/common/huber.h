/* SPDX-License-Identifier: MIT
 *
 * Straight lines by Huber's M estimate.
 *
 * Nothing here allocates, fails or holds state; every function may be used from any thread.
 */
#ifndef TOOLHOST_COMMON_HUBER_H
#define TOOLHOST_COMMON_HUBER_H

#include <stddef.h>

/* y = slope * x + intercept */
struct straight {
	double slope;
	double intercept;
};

/* The line through `count` points (at least 2, x not all equal) by iterated weighted least squares
 * with Huber's weights, tuning constant 1.345 (Huber 1964; 95 % efficient for normal errors),
 * starting from least squares. The scale of each round is the median of the absolute residuals over
 * NORMAL_QUARTILE. Ends when a round moves neither coefficient by more than 1e-10 of the ranges,
 * after 100 rounds, or when more than half of the points lie on the line. Data are meant to be of
 * magnitude 1. scratch: 2 * count entries. */
struct straight huber_line(const double *x, const double *y, size_t count, double *scratch);

#endif
