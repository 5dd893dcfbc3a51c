/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decompositions by LAPACK; see lapack.h.
 */
#include "multivariate/lapack.h"

#include <cblas.h>
#include <lapacke.h>

/* Setting the number is not safe beside a running computation, but where it is 1 already, as with
 * OPENBLAS_NUM_THREADS=1, nothing is set. */
void lapack_one_thread(void)
{
	if (openblas_get_num_threads() != 1)
		openblas_set_num_threads(1);
}

static int32_t tell(th_call *call, lapack_int info)
{
	if (info == 0)
		return TH_OK;
	if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
		return TH_NO_MEMORY;
	return th_fail(call,
		       "The decomposition did not converge (LAPACK answers %d): leave out columns "
		       "that hardly vary.",
		       (int)info);
}

int32_t lapack_singular(th_call *call, double *cells, size_t rows, size_t columns,
			double *ret_values, double *ret_vectors)
{
	const size_t least = rows < columns ? rows : columns;
	double *superdiagonal = th_allocate(call, least, sizeof(*superdiagonal));
	double unused;

	if (!superdiagonal)
		return TH_NO_MEMORY;
	lapack_one_thread();
	/* Row by row is the transposed matrix column by column: its left vectors are wanted. */
	return tell(call,
		    LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'S', 'N', (lapack_int)columns,
				   (lapack_int)rows, cells, (lapack_int)columns, ret_values,
				   ret_vectors, (lapack_int)columns, &unused, 1, superdiagonal));
}

int32_t lapack_largest_eigenvector(th_call *call, double *matrix, size_t size, double *ret_vector)
{
	double *values = th_allocate(call, size, sizeof(*values));
	const lapack_int n = (lapack_int)size;
	lapack_int found, support[2];

	if (!values)
		return TH_NO_MEMORY;
	lapack_one_thread();
	return tell(call, LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'I', 'U', n, matrix, n, 0, 0, n, n,
					 0, &found, values, ret_vector, n, support));
}
