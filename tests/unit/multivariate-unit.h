/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data for the numerics of the multivariate pack, and a call without a host to fit them in.
 */
#ifndef TOOLHOST_UNIT_MULTIVARIATE_UNIT_H
#define TOOLHOST_UNIT_MULTIVARIATE_UNIT_H

#include "multivariate/scaling.h"

#include "unit.h"

#include <math.h>
#include <stdbool.h>

/* ---- A call without a host ----------------------------------------------------------------------
 */

#define BLOCKS_MOST 4096

struct fake_call {
	th_call public; /* first: what the numerics see */
	void *blocks[BLOCKS_MOST];
	size_t block_count;
	char failure[512];
};

static inline void *fake_allocate(th_call *call, uint64_t size, uint64_t alignment)
{
	struct fake_call *fake = (struct fake_call *)call;
	void *block = fake->block_count < BLOCKS_MOST ? malloc(size ? size : 1) : NULL;

	(void)alignment;
	if (block)
		fake->blocks[fake->block_count++] = block;
	return block;
}

static inline int32_t fake_fail(th_call *call, const char *message, uint64_t length,
				const char *details)
{
	struct fake_call *fake = (struct fake_call *)call;

	(void)details;
	snprintf(fake->failure, sizeof(fake->failure), "%.*s", (int)length, message);
	return TH_FAILED;
}

static const th_services services = {
	.struct_size = sizeof(services),
	.abi_major = TH_ABI_MAJOR,
	.allocate = fake_allocate,
	.fail = fake_fail,
};

static inline th_call *call_begin(void)
{
	struct fake_call *fake = calloc(1, sizeof(*fake));

	fake->public.services = &services;
	return &fake->public;
}

static inline void call_end(th_call *call)
{
	struct fake_call *fake = (struct fake_call *)call;

	for (size_t i = 0; i < fake->block_count; i++)
		free(fake->blocks[i]);
	free(fake);
}

static inline const char *failure(const th_call *call)
{
	return ((const struct fake_call *)call)->failure;
}

/* ---- Data ---------------------------------------------------------------------------------------
 */

#define ROWS 30
#define COLUMNS 5

/* Noise that is the same everywhere: the top bits of a linear congruential generator, from -1 to 1.
 */
static inline double noise(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(int64_t)*state / 0x1p63;
}

/* Columns that share two hidden variables, in units of their own. */
static inline void make_data(double *ret_cells, double offset)
{
	uint64_t state = 20240607;

	for (size_t i = 0; i < ROWS; i++) {
		double a = noise(&state), b = noise(&state);

		for (size_t j = 0; j < COLUMNS; j++)
			ret_cells[i * COLUMNS + j] = offset +
						     (double)(j + 1) * (a + (j % 2 ? b : -b) / 2) +
						     0.1 * noise(&state);
	}
}

static inline struct scaling scale(th_call *call, const double *cells, size_t rows, size_t columns)
{
	const struct table data = { cells, rows, columns };
	struct scaling scaling;

	CU_ASSERT_EQUAL(scaling_fit(call, "data", &data, &scaling), TH_OK);
	return scaling;
}

static inline double dot(const double *a, const double *b, size_t count, size_t stride)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += a[i * stride] * b[i * stride];
	return sum;
}

static inline bool is_near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

#endif
