/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Observations seen through a model of components, PCA or PLS: their scores, and how far each is
 * from the centre of the model and from its plane.
 */
#ifndef TOOLHOST_MULTIVARIATE_PROJECTION_H
#define TOOLHOST_MULTIVARIATE_PROJECTION_H

#include "multivariate/table.h"

/* Vectors of one component after the other: entry k of component a is at [a * columns + k]. */
struct components {
	size_t count, columns;
	const double *weights;	  /* a scaled observation times these is its scores */
	const double *loadings;	  /* scores times these are the part in the plane */
	const double *deviations; /* count: standard deviations of the scores in training */
};

struct projection {
	size_t rows;
	double *scores; /* rows x count, row by row */
	double *t2;	/* rows: Hotelling's T2, the sum of (score / deviation)^2 */
	double *spe;	/* rows: the root of the sum of squared residuals */
	/* rows: by how much rounding may have moved each. Of a row that is absurdly far out it may
	 * be more than the others' distances, so that nobody else is judged by it. */
	double *t2_noise, *spe_noise;
};

/* Projects rows of scaled cells. A residual that is no longer than what arithmetic, and `noise` of
 * its row (NULL: none), explain is none and becomes 0. T2 is infinite where a score is not 0 in a
 * component whose deviation is. */
int32_t project(th_call *call, const struct components *model, const struct table *scaled,
		const double *noise, struct projection *ret_projection);

#endif
