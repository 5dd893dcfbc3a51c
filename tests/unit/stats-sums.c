/* SPDX-License-Identifier: MIT
 *
 * Sums and moments: certified values, and what must hold when data are moved, scaled and shuffled.
 */
#include "common/sums.h"

#include "stats.h"

#include <float.h>

static double deviation_of(const double *values, size_t count)
{
	struct moments m = moments_of(values, count);

	return moments_deviation(&m, count - 1);
}

static double mean_of(const double *values, size_t count)
{
	struct moments m = moments_of(values, count);

	return twofold_value(m.mean);
}

/* NIST's numerical accuracy sets, which are formulas: first, then low and high in turn. */
static void nist_set(double *values, size_t count, double first, double low, double high)
{
	values[0] = first;
	for (size_t i = 1; i < count; i++)
		values[i] = i % 2 ? low : high;
}

static void nist_certified(void)
{
	double *values = stats_room(1001, sizeof(double));
	double small[] = { 10000001, 10000003, 10000002 };

	STATS_NEAR(mean_of(small, 3), 10000002, 0);
	STATS_NEAR(deviation_of(small, 3), 1, 0);
	nist_set(values, 1001, 1.2, 1.1, 1.3);
	STATS_NEAR(mean_of(values, 1001), 1.2, 1e-15);
	STATS_NEAR(deviation_of(values, 1001), 0.1, 1e-14);
	/* Their decimals are no doubles: what is left of the certified deviation is told by the
	 * input alone. */
	nist_set(values, 1001, 1000000.2, 1000000.1, 1000000.3);
	STATS_NEAR(mean_of(values, 1001), 1000000.2, 1e-15);
	STATS_NEAR(deviation_of(values, 1001), 0.1, 1e-9);
	nist_set(values, 1001, 10000000.2, 10000000.1, 10000000.3);
	STATS_NEAR(mean_of(values, 1001), 10000000.2, 1e-15);
	STATS_NEAR(deviation_of(values, 1001), 0.1, 1e-7);
	free(values);
}

static void far_from_zero(void)
{
	double values[7];
	struct moments m;

	for (int i = 0; i < 7; i++)
		values[i] = 1e12 + i;
	m = moments_of(values, 7);
	STATS_NEAR(m.norm * m.norm, 28, 1e-15);
	STATS_NEAR(moments_deviation(&m, 7), 2, 1e-15);
	STATS_NEAR(twofold_value(m.mean), 1e12 + 3, 0);
	STATS_NEAR(m.least, 1e12, 0);
	STATS_NEAR(m.greatest, 1e12 + 6, 0);
}

static void equal_values_do_not_vary(void)
{
	double values[101];

	for (int i = 0; i < 101; i++)
		values[i] = 0.1;
	STATS_NEAR(mean_of(values, 101), 0.1, 0);
	STATS_NEAR(deviation_of(values, 101), 0, 0);
	STATS_NEAR(deviation_of(values, 1), NAN, 0);
}

/* Cancellation: the sum of what is left is exact to the last digit. */
static void sums_that_cancel(void)
{
	double values[] = { 1e100, 1, -1e100, 1e-20, 1e50, -1, -1e50, 3, 2, -1e17, 1e17 };

	STATS_NEAR(twofold_value(sum_of(values, 4)), 1, 1e-15);
	STATS_NEAR(twofold_value(sum_of(values + 7, 4)), 5, 0);
	STATS_NEAR(twofold_value(sum_of(values, 0)), 0, 0);
}

