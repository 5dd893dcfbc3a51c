/* SPDX-License-Identifier: MIT
 *
 * Student's t distribution, and the tests that lean on it. Part of libcommon-gsl: a pack that links
 * it links the GNU Scientific Library, and carries its licence.
 *
 * Nothing here allocates, fails or holds state; every function may be used from any thread.
 */
#ifndef TOOLHOST_COMMON_STUDENT_H
#define TOOLHOST_COMMON_STUDENT_H

#include <stdbool.h>

/* Makes errors of the GNU Scientific Library come back as codes, as everything here does before it
 * calls the library. The library's handler is one for the whole process; other packs that link it
 * are then quiet too. */
void quiet_gsl(void);

/* The probability that |T| is at least |t|; freedom > 0 need not be whole. 12 digits, also of the
 * tiniest probabilities. NaN where t or freedom is NaN. */
double student_two_sided(double t, double freedom);

/* The t that T exceeds with probability `tail`, 0 < tail <= 0.5; 12 digits. Infinite where that is
 * beyond a double. */
double student_quantile(double tail, double freedom);

/* What a two-sided interval of this level (0 to 1) reaches to; 12 digits, also at levels near 0. */
double student_reach(double level, double freedom);

/* A t test, as two-sided p value and interval of a difference. */
struct t_test {
	double t; /* NaN where the standard error is 0; p then is NaN for 0/0, or 0 */
	double p;
	double lower; /* of the confidence interval */
	double upper;
	bool significant; /* p < 1 - level; no NaN is */
};

/* Judges a difference by its standard error, both in the units of the data. Where one of them, or
 * `freedom`, is no finite number, nothing is judged and all is NaN. */
struct t_test t_test_of(double difference, double standard_error, double freedom, double level);

#endif
