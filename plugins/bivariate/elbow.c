/* SPDX-License-Identifier: MIT
 *
 * The elbow of a curve: where a robust line through its beginning crosses one through its end.
 */
#include "bivariate/bivariate.h"

#include "common/huber.h"
#include "common/order.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define LEAST_POINTS 11 /* two lines of five points and one to choose */
#define LEAST_LINE 5
#define TRIALS 41

/* Slopes closer than this are taken for parallel, on axes that run from 0 to 1: the root of the
 * precision of a double. */
#define PARALLEL 1.5e-8

/* clang-format off */
const th_param elbow_params[] = {
	TH_NUMBERS(struct elbow_in, x, "Where each point lies: the number of components, time, dose.", {"minItems": 11}),
	TH_NUMBERS(struct elbow_in, y, "The height of the curve there, in the same order.", {"minItems": 11}),
	TH_END
};

const th_param elbow_results[] = {
	TH_GIVES_INTEGER_OR_NULL(elbow_index, "Position of the elbow in x and y as they were given, from 0; null where there is none.", {"minimum": 0}),
	TH_GIVES_NUMBER_OR_NULL(elbow_x, "x of that point.", {}),
	TH_GIVES_NUMBER_OR_NULL(elbow_y, "y of that point.", {}),
	TH_GIVES_INTEGER(n, "Number of points.", {"minimum": 11}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why there is no elbow.", {}),
	TH_END
};
/* clang-format on */

/* The points in order of x, on axes that run from 0 to 1. */
struct curve {
	size_t n;
	double *x;
	double *y;
	double noise_x; /* what the rounding of the data may be worth on these axes */
	double noise_y;
	struct keyed *order; /* item: the position that a point was given at */
	double *scratch;     /* 2 n entries */
};

/* Answers what a unit in the last place of the largest value has become. Halves, since a range may
 * be beyond a double. */
static double scale_axis(double *values, size_t count)
{
	struct moments m = moments_of(values, count);
	double range = m.greatest / 2 - m.least / 2;

	for (size_t i = 0; i < count; i++)
		values[i] = range > 0 ? (values[i] / 2 - m.least / 2) / range : 0;
	return range > 0 ? DBL_EPSILON * fmax(fabs(m.least), fabs(m.greatest)) / 2 / range : 0;
}

static bool curve_make(th_call *call, const struct elbow_in *in, struct curve *ret_curve)
{
	struct curve c = { .n = (size_t)in->x.count };

	c.order = th_allocate(call, 2 * in->x.count, sizeof(*c.order));
	c.x = th_allocate(call, 4 * in->x.count, sizeof(*c.x));
	if (!c.order || !c.x)
		return false;
	c.y = c.x + c.n;
	c.scratch = c.y + c.n;
	for (size_t i = 0; i < c.n; i++)
		c.order[i] = (struct keyed){ in->x.values[i], i };
	sort_keyed(c.order, c.n, c.order + c.n);
	for (size_t i = 0; i < c.n; i++) {
		c.x[i] = in->x.values[c.order[i].item];
		c.y[i] = in->y.values[c.order[i].item];
	}
	c.noise_x = scale_axis(c.x, c.n);
	c.noise_y = scale_axis(c.y, c.n);
	*ret_curve = c;
	return true;
}

/* Whether two lines differ by no more than the rounding of the points that they go through, which
 * lie `width` apart on the x axis at least. */
static bool parallel(const struct curve *c, struct straight a, struct straight b, double width)
{
	double steepest = fmax(fabs(a.slope), fabs(b.slope));

	return fabs(a.slope - b.slope) <=
	       PARALLEL + 2 * (c->noise_y + steepest * c->noise_x) / width;
}

/* Where the lines through the first and the last `length` points cross; false where they do not. */
static bool crossing(const struct curve *c, size_t length, double *ret_x, double *ret_y)
{
	const double *end_x = c->x + c->n - length, *end_y = c->y + c->n - length;
	struct straight a, b;

	if (c->x[0] == c->x[length - 1] || end_x[0] == end_x[length - 1])
		return false;
	a = huber_line(c->x, c->y, length, c->scratch);
	b = huber_line(end_x, end_y, length, c->scratch);
	if (parallel(c, a, b, fmin(c->x[length - 1] - c->x[0], end_x[length - 1] - end_x[0])))
		return false;
	*ret_x = (b.intercept - a.intercept) / (a.slope - b.slope);
	*ret_y = a.slope * *ret_x + a.intercept;
	return true;
}

/* The median crossing over lines of growing length, 41 of them from five points up to about half of
 * all; answers how many did cross. */
static size_t median_crossing(th_call *call, const struct curve *c, double *ret_x, double *ret_y)
{
	double x[TRIALS], y[TRIALS], room[TRIALS];
	size_t longest = (size_t)((double)c->n / 2 - LEAST_LINE) + 1, crossed = 0;

	for (size_t trial = 0; trial < TRIALS && !th_cancelled(call); trial++) {
		size_t length = LEAST_LINE + longest * trial / (TRIALS - 1);

		crossed += crossing(c, length, &x[crossed], &y[crossed]);
	}
	if (crossed) {
		*ret_x = twofold_value(median_of(x, crossed, room));
		*ret_y = twofold_value(median_of(y, crossed, room));
	}
	return crossed;
}

static size_t nearest(const struct curve *c, double x, double y)
{
	double least = INFINITY;
	size_t at = 0;

	for (size_t i = 0; i < c->n; i++) {
		double distance = hypot(c->x[i] - x, c->y[i] - y);

		if (distance < least) {
			least = distance;
			at = i;
		}
	}
	return at;
}

static int32_t no_elbow(th_call *call, size_t n, const char *reason)
{
	th_put_null(call, "elbow_index");
	th_put_null(call, "elbow_x");
	th_put_null(call, "elbow_y");
	th_put_integer(call, "n", (int64_t)n);
	give_reason(call, reason);
	return TH_OK;
}

int32_t find_elbow(th_call *call, const void *input)
{
	const struct elbow_in *in = input;
	struct curve c;
	double x = 0, y = 0;
	size_t crossed, at;

	if (in->x.count != in->y.count)
		return refuse_lengths(call, "x", in->x.count, "y", in->y.count);
	if (in->x.count < LEAST_POINTS)
		return th_refuse(call, "x",
				 "An elbow needs %d points at least, and there are %llu.",
				 LEAST_POINTS, (unsigned long long)in->x.count);
	if (!curve_make(call, in, &c))
		return out_of_memory(call);
	if (c.x[0] == c.x[c.n - 1])
		return no_elbow(call, c.n, "There is no variation in x.");
	crossed = median_crossing(call, &c, &x, &y);
	if (th_cancelled(call))
		return TH_CANCELLED;
	if (!crossed)
		return no_elbow(call, c.n,
				"There is no elbow: beginning and end of the curve are parallel.");
	at = c.order[nearest(&c, x, y)].item;
	th_put_integer(call, "elbow_index", (int64_t)at);
	th_put_number(call, "elbow_x", in->x.values[at]);
	th_put_number(call, "elbow_y", in->y.values[at]);
	th_put_integer(call, "n", (int64_t)c.n);
	return TH_OK;
}
