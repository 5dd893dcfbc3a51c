/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Principal components: what has to hold whatever the data are, and data that have nothing to give.
 */
#include "multivariate/limits.h"
#include "multivariate/pca.h"

#include "multivariate-unit.h"

#include <pthread.h>

static void components_are_orthogonal_and_rebuild_the_data(void)
{
	double cells[ROWS * COLUMNS];
	th_call *call = call_begin();
	struct scaling scaling;
	struct pca pca;

	make_data(cells, 0);
	scaling = scale(call, cells, ROWS, COLUMNS);
	CU_ASSERT_EQUAL_FATAL(pca_fit(call, &scaling, COLUMNS, &pca), TH_OK);
	CU_ASSERT_EQUAL(pca.rank, COLUMNS);
	CU_ASSERT(is_near(pca.total_variance, COLUMNS, 1e-14));
	for (size_t a = 0; a < COLUMNS; a++) {
		const double *p = pca.model.loadings + a * COLUMNS;
		double largest = 0;

		for (size_t b = 0; b < COLUMNS; b++) {
			CU_ASSERT(is_near(dot(p, pca.model.loadings + b * COLUMNS, COLUMNS, 1),
					  a == b, 1e-14));
			CU_ASSERT(is_near(dot(pca.training.scores + a, pca.training.scores + b,
					      ROWS, COLUMNS) /
						  (ROWS - 1),
					  a == b ? pca.variances[a] : 0, 1e-13));
		}
		for (size_t j = 0; j < COLUMNS; j++)
			largest = fabs(p[j]) > fabs(largest) ? p[j] : largest;
		CU_ASSERT(largest > 0);
	}
	for (size_t i = 0; i < ROWS; i++) {
		CU_ASSERT_EQUAL(pca.training.spe[i], 0);
		for (size_t j = 0; j < COLUMNS; j++) {
			double rebuilt = 0;

			for (size_t a = 0; a < COLUMNS; a++)
				rebuilt += pca.training.scores[i * COLUMNS + a] *
					   pca.model.loadings[a * COLUMNS + j];
			CU_ASSERT(is_near(rebuilt, scaling.scaled.cells[i * COLUMNS + j], 1e-14));
		}
	}
	call_end(call);
}

/* Units do not matter: powers of two not at all, an offset as far as the data still hold their
 * digits. */
static void components_are_free_of_units(void)
{
	double cells[ROWS * COLUMNS], other[ROWS * COLUMNS];
	th_call *call = call_begin();
	struct scaling scaling;
	struct pca pca, pca_scaled, pca_shifted;

	make_data(cells, 0);
	scaling = scale(call, cells, ROWS, COLUMNS);
	CU_ASSERT_EQUAL_FATAL(pca_fit(call, &scaling, 2, &pca), TH_OK);
	for (size_t i = 0; i < ROWS * COLUMNS; i++)
		other[i] = ldexp(cells[i], 100 * (int)(i % COLUMNS) - 200);
	scaling = scale(call, other, ROWS, COLUMNS);
	CU_ASSERT_EQUAL_FATAL(pca_fit(call, &scaling, 2, &pca_scaled), TH_OK);
	make_data(other, 1e6);
	scaling = scale(call, other, ROWS, COLUMNS);
	CU_ASSERT_EQUAL_FATAL(pca_fit(call, &scaling, 2, &pca_shifted), TH_OK);
	for (size_t i = 0; i < 2 * COLUMNS; i++) {
		CU_ASSERT_EQUAL(pca.model.loadings[i], pca_scaled.model.loadings[i]);
		CU_ASSERT(is_near(pca.model.loadings[i], pca_shifted.model.loadings[i], 1e-9));
	}
	for (size_t i = 0; i < ROWS; i++)
		CU_ASSERT(is_near(pca.training.spe[i], pca_shifted.training.spe[i], 1e-8));
	call_end(call);
}

/* The rank is that of the data as doubles can tell it, near 0 and far from it. */
static void rank_is_found(void)
{
	static const double offsets[] = { 0, 1e3, 1e9 };
	double cells[ROWS * COLUMNS];

	for (size_t k = 0; k < 3; k++) {
		th_call *call = call_begin();
		struct scaling scaling;
		struct pca pca;

		make_data(cells, offsets[k]);
		for (size_t i = 0; i < ROWS; i++)
			cells[i * COLUMNS + 4] = cells[i * COLUMNS] + cells[i * COLUMNS + 1];
		scaling = scale(call, cells, ROWS, COLUMNS);
		CU_ASSERT_EQUAL_FATAL(pca_fit(call, &scaling, 5, &pca), TH_OK);
		CU_ASSERT_EQUAL(pca.rank, 4);
		CU_ASSERT_EQUAL(pca.model.count, 4);
		for (size_t i = 0; i < ROWS; i++)
			CU_ASSERT_EQUAL(pca.training.spe[i], 0);
		call_end(call);
	}
}

/* A full factorial of three factors: all components are as large. In units of their own that holds
 * too, and not once two factors go together. */
static void components_of_a_balanced_design_are_tied(void)
{
	double cells[24];

	for (int together = 0; together < 2; together++) {
		th_call *call = call_begin();
		struct scaling scaling;
		struct pca pca;

		for (size_t i = 0; i < 8; i++) {
			cells[3 * i] = i & 1 ? 1.1 : 0.3;
			cells[3 * i + 1] = i & 2 ? 70.7 : -2;
			cells[3 * i + 2] = (i & 4 ? 5.3 : 5.1) + together * cells[3 * i];
		}
		scaling = scale(call, cells, 8, 3);
		CU_ASSERT_EQUAL_FATAL(pca_fit(call, &scaling, 1, &pca), TH_OK);
		CU_ASSERT_EQUAL(pca.rank, 3);
		CU_ASSERT_EQUAL(pca.tied, together ? 0 : 1);
		CU_ASSERT_EQUAL_FATAL(pca_fit(call, &scaling, 3, &pca), TH_OK);
		CU_ASSERT_EQUAL(pca.tied, together ? 0 : 1);
		call_end(call);
	}
}

