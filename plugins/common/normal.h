/* SPDX-License-Identifier: MIT
 *
 * The normal distribution, and the test for it.
 *
 * Nothing here allocates, fails or holds state; every function may be used from any thread.
 */
#ifndef TOOLHOST_COMMON_NORMAL_H
#define TOOLHOST_COMMON_NORMAL_H

#include <stddef.h>

/* The value below which a standard normal variable falls with this probability, 0 < probability <
 * 1; about 16 digits. (Wichura 1988, algorithm AS 241, PPND16.) */
double normal_quantile(double probability);

/* The probability that a standard normal variable exceeds z; all digits also far out. */
double normal_tail(double z);

/* The Shapiro-Wilk test. The p value is calibrated up to SHAPIRO_WILK_MAX values. */
#define SHAPIRO_WILK_MAX 5000

struct shapiro_wilk {
	double statistic; /* W, from 0 to 1: 1 is a perfect fit */
	double p;	  /* the probability of so small a W where the data are normal */
};

/* The test of 3 or more finite values. (Royston 1995, algorithm AS R94, with exact normal quantiles
 * in the place of its seven-digit ones.) Equal values give W = 1 and p = 1. Sorts `values`.
 * scratch: count entries. */
struct shapiro_wilk shapiro_wilk_test(double *values, size_t count, double *scratch);

#endif
