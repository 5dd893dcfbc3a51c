/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The limits of T2 and SPE, and the observations of a training set that are outliers.
 */
#ifndef TOOLHOST_MULTIVARIATE_LIMITS_H
#define TOOLHOST_MULTIVARIATE_LIMITS_H

#include "multivariate/projection.h"

#include <stdbool.h>

/* What T2 of a new observation stays below with probability `level`, for a model of `components`
 * fitted to `rows` observations. Infinite for as many components as rows; there may not be more.
 * Source: N. D. Tracy, J. C. Young, R. L. Mason, Journal of Quality Technology 24 (1992) 88. */
double limit_t2(double level, size_t components, size_t rows);

/* The same for SPE, from the values in training: a multiple of chi-squared that has mean and variance
 * of their squares. Values that do not vary are their own limit.
 * Source: P. Nomikos, J. F. MacGregor, Technometrics 37 (1995) 41. */
double limit_spe(double level, const double *spe, size_t rows);

struct outlier {
	size_t row;
	bool by_spe, by_t2;
	double severity; /* the larger ratio to a limit, to 4 decimals */
};

struct outliers {
	double t2_limit, spe_limit;
	struct outlier *items; /* worst first, equal ones in the order of rows */
	size_t count;
};

/* The observations above a limit, and those that the generalised ESD test finds in SPE or in T2,
 * with at most max(1, rows / 5) candidates at significance 1 - level. Distances that only rounding
 * parts, as those of a balanced design or of one component less than rows, count as equal. */
int32_t find_outliers(th_call *call, double level, const struct projection *training,
		      size_t components, struct outliers *ret_outliers);

/* Writes outlier_indices and outlier_details. */
void put_outliers(th_call *call, const struct outliers *outliers,
		  const struct projection *training);

/* Their result fields. */
extern const th_param outlier_fields[];
#define OUTLIER_RESULTS                                                                             \
	TH_GIVES(outlier_indices, TH_KIND_INTEGERS, 0, "Rows that are outliers, from 0, worst first.", {}), \
	TH_GIVES_FIELDS(outlier_details, TH_KIND_RECORDS, 0, outlier_fields,                         \
			"The same rows with their distances, worst first.", {})

#endif