static void ends_of_the_range(void)
{
	double large[] = { 1.7e308, 1.5e308, 1.6e308, 1.4e308 };
	double both[] = { -1.7e308, 1.7e308, -1.7e308, 1.7e308 };
	double halves[] = { 1.7e308, 0, 1.7e308, 0 };
	double tiny[] = { 1e-200, 3e-200, 2e-200 };
	double subnormal[] = { 1e-320, 3e-320, 2e-320 };

	STATS_NEAR(mean_of(large, 4), 1.55e308, 1e-15);
	STATS_NEAR(deviation_of(large, 4), 1.2909944487358056e307, 1e-14);
	STATS_NEAR(mean_of(both, 4), 0, 0);
	STATS_NEAR(moments_of(both, 4).norm, INFINITY, 0);
	STATS_NEAR(deviation_of(halves, 4), 9.8149545762236378e307, 1e-15);
	STATS_NEAR(deviation_of(tiny, 3), 1e-200, 1e-15);
	STATS_NEAR(deviation_of(subnormal, 3), 1e-320, 1e-3);
	STATS_NEAR(root_of_squares(large, 4), INFINITY, 0);
	STATS_NEAR(root_of_squares((double[]){ 3e300, 4e300 }, 2), 5e300, 1e-15);
	STATS_NEAR(root_of_squares((double[]){ 3e-300, 4e-300 }, 2), 5e-300, 1e-15);
}

/* A partial sum may be beyond a double where the whole is not. */
static void sums_that_come_back(void)
{
	double values[] = { 1.7e308, 1.7e308, -1.7e308, -1.6e308 };
	double many[80];

	STATS_NEAR(twofold_value(sum_of(values, 4)), 1e307, 1e-14);
	STATS_NEAR(twofold_value(sum_of(values, 2)), INFINITY, 0);
	for (int i = 0; i < 80; i++)
		many[i] = i < 40 ? DBL_MAX : -DBL_MAX;
	many[79] = -DBL_MAX / 2;
	STATS_NEAR(twofold_value(sum_of(many, 80)), DBL_MAX / 2, 0);
}

/* Shifting moves the mean and leaves the spread; a factor scales both; order is of no account. */
static void moved_scaled_shuffled(void)
{
	enum { N = 1003 };
	double values[N], other[N];
	uint64_t state = 42;
	struct moments m, o;

	for (int i = 0; i < N; i++)
		values[i] = floor(stats_uniform(&state) * 1e6) / 1024;
	m = moments_of(values, N);
	for (int i = 0; i < N; i++)
		other[i] = values[i] + 1048576;
	o = moments_of(other, N);
	STATS_NEAR(o.norm, m.norm, 1e-15);
	STATS_NEAR(twofold_value(o.mean), twofold_value(m.mean) + 1048576, 1e-15);
	for (int i = 0; i < N; i++)
		other[i] = values[i] * -1e-9;
	o = moments_of(other, N);
	STATS_NEAR(o.norm, m.norm * 1e-9, 1e-15);
	STATS_NEAR(twofold_value(o.mean), twofold_value(m.mean) * -1e-9, 1e-15);
	for (int i = 0; i < N; i++)
		other[i] = values[(i * 500) % N];
	o = moments_of(other, N);
	STATS_NEAR(o.norm, m.norm, 1e-15);
	STATS_NEAR(twofold_value(o.mean), twofold_value(m.mean), 0);
}

static void relative_to_zero_is_nothing(void)
{
	double values[] = { 0.1, 0.2, -0.3 };

	/* As decimals their mean is 0, as doubles it is 9e-18. */
	STATS_NEAR(relative_spread(1, mean_of(values, 3), 0.3), NAN, 0);
	STATS_NEAR(relative_spread(1, 0, 0), NAN, 0);
	STATS_NEAR(relative_spread(1e-9, -4e-9, 5e-9), -0.25, 1e-15);
}

static const struct unit_test tests[] = {
	UNIT_TEST(nist_certified),	     UNIT_TEST(far_from_zero),
	UNIT_TEST(equal_values_do_not_vary), UNIT_TEST(sums_that_cancel),
	UNIT_TEST(ends_of_the_range),	     UNIT_TEST(sums_that_come_back),
	UNIT_TEST(moved_scaled_shuffled),    UNIT_TEST(relative_to_zero_is_nothing),
};

UNIT_MAIN("stats-sums", tests)
