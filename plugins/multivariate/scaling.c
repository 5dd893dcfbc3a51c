/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns brought to mean 0 and standard deviation 1; see scaling.h.
 */
#include "multivariate/scaling.h"

#include "common/sums.h"

#include <float.h>
#include <math.h>

/* Centres column j and divides it. `values` holds the column. */
static int32_t scale_column(th_call *call, const char *name, size_t j, const double *values,
			    struct scaling *scaling, double *cells)
{
	const size_t rows = scaling->scaled.rows, columns = scaling->scaled.columns;
	const struct moments m = moments_of(values, rows);
	double deviation_j = moments_deviation(&m, rows - 1);
	struct twofold mean;

	if (!isfinite(deviation_j))
		return th_fail(call,
			       "In %s, the values of column %zu are so large that their standard "
			       "deviation passes the range of a double: divide them by a constant.",
			       name, j);
	if (deviation_j <= sqrt(DBL_MIN)) {
		deviation_j = 1;
	} else {
		double size = fmax(fabs(m.least), fabs(m.greatest));

		scaling->varying++;
		scaling->rounding = fmax(scaling->rounding, size / deviation_j * (DBL_EPSILON / 2));
	}
	/* Scaled before they are subtracted: a deviation itself may be beyond a double. */
	mean = (struct twofold){ m.mean.high * m.factor, m.mean.low * m.factor };
	for (size_t i = 0; i < rows; i++)
		cells[i * columns + j] = deviation(values[i] * m.factor, mean) /
					 (deviation_j * m.factor);
	scaling->means[j] = twofold_value(m.mean);
	scaling->deviations[j] = deviation_j;
	return TH_OK;
}

int32_t scaling_fit(th_call *call, const char *name, const struct table *data,
		    struct scaling *ret_scaling)
{
	double *cells = table_doubles(call, data->rows * data->columns);
	double *values = table_doubles(call, data->rows);
	int32_t r = TH_OK;

	*ret_scaling = (struct scaling){ .scaled = { cells, data->rows, data->columns } };
	ret_scaling->means = table_doubles(call, data->columns);
	ret_scaling->deviations = table_doubles(call, data->columns);
	if (!cells || !values || !ret_scaling->means || !ret_scaling->deviations)
		return TH_NO_MEMORY;
	for (size_t j = 0; j < data->columns && r == TH_OK; j++) {
		for (size_t i = 0; i < data->rows; i++)
			values[i] = data->cells[i * data->columns + j];
		r = scale_column(call, name, j, values, ret_scaling, cells);
	}
	return r;
}

int32_t scaling_apply(th_call *call, const struct table *data, const double *means,
		      const double *deviations, double **ret_cells, double **ret_noise)
{
	double *cells = table_doubles(call, data->rows * data->columns);
	double *noise = table_doubles(call, data->rows);

	if (!cells || !noise)
		return TH_NO_MEMORY;
	for (size_t i = 0; i < data->rows; i++) {
		noise[i] = 0;
		for (size_t j = 0; j < data->columns; j++) {
			double x = data->cells[i * data->columns + j];

			cells[i * data->columns + j] = (x - means[j]) / deviations[j];
			noise[i] = hypot(noise[i],
					 (fabs(x) + fabs(means[j])) / deviations[j] * DBL_EPSILON);
		}
	}
	*ret_cells = cells;
	*ret_noise = noise;
	return TH_OK;
}