static void more_columns_than_rows_have_the_rank_of_rows(void)
{
	double cells[ROWS * COLUMNS];
	th_call *call = call_begin();
	struct scaling scaling;
	struct pca pca;

	make_data(cells, 0);
	scaling = scale(call, cells, 3, 10);
	CU_ASSERT_EQUAL_FATAL(pca_fit(call, &scaling, 7, &pca), TH_OK);
	CU_ASSERT_EQUAL(pca.rank, 2);
	CU_ASSERT_EQUAL(pca.model.count, 2);
	call_end(call);
}

static void data_that_do_not_vary_have_one_empty_component(void)
{
	static const double cells[] = { 0.1, 7, 0.1, 7, 0.1, 7, 0.1, 7 };
	th_call *call = call_begin();
	struct scaling scaling = scale(call, cells, 4, 2);
	struct outliers outliers;
	struct pca pca;

	CU_ASSERT_EQUAL(scaling.varying, 0);
	CU_ASSERT_EQUAL(scaling.means[0], 0.1);
	CU_ASSERT_EQUAL(scaling.deviations[0], 1);
	CU_ASSERT_EQUAL_FATAL(pca_fit(call, &scaling, 2, &pca), TH_OK);
	CU_ASSERT_EQUAL(pca.rank, 0);
	CU_ASSERT_EQUAL(pca.model.count, 1);
	CU_ASSERT_EQUAL(pca.variances[0], 0);
	CU_ASSERT_EQUAL(pca.model.loadings[0], 1);
	CU_ASSERT_EQUAL(pca.training.t2[3], 0);
	CU_ASSERT_EQUAL(find_outliers(call, 0.95, &pca.training, 1, &outliers), TH_OK);
	CU_ASSERT_EQUAL(outliers.count, 0);
	call_end(call);
}

/* Where loadings are equally large the first is positive, whichever the last bits favour. */
static void signs_do_not_hang_on_the_last_bit(void)
{
	double a[] = { -0.7071067811865475, 0.7071067811865476 };
	double b[] = { 0.7071067811865475, -0.7071067811865476 };
	double c[] = { 0.1, -0.9, 0.4 };

	CU_ASSERT_EQUAL(orient(a, 2), -1);
	CU_ASSERT(a[0] > 0 && a[1] < 0);
	CU_ASSERT_EQUAL(orient(b, 2), 1);
	CU_ASSERT(b[0] > 0 && b[1] < 0);
	CU_ASSERT_EQUAL(orient(c, 3), -1);
	CU_ASSERT_EQUAL(c[1], 0.9);
}

static void values_too_large_to_scale_are_refused(void)
{
	static const double cells[] = { 1, 1.7e308, 2, -1.7e308, 3, 1.7e308 };
	const struct table data = { cells, 3, 2 };
	th_call *call = call_begin();
	struct scaling scaling;

	CU_ASSERT_EQUAL(scaling_fit(call, "data", &data, &scaling), TH_FAILED);
	CU_ASSERT_PTR_NOT_NULL(strstr(failure(call), "column 1"));
	call_end(call);
}

/* ---- Threads ------------------------------------------------------------------------------------
 */

#define THREADS 4

/* Fits over and over; answers how many fits differ in a bit from the first of all. */
static void *fit_again(void *first)
{
	const double *expected = first;
	double cells[ROWS * COLUMNS];
	size_t different = 0;

	make_data(cells, 0);
	for (int round = 0; round < 50; round++) {
		th_call *call = call_begin();
		struct scaling scaling = scale(call, cells, ROWS, COLUMNS);
		struct pca pca;

		if (pca_fit(call, &scaling, COLUMNS, &pca) != TH_OK ||
		    memcmp(pca.training.scores, expected, ROWS * COLUMNS * sizeof(double)) != 0)
			different++;
		call_end(call);
	}
	return (void *)different;
}

static void calls_may_overlap(void)
{
	double cells[ROWS * COLUMNS];
	pthread_t threads[THREADS];
	th_call *call = call_begin();
	struct scaling scaling;
	struct pca pca;

	make_data(cells, 0);
	scaling = scale(call, cells, ROWS, COLUMNS);
	CU_ASSERT_EQUAL_FATAL(pca_fit(call, &scaling, COLUMNS, &pca), TH_OK);
	for (size_t i = 0; i < THREADS; i++)
		CU_ASSERT_EQUAL_FATAL(
			pthread_create(&threads[i], NULL, fit_again, pca.training.scores), 0);
	for (size_t i = 0; i < THREADS; i++) {
		void *different;

		CU_ASSERT_EQUAL(pthread_join(threads[i], &different), 0);
		CU_ASSERT_PTR_NULL(different);
	}
	call_end(call);
}

static const struct unit_test tests[] = {
	UNIT_TEST(components_are_orthogonal_and_rebuild_the_data),
	UNIT_TEST(components_are_free_of_units),
	UNIT_TEST(rank_is_found),
	UNIT_TEST(components_of_a_balanced_design_are_tied),
	UNIT_TEST(more_columns_than_rows_have_the_rank_of_rows),
	UNIT_TEST(data_that_do_not_vary_have_one_empty_component),
	UNIT_TEST(signs_do_not_hang_on_the_last_bit),
	UNIT_TEST(values_too_large_to_scale_are_refused),
	UNIT_TEST(calls_may_overlap),
};

UNIT_MAIN("multivariate-pca", tests)
