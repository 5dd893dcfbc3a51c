/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distributions and the tests that lean on them, against values worked out at 40 digits.
 */
#include "common/normal.h"
#include "common/esd.h"
#include "common/student.h"

#include "stats.h"

static void normal_quantiles(void)
{
	STATS_NEAR(normal_quantile(0.5), 0, 0);
	STATS_NEAR(normal_quantile(0.6), 0.253347103135799741, 1e-15);
	STATS_NEAR(normal_quantile(0.95), 1.64485362695147228, 1e-15);
	STATS_NEAR(normal_quantile(0.975), 1.95996398454005386, 1e-15);
	STATS_NEAR(normal_quantile(0.3), -0.524400512708040816, 1e-15);
	STATS_NEAR(normal_quantile(0.001), -3.09023230616781354, 1e-15);
	STATS_NEAR(normal_quantile(1e-10), -6.3613409024040562, 1e-15);
	STATS_NEAR(normal_quantile(1e-300), -37.0470962993611992, 1e-15);
}

static void normal_tails(void)
{
	STATS_NEAR(normal_tail(0), 0.5, 0);
	STATS_NEAR(normal_tail(1.95996398454005386), 0.025, 1e-14);
	STATS_NEAR(normal_tail(37.0470962993611992), 1e-300, 1e-12);
	STATS_NEAR(normal_tail(-3.09023230616781354), 0.999, 1e-15);
}

