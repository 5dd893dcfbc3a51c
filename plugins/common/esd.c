/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The generalised ESD test. What is farthest from the centre stands at an end of the sorted values,
 * so that what is left after each step is a window of them.
 */
#include "common/esd.h"

#include "common/scale.h"
#include "common/student.h"

#include <math.h>
#include <string.h>

struct window {
	struct keyed *order; /* the values with their positions, sorted */
	size_t low, high;    /* what is left: from low, before high */
	/* Sums of the deviations from the middle value, and of their squares, from the middle to
	 * each place; to those below it with a minus. The sums of a window are differences of two
	 * that lose no digits, since they have different signs. Squares of any double fit in there.
	 */
	size_t middle;
	long double *sums, *squares;
	size_t run_begin, run_end; /* equal values that the upper end last took from */
	double *copy;		   /* 2 count entries */
};

struct centre {
	long double value, spread;
};

static void add_up(struct window *w)
{
	long double centre, sum = 0, square = 0;

	w->middle = w->low + (w->high - w->low) / 2;
	centre = w->order[w->middle].key;
	w->sums[w->middle] = w->squares[w->middle] = 0;
	for (size_t i = w->middle; i < w->high; i++) {
		long double d = w->order[i].key - centre;

		w->sums[i + 1] = sum += d;
		w->squares[i + 1] = square += d * d;
	}
	sum = square = 0;
	for (size_t i = w->middle; i-- > w->low;) {
		long double d = w->order[i].key - centre;

		w->sums[i] = -(sum += d);
		w->squares[i] = -(square += d * d);
	}
}

static struct window window_make(const double *values, size_t count, void *scratch)
{
	struct window w = { .order = scratch, .high = count };
	struct keyed *room = w.order + count + 1;

	w.sums = (long double *)(w.order + 2 * (count + 1));
	w.squares = w.sums + count + 1;
	w.copy = (double *)room;
	for (size_t i = 0; i < count; i++)
		w.order[i] = (struct keyed){ values[i], i };
	sort_keyed(w.order, count, room);
	add_up(&w);
	return w;
}

/* Mean and standard deviation of what is left. */
static struct centre window_mean(struct window *w)
{
	const long double n = (long double)(w->high - w->low);
	long double sum, rest;

	/* Once the window has left its middle, differences would lose digits. */
	if (w->low > w->middle || w->high <= w->middle)
		add_up(w);
	sum = w->sums[w->high] - w->sums[w->low];
	rest = w->squares[w->high] - w->squares[w->low] - sum * sum / n;
	return (struct centre){ w->order[w->middle].key + sum / n,
				rest > 0 ? sqrtl(rest / (n - 1)) : 0 };
}

/* Median and normal-scaled MAD of what is left. */
static struct centre window_median(struct window *w)
{
	const size_t n = w->high - w->low;
	struct twofold median;

	for (size_t i = 0; i < n; i++)
		w->copy[i] = w->order[w->low + i].key;
	median = median_of_sorted(w->copy, n);
	return (struct centre){ (long double)median.high + median.low,
				median_absolute_deviation_from(w->copy, n, median, w->copy + n) /
					(long double)NORMAL_QUARTILE };
}

/* The position of the upper end: of equal values, the first that is left. */
static size_t upper_position(struct window *w)
{
	const struct keyed *order = w->order;
	const size_t last = w->high - 1;

	if (w->run_end <= last || w->run_begin > last) {
		w->run_end = w->run_begin = w->high;
		while (w->run_begin > w->low && order[w->run_begin - 1].key == order[last].key)
			w->run_begin--;
	}
	return (size_t)order[w->run_begin + (w->run_end - w->high)].item;
}

/* Takes the value farthest from the centre out of the window. */
static size_t take_farthest(struct window *w, long double centre, double *ret_distance)
{
	double below = (double)(centre - w->order[w->low].key);
	double above = (double)(w->order[w->high - 1].key - centre);
	size_t first = (size_t)w->order[w->low].item, last = upper_position(w);

	if (below > above || (below == above && first < last)) {
		*ret_distance = below;
		w->low++;
		return first;
	}
	*ret_distance = above;
	w->high--;
	return last;
}

/* Rosner's lambda for the test number `step`, from 1. */
static double critical(size_t count, size_t step, double level)
{
	double left = (double)(count - step + 1); /* values in this step */
	double freedom = left - 2;
	double t = student_quantile(level / (2 * left), freedom);

	if (isinf(t))
		return (left - 1) / sqrt(left);
	return (left - 1) * (t / hypot(t, sqrt(freedom))) / sqrt(left);
}

size_t esd_outliers(const double *values, size_t count, const struct esd_options *options,
		    int64_t *ret_indices, bool *ret_spread_gone, void *scratch)
{
	size_t most = options->most < count - 2 ? options->most : count - 2, found = 0;
	struct window w = window_make(values, count, scratch);

	*ret_spread_gone = false;
	for (size_t step = 1; step <= most; step++) {
		struct centre centre = options->robust ? window_median(&w) : window_mean(&w);
		double distance;

		if (w.order[w.low].key == w.order[w.high - 1].key || !(centre.spread > 0)) {
			*ret_spread_gone = true;
			break;
		}
		ret_indices[step - 1] = (int64_t)take_farthest(&w, centre.value, &distance);
		if (distance / centre.spread >= critical(count, step, options->level))
			found = step;
	}
	return found;
}
