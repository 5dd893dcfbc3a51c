/* SPDX-License-Identifier: MIT
 *
 * Multiplies matrices with a BLAS that would start a thread for every processor, when it is loaded and in each call.
 */
#include <toolhost/plugin.h>

#include <stdint.h>
#include <stdlib.h>

/* Of the BLAS; by these names every one has them. */
void dgemm_(const char *transpose_a, const char *transpose_b, const int *rows, const int *columns, const int *inner,
	    const double *alpha, const double *a, const int *leading_a, const double *b, const int *leading_b,
	    const double *beta, double *c, const int *leading_c);
int openblas_get_num_threads(void);

static double trace_when_loaded;

/* The trace of the product of an n by n matrix of ones with itself: n squared. */
static double trace_of_product(int n)
{
	size_t count = (size_t)n * (size_t)n;
	double *ones = (double *)malloc(count * sizeof(double));
	double *product = (double *)calloc(count, sizeof(double));
	const double one = 1, zero = 0;
	double trace = 0;

	if (ones && product) {
		for (size_t i = 0; i < count; i++)
			ones[i] = 1;
		dgemm_("N", "N", &n, &n, &n, &one, ones, &n, ones, &n, &zero, product, &n);
		for (int i = 0; i < n; i++)
			trace += product[(size_t)i * (size_t)n + (size_t)i];
	}
	free(ones);
	free(product);
	return trace;
}

__attribute__((constructor)) static void multiply_when_loaded(void)
{
	trace_when_loaded = trace_of_product(8);
}

struct matrix_in {
	int64_t size;
};

static const th_param params[] = {
	TH_INTEGER(struct matrix_in, size, "Rows and columns.", {"minimum": 1, "maximum": 2000}),
	TH_END
};

static int32_t matrix(th_call *call, const void *input)
{
	const struct matrix_in *in = (const struct matrix_in *)input;

	th_put_number(call, "when_loaded", trace_when_loaded);
	th_put_number(call, "trace", trace_of_product((int)in->size));
	return th_put_integer(call, "threads", openblas_get_num_threads());
}

static const th_tool tools[] = {
	TH_TOOL(matrix, struct matrix_in, params, NULL, "Matrix", "Multiplies a matrix of ones with itself.", {}),
};

TH_PACK(tools, {"version": "1.0.0", "summary": "Matrices in a worker.", "license": "MIT"})
