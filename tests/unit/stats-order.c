/* SPDX-License-Identifier: MIT
 *
 * Sorting, selection, percentiles, medians and robust spreads, held against their definitions.
 */
#include "common/order.h"
#include "common/scale.h"

#include "stats.h"

#define MOST 3000

enum kind { RANDOM, RISING, FALLING, TIED, EQUAL, SAWTOOTH, MIXED_SIGNS, WIDE, KINDS };

static void fill(double *values, size_t count, int kind, uint64_t seed)
{
	uint64_t state = seed * 977 + 1;

	for (size_t i = 0; i < count; i++) {
		double u = stats_uniform(&state);

		switch (kind) {
		case RANDOM:
			values[i] = 50 + u;
			break;
		case RISING:
			values[i] = (double)i;
			break;
		case FALLING:
			values[i] = (double)(count - i);
			break;
		case TIED:
			values[i] = floor(5 * u);
			break;
		case EQUAL:
			values[i] = -7;
			break;
		case SAWTOOTH:
			values[i] = i % 2 ? 1e6 + (double)i : -(double)i;
			break;
		case MIXED_SIGNS:
			values[i] = u < 0.1 ? (i % 2 ? 0.0 : -0.0) : u - 0.5;
			break;
		default:
			values[i] = pow(10, 600 * u - 300) * (i % 2 ? 1 : -1);
		}
	}
}

static const size_t counts[] = { 1, 2, 3, 4, 5, 16, 47, 48, 49, 50, 127, 128, 129, 500, MOST };

#define EACH_SAMPLE(count, kind)                                                                   \
	for (size_t at_ = 0; at_ < sizeof(counts) / sizeof(counts[0]); at_++)                      \
		for (int kind = 0; kind < KINDS; kind++)                                           \
			for (size_t count = counts[at_]; count; count = 0)

static void sorts_as_the_library_does(void)
{
	static double values[MOST], wanted[MOST], scratch[MOST];

	EACH_SAMPLE(count, kind)
	{
		fill(values, count, kind, count);
		memcpy(wanted, values, sizeof(values));
		qsort(wanted, count, sizeof(double), stats_compare);
		sort_values(values, count, scratch);
		for (size_t i = 0; i < count; i++)
			CU_ASSERT_FATAL(values[i] == wanted[i]);
	}
}

static void equal_keys_keep_their_order(void)
{
	static struct keyed entries[MOST], scratch[MOST];
	static double keys[MOST];

	EACH_SAMPLE(count, kind)
	{
		fill(keys, count, kind, count + 1);
		for (size_t i = 0; i < count; i++)
			entries[i] = (struct keyed){ keys[i], i };
		sort_keyed(entries, count, scratch);
		for (size_t i = 0; i < count; i++) {
			CU_ASSERT_FATAL(entries[i].key == keys[entries[i].item]);
			CU_ASSERT_FATAL(!i || entries[i - 1].key < entries[i].key ||
					(entries[i - 1].key == entries[i].key &&
					 entries[i - 1].item < entries[i].item));
		}
	}
}

static void selects_what_sorting_finds(void)
{
	static double values[MOST], sorted[MOST], scratch[MOST];

	EACH_SAMPLE(count, kind)
	{
		size_t ranks[] = {
			0, count / 20, count / 4, count / 2, count - count / 4 - 1, count - 1
		};

		fill(values, count, kind, count + 2);
		memcpy(sorted, values, sizeof(values));
		qsort(sorted, count, sizeof(double), stats_compare);
		for (size_t i = 1; i < 6; i++)
			if (ranks[i] < ranks[i - 1])
				ranks[i] = ranks[i - 1];
		select_ranks(values, count, ranks, 6, scratch);
		for (size_t i = 0; i < 6; i++)
			CU_ASSERT_FATAL(values[ranks[i]] == sorted[ranks[i]]);
		for (size_t i = 0; i < count; i++)
			CU_ASSERT_FATAL(i < ranks[3] ? values[i] <= sorted[ranks[3]]
						     : values[i] >= sorted[ranks[3]]);
		fill(values, count, kind, count + 2);
		CU_ASSERT_FATAL(select_rank(values, count, count / 3, scratch) ==
				sorted[count / 3]);
	}
}

