/* SPDX-License-Identifier: MIT
 *
 * Sorting, selection, percentiles, medians.
 */
#include "common/order.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define SHORT 48 /* a range that is sorted at once rather than split again */

/* ---- Sorting ---------------------------------------------------------------------------- */

#define INSERT_MAX 128 /* entries up to which insertion sort is the quicker one */

#define DIGIT_BITS 11
#define DIGITS 6 /* of a 64-bit key */
#define DIGIT_VALUES (1u << DIGIT_BITS)

/* A number that orders as the double does; both zeros are one. */
static uint64_t radix_key(double value)
{
	double positive_zero = value + 0.0;
	uint64_t bits;

	memcpy(&bits, &positive_zero, sizeof(bits));
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static size_t digit_of(uint64_t key, unsigned digit)
{
	return (size_t)(key >> digit * DIGIT_BITS) & (DIGIT_VALUES - 1);
}

/* From how often each value of a digit occurs to where its first entry goes. False where all
 * entries share one value, so that there is nothing to move. */
static bool places_from_counts(uint32_t *counts, size_t count, size_t shared)
{
	uint32_t place = 0;

	if (counts[shared] == count)
		return false;
	for (size_t value = 0; value < DIGIT_VALUES; value++) {
		uint32_t occurs = counts[value];

		counts[value] = place;
		place += occurs;
	}
	return true;
}

#define KEY_OF_VALUE(entry) (entry)
#define KEY_OF_KEYED(entry) ((entry).key)

/* One sort for both kinds of entries. All digits are counted in one pass, then each is distributed
 * from one array into the other. */
#define DEFINE_SORT(name, type, KEY)                                                               \
	static void name##_short(type *entries, size_t count)                                      \
	{                                                                                          \
		for (size_t i = 1; i < count; i++) {                                               \
			type entry = entries[i];                                                   \
			size_t at = i;                                                             \
                                                                                                   \
			for (; at > 0 && KEY(entries[at - 1]) > KEY(entry); at--)                  \
				entries[at] = entries[at - 1];                                     \
			entries[at] = entry;                                                       \
		}                                                                                  \
	}                                                                                          \
                                                                                                   \
	void name(type *entries, size_t count, type *scratch)                                      \
	{                                                                                          \
		uint32_t counts[DIGITS][DIGIT_VALUES];                                             \
		type *from = entries, *to = scratch;                                               \
                                                                                                   \
		if (count <= INSERT_MAX) {                                                         \
			name##_short(entries, count);                                              \
			return;                                                                    \
		}                                                                                  \
		memset(counts, 0, sizeof(counts));                                                 \
		for (size_t i = 0; i < count; i++) {                                               \
			uint64_t key = radix_key(KEY(entries[i]));                                 \
                                                                                                   \
			for (unsigned digit = 0; digit < DIGITS; digit++)                          \
				counts[digit][digit_of(key, digit)]++;                             \
		}                                                                                  \
		for (unsigned digit = 0; digit < DIGITS; digit++) {                                \
			type *other = from;                                                        \
			size_t first = digit_of(radix_key(KEY(from[0])), digit);                   \
                                                                                                   \
			if (!places_from_counts(counts[digit], count, first))                      \
				continue;                                                          \
			for (size_t i = 0; i < count; i++) {                                       \
				uint64_t key = radix_key(KEY(from[i]));                            \
                                                                                                   \
				to[counts[digit][digit_of(key, digit)]++] = from[i];               \
			}                                                                          \
			from = to;                                                                 \
			to = other;                                                                \
		}                                                                                  \
		if (from != entries)                                                               \
			memcpy(entries, from, count * sizeof(type));                               \
	}

DEFINE_SORT(sort_values, double, KEY_OF_VALUE)
DEFINE_SORT(sort_keyed, struct keyed, KEY_OF_KEYED)

/* ---- Selection -------------------------------------------------------------------------- */

#define SAMPLE 16 /* values that a pivot is chosen from */

static double median_of_three(double a, double b, double c)
{
	return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* A guess at the value of rank `rank`: among a sorted sample of every range, the one that lies as
 * far in. A range is thus split close to where it is wanted, even when it is wanted near an end. */
static double pivot_for(const double *values, size_t count, size_t rank)
{
	double sample[SAMPLE];
	size_t step = count / SAMPLE;

	for (size_t i = 0; i < SAMPLE; i++) {
		const double *near = values + i * step;

		sample[i] = median_of_three(near[0], near[step / 2], near[step - 1]);
	}
	sort_values_short(sample, SAMPLE);
	return sample[(size_t)((double)rank / (double)count * SAMPLE)];
}

/* Moves what is below the pivot to the front and answers how many that are. Without branches, of
 * which the processor would guess every other one wrong. (Lomuto's scheme.) */
static size_t split_below(double *values, size_t count, double pivot)
{
	size_t below = 0;

	for (size_t i = 0; i < count; i++) {
		double x = values[i];

		values[i] = values[below];
		values[below] = x;
		below += x < pivot;
	}
	return below;
}

/* The same for what is not above the pivot. */
static size_t split_up_to(double *values, size_t count, double pivot)
{
	size_t up_to = 0;

	for (size_t i = 0; i < count; i++) {
		double x = values[i];

		values[i] = values[up_to];
		values[up_to] = x;
		up_to += x <= pivot;
	}
	return up_to;
}

static size_t ranks_below(const size_t *ranks, size_t rank_count, size_t limit)
{
	size_t below = 0;

	while (below < rank_count && ranks[below] < limit)
		below++;
	return below;
}

/* `offset` is the rank of values[0]; `patience` how much may still be looked at before sorting is
 * the better bet. */
static void select_in(double *values, size_t count, const size_t *ranks, size_t rank_count,
		      size_t offset, size_t patience, double *scratch)
{
	while (rank_count) {
		size_t below, up_to, first, last;
		double pivot;

		if (count <= SHORT || patience < count) {
			sort_values(values, count, scratch);
			return;
		}
		patience -= count;
		pivot = pivot_for(values, count, ranks[rank_count / 2] - offset);
		below = split_below(values, count, pivot);
		/* Only when the pivot is near the least may it be one of many equal values;
		 * elsewhere the second pass, which takes those out, is rarely worth its time. */
		up_to = below;
		if (below < count / 8)
			up_to += split_up_to(values + below, count - below, pivot);
		first = ranks_below(ranks, rank_count, offset + below);
		last = ranks_below(ranks, rank_count, offset + up_to);
		select_in(values, below, ranks, first, offset, patience, scratch);
		ranks += last;
		rank_count -= last;
		values += up_to;
		count -= up_to;
		offset += up_to;
	}
}

void select_ranks(double *values, size_t count, const size_t *ranks, size_t rank_count,
		  double *scratch)
{
	select_in(values, count, ranks, rank_count, 0, 16 * count, scratch);
}

double select_rank(double *values, size_t count, size_t rank, double *scratch)
{
	select_ranks(values, count, &rank, 1, scratch);
	return values[rank];
}

/* ---- Percentiles ------------------------------------------------------------------------ */

static double between(double a, double b, double fraction)
{
	double step = b - a;

	/* Halfway counts from the nearer end, as both ends are then met exactly. */
	if (!isfinite(step))
		return a * (1 - fraction) + b * fraction;
	return fraction < 0.5 ? a + step * fraction : b - step * (1 - fraction);
}

void quantiles_of(double *values, size_t count, const double *fractions, size_t fraction_count,
		  double *ret_quantiles, double *scratch)
{
	size_t ranks[2 * QUANTILES_MAX] = { 0 };

	for (size_t i = 0; i < fraction_count; i++) {
		double position = fractions[i] * (double)(count - 1);

		ranks[2 * i] = (size_t)position;
		ranks[2 * i + 1] = ranks[2 * i] + 1 < count ? ranks[2 * i] + 1 : ranks[2 * i];
	}
	/* Fractions ascend, but the upper neighbour of one may lie beyond the lower of the next. */
	for (size_t i = 1; i < 2 * fraction_count; i++)
		for (size_t at = i; at > 0 && ranks[at - 1] > ranks[at]; at--) {
			size_t swap = ranks[at];

			ranks[at] = ranks[at - 1];
			ranks[at - 1] = swap;
		}
	select_ranks(values, count, ranks, 2 * fraction_count, scratch);
	for (size_t i = 0; i < fraction_count; i++) {
		double position = fractions[i] * (double)(count - 1);
		size_t lower = (size_t)position;
		size_t upper = lower + 1 < count ? lower + 1 : lower;

		ret_quantiles[i] = between(values[lower], values[upper], position - (double)lower);
	}
}

struct twofold median_of(double *values, size_t count, double *scratch)
{
	size_t ranks[2] = { (count - 1) / 2, count / 2 };

	select_ranks(values, count, ranks, 2, scratch);
	return twofold_add(values[ranks[0]] / 2, values[ranks[1]] / 2);
}

struct twofold median_of_sorted(const double *values, size_t count)
{
	return twofold_add(values[(count - 1) / 2] / 2, values[count / 2] / 2);
}
