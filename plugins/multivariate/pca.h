/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Principal component analysis by the singular value decomposition of scaled data.
 */
#ifndef TOOLHOST_MULTIVARIATE_PCA_H
#define TOOLHOST_MULTIVARIATE_PCA_H

#include "multivariate/projection.h"
#include "multivariate/scaling.h"

struct pca {
	struct components model; /* weights and loadings are the same; `count` is what was fitted */
	size_t rank;		 /* of the scaled data */
	size_t tied;		 /* the first component fitted, from 1, that explains no more
				  * than the next: their directions are arbitrary; 0: none */
	double *variances;	 /* count: of the scores, with rows - 1 */
	double total_variance;	 /* of all scaled columns; 0 where nothing varies */
	struct projection training;
};

/* Fits `asked` components, at least 1, or as many as the rank of the data: further ones would be
 * rounding. Where nothing varies one component without spread is fitted, along the first column.
 * The largest loading of a component is positive, the first of equally large ones. The residuals of
 * components that span the data are 0.
 * The rank counts singular values that the rounding of the data to doubles, and of the arithmetic,
 * does not explain. (G. H. Golub, C. F. Van Loan, Matrix Computations, 4th edition, 5.4.1.) */
int32_t pca_fit(th_call *call, const struct scaling *scaling, size_t asked, struct pca *ret_pca);

/* Turns a vector so that its largest entry is positive, the first of entries that are equally large
 * to 10 digits. Answers 1 or -1, the factor. */
double orient(double *vector, size_t count);

#endif
