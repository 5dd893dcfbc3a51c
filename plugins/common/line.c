/* SPDX-License-Identifier: MIT
 *
 * The repeated median slope.
 */
#include "common/line.h"
#include "common/order.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Up to this many points the definition is the quicker way. */
#define DIRECT_MAX 400

/* So many medians worked out by the definition cost about as much as one more halving of the
 * interval. */
#define CANDIDATES_FEW 32

/* The points in order of x, and what counting needs. */
struct points {
	size_t count;
	double *x;
	double *y;
	double *near_x; /* the same from the first point on, in a scale of about 1 */
	double *near_y;
	uint32_t *first; /* of the points with the same x */
	uint32_t *end;	 /* behind the last of them */

	struct keyed *by_residual;
	struct keyed *spare;
	uint32_t *tree;	     /* count + 1 entries: a Fenwick tree over the points */
	uint32_t *at_low;    /* slopes of each point that are not above interval.low */
	uint32_t *at_high;   /* the same for interval.high */
	uint32_t *at_middle; /* the same for a trial value */
	double *slopes;	     /* of one point */
	double *medians;
	double *scratch;
	struct interrupt interrupt;
};

_Static_assert(REPEATED_MEDIAN_BYTES(1) == 7 * sizeof(double) + 2 * sizeof(struct keyed) +
						   6 * sizeof(uint32_t) + sizeof(double),
	       "points_carve() shares out all of it");

static void points_carve(struct points *p, size_t count, void *scratch)
{
	p->count = count;
	p->by_residual = scratch;
	p->spare = p->by_residual + count;
	p->x = (double *)(p->spare + count);
	p->y = p->x + count;
	p->near_x = p->y + count;
	p->near_y = p->near_x + count;
	p->slopes = p->near_y + count;
	p->medians = p->slopes + count;
	p->scratch = p->medians + count;
	p->first = (uint32_t *)(void *)(p->scratch + count);
	p->end = p->first + count;
	p->at_low = p->end + count;
	p->at_high = p->at_low + count;
	p->at_middle = p->at_high + count;
	p->tree = p->at_middle + count;
}

static bool interrupted(const struct points *p)
{
	return p->interrupt.asked && p->interrupt.asked(p->interrupt.owner);
}

/* The slopes that point i has with others: their number. Those of equal x have none. */
static size_t slopes_of(const struct points *p, size_t i)
{
	return p->count - (p->end[i] - p->first[i]);
}

static double median_slope(struct points *p, size_t i)
{
	size_t n = 0;

	for (size_t j = 0; j < p->first[i]; j++)
		p->slopes[n++] = (p->y[j] - p->y[i]) / (p->x[j] - p->x[i]);
	for (size_t j = p->end[i]; j < p->count; j++)
		p->slopes[n++] = (p->y[j] - p->y[i]) / (p->x[j] - p->x[i]);
	return twofold_value(median_of(p->slopes, n, p->scratch));
}

static double by_definition(struct points *p)
{
	for (size_t i = 0; i < p->count; i++)
		p->medians[i] = median_slope(p, i);
	return twofold_value(median_of(p->medians, p->count, p->scratch));
}

/* ---- Counting --------------------------------------------------------------------------- */

static void tree_add(struct points *p, size_t point)
{
	for (size_t node = point + 1; node <= p->count; node += node & (0 - node))
		p->tree[node]++;
}

/* How many points before `end` were added. */
static uint32_t tree_before(const struct points *p, size_t end)
{
	uint32_t sum = 0;

	for (size_t node = end; node > 0; node -= node & (0 - node))
		sum += p->tree[node];
	return sum;
}

/* For each point the number of its slopes that are not above `bound`, in the scale of near_x and
 * near_y. With residuals r = y - bound x, the slope to a point on the right is not above the bound
 * where r there is no larger, and to one on the left where it is no smaller. */
