/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Student's t distribution, on the GNU Scientific Library.
 */
#include "common/student.h"
#include "common/scale.h"

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

struct t_test t_test_of(double difference, double standard_error, double freedom, double level)
{
	struct t_test test = { NAN, NAN, NAN, NAN, false };
	double reach;

	if (isnan(freedom))
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

/* ---- Outliers --------------------------------------------------------------------------- */

/* Rosner's lambda for the test number `step`, from 1. */
static double esd_critical(size_t count, size_t step, double level)
{
	double left = (double)(count - step + 1); /* values in this step */
	double freedom = left - 2;
	double t = student_quantile(level / (2 * left), freedom);

	if (isinf(t))
		return (left - 1) / sqrt(left);
	return (left - 1) * t / sqrt((freedom + t * t) * left);
}

/* Centre and spread of what is left; the spread is 0 where there is none. */
static struct twofold centre_of(const double *left, size_t count, bool robust, double *ret_spread,
				double *scratch)
{
	struct twofold centre;
	struct moments m;

	if (!robust) {
		m = moments_of(left, count);
		*ret_spread = moments_deviation(&m, count - 1);
		return m.mean;
	}
	memcpy(scratch, left, count * sizeof(*left));
	centre = median_of(scratch, count, scratch + count);
	*ret_spread = median_absolute_deviation_from(scratch, count, centre, scratch + count) /
		      NORMAL_QUARTILE;
	return centre;
}

static size_t farthest(const double *values, size_t count, struct twofold centre)
{
	size_t at = 0;
	double most = -1;

	for (size_t i = 0; i < count; i++) {
		double distance = fabs(deviation(values[i], centre));

		if (distance > most) {
			most = distance;
			at = i;
		}
	}
	return at;
}

size_t esd_outliers(const double *values, size_t count, const struct esd_options *options,
		    int64_t *ret_indices, bool *ret_spread_gone, double *scratch,
		    int64_t *positions)
{
	double *left = scratch;
	size_t most = options->most < count - 2 ? options->most : count - 2, found = 0;

	*ret_spread_gone = false;
	memcpy(left, values, count * sizeof(*values));
	for (size_t i = 0; i < count; i++)
		positions[i] = (int64_t)i;
	for (size_t step = 1; step <= most; step++) {
		size_t n = count - step + 1, at;
		double spread;
		struct twofold centre =
			centre_of(left, n, options->robust, &spread, scratch + count);

		if (!(spread > 0)) {
			*ret_spread_gone = true;
			break;
		}
		at = farthest(left, n, centre);
		ret_indices[step - 1] = positions[at];
		if (fabs(deviation(left[at], centre)) / spread >=
		    esd_critical(count, step, options->level))
			found = step;
		memmove(left + at, left + at + 1, (n - at - 1) * sizeof(*left));
		memmove(positions + at, positions + at + 1, (n - at - 1) * sizeof(*positions));
	}
	return found;
}
