/* SPDX-License-Identifier: MIT
 *
 * Order: sorting, selection, percentiles, medians.
 *
 * Nothing here allocates, fails or holds state; every function may be used from any thread. Values
 * are finite; none is NaN. "Scratch" is room that the caller lends; what it holds afterwards is of
 * no use.
 */
#ifndef TOOLHOST_COMMON_ORDER_H
#define TOOLHOST_COMMON_ORDER_H

#include "common/sums.h"

#include <stddef.h>
#include <stdint.h>

/* Something to sort by, and what it belongs to. */
struct keyed {
	double key;
	uint64_t item;
};

/* Sorts upwards, equal keys in the order they had. count below 2^32; scratch: count entries. Digit by
 * digit of the keys from the last one on, in linear time; few entries by insertion. (Knuth 1973,
 * TAOCP volume 3, section 5.2, algorithm D, and section 5.2.5.) */
void sort_values(double *values, size_t count, double *scratch);
void sort_keyed(struct keyed *entries, size_t count, struct keyed *scratch);

/* The values that stand at `ranks` (from 0, ascending) once `values` were sorted; reorders `values`
 * so that they do stand there, with smaller ones before and larger ones behind. Expected linear
 * time in count for a few ranks; never worse than sorting. (Hoare 1961, algorithm 65; Musser 1997,
 * introselect, with a sort as the way out.) scratch: count entries. */
void select_ranks(double *values, size_t count, const size_t *ranks, size_t rank_count,
		  double *scratch);

/* The value of rank `rank`, from 0. Reorders values as select_ranks() does. */
double select_rank(double *values, size_t count, size_t rank, double *scratch);

/* What lies at `fractions` (0 to 1, ascending, at most QUANTILES_MAX) of the sorted values:
 * position fraction * (count - 1), linear between neighbours (Hyndman and Fan 1996, definition 7).
 * Reorders values. */
#define QUANTILES_MAX 8
void quantiles_of(double *values, size_t count, const double *fractions, size_t fraction_count,
		  double *ret_quantiles, double *scratch);

/* The median of at least one value; of an even number the mean of the middle two, without a
 * rounding error: deviations from it are as exact as the data. Reorders values. */
struct twofold median_of(double *values, size_t count, double *scratch);

/* The same of sorted values. */
struct twofold median_of_sorted(const double *values, size_t count);

#endif
