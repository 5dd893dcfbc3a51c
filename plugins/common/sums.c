/* SPDX-License-Identifier: MIT
 *
 * Compensated sums and the moments of a sample.
 */
#include "common/sums.h"

#include <float.h>
#include <math.h>

/* As many independent sums as keep a vector unit busy while each addition waits for the one before.
 */
#define LANES 8

/* Squares of deviations within these bounds neither overflow, however many are added, nor lose
 * digits to underflow. */
#define SQUARE_MIN 1e-140
#define SQUARE_MAX 1e140

/* The lanes added up, errors included. */
static struct twofold lanes_close(const double *high, const double *low)
{
	struct twofold sum = { 0, 0 };
	double rest = 0;

	for (size_t lane = 0; lane < LANES; lane++) {
		struct twofold next = twofold_add(sum.high, high[lane]);

		sum.high = next.high;
		rest += next.low + low[lane];
	}
	return twofold_add(sum.high, rest);
}

static struct twofold sum_scaled(const double *values, size_t count, double factor)
{
	double high[LANES] = { 0 }, low[LANES] = { 0 };
	size_t whole = count - count % LANES;

	for (size_t i = 0; i < whole; i += LANES)
		for (size_t lane = 0; lane < LANES; lane++) {
			struct twofold next = twofold_add(high[lane], values[i + lane] * factor);

			high[lane] = next.high;
			low[lane] += next.low;
		}
	for (size_t i = whole; i < count; i++) {
		struct twofold next = twofold_add(high[i - whole], values[i] * factor);

		high[i - whole] = next.high;
		low[i - whole] += next.low;
	}
	return lanes_close(high, low);
}

struct twofold sum_of(const double *values, size_t count)
{
	struct twofold sum = sum_scaled(values, count, 1);

	/* A partial sum may be beyond a double where the whole is not. */
	if (isfinite(sum.high) && isfinite(sum.low))
		return sum;
	sum = sum_scaled(values, count, 0x1p-64);
	return (struct twofold){ sum.high * 0x1p64, sum.low * 0x1p64 };
}

/* The sum of (value - centre)^2 times factor^2, in the same way. */
static double sum_of_squares(const double *values, size_t count, struct twofold centre,
			     double factor)
{
	double high[LANES] = { 0 }, low[LANES] = { 0 };
	size_t whole = count - count % LANES;

	/* Scaled before they are subtracted: a deviation itself may be beyond a double. */
	centre.high *= factor;
	centre.low *= factor;
	for (size_t i = 0; i < whole; i += LANES)
		for (size_t lane = 0; lane < LANES; lane++) {
			double d = deviation(values[i + lane] * factor, centre);
			struct twofold next = twofold_add(high[lane], d * d);

			high[lane] = next.high;
			low[lane] += next.low;
		}
	for (size_t i = whole; i < count; i++) {
		double d = deviation(values[i] * factor, centre);
		struct twofold next = twofold_add(high[i - whole], d * d);

		high[i - whole] = next.high;
		low[i - whole] += next.low;
	}
	return twofold_value(lanes_close(high, low));
}

double unit_factor(double size)
{
	int exponent = 0;

	frexp(size, &exponent);
	/* 2^1074 is beyond a double: the smallest numbers are scaled as far as one factor goes. */
	return ldexp(1, -exponent > 1000 ? 1000 : -exponent);
}

/* The factor that squares need: none where they are harmless. */
static double square_factor(double size)
{
	return size >= SQUARE_MIN && size <= SQUARE_MAX ? 1 : unit_factor(size);
}

static void find_range(const double *values, size_t count, double *ret_least, double *ret_greatest)
{
	double least[LANES], greatest[LANES];
	size_t whole = count - count % LANES;

	for (size_t lane = 0; lane < LANES; lane++)
		least[lane] = greatest[lane] = values[0];
	for (size_t i = 0; i < whole; i += LANES)
		for (size_t lane = 0; lane < LANES; lane++) {
			double x = values[i + lane];

			least[lane] = x < least[lane] ? x : least[lane];
			greatest[lane] = x > greatest[lane] ? x : greatest[lane];
		}
	for (size_t i = whole; i < count; i++) {
		least[0] = fmin(least[0], values[i]);
		greatest[0] = fmax(greatest[0], values[i]);
	}
	for (size_t lane = 1; lane < LANES; lane++) {
		least[0] = fmin(least[0], least[lane]);
		greatest[0] = fmax(greatest[0], greatest[lane]);
	}
	*ret_least = least[0];
	*ret_greatest = greatest[0];
}

static struct twofold mean_of(const double *values, size_t count, double largest)
{
	double n = (double)count;
	double factor = largest > DBL_MAX / n ? unit_factor(largest) : 1;
	struct twofold sum = sum_scaled(values, count, factor);
	double mean = sum.high / n;
	/* fma gives the exact remainder of the division. */
	double rest = (sum.low - fma(mean, n, -sum.high)) / n;

	return (struct twofold){ mean / factor, rest / factor };
}

double root_of_squares(const double *values, size_t count)
{
	static const struct twofold zero = { 0, 0 };
	double least, greatest, factor;

	if (!count)
		return 0;
	find_range(values, count, &least, &greatest);
	factor = square_factor(fmax(fabs(least), fabs(greatest)));
	return sqrt(sum_of_squares(values, count, zero, factor)) / factor;
}

struct moments moments_of(const double *values, size_t count)
{
	struct moments m = { .count = count, .factor = 1 };

	find_range(values, count, &m.least, &m.greatest);
	if (m.least == m.greatest) {
		m.mean.high = m.least;
		return m;
	}
	m.mean = mean_of(values, count, fmax(fabs(m.least), fabs(m.greatest)));
	/* Halves, since the range itself may be beyond a double. */
	m.factor = square_factor(m.greatest / 2 - m.least / 2);
	m.scaled_norm = sqrt(sum_of_squares(values, count, m.mean, m.factor));
	m.norm = m.scaled_norm / m.factor;
	return m;
}

double moments_deviation(const struct moments *moments, size_t freedom)
{
	if (!freedom)
		return NAN;
	return moments->scaled_norm / sqrt((double)freedom) / moments->factor;
}

double relative_spread(double spread, double centre, double largest)
{
	return fabs(centre) <= DBL_EPSILON * largest ? NAN : spread / centre;
}
