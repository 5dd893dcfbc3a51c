/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Partial least squares: what has to hold whatever the data are, and data that have nothing to give.
 */
#include "multivariate/pls.h"

#include "common/linalg.h"

#include "multivariate-unit.h"

/* Responses of the data: linear in columns 0 and 3, and noise. */
static void make_responses(const double *cells, double *ret_y, size_t responses)
{
	uint64_t state = 7;

	for (size_t i = 0; i < ROWS * responses; i++)
		ret_y[i] = cells[i / responses * COLUMNS] -
			   (double)(i % responses + 1) * cells[i / responses * COLUMNS + 3] +
			   noise(&state);
}

/* With as many components as columns PLS is ordinary least squares, which another algorithm finds.
 */
static void all_components_are_least_squares(void)
{
	double cells[ROWS * COLUMNS], y[ROWS], column[ROWS], coefficients[COLUMNS];
	struct linalg_fit fit = { .coefficients = coefficients };
	th_call *call = call_begin();
	struct scaling x_scaling, y_scaling;
	struct linalg_qr qr;
	struct pls pls;

	make_data(cells, 0);
	make_responses(cells, y, 1);
	x_scaling = scale(call, cells, ROWS, COLUMNS);
	y_scaling = scale(call, y, ROWS, 1);
	CU_ASSERT_EQUAL_FATAL(pls_fit(call, &x_scaling, &y_scaling, COLUMNS, &pls), TH_OK);
	CU_ASSERT_PTR_NULL(pls.ended);
	linalg_qr_place(&qr, table_doubles(call, linalg_qr_size(ROWS, COLUMNS) / 8 + 1), ROWS,
			COLUMNS);
	for (size_t j = 0; j < COLUMNS; j++) {
		for (size_t i = 0; i < ROWS; i++)
			column[i] = x_scaling.scaled.cells[i * COLUMNS + j];
		linalg_set_column(&qr, j, column, 1);
	}
	CU_ASSERT_EQUAL_FATAL(linalg_factor(&qr), COLUMNS);
	linalg_fit(&qr, y_scaling.scaled.cells, false, &fit);
	for (size_t j = 0; j < COLUMNS; j++)
		CU_ASSERT(is_near(pls.coefficients[j], coefficients[j], 1e-11));
	CU_ASSERT(is_near(pls.explained[COLUMNS - 1], fit.r_squared, 1e-13));
	for (size_t i = 0; i < ROWS; i++)
		CU_ASSERT_EQUAL(pls.spe[i], 0);
	call_end(call);
}

/* The weights of the first component of several responses are where the iteration of NIPALS stands
 * still. */
static void weights_are_those_that_nipals_converges_to(void)
{
	double cells[ROWS * COLUMNS], y[ROWS * 3], w[COLUMNS] = { 1, 1, 1, 1, 1 };
	th_call *call = call_begin();
	struct scaling x_scaling, y_scaling;
	const double *x, *scaled;
	struct pls pls;

	make_data(cells, 0);
	make_responses(cells, y, 3);
	x_scaling = scale(call, cells, ROWS, COLUMNS);
	y_scaling = scale(call, y, ROWS, 3);
	x = x_scaling.scaled.cells;
	scaled = y_scaling.scaled.cells;
	for (int round = 0; round < 200; round++) {
		double u[ROWS] = { 0 }, norm;

		for (size_t k = 0; k < 3; k++) {
			double c = 0;

			for (size_t i = 0; i < ROWS; i++)
				c += scaled[i * 3 + k] * dot(x + i * COLUMNS, w, COLUMNS, 1);
			for (size_t i = 0; i < ROWS; i++)
				u[i] += c * scaled[i * 3 + k];
		}
		for (size_t j = 0; j < COLUMNS; j++) {
			w[j] = 0;
			for (size_t i = 0; i < ROWS; i++)
				w[j] += x[i * COLUMNS + j] * u[i];
		}
		norm = sqrt(dot(w, w, COLUMNS, 1));
		for (size_t j = 0; j < COLUMNS; j++)
			w[j] /= norm;
	}
	CU_ASSERT_EQUAL_FATAL(pls_fit(call, &x_scaling, &y_scaling, 1, &pls), TH_OK);
	for (size_t j = 0; j < COLUMNS; j++)
		CU_ASSERT(is_near(fabs(pls.model.weights[j]), fabs(w[j]), 1e-12));
	call_end(call);
}

/* With more responses than columns the other product of the covariance is decomposed, to the same
 * end. */
