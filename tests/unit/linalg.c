/* SPDX-License-Identifier: MIT */
#include "common/linalg.h"

#include "unit.h"

#include <float.h>

/* A matrix given row by row, factored. The caller frees qr->cells. */
static size_t factor(struct linalg_qr *qr, const double *cells, size_t rows, size_t columns)
{
	double *column = malloc(rows * sizeof(*column));

	linalg_qr_place(qr, malloc(linalg_qr_size(rows, columns)), rows, columns);
	for (size_t j = 0; j < columns; j++) {
		for (size_t i = 0; i < rows; i++)
			column[i] = cells[i * columns + j];
		linalg_set_column(qr, j, column, 1);
	}
	free(column);
	return linalg_factor(qr);
}

static void check_text(const double *cells, size_t rows, size_t columns, const char *expected)
{
	struct linalg_qr qr;
	char text[200];

	factor(&qr, cells, rows, columns);
	linalg_tell_dependence(&qr, text, sizeof(text));
	UNIT_TEXT(text, expected);
	free(qr.cells);
}

static bool is_near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fabs(b);
}

/* Numbers of 106 bits hold what doubles drop. */
static void wide_numbers_keep_what_doubles_drop(void)
{
	struct wide third = wide_divide(wide_of(1), wide_of(3));
	struct wide back = wide_subtract(wide_multiply(third, wide_of(3)), wide_of(1));
	struct wide root = wide_root(wide_of(2));
	struct wide square = wide_subtract(wide_multiply(root, root), wide_of(2));
	struct wide sum = wide_add(wide_add(wide_of(1), wide_of(0x1p-80)), wide_of(-1));

	CU_ASSERT_EQUAL(wide_round(sum), 0x1p-80);
	CU_ASSERT(fabs(wide_round(back)) <= 0x1p-104);
	CU_ASSERT(fabs(wide_round(square)) <= 0x1p-102);
	CU_ASSERT_EQUAL(wide_product(1 + 0x1p-52, 1 + 0x1p-52).lo, 0x1p-104);
	CU_ASSERT_EQUAL(wide_root(wide_of(0)).hi, 0);
	CU_ASSERT_EQUAL(wide_root(wide_of(-1)).hi, 0);
}

static void dependent_columns_are_named(void)
{
	static const double twice[] = { 1, 1, 2, 1, 2, 4, 1, 3, 6 };
	static const double sums[] = { .1, .7, .8, .2, .1, .3, .3, .5, .8, .7, .6, 1.3 };
	static const double zeros[] = { 0, 1, 0, 2, 0, 5 };
	static const double two[] = { 1, 2, 1, 2, 3, 6, 2, 4, 5, 10, 7, 14, 1, 2, 0, 0 };
	static const double wide[] = { 1, 2, 3, 4, 5, 7 };

	check_text(twice, 3, 3, "rank 2 of 3: columns 2 and 3 depend on each other");
	check_text(sums, 4, 3, "rank 2 of 3: columns 1, 2 and 3 depend on each other");
	check_text(zeros, 3, 2, "rank 1 of 2: column 1 holds only zeros");
	check_text(two, 4, 4,
		   "rank 2 of 4: columns 1 and 2 depend on each other; "
		   "columns 3 and 4 depend on each other");
	check_text(wide, 2, 3, "rank 2 of 3: columns 1, 2 and 3 depend on each other");
}

static void a_long_dependence_is_cut(void)
{
	struct linalg_qr qr;
	double cells[100];
	char text[16];

	for (size_t i = 0; i < 100; i++)
		cells[i] = (double)(i % 10);
	CU_ASSERT_EQUAL(factor(&qr, cells, 10, 10), 1);
	linalg_tell_dependence(&qr, text, sizeof(text));
	UNIT_TEXT(text, "rank 1 of 10: c");
	free(qr.cells);
}

