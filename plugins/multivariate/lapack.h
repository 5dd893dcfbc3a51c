/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two decompositions that this pack needs, by LAPACK.
 *
 * Both run on one thread whatever the environment says: sums in another order give other last
 * digits, and these are not to depend on the number of processors. Any thread may call.
 */
#ifndef TOOLHOST_MULTIVARIATE_LAPACK_H
#define TOOLHOST_MULTIVARIATE_LAPACK_H

#include <toolhost/plugin.h>

#include <stddef.h>

/* Singular values in falling order, and the right singular vectors one after the other, of rows x
 * columns cells that stand row by row, and are destroyed. With least = min(rows, columns),
 * ret_values has least entries and ret_vectors least x columns. (dgesvd: Golub and Kahan's
 * bidiagonalisation, implicit QR.) */
int32_t lapack_singular(th_call *call, double *cells, size_t rows, size_t columns,
			double *ret_values, double *ret_vectors);

/* The eigenvector, of length 1, of the largest eigenvalue of a symmetric size x size matrix, which
 * is destroyed. (dsyevr: Dhillon and Parlett's relatively robust representations.) */
int32_t lapack_largest_eigenvector(th_call *call, double *matrix, size_t size, double *ret_vector);

/* Asks for one thread; to be called before any function of BLAS. */
void lapack_one_thread(void);

#endif