static void count_slopes(struct points *p, double bound, uint32_t *ret_counts)
{
	struct keyed *r = p->by_residual;

	for (size_t i = 0; i < p->count; i++)
		r[i] = (struct keyed){ p->near_y[i] - bound * p->near_x[i], i };
	sort_keyed(r, p->count, p->spare);
	memset(p->tree, 0, (p->count + 1) * sizeof(*p->tree));
	for (size_t start = 0, end; start < p->count; start = end) {
		for (end = start; end < p->count && r[end].key == r[start].key; end++) {
			size_t i = r[end].item;

			ret_counts[i] = p->first[i] - tree_before(p, p->first[i]);
		}
		for (size_t at = start; at < end; at++)
			tree_add(p, r[at].item);
		for (size_t at = start; at < end; at++) {
			size_t i = r[at].item;

			ret_counts[i] += (uint32_t)end - tree_before(p, p->end[i]);
		}
	}
}

/* Whether the lower, or the upper, of a point's middle slopes is not above the bound of `counts`.
 */
static bool lower_is_within(const struct points *p, const uint32_t *counts, size_t i)
{
	return counts[i] > (slopes_of(p, i) - 1) / 2;
}

static bool upper_is_within(const struct points *p, const uint32_t *counts, size_t i)
{
	return counts[i] > slopes_of(p, i) / 2;
}

/* ---- Narrowing -------------------------------------------------------------------------- */

/* The middle two of the medians lie above `low` and not above `high`. Each end has a bound on its
 * inner side as well: low is below, and low_inside is not below, everything that the lower of the
 * two can be; high and high_inside likewise for the upper. Before a trial has fallen between the
 * two, one is the other's. */
struct interval {
	double low;
	double low_inside;
	double high_inside;
	double high;
	bool high_next;
};

enum side { SIDE_LOW, SIDE_INSIDE, SIDE_HIGH };

/* What a trial value is: low, where so few medians can be as small that those in the middle are
 * larger; high, where so many must be; else it lies amid them. */
static enum side judge(const struct points *p, const uint32_t *counts)
{
	size_t can = 0, must = 0;

	for (size_t i = 0; i < p->count; i++) {
		can += lower_is_within(p, counts, i);
		must += upper_is_within(p, counts, i);
	}
	if (can <= (p->count - 1) / 2)
		return SIDE_LOW;
	return must > p->count / 2 ? SIDE_HIGH : SIDE_INSIDE;
}

static bool is_candidate(const struct points *p, size_t i)
{
	return lower_is_within(p, p->at_high, i) && !upper_is_within(p, p->at_low, i);
}

static size_t candidates(const struct points *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->count; i++)
		n += is_candidate(p, i);
	return n;
}

/* Doubles in their order as whole numbers, so that halving between two of them meets every double
 * in 64 steps. */
static int64_t rank_of_double(double value)
{
	int64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits < 0 ? INT64_MIN - bits : bits;
}