static void student_probabilities(void)
{
	static const struct {
		double t, freedom, p;
	} cases[] = {
		{ 1, 1, 0.5 },
		{ 2, 4.5, 0.10825790718112502665 },
		{ 10, 8, 8.4881815276284920457e-6 },
		/* where the library's own tail has lost digits */
		{ 5, 31, 2.147783467017563137e-5 },
		{ 10, 31, 3.2047954918308862706e-11 },
		{ 10, 50, 1.6077334688335436574e-13 },
		{ 50, 500, 1.1319912889543493023e-196 },
		{ 2, 1000, 0.045770346493251640049 },
		{ 0.001, 50, 0.99920609477550166131 },
		{ 3, 100000, 0.0027004608840647191901 },
		{ 174.44, 28, 4.6046937166385917322e-44 },
		{ 1.5, 2000000, 0.13361456038727015023 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		STATS_NEAR(student_two_sided(cases[i].t, cases[i].freedom), cases[i].p, 1e-12);
		STATS_NEAR(student_two_sided(-cases[i].t, cases[i].freedom), cases[i].p, 1e-12);
	}
	STATS_NEAR(student_two_sided(0, 7), 1, 0);
	STATS_NEAR(student_two_sided(INFINITY, 7), 0, 0);
	STATS_NEAR(student_two_sided(NAN, 7), NAN, 0);
	STATS_NEAR(student_two_sided(1e200, 1e5), 0, 0);
}

static void student_quantiles(void)
{
	static const struct {
		double tail, freedom, t;
	} cases[] = {
		{ 0.025, 1, 12.706204736174703938 },	 { 1e-12, 1, 318309886183.79067794 },
		{ 1e-10, 2, 70710.678108048149434 },	 { 0.025, 4, 2.7764451051977943036 },
		{ 0.0005, 4, 8.6103015813792750499 },	 { 5e-07, 31, 6.0719759247183997175 },
		{ 1e-12, 31, 11.200207192884789206 },	 { 0.025, 29.5, 2.043724966772123259 },
		{ 0.4995, 9, 0.0012885442580144929269 }, { 0.025, 100000, 1.9599877075346096148 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		STATS_NEAR(student_quantile(cases[i].tail, cases[i].freedom), cases[i].t, 1e-12);
	STATS_NEAR(student_quantile(0.5, 3), 0, 0);
	STATS_NEAR(student_reach(0.95, 4), 2.7764451051977943036, 1e-12);
}

/* At these levels half of what 1 - level leaves has lost digits. */
static void student_reaches(void)
{
	static const struct {
		double level, freedom, t;
	} cases[] = {
		{ 1e-300, 3, 1.360349523175663422e-300 },
		{ 1e-09, 2, 1.4142135623730951376e-9 },
		{ 1e-07, 31, 1.2634606097834283742e-7 },
		{ 0.0001, 9.5, 0.00012866721711646167085 },
		{ 0.01, 1, 0.01570925532366491665 },
		{ 0.0101, 4, 0.013467175490734303406 },
		{ 0.01, 100000.0, 0.012533500846704372707 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		STATS_NEAR(student_reach(cases[i].level, cases[i].freedom) / cases[i].t, 1, 1e-12);
}

static void t_tests_without_spread(void)
{
	struct t_test test = t_test_of(0, 0, 8, 0.95);

	STATS_NEAR(test.t, NAN, 0);
	STATS_NEAR(test.p, NAN, 0);
	CU_ASSERT(!test.significant);
	test = t_test_of(1, 0, 5, 0.95);
	STATS_NEAR(test.t, NAN, 0);
	STATS_NEAR(test.p, 0, 0);
	STATS_NEAR(test.lower, 1, 0);
	STATS_NEAR(test.upper, 1, 0);
	CU_ASSERT(test.significant);
	test = t_test_of(1, 0, NAN, 0.95);
	STATS_NEAR(test.p, NAN, 0);
	STATS_NEAR(test.lower, NAN, 0);
	CU_ASSERT(!test.significant);
}

static void shapiro_wilk(void)
{
	/* The weights of eleven men of Shapiro and Wilk 1965, by Royston's polynomials at 40
	 * digits. */
	double men[] = { 148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236 }, moved[11];
	double few[] = { 10.1, 9.8, 10.2, 9.9, 10.0 }, three[] = { 1, 1, 5 }, even[] = { 3, 0, -3 },
	       equal[] = { 2.5, 2.5, 2.5 };
	double long_tail[] = { 8, 1, 6, 3, 5, 7, 4, 9, 2, 40, 11, 12.5, 13 }, scratch[13];
	struct shapiro_wilk test, other;

	for (int i = 0; i < 11; i++)
		moved[i] = 1e9 - 0.125 * men[i];
	test = shapiro_wilk_test(men, 11, scratch);
	STATS_NEAR(test.statistic, 0.788814694835387434, 1e-14);
	STATS_NEAR(test.p, 0.00670381405650301, 1e-12);
	other = shapiro_wilk_test(moved, 11, scratch);
	STATS_NEAR(other.statistic, test.statistic, 1e-13);
	STATS_NEAR(other.p, test.p, 1e-12);
	test = shapiro_wilk_test(few, 5, scratch);
	STATS_NEAR(test.statistic, 0.986762155447719595, 1e-14);
	STATS_NEAR(test.p, 0.967173935968041, 1e-12);
	test = shapiro_wilk_test(long_tail, 13, scratch);
	STATS_NEAR(test.statistic, 0.683529386018711964, 1e-14);
	STATS_NEAR(test.p, 0.000381607334310492, 1e-12);
	test = shapiro_wilk_test(three, 3, scratch);
	STATS_NEAR(test.statistic, 0.75, 1e-14);
	CU_ASSERT(test.p >= 0 && test.p < 1e-7);
	test = shapiro_wilk_test(even, 3, scratch);
	STATS_NEAR(test.statistic, 1, 0);
	test = shapiro_wilk_test(equal, 3, scratch);
	STATS_NEAR(test.statistic, 1, 0);
	STATS_NEAR(test.p, 1, 0);
}

static size_t outliers(const double *values, size_t count, size_t most, bool robust,
		       int64_t *indices, bool *spread_gone)
{
	struct esd_options options = { most, 0.05, robust };
	void *scratch = stats_room(1, ESD_SCRATCH_BYTES(count));
	size_t found = esd_outliers(values, count, &options, indices, spread_gone, scratch);

	free(scratch);
	return found;
}

/* Rosner's 54 values: three outliers, though the first step alone would find none. */
static void rosner(void)
{
	static const double values[] = {
		-0.25, 0.68, 0.94, 1.15, 1.20, 1.26, 1.26, 1.34, 1.38, 1.43, 1.49, 1.49, 1.55, 1.56,
		1.58,  1.65, 1.69, 1.70, 1.76, 1.77, 1.81, 1.91, 1.94, 1.96, 1.99, 2.06, 2.09, 2.10,
		2.14,  2.15, 2.23, 2.24, 2.26, 2.35, 2.37, 2.40, 2.47, 2.54, 2.62, 2.64, 2.90, 2.92,
		2.92,  2.93, 3.21, 3.26, 3.30, 3.59, 3.68, 4.30, 4.64, 5.34, 5.42, 6.01,
	};
	int64_t indices[10];
	bool gone;

	CU_ASSERT(outliers(values, 54, 10, false, indices, &gone) == 3);
	CU_ASSERT(indices[0] == 53 && indices[1] == 52 && indices[2] == 51);
	CU_ASSERT(!gone);
	CU_ASSERT(outliers(values, 54, 1, false, indices, &gone) == 0);
}

static void outliers_of_odd_data(void)
{
	static const double ties[] = { 1,  2, 3, 2, 1, 2, 3, 2, 40, 2, 1,
				       40, 2, 3, 2, 2, 1, 2, 3, 2,  1 };
	static const double equal[] = { 7.5, 7.5, 7.5, 7.5 },
			    one[] = { 3, 3, 3, 3, 3, 3, 3, 3, 3, 3.5 };
	int64_t indices[20];
	bool gone;

	CU_ASSERT(outliers(ties, 21, 5, false, indices, &gone) == 2);
	CU_ASSERT(indices[0] == 8 && indices[1] == 11);
	CU_ASSERT(outliers(equal, 4, 5, false, indices, &gone) == 0 && gone);
	CU_ASSERT(outliers(one, 10, 20, false, indices, &gone) == 1 && indices[0] == 9 && gone);
	CU_ASSERT(outliers(one, 10, 20, true, indices, &gone) == 0 && gone);
	CU_ASSERT(outliers(one, 3, 20, false, indices, &gone) == 0);
}

/* Many outliers on either side, which leave the middle of the sample behind. */
static void outliers_of_a_large_sample(void)
{
	enum { COUNT = 200000, FAR = 39000 };
	double *values = stats_room(COUNT, sizeof(*values));
	int64_t *indices = stats_room(COUNT / 5, sizeof(*indices));
	size_t found, far = 0;
	bool gone;

	/* No order, and a spread of 1 but for every fifth value, until there are FAR. */
	for (size_t i = 0; i < COUNT; i++) {
		values[i] = (double)(i * 7919 % 200003) / 200003;
		if (i % 5 == 0 && far < FAR)
			values[i] += 1e6 * (double)++far;
	}
	found = outliers(values, COUNT, COUNT / 5, false, indices, &gone);
	CU_ASSERT(found == FAR && !gone);
	for (size_t i = 0; i < found; i++)
		CU_ASSERT(indices[i] == (int64_t)(5 * (FAR - 1 - i)));
	free(indices);
	free(values);
}

static void outliers_on_both_sides(void)
{
	static const double values[] = { 9, 0, -9, 1, 0, 9, 1, -9, 0, 1, 0, 1, 0.5, 0.25, 0.75 };
	int64_t indices[13];
	bool gone;

	/* The median is above 0, so that -9 is farther than 9; equal values go by position. */
	CU_ASSERT(outliers(values, 15, 13, true, indices, &gone) >= 4);
	CU_ASSERT(indices[0] == 2 && indices[1] == 7 && indices[2] == 0 && indices[3] == 5);
}

static const struct unit_test tests[] = {
	UNIT_TEST(outliers_of_a_large_sample),
	UNIT_TEST(outliers_on_both_sides),
	UNIT_TEST(normal_quantiles),
	UNIT_TEST(normal_tails),
	UNIT_TEST(student_probabilities),
	UNIT_TEST(student_quantiles),
	UNIT_TEST(student_reaches),
	UNIT_TEST(shapiro_wilk),
	UNIT_TEST(rosner),
	UNIT_TEST(t_tests_without_spread),
	UNIT_TEST(outliers_of_odd_data),
};

UNIT_MAIN("stats-tests", tests)
