/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scores, T2 and SPE; see projection.h.
 */
#include "multivariate/projection.h"

#include "multivariate/lapack.h"

#include <cblas.h>
#include <float.h>
#include <math.h>

static double hotelling(const struct components *model, const double *scores)
{
	double sum = 0;

	for (size_t a = 0; a < model->count; a++) {
		/* A component without spread says nothing of what stays in its centre. */
		double ratio = scores[a] == 0 ? 0 : scores[a] / model->deviations[a];

		sum += ratio * ratio;
	}
	return sum;
}

static double length_of(const double *cells, size_t count)
{
	return cblas_dnrm2((int)count, cells, 1);
}

/* T2 is a sum of squared ratios: an error of a score counts in units of the least deviation, and so
 * does one of the components, which the largest deviation has a part in. */
static double hotelling_noise(const struct components *model, double t2, double score_noise,
			      double arithmetic)
{
	double least = INFINITY, most = 0;

	for (size_t a = 0; a < model->count; a++) {
		most = fmax(most, model->deviations[a]);
		least = fmin(least, model->deviations[a]);
	}
	if (!(least > 0) || isinf(t2))
		return 0;
	return 2 * sqrt(t2 * (double)model->count) * score_noise / least +
	       2 * t2 * arithmetic * most / least;
}

int32_t project(th_call *call, const struct components *model, const struct table *scaled,
		const double *noise, struct projection *ret_projection)
{
	const size_t rows = scaled->rows, columns = scaled->columns, count = model->count;
	const int m = (int)rows, n = (int)columns, k = (int)count;
	const double arithmetic = 4 * DBL_EPSILON * (double)columns;
	double *residuals = table_doubles(call, rows * columns);
	struct projection p = { rows,
				table_doubles(call, rows * count),
				table_doubles(call, rows),
				table_doubles(call, rows),
				table_doubles(call, rows),
				table_doubles(call, rows) };

	if (!residuals || !p.scores || !p.t2 || !p.spe || !p.t2_noise || !p.spe_noise)
		return TH_NO_MEMORY;
	lapack_one_thread();
	memcpy(residuals, scaled->cells, rows * columns * sizeof(*residuals));
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, k, n, 1, scaled->cells, n,
		    model->weights, n, 0, p.scores, k);
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, -1, p.scores, k,
		    model->loadings, n, 1, residuals, n);
	for (size_t i = 0; i < rows; i++) {
		double floor = arithmetic * length_of(scaled->cells + i * columns, columns);

		if (noise)
			floor += noise[i];
		p.t2[i] = hotelling(model, p.scores + i * count);
		p.spe[i] = length_of(residuals + i * columns, columns);
		if (p.spe[i] <= floor)
			p.spe[i] = 0;
		p.spe_noise[i] = floor;
		p.t2_noise[i] = hotelling_noise(model, p.t2[i], floor, arithmetic);
	}
	*ret_projection = p;
	return TH_OK;
}