/* What is nearly dependent, but by more than the rounding of the data, is not dropped. */
static void nearly_dependent_columns_count(void)
{
	double cells[40];
	struct linalg_qr qr;

	for (size_t i = 0; i < 20; i++) {
		cells[2 * i] = (double)(i + 1);
		cells[2 * i + 1] = (double)(i + 1) + (i == 7 ? 1e-10 : 0);
	}
	CU_ASSERT_EQUAL(factor(&qr, cells, 20, 2), 2);
	free(qr.cells);
	cells[15] = cells[14] * (1 + DBL_EPSILON);
	CU_ASSERT_EQUAL(factor(&qr, cells, 20, 2), 1);
	free(qr.cells);
}

/* The rank does not depend on the units of a column. */
static void rank_is_free_of_scale(void)
{
	static const double cells[] = { 1, 2, 2, 1, 3, 3, 4, 9 };
	double scaled[8];
	struct linalg_qr qr;

	for (int exponent = -120; exponent <= 120; exponent += 40) {
		for (size_t i = 0; i < 8; i++)
			scaled[i] = i % 2 ? cells[i] * pow(10, exponent) : cells[i];
		CU_ASSERT_EQUAL(factor(&qr, scaled, 4, 2), 2);
		free(qr.cells);
	}
}

static const double line_x[] = { 1, 2, 3, 4, 5 };
static const double line_y[] = { 2.1, 4.0, 5.9, 8.1, 10.0 };

static void fit_line(const double *y, struct linalg_fit *fit)
{
	struct linalg_qr qr;

	linalg_qr_place(&qr, malloc(linalg_qr_size(5, 2)), 5, 2);
	linalg_set_column(&qr, 0, NULL, 0);
	linalg_set_column(&qr, 1, line_x, 1);
	CU_ASSERT_EQUAL(linalg_factor(&qr), 2);
	linalg_fit(&qr, y, true, fit);
	free(qr.cells);
}

/* By hand: slope 19.9/10, intercept 6.02 - 3 * 1.99, residuals to two decimals. */
static void a_line_is_fitted(void)
{
	double coefficients[2], errors[2], residuals[5];
	struct linalg_fit fit = { coefficients, errors, residuals, 0, 0, 0, 0, 0, 0, 0, 0 };
	static const double expected[] = { 0.06, -0.03, -0.12, 0.09, 0.0 };

	fit_line(line_y, &fit);
	CU_ASSERT(is_near(coefficients[0], 0.05, 1e-13));
	CU_ASSERT(is_near(coefficients[1], 1.99, 1e-15));
	for (size_t i = 0; i < 5; i++)
		CU_ASSERT(fabs(residuals[i] - expected[i]) < 1e-14);
	CU_ASSERT_EQUAL(fit.regression_df, 1);
	CU_ASSERT_EQUAL(fit.residual_df, 3);
	CU_ASSERT(is_near(fit.residual_ss, 0.027, 1e-13));
	CU_ASSERT(is_near(fit.total_ss, 39.628, 1e-14));
	CU_ASSERT(is_near(fit.regression_ss, 39.601, 1e-14));
	CU_ASSERT(is_near(fit.residual_sd, sqrt(0.009), 1e-13));
	CU_ASSERT(is_near(errors[1], sqrt(0.009 / 10), 1e-13));
	CU_ASSERT(is_near(errors[0], sqrt(0.009 * 1.1), 1e-13));
	CU_ASSERT(is_near(fit.f, 39.601 / 0.009, 1e-13));
}

static void exact_and_constant_responses_are_told(void)
{
	static const double exact[] = { 3, 5, 7, 9, 11 }, constant[] = { 4, 4, 4, 4, 4 };
	double coefficients[2];
	struct linalg_fit fit = { .coefficients = coefficients };

	fit_line(exact, &fit);
	CU_ASSERT_EQUAL(fit.residual_ss, 0);
	CU_ASSERT_EQUAL(fit.r_squared, 1);
	CU_ASSERT(isinf(fit.f));
	CU_ASSERT_EQUAL(coefficients[0], 1);
	CU_ASSERT_EQUAL(coefficients[1], 2);
	fit_line(constant, &fit);
	CU_ASSERT(isnan(fit.r_squared));
	CU_ASSERT_EQUAL(coefficients[0], 4);
	CU_ASSERT(fabs(coefficients[1]) < 1e-28);
}

