/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models that come back as arguments; see model.h.
 */
#include "multivariate/model.h"

#include "multivariate/limits.h"
#include "multivariate/scaling.h"

#include "common/tool.h"

#include <math.h>

int32_t model_check_length(th_call *call, const char *name, uint64_t length, uint64_t count)
{
	if (length == count)
		return TH_OK;
	return th_fail(call,
		       "In model_params, %s has %llu entries where the rest of the model has %llu: "
		       "hand the model over as it was fitted.",
		       name, (unsigned long long)length, (unsigned long long)count);
}

int32_t model_check_shape(th_call *call, const char *name, const th_matrix *matrix, uint64_t rows,
			  uint64_t columns)
{
	if (matrix->rows == rows && matrix->columns == columns)
		return TH_OK;
	return th_fail(call,
		       "In model_params, %s is %llu by %llu where the rest of the model wants %llu "
		       "by %llu: hand the model over as it was fitted.",
		       name, (unsigned long long)matrix->rows, (unsigned long long)matrix->columns,
		       (unsigned long long)rows, (unsigned long long)columns);
}

int32_t model_check_range(th_call *call, const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(values[i]))
			return th_fail(
				call,
				"The model and new_data give numbers beyond the range of a double: "
				"hand the model over as it was fitted, and leave out rows that are "
				"absurdly far from it.");
	return TH_OK;
}

static int32_t check_sizes(th_call *call, const struct model_params *p)
{
	const uint64_t columns = p->means->count;
	int32_t r = table_check_columns(call, "model_params", columns);

	if (r == TH_OK)
		r = table_check_rows(call, "model_params", (uint64_t)p->n_samples);
	if (r == TH_OK)
		r = table_check_rows(call, "model_params", p->spe_values->count);
	if (r == TH_OK && (p->n_components > p->n_samples || (uint64_t)p->n_components > columns))
		r = th_fail(
			call,
			"In model_params, n_components is %lld, n_samples %lld and the columns "
			"are %llu: a model cannot have more components than samples or columns.",
			(long long)p->n_components, (long long)p->n_samples,
			(unsigned long long)columns);
	return r;
}

static int32_t check_shapes(th_call *call, const struct model_params *p)
{
	const uint64_t columns = p->means->count, count = (uint64_t)p->n_components;
	int32_t r = model_check_length(call, p->names.deviations, p->deviations->count, columns);

	if (r == TH_OK)
		r = model_check_shape(call, p->names.loadings, p->loadings, columns, count);
	if (r == TH_OK)
		r = model_check_shape(call, p->names.weights, p->weights, columns, count);
	if (r == TH_OK)
		r = model_check_length(call, "scaling_factor_for_scores",
				       p->score_deviations->count, count);
	return r;
}

/* One component after the other, as the numerics have them. */
static const double *turn(th_call *call, const th_matrix *matrix)
{
	double *turned = table_doubles(call, (size_t)(matrix->rows * matrix->columns));

	if (turned)
		table_transpose(matrix->values, (size_t)matrix->rows, (size_t)matrix->columns,
				turned);
	return turned;
}

int32_t model_predict(th_call *call, const struct model_params *params, const th_matrix *new_data,
		      struct prediction *ret_prediction)
{
	struct prediction p = { .components = (size_t)params->n_components };
	struct components model;
	struct table data;
	double *cells, *noise;
	int32_t r = table_take(call, "new_data", new_data, &data);

	if (r == TH_OK)
		r = check_sizes(call, params);
	if (r == TH_OK)
		r = check_shapes(call, params);
	if (r != TH_OK)
		return r;
	if (data.columns != params->means->count)
		return th_fail(
			call,
			"new_data has %zu columns and the model %llu: send the columns that it was "
			"fitted on.",
			data.columns, (unsigned long long)params->means->count);
	r = scaling_apply(call, &data, params->means->values, params->deviations->values, &cells,
			  &noise);
	if (r != TH_OK)
		return r;
	model = (struct components){ p.components, data.columns, turn(call, params->weights),
				     turn(call, params->loadings),
				     params->score_deviations->values };
	if (!model.weights || !model.loadings)
		return TH_NO_MEMORY;
	data.cells = cells;
	r = project(call, &model, &data, noise, &p.projection);
	p.rows = data.rows;
	p.t2_limit = limit_t2(MODEL_LEVEL, p.components, (size_t)params->n_samples);
	p.spe_limit = limit_spe(MODEL_LEVEL, params->spe_values->values,
				(size_t)params->spe_values->count);
	if (r == TH_OK)
		r = model_check_range(call, p.projection.scores, p.rows * p.components);
	if (r == TH_OK)
		r = model_check_range(call, p.projection.spe, p.rows);
	if (r == TH_OK)
		r = model_check_range(call, &p.spe_limit, 1);
	*ret_prediction = p;
	return r;
}

/* Why numbers of the answer are null, or NULL where none is. */
static const char *reason_of(const struct prediction *prediction)
{
	bool unbounded = !isfinite(prediction->t2_limit), infinite = false;

	for (size_t i = 0; i < prediction->rows; i++)
		infinite |= !isfinite(prediction->projection.t2[i]);
	if (infinite && unbounded)
		return "A row is infinitely far from the centre of the model, which has as many "
		       "components as samples, so that T2 has no limit.";
	if (infinite)
		return "A row is infinitely far from the centre of the model: off a component "
		       "without spread, or beyond the range of a double.";
	return unbounded ? "The model has as many components as samples, so that T2 has no limit."
			 : NULL;
}

void model_put_distances(th_call *call, const struct prediction *prediction)
{
	const size_t rows = prediction->rows;

	table_put(call, "scores", prediction->projection.scores, rows, prediction->components);
	th_put_numbers(call, "hotellings_t2", prediction->projection.t2, rows);
	th_put_numbers(call, "spe", prediction->projection.spe, rows);
}

int32_t model_put_limits(th_call *call, const struct prediction *prediction)
{
	th_put_number(call, "t2_limit", prediction->t2_limit);
	th_put_number(call, "spe_limit", prediction->spe_limit);
	give_reason(call, reason_of(prediction));
	return TH_OK;
}
