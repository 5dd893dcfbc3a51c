/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Limits and outliers; see limits.h.
 */
#include "multivariate/limits.h"

#include "multivariate/quantiles.h"

#include "common/esd.h"

#include <float.h>
#include <math.h>

const th_param outlier_fields[] = {
	TH_GIVES_INTEGER(observation, "The row, from 0.", {"minimum": 0}),
	TH_GIVES_STRINGS(outlier_types, "Which distance it is an outlier by.",
			 {"items": {"enum": ["spe", "hotellings_t2"]}}),
	TH_GIVES_NUMBER(spe, "Distance from the plane of the model.", {"minimum": 0}),
	TH_GIVES_NUMBER(hotellings_t2, "Squared distance from the centre, within the plane.",
			{"minimum": 0}),
	TH_GIVES_NUMBER(spe_limit, "The limit of spe.", {"minimum": 0}),
	TH_GIVES_NUMBER(hotellings_t2_limit, "The limit of hotellings_t2.", {"minimum": 0}),
	TH_GIVES_NUMBER(severity, "The larger ratio of a distance to its limit.", {"minimum": 0}),
	TH_END
};

double limit_t2(double level, size_t components, size_t rows)
{
	double a = (double)components, n = (double)rows;

	if (components >= rows)
		return INFINITY;
	return a * (n - 1) * (n + 1) / (n * (n - a)) * quantile_f(level, a, n - a);
}

double limit_spe(double level, const double *spe, size_t rows)
{
	double largest = 0, mean = 0, variance = 0;

	for (size_t i = 0; i < rows; i++)
		largest = fmax(largest, spe[i]);
	if (largest == 0)
		return 0;
	/* In units of the largest, so that no square leaves the range of a double. */
	for (size_t i = 0; i < rows; i++)
		mean += pow(spe[i] / largest, 2) / (double)rows;
	for (size_t i = 0; i < rows; i++)
		variance += pow(pow(spe[i] / largest, 2) - mean, 2) / (double)(rows - 1);
	if (rows < 2 || sqrt(variance) <= sqrt(DBL_EPSILON) * mean)
		return largest * sqrt(mean);
	return largest * sqrt(variance / (2 * mean) *
			      quantile_chi_squared(level, 2 * mean * mean / variance));
}

/* The larger ratio of a distance to its limit, to 4 decimals; a limit of 0, or an infinite one,
 * gives none. */
static double severity_of(double spe, double t2, const struct outliers *limits)
{
	double severity = 0;

	if (limits->spe_limit > 0)
		severity = spe / limits->spe_limit;
	if (limits->t2_limit > 0)
		severity = fmax(severity, t2 / limits->t2_limit);
	return rint(severity * 1e4) / 1e4;
}

/* Gives neighbours that noise parts one value, since a test that divides by their spread would find
 * outliers among them. */
static void drop_noise(double *distances, size_t rows, double noise, struct keyed *scratch)
{
	for (size_t i = 0; i < rows; i++)
		scratch[i] = (struct keyed){ distances[i], i };
	sort_keyed(scratch, rows, scratch + rows);
	for (size_t i = 1; i < rows; i++) {
		const size_t below = (size_t)scratch[i - 1].item;

		if (scratch[i].key - scratch[i - 1].key <= noise)
			distances[scratch[i].item] = distances[below];
	}
}

