/* SPDX-License-Identifier: MIT
 *
 * Linear least squares for packs: Householder QR with column pivoting in 106 bits, with the rank
 * found and told.
 *
 *	linalg_qr_place(&qr, th_allocate(call, 1, linalg_qr_size(rows, 2)), rows, 2);
 *	linalg_set_column(&qr, 0, x, 0);
 *	linalg_set_column(&qr, 1, x, 1);
 *	if (linalg_factor(&qr) < 2)
 *		linalg_tell_dependence(&qr, text, sizeof(text));
 *	else
 *		linalg_fit(&qr, y, true, &fit);
 *
 * Everything is a function of its arguments alone: no globals, no allocation, no library. Any
 * thread may call with a factorization of its own. Data have to be finite.
 */
#ifndef TOOLHOST_COMMON_LINALG_H
#define TOOLHOST_COMMON_LINALG_H

#include "common/linalg-wide.h"

#include <stdbool.h>
#include <stddef.h>

/* A matrix of rows x columns, and after linalg_factor() its factors, A P = Q R. Every column is
 * scaled by a power of two to a length between 1/2 and 1. The arrays lie in the memory that
 * linalg_qr_place() was given. */
struct linalg_qr {
	size_t rows, columns;
	size_t rank;	       /* set by linalg_factor() */
	struct wide *cells;    /* column by column; then R, and the reflectors below it */
	struct wide *diagonal; /* of R */
	struct wide *factors;  /* reflector k is I - factors[k] v v' */
	struct wide *response; /* rows: work of linalg_fit() */
	struct wide *work;     /* columns: work of all */
	size_t *order;	       /* order[k]: the column of A that stands at place k */
	size_t *members;       /* columns: what linalg_dependence() answers */
	int *exponents;	       /* column j of A was multiplied by 2^-exponents[j] */
};

/* Bytes for a matrix of that shape; 0 where they pass SIZE_MAX. */
size_t linalg_qr_size(size_t rows, size_t columns);

/* Lays the arrays out in `memory`, which holds linalg_qr_size() bytes aligned as for a double and
 * stays the caller's. */
void linalg_qr_place(struct linalg_qr *qr, void *memory, size_t rows, size_t columns);

/* Fills column `column` with values[i]^power, in 106 bits: a polynomial whose powers were rounded
 * to doubles has lost its digits before any solver sees it. Power 0 gives ones; `values` may be
 * NULL then. */
void linalg_set_column(struct linalg_qr *qr, size_t column, const double *values, unsigned power);

/* Factors the matrix, all of whose columns have been set, and answers its rank. A column counts as
 * dependent where, scaled to length 1, less than max(rows, columns) * 2^-52 of it is left outside
 * the span of the others: that much cannot be told from the rounding of data to doubles. Takes
 * about rows * columns^2 steps of 106 bits. Source: P. Businger, G. H. Golub, Numerische Mathematik
 * 7 (1965) 269. */
size_t linalg_factor(struct linalg_qr *qr);

/* What linalg_fit() gives. The arrays are the caller's, and may be NULL. */
struct linalg_fit {
	double *coefficients;	 /* columns, in the order of A */
	double *standard_errors; /* columns */
	double *residuals;	 /* rows: observed minus fitted */
	size_t regression_df, residual_df;
	double regression_ss, residual_ss, total_ss;
	double residual_sd; /* NaN without residual degrees of freedom, and then the standard errors
			       too */
	double r_squared;   /* NaN where the response does not vary */
	double f;	    /* infinite where the fit is exact; NaN for a constant alone */
};

/* Least squares of `response` (rows) on the factored matrix, which has to have full column rank.
 * With `intercept` the sums of squares are about the mean, and one column is not counted as
 * regression: the constant has to lie in the span of the columns. Without, they are about 0. */
void linalg_fit(struct linalg_qr *qr, const double *response, bool intercept,
		struct linalg_fit *fit);

/* The columns that take part in dependence number `which` (from 0 to columns - rank - 1), in rising
 * order: the dependent one and those that it is a combination of. They stand in the factorization,
 * up to the next call. */
const size_t *linalg_dependence(const struct linalg_qr *qr, size_t which, size_t *ret_count);

/* Says the same as text, with columns counted from 1: "rank 2 of 3: columns 2 and 3 depend on each
 * other". Cut at `size` bytes. */
void linalg_tell_dependence(const struct linalg_qr *qr, char *text, size_t size);

/* The condition of the matrix with columns of length 1: the largest singular value over the
 * smallest; infinite below full rank. `work` has columns^2 doubles. The singular values are those
 * of R, by one-sided Jacobi rotations. Source: J. Demmel, K. Veselic, SIAM J. Matrix Analysis and
 * Applications 13 (1992) 1204. */
double linalg_condition(const struct linalg_qr *qr, double *work);

#endif
