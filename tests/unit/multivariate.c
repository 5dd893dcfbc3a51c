/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The numerics of the multivariate pack: what has to hold whatever the data are, and data that have
 * nothing to give.
 */
#include "multivariate/limits.h"
#include "multivariate/model.h"
#include "multivariate/pca.h"
#include "multivariate/pls.h"
#include "multivariate/quantiles.h"

#include "common/linalg.h"

#include "unit.h"

#include <pthread.h>

/* ---- A call without a host ----------------------------------------------------------------------
 */

#define BLOCKS_MOST 4096

struct fake_call {
	th_call public; /* first: what the numerics see */
	void *blocks[BLOCKS_MOST];
	size_t block_count;
	char failure[512];
};

static void *fake_allocate(th_call *call, uint64_t size, uint64_t alignment)
{
	struct fake_call *fake = (struct fake_call *)call;
	void *block = fake->block_count < BLOCKS_MOST ? malloc(size ? size : 1) : NULL;

	(void)alignment;
	if (block)
		fake->blocks[fake->block_count++] = block;
	return block;
}

static int32_t fake_fail(th_call *call, const char *message, uint64_t length, const char *details)
{
	struct fake_call *fake = (struct fake_call *)call;

	(void)details;
	snprintf(fake->failure, sizeof(fake->failure), "%.*s", (int)length, message);
	return TH_FAILED;
}

static const th_services services = {
	.struct_size = sizeof(services),
	.abi_major = TH_ABI_MAJOR,
	.allocate = fake_allocate,
	.fail = fake_fail,
};

static th_call *call_begin(void)
{
	struct fake_call *fake = calloc(1, sizeof(*fake));

	fake->public.services = &services;
	return &fake->public;
}

static void call_end(th_call *call)
{
	struct fake_call *fake = (struct fake_call *)call;

	for (size_t i = 0; i < fake->block_count; i++)
		free(fake->blocks[i]);
	free(fake);
}

static const char *failure(const th_call *call)
{
	return ((const struct fake_call *)call)->failure;
}

/* ---- Data ---------------------------------------------------------------------------------------
 */

#define ROWS 30
#define COLUMNS 5

/* Noise that is the same everywhere: the top bits of a linear congruential generator, from -1 to 1.
 */
static double noise(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(int64_t)*state / 0x1p63;
}

/* Columns that share two hidden variables, in units of their own. */
static void make_data(double *ret_cells, double offset)
{
	uint64_t state = 20240607;

	for (size_t i = 0; i < ROWS; i++) {
		double a = noise(&state), b = noise(&state);

		for (size_t j = 0; j < COLUMNS; j++)
			ret_cells[i * COLUMNS + j] = offset +
						     (double)(j + 1) * (a + (j % 2 ? b : -b) / 2) +
						     0.1 * noise(&state);
	}
}

static struct scaling scale(th_call *call, const double *cells, size_t rows, size_t columns)
{
	const struct table data = { cells, rows, columns };
	struct scaling scaling;

	CU_ASSERT_EQUAL(scaling_fit(call, "data", &data, &scaling), TH_OK);
	return scaling;
}

static double dot(const double *a, const double *b, size_t count, size_t stride)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += a[i * stride] * b[i * stride];
	return sum;
}

static bool is_near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

/* ---- PCA ----------------------------------------------------------------------------------------
 */

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

/* ---- PLS ----------------------------------------------------------------------------------------
 */

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
	UNIT_TEST(all_components_are_least_squares),
	UNIT_TEST(weights_are_those_that_nipals_converges_to),
	UNIT_TEST(repeated_responses_give_the_same_components),
	UNIT_TEST(fitting_ends_where_nothing_is_left),
	UNIT_TEST(rounding_of_the_response_is_not_fitted),
	UNIT_TEST(data_without_relation_are_refused),
	UNIT_TEST(quantiles_are_right),
	UNIT_TEST(limits_of_degenerate_training_are_defined),
	UNIT_TEST(training_rows_are_no_news),
	UNIT_TEST(a_model_that_does_not_fit_together_is_refused),
	UNIT_TEST(calls_may_overlap),
};

UNIT_MAIN("multivariate", tests)
