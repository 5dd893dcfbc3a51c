/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Partial least squares; see pls.h.
 */
#include "multivariate/pls.h"

#include "multivariate/lapack.h"
#include "multivariate/pca.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

#define SPANNED "the components span x"

/* A fit in progress. Vectors of components stand one after the other. */
struct fit {
	int rows, columns, responses;
	double *x, *y;			     /* what earlier components left; row by row */
	double *covariance;		     /* x'y: columns x responses, row by row */
	double *square;			     /* its product with itself, of the smaller side */
	double *scores;			     /* rows */
	double *weights, *direct, *loadings; /* asked x columns */
	double *y_loadings, *rmse;	     /* asked x responses */
	double *deviations, *explained;	     /* asked */
	double *coefficients;		     /* columns x responses, row by row */
	double x_length, y_length;	     /* of all cells before the first component */
	double floor;			     /* what rounding may leave of a length, as a share */
	size_t count;			     /* of components that are done */
};

static int32_t allocate(th_call *call, size_t rows, size_t columns, size_t responses, size_t asked,
			struct fit *f)
{
	const size_t smaller = columns < responses ? columns : responses;
	const struct {
		double **array;
		size_t count;
	} wanted[] = {
		{ &f->x, rows * columns },
		{ &f->y, rows * responses },
		{ &f->covariance, columns * responses },
		{ &f->square, smaller * smaller },
		{ &f->scores, rows },
		{ &f->weights, asked * columns },
		{ &f->direct, asked * columns },
		{ &f->loadings, asked * columns },
		{ &f->y_loadings, asked * responses },
		{ &f->rmse, asked * responses },
		{ &f->deviations, asked },
		{ &f->explained, asked },
		{ &f->coefficients, columns * responses },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		*wanted[i].array = table_doubles(call, wanted[i].count);
		if (!*wanted[i].array)
			return TH_NO_MEMORY;
	}
	return TH_OK;
}

static int32_t begin(th_call *call, const struct scaling *x, const struct scaling *y, size_t asked,
		     struct fit *f)
{
	const size_t rows = x->scaled.rows, columns = x->scaled.columns;
	const size_t responses = y->scaled.columns;
	const double freedom = (double)(rows - 1);

	*f = (struct fit){ .rows = (int)rows,
			   .columns = (int)columns,
			   .responses = (int)responses };
	if (allocate(call, rows, columns, responses, asked, f) != TH_OK)
		return TH_NO_MEMORY;
	memcpy(f->x, x->scaled.cells, rows * columns * sizeof(double));
	memcpy(f->y, y->scaled.cells, rows * responses * sizeof(double));
	f->x_length = sqrt(freedom * (double)x->varying);
	f->y_length = sqrt(freedom * (double)y->varying);
	f->floor = (double)(rows + columns) * DBL_EPSILON + x->rounding + y->rounding;
	return TH_OK;
}

/* The length of all cells of rows x columns, by rows, since their number may pass an int. */
static double length_of_all(const double *cells, int rows, int columns)
{
	double length = 0;

	for (int i = 0; i < rows; i++)
		length = hypot(length, cblas_dnrm2(columns, cells + (size_t)i * columns, 1));
	return length;
}

/* The dominant left singular vector of the covariance, of length 1. For several responses it comes
 * from the eigenvector of the smaller of the two products of the covariance with itself. */
static int32_t find_weights(th_call *call, const struct fit *f, double *ret_weights)
{
	const int columns = f->columns, responses = f->responses;
	const double *s = f->covariance;
	double *other;
	int32_t r;

	if (responses == 1) {
		memcpy(ret_weights, s, (size_t)columns * sizeof(*s));
	} else if (columns <= responses) {
		cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, columns, columns, responses, 1,
			    s, responses, s, responses, 0, f->square, columns);
		return lapack_largest_eigenvector(call, f->square, (size_t)columns, ret_weights);
	} else {
		other = table_doubles(call, (size_t)responses);
		if (!other)
			return TH_NO_MEMORY;
		cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, responses, responses, columns,
			    1, s, responses, s, responses, 0, f->square, responses);
		r = lapack_largest_eigenvector(call, f->square, (size_t)responses, other);
		if (r != TH_OK)
			return r;
		cblas_dgemv(CblasRowMajor, CblasNoTrans, columns, responses, 1, s, responses, other,
			    1, 0, ret_weights, 1);
	}
	cblas_dscal(columns, 1 / cblas_dnrm2(columns, ret_weights, 1), ret_weights, 1);
	return TH_OK;
}

/* Loadings of x and y on the scores, whose squares sum to `squares`, and all signs as they are to
 * be. */
static void find_loadings(const struct fit *f, double squares, double *weights, double *loadings,
			  double *y_loadings)
{
	cblas_dgemv(CblasRowMajor, CblasTrans, f->rows, f->columns, 1 / squares, f->x, f->columns,
		    f->scores, 1, 0, loadings, 1);
	cblas_dgemv(CblasRowMajor, CblasTrans, f->rows, f->responses, 1 / squares, f->y,
		    f->responses, f->scores, 1, 0, y_loadings, 1);
	if (orient(loadings, (size_t)f->columns) < 0) {
		cblas_dscal(f->columns, -1, weights, 1);
		cblas_dscal(f->rows, -1, f->scores, 1);
		cblas_dscal(f->responses, -1, y_loadings, 1);
	}
}

