/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns brought to mean 0 and standard deviation 1.
 */
#ifndef TOOLHOST_MULTIVARIATE_SCALING_H
#define TOOLHOST_MULTIVARIATE_SCALING_H

#include "multivariate/table.h"

struct scaling {
	struct table scaled;
	double *means;	    /* columns */
	double *deviations; /* columns: with rows - 1; 1 where a column does not vary */
	size_t varying;	    /* how many columns do */
	double rounding;    /* of the data to doubles: what it does to a scaled cell, at most */
};

/* Scales the columns of a table, argument `name`, of at least two rows. A column all of whose
 * values are equal, or whose deviation is below 1.5e-154, where its square is no normal double,
 * counts as one that does not vary: it is only centred. Fails where a deviation passes the range of
 * a double. */
int32_t scaling_fit(th_call *call, const char *name, const struct table *data,
		    struct scaling *ret_scaling);

/* Scales rows with means and deviations of a model; both have data->columns entries. For each row,
 * ret_noise gets a bound of the length of what rounding adds to it. */
int32_t scaling_apply(th_call *call, const struct table *data, const double *means,
		      const double *deviations, double **ret_cells, double **ret_noise);

#endif
