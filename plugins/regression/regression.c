/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * regression: straight lines that outliers do not bend.
 */
#include "common/line.h"
#include "common/order.h"
#include "common/student.h"
#include "common/tool.h"

#include <math.h>

#define GRID 50 /* points at which the prediction interval is given */

/* Points that are accepted where the host does not say; max_regression_points is its setting. */
#define POINTS_MAX 5000

struct robust_in {
	th_numbers x;
	th_numbers y;
	double confidence_level;
	int32_t fit_intercept;
};

struct slope_in {
	th_numbers x;
	th_numbers y;
};

/* clang-format off */
static const th_param robust_params[] = {
	TH_NUMBERS(struct robust_in, x, "Where each point was measured.", {"minItems": 3}),
	TH_NUMBERS(struct robust_in, y, "What was measured there, in the same order.", {"minItems": 3}),
	TH_NUMBER_OR(struct robust_in, confidence_level, 0.95, "Level of the intervals, between 0 and 1.",
		     {"exclusiveMinimum": 0, "exclusiveMaximum": 1}),
	TH_BOOLEAN_OR(struct robust_in, fit_intercept, 1, "false: the line goes through the origin.", {}),
	TH_END
};

static const th_param robust_results[] = {
	TH_GIVES_NUMBER_OR_NULL(slope, "Repeated median slope, in units of y per unit of x.", {}),
	TH_GIVES_NUMBER_OR_NULL(intercept, "Median of y - slope x; 0 with fit_intercept false.", {}),
	TH_GIVES_NUMBER_OR_NULL(r2, "Share of the regression in the sum of squares of regression and residuals.", {"minimum": 0, "maximum": 1}),
	TH_GIVES_NUMBER_OR_NULL(standard_error, "Standard deviation of the residuals, in the unit of y.", {"minimum": 0}),
	TH_GIVES_NUMBER_OR_NULL(slope_std_error, "Standard error of the slope.", {"minimum": 0}),
	TH_GIVES_INTEGER(n, "Number of points.", {"minimum": 3}),
	TH_GIVES(fitted_values, TH_KIND_NUMBERS, TH_GAPS, "The line at each x.", {}),
	TH_GIVES(residuals, TH_KIND_NUMBERS, TH_GAPS, "y less the line at each x.", {}),
	TH_GIVES_NUMBER(confidence_level, "The level asked for.", {}),
	TH_GIVES(slope_confidence_interval, TH_KIND_NUMBERS, TH_GAPS, "Lower and upper end of the interval of the slope.", {"minItems": 2, "maxItems": 2}),
	TH_GIVES_NUMBERS(prediction_interval_x, "50 places from the least to the greatest x.", {}),
	TH_GIVES(prediction_interval_lower, TH_KIND_NUMBERS, TH_GAPS, "Lower end of the interval of a new measurement at each of them.", {}),
	TH_GIVES(prediction_interval_upper, TH_KIND_NUMBERS, TH_GAPS, "Upper end of that interval.", {}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why numbers are null.", {}),
	TH_END
};

static const th_param slope_params[] = {
	TH_NUMBERS(struct slope_in, x, "Where each point was measured.", {"minItems": 3}),
	TH_NUMBERS(struct slope_in, y, "What was measured there, in the same order.", {"minItems": 3}),
	TH_END
};

static const th_param slope_results[] = {
	TH_GIVES_NUMBER_OR_NULL(slope, "Repeated median slope, in units of y per unit of x.", {}),
	TH_GIVES_INTEGER(n, "Number of points.", {"minimum": 3}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why slope is null.", {}),
	TH_END
};
/* clang-format on */

/* Why there is no slope. */
static const char *slope_reason(th_numbers x)
{
	struct moments m = moments_of(x.values, (size_t)x.count);

	return m.least == m.greatest ? "There is no variation in x, so that no slope is defined."
				     : BEYOND_RANGE;
}

static bool caller_gave_up(void *owner)
{
	return th_cancelled(owner) != 0;
}

/* The slope of the points, NaN where none is defined. */
static int32_t find_slope(th_call *call, th_numbers x, th_numbers y, double *ret_slope)
{
	struct interrupt interrupt = { caller_gave_up, call };
	int64_t limit = th_setting_whole(call, "max_regression_points", POINTS_MAX);
	void *scratch;

	if (x.count != y.count)
		return refuse_lengths(call, "x", x.count, "y", y.count);
	if (x.count > (uint64_t)limit)
		return th_refuse(
			call, "x",
			"There are %llu points, and at most %lld are taken: send fewer, every "
			"k-th say, or have the operator raise max_regression_points.",
			(unsigned long long)x.count, (long long)limit);
	scratch = th_allocate(call, REPEATED_MEDIAN_BYTES(x.count), 1);
	if (!scratch)
		return out_of_memory(call);
	*ret_slope = repeated_median_slope(x.values, y.values, (size_t)x.count, scratch, interrupt);
	return isnan(*ret_slope) && th_cancelled(call) ? TH_CANCELLED : TH_OK;
}

static int32_t repeated_median(th_call *call, const void *input)
{
	const struct slope_in *in = input;
	double slope = NAN;
	int32_t r = find_slope(call, in->x, in->y, &slope);

	if (r != TH_OK)
		return r;
	th_put_number(call, "slope", slope);
	th_put_integer(call, "n", (int64_t)in->x.count);
	if (!isfinite(slope))
		give_reason(call, slope_reason(in->x));
	return TH_OK;
}

/* ---- The whole line --------------------------------------------------------------------- */

struct line {
	size_t n;
	bool through_origin;
	struct moments x;
	struct moments y;
	double x_root; /* of the sum of squares of x */
	double x_pivot, y_pivot; /* medians: the line is counted from there; not through the origin */
	double slope;
	double height; /* of the line at x_pivot, from y_pivot */
	double intercept;
	double r2;
	double standard_error;
	double slope_std_error;
	double freedom;
	bool beyond; /* an end of an interval is beyond a double */
	double *fitted;
	double *residuals;
};

/* The line at so much from x_pivot, counted from y_pivot. Far from 0 that keeps the digits which an
 * intercept far away would cost; and unlike means, medians stay near the points when one of them lies
 * far off. */
static double line_from_pivot(const struct line *line, double from_pivot)
{
	return line->height + line->slope * from_pivot;
}

/* The line at x, which is `from_pivot` off x_pivot. */
static double line_at(const struct line *line, double x, double from_pivot)
{
	if (line->through_origin)
		return line->slope * x;
	return line->y_pivot + line_from_pivot(line, from_pivot);
}

/* The one in the middle, or the upper of two. `room` is for twice the values. */
static double middle_of(th_numbers numbers, double *room)
{
	size_t n = (size_t)numbers.count;

	memcpy(room, numbers.values, n * sizeof(*room));
	return select_rank(room, n, n / 2, room + n);
}

/* The median of what the slope leaves of y. `room` is for twice the points. */
static void find_height(struct line *line, const struct robust_in *in, double *room)
{
	line->x_pivot = middle_of(in->x, room);
	line->y_pivot = middle_of(in->y, room);
	for (size_t i = 0; i < line->n; i++)
		room[i] = in->y.values[i] - line->y_pivot -
			  line->slope * (in->x.values[i] - line->x_pivot);
	line->height = twofold_value(median_of(room, line->n, room + line->n));
	line->intercept = fma(-line->slope, line->x_pivot, line->y_pivot) + line->height;
}

/* Fitted values and residuals, and what they say about the fit. `room` is for the points. */
static void judge_fit(struct line *line, const struct robust_in *in, double *room)
{
	double regression, rest;
	double above = -deviation(line->y_pivot, line->y.mean); /* the mean of y, from y_pivot */

	for (size_t i = 0; i < line->n; i++) {
		double x = in->x.values[i], y = in->y.values[i], from_pivot = x - line->x_pivot;

		line->fitted[i] = line_at(line, x, from_pivot);
		line->residuals[i] = line->through_origin ? fma(-line->slope, x, y)
							  : y - line->y_pivot -
								    line_from_pivot(line, from_pivot);
		room[i] = line->through_origin ? deviation(line->fitted[i], line->y.mean)
					       : line_from_pivot(line, from_pivot) - above;
	}
	regression = root_of_squares(room, line->n);
	rest = root_of_squares(line->residuals, line->n);
	line->r2 = regression > 0 ? 1 / (1 + (rest / regression) * (rest / regression))
				  : (rest > 0 ? 0 : NAN);
	line->standard_error = rest / sqrt(line->freedom);
	/* About the mean also for a line through the origin; the prediction interval alone is not.
	 */
	line->slope_std_error = line->standard_error / line->x.norm;
}

/* No slope, no line. */
static void leave_open(struct line *line)
{
	line->height = line->r2 = line->standard_error = line->slope_std_error = NAN;
	if (!line->through_origin)
		line->intercept = NAN;
	for (size_t i = 0; i < line->n; i++)
		line->fitted[i] = line->residuals[i] = NAN;
}

/* The error of a new measurement at x, in standard errors of the fit. */
static double prediction_error(const struct line *line, double x, double from_mean)
{
	double far;

	if (line->through_origin) {
		far = x / line->x_root;
		return sqrt(1 + far * far);
	}
	far = from_mean / line->x.norm;
	return sqrt(1 + 1 / (double)line->n + far * far);
}

static void put_intervals(th_call *call, struct line *line, const struct robust_in *in)
{
	double reach = student_reach(in->confidence_level, line->freedom);
	double slope[2] = { line->slope - reach * line->slope_std_error,
			    line->slope + reach * line->slope_std_error };
	/* From the mean and the pivot, so that steps of the grid far from 0 are not those of the
	 * doubles there. */
	double first = deviation(line->x.least, line->x.mean);
	double last = deviation(line->x.greatest, line->x.mean);
	double low = line->x.least - line->x_pivot, high = line->x.greatest - line->x_pivot;
	double x[GRID], lower[GRID], upper[GRID];

	for (int i = 0; i < GRID; i++) {
		double part = (double)i / (GRID - 1), from_mean, centre, half;

		x[i] = line->x.least * (1 - part) + line->x.greatest * part;
		from_mean = first * (1 - part) + last * part;
		centre = line_at(line, x[i], low * (1 - part) + high * part);
		half = reach * line->standard_error * prediction_error(line, x[i], from_mean);
		lower[i] = centre - half;
		upper[i] = centre + half;
		line->beyond |= !isfinite(lower[i]) || !isfinite(upper[i]);
	}
	line->beyond |= !isfinite(slope[0]) || !isfinite(slope[1]);
	th_put_numbers(call, "slope_confidence_interval", slope, 2);
	th_put_numbers(call, "prediction_interval_x", x, GRID);
	th_put_numbers(call, "prediction_interval_lower", lower, GRID);
	th_put_numbers(call, "prediction_interval_upper", upper, GRID);
}

static const char *line_reason(const struct line *line, th_numbers x)
{
	if (!isfinite(line->slope))
		return slope_reason(x);
	if (line->beyond || !isfinite(line->standard_error) || !isfinite(line->slope_std_error))
		return BEYOND_RANGE;
	return isnan(line->r2) ? "There is no variation in y, so that r2 would be 0/0." : NULL;
}

static int32_t robust_regression(th_call *call, const void *input)
{
	const struct robust_in *in = input;
	struct line line = { .n = (size_t)in->x.count,
			     .through_origin = !in->fit_intercept,
			     .slope = NAN };
	double *room = th_allocate(call, 4 * in->x.count, sizeof(*room));
	int32_t r = find_slope(call, in->x, in->y, &line.slope);

	if (r != TH_OK)
		return r;
	if (!room)
		return out_of_memory(call);
	line.x = moments_of(in->x.values, line.n);
	line.y = moments_of(in->y.values, line.n);
	line.freedom = (double)line.n - (line.through_origin ? 1 : 2);
	line.fitted = room + 2 * line.n;
	line.residuals = room + 3 * line.n;
	line.x_root = root_of_squares(in->x.values, line.n);
	if (isnan(line.slope)) {
		leave_open(&line);
	} else {
		if (!line.through_origin)
			find_height(&line, in, room);
		judge_fit(&line, in, room);
	}
	th_put_number(call, "slope", line.slope);
	th_put_number(call, "intercept", line.intercept);
	th_put_number(call, "r2", line.r2);
	th_put_number(call, "standard_error", line.standard_error);
	th_put_number(call, "slope_std_error", line.slope_std_error);
	th_put_integer(call, "n", (int64_t)line.n);
	th_put_numbers(call, "fitted_values", line.fitted, line.n);
	th_put_numbers(call, "residuals", line.residuals, line.n);
	th_put_number(call, "confidence_level", in->confidence_level);
	put_intervals(call, &line, in);
	give_reason(call, line_reason(&line, in->x));
	return TH_OK;
}

/* clang-format off */
static const th_tool tools[] = {
	TH_TOOL(robust_regression, struct robust_in, robust_params, robust_results,
		"Fit a robust line",
		"Fits a straight line that up to half of the points cannot spoil (Siegel's repeated median), with errors, intervals, residuals and a band for new measurements. Use it for trends, calibrations and relations between two variables when outliers are possible; repeated_median gives the slope alone.",
		{"category": "regression", "threads": "parallel", "cacheable": true,
		 "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"title": "A calibration", "arguments": {"x": [1, 2, 3, 4, 5], "y": [2.1, 4.0, 5.9, 8.1, 10.0]}},
			      {"title": "Through the origin, 90 % intervals", "arguments": {"x": [1, 2, 3, 4, 5], "y": [2.1, 4.0, 5.9, 8.1, 30.0], "confidence_level": 0.9, "fit_intercept": false}}]}),
	TH_TOOL(repeated_median, struct slope_in, slope_params, slope_results,
		"Robust slope",
		"The slope of Siegel's repeated median line: how much y changes for each unit of x, whatever up to half of the points do. Use it for a trend in a series with outliers when only the rate is asked for; robust_regression gives the whole line.",
		{"category": "regression", "threads": "parallel", "cacheable": true,
		 "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"title": "One point off the line", "arguments": {"x": [1, 2, 3, 4, 5], "y": [5, 7, 9, 11, 100]},
			       "result": {"slope": 2, "n": 5}}]}),
};

TH_PACK(tools, {"version": "1.0.0",
		"summary": "Straight lines that outliers do not bend.",
		"license": "GPL-3.0-or-later"})
