/* SPDX-License-Identifier: MIT
 *
 * What the tests of the shared numerics have in common.
 */
#ifndef TOOLHOST_UNIT_STATS_H
#define TOOLHOST_UNIT_STATS_H

#include "unit.h"

#include <math.h>
#include <stdint.h>

/* Compares numbers by relative error and shows both when they differ. Exact where tolerance is 0;
 * NaN equals NaN. */
#define STATS_NEAR(actual, expected, tolerance)                                                    \
	do {                                                                                       \
		double stats_a_ = (actual), stats_e_ = (expected);                                 \
		int stats_ok_ = isnan(stats_e_) ? isnan(stats_a_)                                  \
						: stats_a_ == stats_e_ ||                          \
							  fabs(stats_a_ - stats_e_) <=             \
								  (tolerance)*fabs(stats_e_);      \
		if (!stats_ok_)                                                                    \
			fprintf(stderr, "%s:%d: got %.17g, expected %.17g\n", __FILE__, __LINE__,  \
				stats_a_, stats_e_);                                               \
		CU_ASSERT(stats_ok_);                                                              \
	} while (0)

/* Pseudo-random numbers that are the same in every run. (Marsaglia 2003, xorshift64.) */
static inline double stats_uniform(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (double)(*state >> 11) / 9007199254740992.0;
}

static inline int stats_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static inline void *stats_room(size_t count, size_t size)
{
	void *room = calloc(count ? count : 1, size);

	if (!room)
		abort();
	return room;
}

#endif