/* Weights for x as it is, out of those for what earlier components left of it. */
static void find_direct_weights(const struct fit *f, size_t a)
{
	const size_t columns = (size_t)f->columns;
	const double *weights = f->weights + a * columns;
	double *direct = f->direct + a * columns;

	memcpy(direct, weights, columns * sizeof(*direct));
	for (size_t b = 0; b < a; b++)
		cblas_daxpy(f->columns,
			    -cblas_ddot(f->columns, f->loadings + b * columns, 1, weights, 1),
			    f->direct + b * columns, 1, direct, 1);
}

static void measure_fit(const struct fit *f, size_t a)
{
	const double rest = length_of_all(f->y, f->rows, f->responses) / f->y_length;

	f->explained[a] = 1 - rest * rest;
	for (int j = 0; j < f->responses; j++)
		f->rmse[a * (size_t)f->responses + (size_t)j] =
			cblas_dnrm2(f->rows, f->y + j, f->responses) / sqrt(f->rows);
}

/* Fits the next component. Answers in *ret_ended why there is none, or NULL. */
static int32_t fit_component(th_call *call, struct fit *f, const char **ret_ended)
{
	const size_t a = f->count;
	double *weights = f->weights + a * (size_t)f->columns;
	double *loadings = f->loadings + a * (size_t)f->columns;
	double *y_loadings = f->y_loadings + a * (size_t)f->responses;
	double length;
	int32_t r;

	*ret_ended = NULL;
	cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, f->columns, f->responses, f->rows, 1,
		    f->x, f->columns, f->y, f->responses, 0, f->covariance, f->responses);
	length = length_of_all(f->covariance, f->columns, f->responses);
	if (!(length > f->floor * f->x_length * f->y_length)) {
		*ret_ended = "no covariance of x with y is left";
		return TH_OK;
	}
	r = find_weights(call, f, weights);
	if (r != TH_OK)
		return r;
	cblas_dgemv(CblasRowMajor, CblasNoTrans, f->rows, f->columns, 1, f->x, f->columns, weights,
		    1, 0, f->scores, 1);
	length = cblas_dnrm2(f->rows, f->scores, 1);
	if (!(length > f->floor * f->x_length)) {
		*ret_ended = SPANNED;
		return TH_OK;
	}
	find_loadings(f, length * length, weights, loadings, y_loadings);
	find_direct_weights(f, a);
	cblas_dger(CblasRowMajor, f->rows, f->columns, -1, f->scores, 1, loadings, 1, f->x,
		   f->columns);
	cblas_dger(CblasRowMajor, f->rows, f->responses, -1, f->scores, 1, y_loadings, 1, f->y,
		   f->responses);
	f->deviations[a] = length / sqrt((double)(f->rows - 1));
	measure_fit(f, a);
	f->count++;
	return TH_OK;
}

/* The length of what is left of each row of x, in place of the scores. Where the components span x
 * that is rounding, and 0. */
static void measure_residuals(const struct fit *f)
{
	const double floor = f->floor * f->x_length;
	const bool none = length_of_all(f->x, f->rows, f->columns) <= floor;

	for (int i = 0; i < f->rows; i++)
		f->scores[i] = none ? 0 : cblas_dnrm2(f->columns, f->x + (size_t)i * f->columns, 1);
}

int32_t pls_fit(th_call *call, const struct scaling *x, const struct scaling *y, size_t asked,
		struct pls *ret_pls)
{
	const size_t rank_most = x->varying < x->scaled.rows - 1 ? x->varying : x->scaled.rows - 1;
	const size_t most = asked < rank_most ? asked : rank_most;
	const char *ended = NULL;
	struct fit f;
	int32_t r;

	if (!x->varying || !y->varying)
		return th_fail(call, "No column of %s varies: there is nothing to relate.",
			       x->varying ? "y_data" : "x_data");
	lapack_one_thread();
	r = begin(call, x, y, most, &f);
	while (r == TH_OK && !ended && f.count < most)
		r = th_cancelled(call) ? TH_CANCELLED : fit_component(call, &f, &ended);
	if (r != TH_OK)
		return r;
	if (f.count == 0)
		return th_fail(call,
			       "x_data and y_data are uncorrelated: no component can be fitted.");
	if (!ended && most < asked)
		ended = SPANNED;
	measure_residuals(&f);
	cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, f.columns, f.responses, (int)f.count,
		    1, f.direct, f.columns, f.y_loadings, f.responses, 0, f.coefficients,
		    f.responses);
	*ret_pls = (struct pls){
		.model = { f.count, (size_t)f.columns, f.direct, f.loadings, f.deviations },
		.y_loadings = f.y_loadings,
		.coefficients = f.coefficients,
		.explained = f.explained,
		.rmse = f.rmse,
		.spe = f.scores,
		.ended = ended,
	};
	return TH_OK;
}