/* As many rows as columns leave nothing to estimate an error from. */
static void without_degrees_of_freedom_errors_are_unknown(void)
{
	static const double cells[] = { 1, 2, 3, 5 }, y[] = { 1, 2 };
	double errors[2], coefficients[2];
	struct linalg_fit fit = { .coefficients = coefficients, .standard_errors = errors };
	struct linalg_qr qr;

	CU_ASSERT_EQUAL(factor(&qr, cells, 2, 2), 2);
	linalg_fit(&qr, y, false, &fit);
	CU_ASSERT(isnan(fit.residual_sd));
	CU_ASSERT(isnan(errors[0]));
	CU_ASSERT(is_near(coefficients[0], -1, 1e-14));
	CU_ASSERT(is_near(coefficients[1], 1, 1e-14));
	free(qr.cells);
}

/* Responses of any size: scaling them by a power of two scales all that is linear in them, exactly.
 */
static void a_response_may_have_any_size(void)
{
	double plain[2], scaled[2], y[5];
	struct linalg_fit fit = { .coefficients = plain };

	fit_line(line_y, &fit);
	for (int exponent = -900; exponent <= 900; exponent += 300) {
		for (size_t i = 0; i < 5; i++)
			y[i] = ldexp(line_y[i], exponent);
		fit.coefficients = scaled;
		fit_line(y, &fit);
		CU_ASSERT_EQUAL(scaled[0], ldexp(plain[0], exponent));
		CU_ASSERT_EQUAL(scaled[1], ldexp(plain[1], exponent));
	}
}

static void condition_is_that_of_columns_of_length_1(void)
{
	/* Two unit vectors at an angle whose cosine is c have the condition sqrt((1 + c) / (1 -
	 * c)). */
	static const double right[] = { 3, 0, 0, 1e6, 0, 0 }, slanted[] = { 5, 3e4, 0, 4e4 };
	double work[4];
	struct linalg_qr qr;

	factor(&qr, right, 3, 2);
	CU_ASSERT(is_near(linalg_condition(&qr, work), 1, 1e-14));
	free(qr.cells);
	factor(&qr, slanted, 2, 2);
	CU_ASSERT(is_near(linalg_condition(&qr, work), sqrt(1.6 / 0.4), 1e-14));
	free(qr.cells);
}

static void condition_is_infinite_below_full_rank(void)
{
	static const double cells[] = { 1, 2, 2, 4 };
	double work[4];
	struct linalg_qr qr;

	CU_ASSERT_EQUAL(factor(&qr, cells, 2, 2), 1);
	CU_ASSERT(isinf(linalg_condition(&qr, work)));
	free(qr.cells);
}

static void shapes_beyond_memory_have_no_size(void)
{
	CU_ASSERT_EQUAL(linalg_qr_size((size_t)1 << 40, (size_t)1 << 40), 0);
	CU_ASSERT(linalg_qr_size(3, 2) >= 6 * sizeof(struct wide));
}

static const struct unit_test tests[] = {
	UNIT_TEST(wide_numbers_keep_what_doubles_drop),
	UNIT_TEST(dependent_columns_are_named),
	UNIT_TEST(a_long_dependence_is_cut),
	UNIT_TEST(nearly_dependent_columns_count),
	UNIT_TEST(rank_is_free_of_scale),
	UNIT_TEST(a_line_is_fitted),
	UNIT_TEST(exact_and_constant_responses_are_told),
	UNIT_TEST(without_degrees_of_freedom_errors_are_unknown),
	UNIT_TEST(a_response_may_have_any_size),
	UNIT_TEST(condition_is_that_of_columns_of_length_1),
	UNIT_TEST(condition_is_infinite_below_full_rank),
	UNIT_TEST(shapes_beyond_memory_have_no_size),
};

UNIT_MAIN("linalg", tests)
