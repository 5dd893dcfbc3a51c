/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The limits of a model, and models that come back to predict.
 */
#include "multivariate/limits.h"
#include "multivariate/model.h"
#include "multivariate/pca.h"
#include "multivariate/quantiles.h"

#include "multivariate-unit.h"

/* ---- Limits -------------------------------------------------------------------------------------
 */

/* Worked out with mpmath, those of 1e5 and more degrees of freedom with SciPy. Most are where GSL's
 * own inverses give NaN. */
static void quantiles_are_right(void)
{
	static const struct {
		double level, freedom, below, value; /* below 0: chi-squared */
	} known[] = {
		{ 0.95, 1, 9950, 3.8423935754816978 },
		{ 0.8, 5, 9950, 1.4581694824858033 },
		{ 0.999, 10, 9950, 2.9620414156238551 },
		{ 0.95, 2, 3, 9.5520944959211533 },
		{ 0.95, 0.0002, 0, 1.9339134041693263e-223 },
		{ 0.9, 0.01, 0, 7.9548488911142482e-10 },
		{ 0.95, 1, 0, 3.8414588206941245 },
		{ 0.99, 100.5, 0, 136.38896594000943 },
		{ 0.999, 1e5, 0, 101387.69553252945 },
		{ 0.95, 1e10, 0, 10000232618.567759 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		double found =
			known[i].below > 0
				? quantile_f(known[i].level, known[i].freedom, known[i].below)
				: quantile_chi_squared(known[i].level, known[i].freedom);

		CU_ASSERT(fabs(found - known[i].value) <= 5e-12 * known[i].value);
	}
	CU_ASSERT_EQUAL(quantile_chi_squared(0.8, 0.0002), 0);
}

static void limits_of_degenerate_training_are_defined(void)
{
	static const double zeros[] = { 0, 0, 0 }, equal[] = { 2.5, 2.5, 2.5 };
	static const double values[] = { 1, 2, 3, 4 };
	double scaled[4];

	CU_ASSERT(isinf(limit_t2(0.95, 3, 3)));
	CU_ASSERT_EQUAL(limit_spe(0.95, zeros, 3), 0);
	CU_ASSERT(is_near(limit_spe(0.95, equal, 3), 2.5, 1e-15));
	CU_ASSERT(is_near(limit_spe(0.95, equal, 1), 2.5, 1e-15));
	for (int exponent = -1000; exponent <= 1000; exponent += 500) {
		for (size_t i = 0; i < 4; i++)
			scaled[i] = ldexp(values[i], exponent);
		CU_ASSERT_EQUAL(limit_spe(0.95, scaled, 4),
				ldexp(limit_spe(0.95, values, 4), exponent));
	}
}

/* ---- Models that come back ----------------------------------------------------------------------
 */

/* The model of a fit as arguments; rows of loadings are columns of the data. */
struct returned {
	double loadings[COLUMNS * COLUMNS];
	th_matrix matrix;
	th_numbers means, deviations, scores, spe;
	struct model_params params;
};

static void give_back(const struct scaling *scaling, const struct pca *pca, struct returned *r)
{
	const size_t columns = pca->model.columns, count = pca->model.count;

	table_transpose(pca->model.loadings, count, columns, r->loadings);
	r->matrix = (th_matrix){ r->loadings, NULL, columns, count, 0 };
	r->means = (th_numbers){ scaling->means, columns, 0 };
	r->deviations = (th_numbers){ scaling->deviations, columns, 0 };
	r->scores = (th_numbers){ pca->model.deviations, count, 0 };
	r->spe = (th_numbers){ pca->training.spe, pca->training.rows, 0 };
	r->params = (struct model_params){
		{ "loadings", "loadings", "means", "stds" },
		&r->matrix,
		&r->matrix,
		&r->means,
		&r->deviations,
		(int64_t)count,
		&r->scores,
		(int64_t)pca->training.rows,
		&r->spe,
	};
}

/* Rows of the training come out as they were in it; also where the components span dependent
 * columns far from 0, and every residual is rounding. */
static void training_rows_are_no_news(void)
{
	static const double offsets[] = { 0, 1e9 };
	double cells[ROWS * COLUMNS];

	for (size_t k = 0; k < 2; k++)
		for (size_t asked = 2; asked <= COLUMNS; asked += 3) {
			const th_matrix rows = { cells, NULL, ROWS, COLUMNS, 0 };
			th_call *call = call_begin();
			struct prediction found;
			struct returned back;
			struct scaling scaling;
			struct pca pca;

			make_data(cells, offsets[k]);
			for (size_t i = 0; i < ROWS; i++)
				cells[i * COLUMNS + 4] = cells[i * COLUMNS] +
							 cells[i * COLUMNS + 1];
			scaling = scale(call, cells, ROWS, COLUMNS);
			CU_ASSERT_EQUAL_FATAL(pca_fit(call, &scaling, asked, &pca), TH_OK);
			give_back(&scaling, &pca, &back);
			CU_ASSERT_EQUAL_FATAL(model_predict(call, &back.params, &rows, &found),
					      TH_OK);
			for (size_t i = 0; i < ROWS; i++) {
				CU_ASSERT(is_near(found.projection.t2[i], pca.training.t2[i],
						  k ? 1e-5 : 1e-12));
				CU_ASSERT(is_near(found.projection.spe[i], pca.training.spe[i],
						  k ? 1e-6 : 1e-12));
			}
			if (asked == COLUMNS)
				for (size_t i = 0; i < ROWS; i++)
					CU_ASSERT_EQUAL(found.projection.spe[i], 0);
			call_end(call);
		}
}

static void a_model_that_does_not_fit_together_is_refused(void)
{
	double cells[ROWS * COLUMNS];
	const th_matrix rows = { cells, NULL, ROWS, COLUMNS, 0 };
	th_call *call = call_begin();
	struct prediction found;
	struct returned back;
	struct scaling scaling;
	struct pca pca;

	make_data(cells, 0);
	scaling = scale(call, cells, ROWS, COLUMNS);
	CU_ASSERT_EQUAL_FATAL(pca_fit(call, &scaling, 2, &pca), TH_OK);
	give_back(&scaling, &pca, &back);
	back.params.n_components = 3;
	CU_ASSERT_EQUAL(model_predict(call, &back.params, &rows, &found), TH_FAILED);
	UNIT_TEXT(failure(call), "In model_params, loadings is 5 by 2 where the rest of the model "
				 "wants 5 by 3: hand the model over as it was fitted.");
	back.params.n_components = 2;
	back.params.n_samples = 1;
	CU_ASSERT_EQUAL(model_predict(call, &back.params, &rows, &found), TH_FAILED);
	back.params.n_samples = 20000;
	CU_ASSERT_EQUAL(model_predict(call, &back.params, &rows, &found), TH_FAILED);
	CU_ASSERT_PTR_NOT_NULL(strstr(failure(call), "max_matrix_rows"));
	back.params.n_samples = ROWS;
	back.deviations.count = 4;
	CU_ASSERT_EQUAL(model_predict(call, &back.params, &rows, &found), TH_FAILED);
	CU_ASSERT_PTR_NOT_NULL(strstr(failure(call), "stds has 4"));
	back.deviations.count = COLUMNS;
	back.loadings[0] = 1e308;
	cells[0] = 1e300;
	CU_ASSERT_EQUAL(model_predict(call, &back.params, &rows, &found), TH_FAILED);
	CU_ASSERT_PTR_NOT_NULL(strstr(failure(call), "beyond the range"));
	call_end(call);
}

static const struct unit_test tests[] = {
	UNIT_TEST(quantiles_are_right),
	UNIT_TEST(limits_of_degenerate_training_are_defined),
	UNIT_TEST(training_rows_are_no_news),
	UNIT_TEST(a_model_that_does_not_fit_together_is_refused),
};

UNIT_MAIN("multivariate-model", tests)
