/* SPDX-License-Identifier: MIT
 *
 * The normal distribution and the Shapiro-Wilk test.
 */
#include "common/normal.h"
#include "common/order.h"

#include <math.h>

#define PI 3.14159265358979323846

/* Coefficients in descending powers. */
static double polynomial(const double *coefficients, size_t count, double x)
{
	double value = coefficients[0];

	for (size_t i = 1; i < count; i++)
		value = value * x + coefficients[i];
	return value;
}

#define POLYNOMIAL(coefficients, x)                                                                \
	polynomial(coefficients, sizeof(coefficients) / sizeof((coefficients)[0]), x)

double normal_quantile(double probability)
{
	static const double centre_top[] = {
		2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4,
		4.5921953931549871457e+4, 1.3731693765509461125e+4, 1.9715909503065514427e+3,
		1.3314166789178437745e+2, 3.3871328727963666080e+0,
	};
	static const double centre_bottom[] = {
		5.2264952788528545610e+3, 2.8729085735721942674e+4,
		3.9307895800092710610e+4, 2.1213794301586595867e+4,
		5.3941960214247511077e+3, 6.8718700749205790830e+2,
		4.2313330701600911252e+1, 1.0,
	};
	static const double near_top[] = {
		7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
		1.27045825245236838258e+0, 3.64784832476320460504e+0, 5.76949722146069140550e+0,
		4.63033784615654529590e+0, 1.42343711074968357734e+0,
	};
	static const double near_bottom[] = {
		1.05075007164441684324e-9, 5.47593808499534494600e-4,
		1.51986665636164571966e-2, 1.48103976427480074590e-1,
		6.89767334985100004550e-1, 1.67638483018380384940e+0,
		2.05319162663775882187e+0, 1.0,
	};
	static const double far_top[] = {
		2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
		2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e+0,
		5.46378491116411436990e+0, 6.65790464350110377720e+0,
	};
	static const double far_bottom[] = {
		2.04426310338993978564e-15, 1.42151175831644588870e-7,
		1.84631831751005468180e-5,  7.86869131145613259100e-4,
		1.48753612908506148525e-2,  1.36929880922735805310e-1,
		5.99832206555887937690e-1,  1.0,
	};
	double q = probability - 0.5;
	double r, z;

	if (fabs(q) <= 0.425) {
		r = 0.180625 - q * q;
		return q * POLYNOMIAL(centre_top, r) / POLYNOMIAL(centre_bottom, r);
	}
	r = sqrt(-log(q < 0 ? probability : 1 - probability));
	if (r <= 5)
		z = POLYNOMIAL(near_top, r - 1.6) / POLYNOMIAL(near_bottom, r - 1.6);
	else
		z = POLYNOMIAL(far_top, r - 5) / POLYNOMIAL(far_bottom, r - 5);
	return q < 0 ? -z : z;
}

double normal_tail(double z)
{
	return erfc(z / sqrt(2)) / 2;
}

/* ---- Shapiro-Wilk ----------------------------------------------------------------------- */

/* The weights of the upper half, largest first; those of the lower half are their negatives.
 * Royston's polynomials correct the outermost one or two, which approximate normal scores get
 * wrong. */
static void weights_of(size_t count, double *ret_weights)
{
	static const double outermost[] = { -2.706056, 4.434685, -2.07119, -0.147981, 0.221157, 0 };
	static const double second[] = { -3.582633, 5.682633, -1.752461, -0.293762, 0.042981, 0 };
	size_t half = count / 2, corrected = count > 5 ? 2 : 1;
	double n = (double)count, root = 1 / sqrt(n);
	double sum = 0, first, length, rest, share;

	if (count == 3) {
		ret_weights[0] = sqrt(0.5);
		return;
	}
	for (size_t i = 0; i < half; i++) {
		ret_weights[i] = -normal_quantile(((double)i + 0.625) / (n + 0.25));
		sum += 2 * ret_weights[i] * ret_weights[i];
	}
	length = sqrt(sum);
	first = POLYNOMIAL(outermost, root) + ret_weights[0] / length;
	rest = sum - 2 * ret_weights[0] * ret_weights[0];
	share = 1 - 2 * first * first;
	if (corrected == 2) {
		double next = POLYNOMIAL(second, root) + ret_weights[1] / length;

		rest -= 2 * ret_weights[1] * ret_weights[1];
		share -= 2 * next * next;
		ret_weights[1] = next;
	}
	ret_weights[0] = first;
	for (size_t i = corrected; i < half; i++)
		ret_weights[i] /= sqrt(rest / share);
}

/* The p value of W, given as 1 - W, which keeps its digits near 1. Royston's normalising
 * transformations. */
static double p_of(double one_minus_w, size_t count)
{
	static const double small_gamma[] = { 0.459, -2.273 };
	static const double small_mean[] = { -0.0006714, 0.025054, -0.39978, 0.544 };
	static const double small_spread[] = { -0.0020322, 0.062767, -0.77857, 1.3822 };
	static const double large_mean[] = { 0.0038915, -0.083751, -0.31082, -1.5861 };
	static const double large_spread[] = { 0.0030302, -0.082676, -0.4803 };
	double n = (double)count, y, mean, spread;

	if (count == 3) {
		double p = 6 / PI * (asin(sqrt(1 - one_minus_w)) - asin(sqrt(0.75)));

		return fmin(fmax(p, 0), 1);
	}
	if (!(one_minus_w > 0))
		return 1;
	y = log(one_minus_w);
	if (count <= 11) {
		double gamma = POLYNOMIAL(small_gamma, n);

		if (y >= gamma)
			return 0;
		y = -log(gamma - y);
		mean = POLYNOMIAL(small_mean, n);
		spread = exp(POLYNOMIAL(small_spread, n));
	} else {
		double log_n = log(n);

		mean = POLYNOMIAL(large_mean, log_n);
		spread = exp(POLYNOMIAL(large_spread, log_n));
	}
	return normal_tail((y - mean) / spread);
}

struct shapiro_wilk shapiro_wilk_test(double *values, size_t count, double *scratch)
{
	double *weights = scratch;
	double weight_squares = 0, cross = 0, root, one_minus_w;
	struct moments m;

	sort_values(values, count, scratch);
	if (values[0] == values[count - 1])
		return (struct shapiro_wilk){ 1, 1 };
	weights_of(count, weights);
	m = moments_of(values, count);
	for (size_t i = 0; i < count / 2; i++) {
		/* In units of the norm, so that the deviations' squares add up to 1. Scaled before
		 * they are subtracted: a difference may be beyond a double. */
		cross += weights[i] * (values[count - 1 - i] * m.factor - values[i] * m.factor) /
			 m.scaled_norm;
		weight_squares += 2 * weights[i] * weights[i];
	}
	/* W = cross^2 / weight_squares; its distance from 1 without cancellation, and without the
	 * rounding that may take it past 1. */
	root = sqrt(weight_squares);
	one_minus_w = fmax(0, (root - cross) * (root + cross) / weight_squares);
	return (struct shapiro_wilk){ 1 - one_minus_w, p_of(one_minus_w, count) };
}
