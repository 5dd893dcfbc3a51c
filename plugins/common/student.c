/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Student's t distribution, on the GNU Scientific Library.
 */
#include "common/student.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>

#include <math.h>
#include <pthread.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* As the library comes, it ends the process over an underflow. */
static void turn_handler_off(void)
{
	gsl_set_error_handler_off();
}

void quiet_gsl(void)
{
	pthread_once(&once, turn_handler_off);
}

/* The library's own tail of t is right to 14 digits but for one region: with more than 30 degrees
 * of freedom and t^2 below 10 times those it is an expansion (Cornish and Fisher), which has lost
 * half of them at t^2 = freedom. Beyond a quarter of that the incomplete beta function I(v / (v +
 * t^2); v/2, 1/2) takes over, which is at its best there. */
double student_two_sided(double t, double freedom)
{
	gsl_sf_result beta;

	if (isnan(t) || isnan(freedom))
		return NAN;
	if (isinf(t))
		return 0;
	quiet_gsl();
	if (freedom <= 30 || t * t < freedom / 4)
		return fmin(2 * gsl_cdf_tdist_Q(fabs(t), freedom), 1);
	if (gsl_sf_beta_inc_e(freedom / 2, 0.5, freedom / (freedom + t * t), &beta) == GSL_EUNDRFLW)
		return 0;
	return beta.val;
}

/* The library's quantile is a start only: far out, or past 30 degrees of freedom, as few as five
 * digits are right. Newton's steps on the logarithm of the tail, which is nearly straight, settle
 * it. */
double student_quantile(double tail, double freedom)
{
	double t;

	if (tail >= 0.5)
		return 0;
	if (freedom == 1)
		return 1 / tan(M_PI * tail);
	quiet_gsl();
	t = gsl_cdf_tdist_Qinv(tail, freedom);
	for (int step = 0; step < 8 && isfinite(t) && t > 0; step++) {
		double reached = student_two_sided(t, freedom) / 2;
		double change = reached / gsl_ran_tdist_pdf(t, freedom) * log(reached / tail);

		if (!isfinite(change) || t + change <= 0)
			break;
		t += change;
		if (fabs(change) <= 1e-15 * t)
			break;
	}
	return t;
}

/* The probability that |T| is below t, for a t that is not far out. */
static double within(double t, double freedom)
{
	gsl_sf_result beta;

	gsl_sf_beta_inc_e(0.5, freedom / 2, t * t / (freedom + t * t), &beta);
	return beta.val;
}

/* Where the level is small, 1 - level has lost its digits. The density is flat there: Newton's steps
 * from the straight line settle at once. */
double student_reach(double level, double freedom)
{
	gsl_sf_result beta;
	double density, t;

	if (level > 0.01)
		return student_quantile((1 - level) / 2, freedom);
	quiet_gsl();
	gsl_sf_lnbeta_e(0.5, freedom / 2, &beta);
	density = exp(-beta.val) / sqrt(freedom);
	t = level / (2 * density);
	for (int step = 0; step < 4 && level > 1e-8; step++)
		t += (level - within(t, freedom)) / (2 * density);
	return t;
}

struct t_test t_test_of(double difference, double standard_error, double freedom, double level)
{
	struct t_test test = { NAN, NAN, NAN, NAN, false };
	double reach;

	if (isnan(freedom) || !isfinite(difference) || !isfinite(standard_error))
		return test;
	reach = standard_error > 0 ? student_reach(level, freedom) * standard_error : 0;
	test.lower = difference - reach;
	test.upper = difference + reach;
	if (standard_error > 0) {
		test.t = difference / standard_error;
		test.p = student_two_sided(test.t, freedom);
	} else if (difference != 0) {
		test.p = 0;
	}
	test.significant = test.p < 1 - level;
	return test;
}
