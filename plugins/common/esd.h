/* SPDX-License-Identifier: MIT
 *
 * Outliers of a sample. Part of libcommon-gsl, as student.h is.
 */
#ifndef TOOLHOST_COMMON_ESD_H
#define TOOLHOST_COMMON_ESD_H

#include "common/order.h"

#include <stdbool.h>

/* What the generalised ESD test looks with. */
struct esd_options {
	size_t most;  /* how many outliers to look for; at most count - 2 are */
	double level; /* of significance, 0 to 1 */
	bool robust;  /* median and normal-scaled MAD in the place of mean and standard deviation */
};

/* Bytes that the test needs beside the values, aligned as those of malloc() are. */
#define ESD_SCRATCH_BYTES(count) (((count) + 1) * 2 * (sizeof(struct keyed) + sizeof(long double)))

/* The generalised extreme studentised deviate test of Rosner (1983, Technometrics 25, 165-172) on 3
 * or more values: indices of the outliers, from the most extreme on, into ret_indices, which has
 * room for options.most; answers how many there are. The critical values keep the first count
 * throughout, and the last step that reaches its own says how many; ties are taken in order of
 * position. Looking ends early where what is left has no spread, which *ret_spread_gone tells.
 * O(count log(count)) and a constant for each step; of the robust variant, O(count) for each. */
size_t esd_outliers(const double *values, size_t count, const struct esd_options *options,
		    int64_t *ret_indices, bool *ret_spread_gone, void *scratch);

#endif
