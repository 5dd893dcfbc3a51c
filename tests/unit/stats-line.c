/* SPDX-License-Identifier: MIT
 *
 * The repeated median slope, held against its definition for data of every kind, and Huber's line.
 */
#include "common/huber.h"
#include "common/line.h"

#include "stats.h"

static const struct interrupt never = { NULL, NULL };

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(double), stats_compare);
	return values[(count - 1) / 2] / 2 + values[count / 2] / 2;
}

static double slope_by_definition(const double *x, const double *y, size_t count)
{
	double *slopes = stats_room(count, sizeof(double)),
	       *medians = stats_room(count, sizeof(double));
	double slope;

	for (size_t i = 0; i < count; i++) {
		size_t n = 0;

		for (size_t j = 0; j < count; j++)
			if (x[j] != x[i])
				slopes[n++] = (y[j] - y[i]) / (x[j] - x[i]);
		medians[i] = median(slopes, n);
	}
	slope = median(medians, count);
	free(slopes);
	free(medians);
	return slope;
}

static double slope_of(const double *x, const double *y, size_t count)
{
	void *scratch = stats_room(REPEATED_MEDIAN_BYTES(count), 1);
	double slope = repeated_median_slope(x, y, count, scratch, never);

	free(scratch);
	return slope;
}

enum kind {
	NOISE_ON_A_LINE,
	EXACT_LINE,
	FAR_FROM_ZERO,
	TIES_EVERYWHERE,
	SPOILED,
	THREE_LEVELS,
	HUGE_SCALE,
	GROWING_STEPS,
	TWO_PLACES,
	BROKEN_LINE,
	FAN,
	POINTS_FAR_OFF,
	FALLING_X,
	KINDS
};

static void fill(double *x, double *y, size_t count, int kind, uint64_t seed)
{
	uint64_t state = seed * 7919 + 13;

	for (size_t i = 0; i < count; i++) {
		double u = stats_uniform(&state), e = stats_uniform(&state) - 0.5, at = (double)i;

		x[i] = at;
		switch (kind) {
		case NOISE_ON_A_LINE:
			x[i] = 10 * u;
			y[i] = 2 * x[i] + e;
			break;
		case EXACT_LINE:
			y[i] = 0.1 * at + 1;
			break;
		case FAR_FROM_ZERO:
			x[i] = 1e6 + 10 * u;
			y[i] = 3e9 + 2 * x[i] + e;
			break;
		case TIES_EVERYWHERE:
			x[i] = floor(50 * u);
			y[i] = floor(20 * (e + 0.5));
			break;
		case SPOILED:
			y[i] = u < 0.4 ? 1e6 * e : 0.5 * at + e;
			break;
		case THREE_LEVELS:
			y[i] = floor(3 * u);
			break;
		case HUGE_SCALE:
			x[i] = 1e300 * u;
			y[i] = -3e-3 * x[i] + 1e297 * e;
			break;
		case GROWING_STEPS:
			x[i] = exp(20 * u);
			y[i] = e;
			break;
		case TWO_PLACES:
			x[i] = (double)(i % 2);
			y[i] = e;
			break;
		case BROKEN_LINE:
			y[i] = i < count / 2 ? 0 : at;
			break;
		case FAN:
			y[i] = i % 2 ? at : -at;
			break;
		case POINTS_FAR_OFF:
			x[i] = i == 0 ? -1e13 : i == 7 ? 1e200 : u;
			y[i] = i == 5 ? 1e15 : i == 6 ? -1e250 : u + e / 100;
			break;
		default:
			x[i] = -at;
			y[i] = 3 * at + e;
		}
	}
}

/* Both ways of doing it: up to 400 points by the definition, above by narrowing. */
static void slopes_of_every_kind(void)
{
	static const size_t counts[] = { 2, 3, 4, 9, 10, 400, 401, 402 };
	static double x[402], y[402];

	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++)
		for (int kind = 0; kind < KINDS; kind++)
			for (uint64_t seed = 1; seed <= 2; seed++) {
				fill(x, y, counts[c], kind, seed);
				STATS_NEAR(slope_of(x, y, counts[c]),
					   slope_by_definition(x, y, counts[c]), 2e-13);
			}
}

static void many_points(void)
{
	enum { N = 30001 };
	double *x = stats_room(N, sizeof(double)), *y = stats_room(N, sizeof(double));
	uint64_t state = 5;

	/* Two fifths of the points are spoiled upwards, which moves the slope by less than its
	 * error. */
	for (size_t i = 0; i < N; i++) {
		x[i] = (double)((i * 12007) % N);
		y[i] = 0.25 * x[i] + stats_uniform(&state) + (i % 5 < 2 ? 1e9 : 0);
	}
	CU_ASSERT(fabs(slope_of(x, y, N) - 0.25) < 1e-3);
	for (size_t i = 0; i < N; i++)
		y[i] = 7 - 4 * x[i];
	STATS_NEAR(slope_of(x, y, N), -4, 0);
	free(x);
	free(y);
}

static void no_variation_no_slope(void)
{
	static double x[500], y[500];

	for (int i = 0; i < 500; i++) {
		x[i] = 0.667;
		y[i] = i;
	}
	STATS_NEAR(slope_of(x, y, 500), NAN, 0);
	STATS_NEAR(slope_of(x, y, 3), NAN, 0);
	x[3] = 2.667;
	STATS_NEAR(slope_of(x, y, 4), 1, 1e-15);
}

static bool give_up(void *owner)
{
	return ++*(int *)owner > 2;
}

static void can_be_interrupted(void)
{
	enum { N = 2000 };
	static double x[N], y[N];
	void *scratch = stats_room(REPEATED_MEDIAN_BYTES(N), 1);
	int asked = 0;

	fill(x, y, N, NOISE_ON_A_LINE, 1);
	STATS_NEAR(repeated_median_slope(x, y, N, scratch, (struct interrupt){ give_up, &asked }),
		   NAN, 0);
	CU_ASSERT_EQUAL(asked, 3);
	free(scratch);
}

static void huber_line_resists(void)
{
	double x[20], y[20], scratch[40];
	struct straight line;

	for (int i = 0; i < 20; i++) {
		x[i] = i / 19.0;
		y[i] = 0.25 + 0.5 * x[i];
	}
	line = huber_line(x, y, 20, scratch);
	STATS_NEAR(line.slope, 0.5, 1e-14);
	STATS_NEAR(line.intercept, 0.25, 1e-14);
	y[4] = 30;
	line = huber_line(x, y, 20, scratch);
	STATS_NEAR(line.slope, 0.5, 1e-9);
	STATS_NEAR(line.intercept, 0.25, 1e-9);
}

static const struct unit_test tests[] = {
	UNIT_TEST(slopes_of_every_kind),  UNIT_TEST(many_points),
	UNIT_TEST(no_variation_no_slope), UNIT_TEST(can_be_interrupted),
	UNIT_TEST(huber_line_resists),
};

UNIT_MAIN("stats-line", tests)