static void repeated_responses_give_the_same_components(void)
{
	double cells[ROWS * COLUMNS], y[ROWS * 2], many[ROWS * 8];
	th_call *call = call_begin();
	struct scaling x_scaling, y_scaling;
	struct pls few_pls, many_pls;

	make_data(cells, 0);
	make_responses(cells, y, 2);
	for (size_t i = 0; i < ROWS; i++)
		for (size_t k = 0; k < 8; k++)
			many[i * 8 + k] = y[i * 2 + k % 2];
	x_scaling = scale(call, cells, ROWS, COLUMNS);
	y_scaling = scale(call, y, ROWS, 2);
	CU_ASSERT_EQUAL_FATAL(pls_fit(call, &x_scaling, &y_scaling, 3, &few_pls), TH_OK);
	y_scaling = scale(call, many, ROWS, 8);
	CU_ASSERT_EQUAL_FATAL(pls_fit(call, &x_scaling, &y_scaling, 3, &many_pls), TH_OK);
	for (size_t i = 0; i < 3 * COLUMNS; i++) {
		CU_ASSERT(is_near(few_pls.model.weights[i], many_pls.model.weights[i], 1e-10));
		CU_ASSERT(is_near(few_pls.model.loadings[i], many_pls.model.loadings[i], 1e-10));
	}
	for (size_t a = 0; a < 3; a++)
		CU_ASSERT(is_near(few_pls.explained[a], many_pls.explained[a], 1e-12));
	call_end(call);
}

/* A response that one column is leaves nothing to a second component of a table of that column
 * twice. */
static void fitting_ends_where_nothing_is_left(void)
{
	double cells[ROWS * 2], y[ROWS];
	uint64_t state = 1;
	th_call *call = call_begin();
	struct scaling x_scaling, y_scaling;
	struct pls pls;

	for (size_t i = 0; i < ROWS; i++) {
		cells[2 * i] = cells[2 * i + 1] = noise(&state);
		y[i] = 3 - cells[2 * i];
	}
	x_scaling = scale(call, cells, ROWS, 2);
	y_scaling = scale(call, y, ROWS, 1);
	CU_ASSERT_EQUAL_FATAL(pls_fit(call, &x_scaling, &y_scaling, 2, &pls), TH_OK);
	CU_ASSERT_EQUAL(pls.model.count, 1);
	CU_ASSERT_PTR_NOT_NULL(pls.ended);
	CU_ASSERT(is_near(pls.explained[0], 1, 1e-14));
	CU_ASSERT_EQUAL(pls.spe[5], 0);
	CU_ASSERT_EQUAL_FATAL(pls_fit(call, &x_scaling, &y_scaling, 1, &pls), TH_OK);
	CU_ASSERT_PTR_NULL(pls.ended);
	call_end(call);
}

/* Predictors that are orthogonal, and a response that is one of them: the others are of no use.
 * Decimals leave rounding behind, which is not to be fitted. */
static void rounding_of_the_response_is_not_fitted(void)
{
	double cells[8 * 3], y[8];
	th_call *call = call_begin();
	struct scaling x_scaling, y_scaling;
	struct pls pls;

	for (size_t i = 0; i < 8; i++) {
		cells[3 * i] = i & 1 ? 0.1 : -0.2;
		cells[3 * i + 1] = i & 2 ? 0.7 : 1.3;
		cells[3 * i + 2] = i & 4 ? 3.3 : 0.9;
		y[i] = 0.7 - 1.1 * cells[3 * i];
	}
	x_scaling = scale(call, cells, 8, 3);
	y_scaling = scale(call, y, 8, 1);
	CU_ASSERT_EQUAL_FATAL(pls_fit(call, &x_scaling, &y_scaling, 3, &pls), TH_OK);
	CU_ASSERT_EQUAL(pls.model.count, 1);
	UNIT_TEXT(pls.ended, "no covariance of x with y is left");
	CU_ASSERT(pls.spe[0] > 1);
	call_end(call);
}

static void check_refusal(const double *x, const double *y, const char *reason)
{
	th_call *call = call_begin();
	struct scaling x_scaling = scale(call, x, 4, 1), y_scaling = scale(call, y, 4, 1);
	struct pls pls;

	CU_ASSERT_EQUAL(pls_fit(call, &x_scaling, &y_scaling, 1, &pls), TH_FAILED);
	UNIT_TEXT(failure(call), reason);
	call_end(call);
}

static void data_without_relation_are_refused(void)
{
	static const double constant[] = { 0.1, 0.1, 0.1, 0.1 }, line[] = { 1, 2, 3, 4 };
	static const double even[] = { 1, -1, -1, 1 };

	check_refusal(constant, line, "No column of x_data varies: there is nothing to relate.");
	check_refusal(line, constant, "No column of y_data varies: there is nothing to relate.");
	check_refusal(line, even,
		      "x_data and y_data are uncorrelated: no component can be fitted.");
}

static const struct unit_test tests[] = {
	UNIT_TEST(all_components_are_least_squares),
	UNIT_TEST(weights_are_those_that_nipals_converges_to),
	UNIT_TEST(repeated_responses_give_the_same_components),
	UNIT_TEST(fitting_ends_where_nothing_is_left),
	UNIT_TEST(rounding_of_the_response_is_not_fitted),
	UNIT_TEST(data_without_relation_are_refused),
};

UNIT_MAIN("multivariate-pls", tests)