static void percentiles(void)
{
	static const double fractions[] = { 0, 0.05, 0.25, 0.5, 0.5, 0.95, 1 };
	double values[] = { 10, 12, 11, 9, 100 }, scratch[5], q[7];
	double huge[] = { -1.5e308, 1.5e308 }, one[] = { 4 };

	quantiles_of(values, 5, fractions, 7, q, scratch);
	STATS_NEAR(q[0], 9, 0);
	STATS_NEAR(q[1], 9.2, 1e-15);
	STATS_NEAR(q[2], 10, 0);
	STATS_NEAR(q[3], 11, 0);
	STATS_NEAR(q[4], 11, 0);
	STATS_NEAR(q[5], 82.4, 1e-15);
	STATS_NEAR(q[6], 100, 0);
	quantiles_of(huge, 2, fractions, 7, q, scratch);
	STATS_NEAR(q[3], 0, 0);
	STATS_NEAR(q[2], -0.75e308, 1e-15);
	quantiles_of(one, 1, fractions, 7, q, scratch);
	STATS_NEAR(q[0], 4, 0);
	STATS_NEAR(q[6], 4, 0);
}

/* The mean of the middle two is between two doubles: the twofold median keeps what one cannot. */
static void median_between_doubles(void)
{
	/* 2^53 + 2 and 2^53 + 4, neighbours */
	double values[] = { 9007199254740994.0, 9007199254740996.0 }, scratch[4];
	double far[] = { 1e9 + 0.25, 1e9 + 0.5, 1e9, 1e9 + 1 };
	struct twofold median = median_of(values, 2, scratch);

	STATS_NEAR(deviation(9007199254740994.0, median), -1, 0);
	STATS_NEAR(deviation(9007199254740996.0, median), 1, 0);
	median = median_of(far, 4, scratch);
	STATS_NEAR(deviation(1e9 + 1, median), 0.625, 0);
	STATS_NEAR(twofold_value(median_of((double[]){ -1.7e308, 1.7e308 }, 2, scratch)), 0, 0);
	STATS_NEAR(twofold_value(median_of_sorted((double[]){ 1, 2, 4, 8 }, 4)), 3, 0);
}

static void deviations_from_the_median(void)
{
	double values[] = { 10, 11, 12, 10, 9, 10, 50 }, scratch[7];
	struct twofold centre = { 10, 0 };

	STATS_NEAR(median_absolute_deviation_from(values, 7, centre, scratch), 1, 0);
}

/* Sn by its definition, in n^2 log n. */
static double sn_by_definition(const double *values, size_t count)
{
	static const double factors[] = { 0,	 0,	0.743, 1.851, 0.954,
					  1.351, 0.993, 1.198, 1.005, 1.131 };
	double *inner = stats_room(count, sizeof(double)),
	       *outer = stats_room(count, sizeof(double));
	double factor = count < 10 ? factors[count] : count % 2 ? count / (count - 0.9) : 1;
	double sn;

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < count; j++)
			inner[j] = fabs(values[i] - values[j]);
		qsort(inner, count, sizeof(double), stats_compare);
		outer[i] = inner[count / 2];
	}
	qsort(outer, count, sizeof(double), stats_compare);
	sn = 1.1926 * factor * outer[(count + 1) / 2 - 1];
	free(inner);
	free(outer);
	return sn;
}

static void sn_of_every_size_and_kind(void)
{
	static double values[600], scratch[600];

	for (size_t count = 2; count <= 600; count += count < 40 ? 1 : 37)
		for (int kind = 0; kind < KINDS; kind++) {
			double wanted;

			fill(values, count, kind, count + 3);
			wanted = sn_by_definition(values, count);
			STATS_NEAR(scale_sn(values, count, scratch), wanted, 1e-15);
		}
	STATS_NEAR(scale_sn((double[]){ 5, 6, 5, 7, 5, 6, 100 }, 7, scratch), 1.4287348, 1e-15);
	STATS_NEAR(scale_sn((double[]){ 3 }, 1, scratch), 0, 0);
	STATS_NEAR(scale_sn((double[]){ 5, 5, 13, 37, 5, 5 }, 6, scratch), 0, 0);
}

static const struct unit_test tests[] = {
	UNIT_TEST(sorts_as_the_library_does),  UNIT_TEST(equal_keys_keep_their_order),
	UNIT_TEST(selects_what_sorting_finds), UNIT_TEST(percentiles),
	UNIT_TEST(median_between_doubles),     UNIT_TEST(deviations_from_the_median),
	UNIT_TEST(sn_of_every_size_and_kind),
};

UNIT_MAIN("stats-order", tests)