/* Marks rows in ret_marks that are above the limit, or found by the ESD test. */
static int32_t mark(th_call *call, double level, const double *given, size_t rows,
		    const double *noise, double limit, bool *ret_marks)
{
	const struct esd_options options = { .most = rows < 5 ? 1 : rows / 5, .level = 1 - level };
	int64_t *found = th_allocate(call, options.most, sizeof(*found));
	void *scratch = th_allocate(call, 1, ESD_SCRATCH_BYTES(rows));
	double *distances = th_allocate(call, rows, sizeof(*distances));
	double largest_noise = 0;
	bool spread_gone;
	size_t count;

	if (!found || !scratch || !distances)
		return TH_NO_MEMORY;
	memcpy(distances, given, rows * sizeof(*distances));
	for (size_t i = 0; i < rows; i++)
		largest_noise = fmax(largest_noise, noise[i]);
	drop_noise(distances, rows, largest_noise, scratch);
	count = esd_outliers(distances, rows, &options, found, &spread_gone, scratch);
	for (size_t i = 0; i < count; i++)
		ret_marks[found[i]] = true;
	for (size_t i = 0; i < rows; i++)
		ret_marks[i] |= given[i] > limit + noise[i];
	return TH_OK;
}

static int32_t mark_rows(th_call *call, double level, const struct projection *training,
			 const struct outliers *limits, bool **ret_by_spe, bool **ret_by_t2)
{
	const size_t rows = training->rows;
	bool *marks = th_allocate(call, rows, 2 * sizeof(*marks));
	int32_t r;

	if (!marks)
		return TH_NO_MEMORY;
	memset(marks, 0, 2 * rows * sizeof(*marks));
	*ret_by_spe = marks;
	*ret_by_t2 = marks + rows;
	r = mark(call, level, training->spe, rows, training->spe_noise, limits->spe_limit,
		 *ret_by_spe);
	if (r == TH_OK)
		r = mark(call, level, training->t2, rows, training->t2_noise, limits->t2_limit,
			 *ret_by_t2);
	return r;
}

int32_t find_outliers(th_call *call, double level, const struct projection *training,
		      size_t components, struct outliers *ret_outliers)
{
	const size_t rows = training->rows;
	struct keyed *order = th_allocate(call, rows, 2 * sizeof(*order));
	struct outlier *items = th_allocate(call, rows, sizeof(*items));
	struct outliers o = { limit_t2(level, components, rows),
			      limit_spe(level, training->spe, rows), items, 0 };
	bool *by_spe, *by_t2;
	int32_t r;

	if (!order || !items)
		return TH_NO_MEMORY;
	r = mark_rows(call, level, training, &o, &by_spe, &by_t2);
	if (r != TH_OK)
		return r;
	for (size_t i = 0; i < rows; i++)
		if (by_spe[i] || by_t2[i])
			order[o.count++] =
				(struct keyed){ -severity_of(training->spe[i], training->t2[i], &o),
						i };
	sort_keyed(order, o.count, order + rows);
	for (size_t i = 0; i < o.count; i++) {
		const size_t row = (size_t)order[i].item;

		items[i] = (struct outlier){ row, by_spe[row], by_t2[row], -order[i].key };
	}
	*ret_outliers = o;
	return TH_OK;
}

static void put_outlier(th_call *call, const struct outlier *outlier, const struct outliers *limits,
			const struct projection *training)
{
	th_begin_object(call, NULL);
	th_put_integer(call, "observation", (int64_t)outlier->row);
	th_begin_list(call, "outlier_types");
	if (outlier->by_spe)
		th_put_string(call, NULL, "spe");
	if (outlier->by_t2)
		th_put_string(call, NULL, "hotellings_t2");
	th_end(call);
	th_put_number(call, "spe", training->spe[outlier->row]);
	th_put_number(call, "hotellings_t2", training->t2[outlier->row]);
	th_put_number(call, "spe_limit", limits->spe_limit);
	th_put_number(call, "hotellings_t2_limit", limits->t2_limit);
	th_put_number(call, "severity", outlier->severity);
	th_end(call);
}

void put_outliers(th_call *call, const struct outliers *outliers, const struct projection *training)
{
	th_begin_list(call, "outlier_indices");
	for (size_t i = 0; i < outliers->count; i++)
		th_put_integer(call, NULL, (int64_t)outliers->items[i].row);
	th_end(call);
	th_begin_list(call, "outlier_details");
	for (size_t i = 0; i < outliers->count; i++)
		put_outlier(call, &outliers->items[i], outliers, training);
	th_end(call);
}
