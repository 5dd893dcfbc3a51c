/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quantiles; see quantiles.h.
 */
#include "multivariate/quantiles.h"

#include "common/normal.h"
#include "common/student.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include <float.h>
#include <math.h>

/* Above this many degrees of freedom an expansion in their root has more digits. */
#define MANY_FREEDOM 1e6

struct distribution {
	double (*above)(double x, double a, double b); /* the probability of more than x */
	double (*density)(double x, double a, double b);
	double a, b;
};

static double chi_squared_above(double x, double freedom, double unused)
{
	(void)unused;
	return gsl_cdf_chisq_Q(x, freedom);
}

static double chi_squared_density(double x, double freedom, double unused)
{
	(void)unused;
	return gsl_ran_chisq_pdf(x, freedom);
}

/* Newton's iteration on the logarithm of x, kept within a bracket that each step narrows. */
static double find_above(const struct distribution *d, double probability, double x)
{
	double low = 0, high = INFINITY;

	quiet_gsl();
	for (int round = 0; round < 200; round++) {
		double excess = d->above(x, d->a, d->b) - probability;
		double next = x * exp(excess / (x * d->density(x, d->a, d->b)));

		if (excess > 0)
			low = x;
		else
			high = x;
		if (!(next > low && next < high))
			next = isinf(high) ? 2 * low : low > 0 ? sqrt(low) * sqrt(high) : high / 2;
		if (fabs(next - x) <= 2 * DBL_EPSILON * x)
			return next;
		x = next;
	}
	return x;
}

/* The expansion of Cornish and Fisher, whose next term is below 1e-14 of the value here.
 * Source: H. Goldberg, H. Levine, Annals of Mathematical Statistics 17 (1946) 216. */
static double many_freedom(double z, double freedom)
{
	double root = sqrt(2 * freedom), z2 = z * z;

	return freedom + root * z + 2.0 / 3 * (z2 - 1) + z * (z2 - 7) / (9 * root) -
	       (6 * z2 * z2 + 14 * z2 - 32) / (405 * freedom);
}

double quantile_chi_squared(double level, double freedom)
{
	const struct distribution d = { chi_squared_above, chi_squared_density, freedom, 0 };
	const double z = normal_quantile(level);
	double start, half = freedom / 2;
	int sign;

	if (freedom > MANY_FREEDOM)
		return many_freedom(z, freedom);
	/* Wilson and Hilferty's cube; for few degrees the first term of the series at 0. */
	start = 1 - 2 / (9 * freedom) + z * sqrt(2 / (9 * freedom));
	start = freedom * start * start * start;
	if (freedom < 0.5)
		start = 2 * exp((log(level) + lgamma_r(half + 1, &sign)) / half);
	if (start < DBL_MIN)
		return start;
	return find_above(&d, 1 - level, start);
}

double quantile_f(double level, double freedom, double freedom_below)
{
	const struct distribution d = { gsl_cdf_fdist_Q, gsl_ran_fdist_pdf, freedom,
					freedom_below };

	return find_above(&d, 1 - level, 1);
}
