/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Partial least squares regression of scaled y on scaled x.
 */
#ifndef TOOLHOST_MULTIVARIATE_PLS_H
#define TOOLHOST_MULTIVARIATE_PLS_H

#include "multivariate/projection.h"
#include "multivariate/scaling.h"

struct pls {
	struct components model;    /* weights: the direct ones, which go with x as it is */
	const double *y_loadings;   /* count x responses, one component after the other */
	const double *coefficients; /* columns x responses, row by row: scaled x to scaled y */
	const double *explained;    /* count: share of the variance of y after so many components */
	const double
		*rmse;	   /* count x responses: error of fit after so many, scaled, divisor rows */
	const double *spe; /* rows: the length of what is left of x */
	const char *ended; /* why fewer components than asked for were fitted; NULL: all were */
};

/* Fits up to `asked` components, at least 1. The weights of a component are the dominant left
 * singular vector of x'y, which the iteration of NIPALS would end in; then its scores are taken out
 * of x and y. The largest x loading is positive. Fitting ends early where x is used up, or no
 * covariance with y is left, and fails where there is none to begin with. x and y have the same
 * number of rows. Sources: P. Geladi, B. R. Kowalski, Analytica Chimica Acta 185 (1986) 1; A.
 * Hoskuldsson, Journal of Chemometrics 2 (1988) 211; direct weights: S. de Jong, Chemometrics and
 * Intelligent Laboratory Systems 18 (1993) 251. */
int32_t pls_fit(th_call *call, const struct scaling *x, const struct scaling *y, size_t asked,
		struct pls *ret_pls);

#endif
