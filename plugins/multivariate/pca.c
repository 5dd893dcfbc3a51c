/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Principal component analysis; see pca.h.
 */
#include "multivariate/pca.h"

#include "multivariate/lapack.h"

#include <float.h>
#include <math.h>

double orient(double *vector, size_t count)
{
	double largest = 0;
	size_t first = 0;

	for (size_t i = 0; i < count; i++)
		largest = fmax(largest, fabs(vector[i]));
	while (first + 1 < count && fabs(vector[first]) < largest * (1 - 1e-10))
		first++;
	if (vector[first] >= 0)
		return 1;
	for (size_t i = 0; i < count; i++)
		vector[i] = -vector[i];
	return -1;
}

/* What rounding, of the data and of the arithmetic, may move a singular value by. */
static double noise_of(const struct scaling *scaling, double largest)
{
	const double rows = (double)scaling->scaled.rows, columns = (double)scaling->scaled.columns;

	return largest * fmax(rows, columns) * DBL_EPSILON +
	       scaling->rounding * (sqrt(rows) + sqrt(columns));
}

/* Centred rows sum to 0, so that their rank is below their number. */
static size_t rank_of(const struct scaling *scaling, const double *values, size_t count)
{
	const double floor = noise_of(scaling, values[0]);
	size_t rank = 0;

	while (rank < count && rank + 1 < scaling->scaled.rows && values[rank] > floor)
		rank++;
	return rank;
}

/* The first of `count` components, from 1, that the next one is as large as, or 0. */
static size_t first_tie(const struct scaling *scaling, const double *values, size_t count,
			size_t rank)
{
	for (size_t a = 0; a < count && a + 1 < rank; a++)
		if (values[a] - values[a + 1] <= noise_of(scaling, values[0]))
			return a + 1;
	return 0;
}

int32_t pca_fit(th_call *call, const struct scaling *scaling, size_t asked, struct pca *ret_pca)
{
	const size_t rows = scaling->scaled.rows, columns = scaling->scaled.columns;
	const size_t least = rows < columns ? rows : columns;
	double *cells = table_doubles(call, rows * columns);
	double *values = table_doubles(call, least);
	double *vectors = table_doubles(call, least * columns);
	double *deviations = table_doubles(call, least);
	int32_t r;

	if (!cells || !values || !vectors || !deviations)
		return TH_NO_MEMORY;
	memcpy(cells, scaling->scaled.cells, rows * columns * sizeof(*cells));
	r = lapack_singular(call, cells, rows, columns, values, vectors);
	if (r != TH_OK)
		return r;
	*ret_pca = (struct pca){ .variances = values };
	ret_pca->rank = scaling->varying ? rank_of(scaling, values, least) : 0;
	ret_pca->tied = first_tie(scaling, values, asked, ret_pca->rank);
	for (size_t a = 0; a < least; a++) {
		deviations[a] = values[a] / sqrt((double)(rows - 1));
		values[a] = deviations[a] * deviations[a];
		ret_pca->total_variance += values[a];
	}
	ret_pca->model = (struct components){ asked, columns, vectors, vectors, deviations };
	if (asked > ret_pca->rank)
		ret_pca->model.count = ret_pca->rank > 0 ? ret_pca->rank : 1;
	for (size_t a = 0; a < ret_pca->model.count; a++)
		orient(vectors + a * columns, columns);
	r = project(call, &ret_pca->model, &scaling->scaled, NULL, &ret_pca->training);
	if (r == TH_OK && ret_pca->model.count >= ret_pca->rank)
		memset(ret_pca->training.spe, 0, rows * sizeof(double));
	return r;
}