static double double_of_rank(int64_t rank)
{
	int64_t bits = rank < 0 ? INT64_MIN - rank : rank;
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* A value strictly between two doubles; false where there is none. By value while that helps, by
 * rank where the two differ in order of magnitude or sign. */
static bool between(double low, double high, double *ret_middle)
{
	int64_t first = rank_of_double(low), last = rank_of_double(high);
	double middle = low / 2 + high / 2;

	if (first >= last - 1)
		return false;
	if ((low < 0) != (high < 0) || fabs(low) < fabs(high) / 4 || fabs(high) < fabs(low) / 4 ||
	    middle <= low || middle >= high)
		middle = double_of_rank(first / 2 + last / 2 + (first % 2 + last % 2) / 2);
	*ret_middle = middle;
	return middle > low && middle < high;
}

/* The next value to try, of the two ends in turn; false where neither can be moved any more. */
static bool next_trial(struct interval *v, double *ret_trial)
{
	for (int side = 0; side < 2; side++) {
		v->high_next = !v->high_next;
		if (v->high_next ? between(v->high_inside, v->high, ret_trial)
				 : between(v->low, v->low_inside, ret_trial))
			return true;
	}
	return false;
}

static void swap_counts(uint32_t **a, uint32_t **b)
{
	uint32_t *swap = *a;

	*a = *b;
	*b = swap;
}

static void try_value(struct points *p, struct interval *v, double trial)
{
	count_slopes(p, trial, p->at_middle);
	switch (judge(p, p->at_middle)) {
	case SIDE_LOW:
		v->low = trial;
		v->high_inside = fmax(v->high_inside, trial);
		swap_counts(&p->at_low, &p->at_middle);
		break;
	case SIDE_HIGH:
		v->high = trial;
		v->low_inside = fmin(v->low_inside, trial);
		swap_counts(&p->at_high, &p->at_middle);
		break;
	case SIDE_INSIDE:
		v->low_inside = fmin(v->low_inside, trial);
		v->high_inside = fmax(v->high_inside, trial);
		break;
	}
}

/* The middle of the medians: those of the candidates by the definition, among which the middle two
 * stand as far up as there are fewer below. Where the interval has no room left, all medians inside
 * it are one, and one is worked out. */
static double finish(struct points *p, const struct interval *v)
{
	bool no_room = nextafter(v->low, v->high) == v->high;
	double inside = NAN;
	size_t below = 0, n = 0, lower, upper, ranks[2];

	for (size_t i = 0; i < p->count; i++) {
		below += upper_is_within(p, p->at_low, i);
		if (!is_candidate(p, i))
			continue;
		if (no_room && !lower_is_within(p, p->at_low, i) &&
		    upper_is_within(p, p->at_high, i)) {
			if (isnan(inside))
				inside = median_slope(p, i);
			p->medians[n++] = inside;
			continue;
		}
		if (interrupted(p))
			return NAN;
		p->medians[n++] = median_slope(p, i);
	}
	lower = (p->count - 1) / 2 - below;
	upper = p->count / 2 - below;
	ranks[0] = lower < n ? lower : n - 1;
	ranks[1] = upper < n ? upper : n - 1;
	select_ranks(p->medians, n, ranks, 2, p->scratch);
	return p->medians[ranks[0]] / 2 + p->medians[ranks[1]] / 2;
}

static double by_narrowing(struct points *p)
{
	struct interval v = { -DBL_MAX, DBL_MAX, -DBL_MAX, DBL_MAX, false };
	double trial;

	for (size_t i = 0; i < p->count; i++) {
		p->at_low[i] = 0;
		p->at_high[i] = (uint32_t)slopes_of(p, i);
	}
	while (candidates(p) > CANDIDATES_FEW && next_trial(&v, &trial)) {
		if (interrupted(p))
			return NAN;
		try_value(p, &v, trial);
	}
	return finish(p, &v);
}

/* ---- The slope -------------------------------------------------------------------------- */

/* Points in order of x. False where all x are equal. */
static bool arrange(struct points *p, const double *x, const double *y)
{
	struct keyed *order = p->by_residual;

	for (size_t i = 0; i < p->count; i++)
		order[i] = (struct keyed){ x[i], i };
	sort_keyed(order, p->count, p->spare);
	for (size_t i = 0; i < p->count; i++) {
		p->x[i] = x[order[i].item];
		p->y[i] = y[order[i].item];
	}
	for (size_t start = 0, end; start < p->count; start = end) {
		for (end = start; end < p->count && p->x[end] == p->x[start]; end++)
			p->first[end] = (uint32_t)start;
		for (size_t i = start; i < end; i++)
			p->end[i] = (uint32_t)end;
	}
	return p->x[0] < p->x[p->count - 1];
}

/* Values counted from their median and brought near 1, so that residuals neither blur far from 0 nor
 * overflow. Counted from a value that lies far off, the others would lose the digits that their
 * order depends on. `scratch` is for as many values. */
static void bring_near(const double *values, size_t count, double *ret_near, double *scratch)
{
	struct moments m = moments_of(values, count);
	double factor = unit_factor(m.greatest / 2 - m.least / 2), pivot;

	memcpy(ret_near, values, count * sizeof(*ret_near));
	pivot = select_rank(ret_near, count, count / 2, scratch) * factor;
	for (size_t i = 0; i < count; i++)
		ret_near[i] = values[i] * factor - pivot;
}

double repeated_median_slope(const double *x, const double *y, size_t count, void *scratch,
			     struct interrupt interrupt)
{
	struct points p = { .interrupt = interrupt };

	points_carve(&p, count, scratch);
	if (!arrange(&p, x, y))
		return NAN;
	if (count <= DIRECT_MAX)
		return by_definition(&p);
	bring_near(p.x, count, p.near_x, p.scratch);
	bring_near(p.y, count, p.near_y, p.scratch);
	return by_narrowing(&p);
}
