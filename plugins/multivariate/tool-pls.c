/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fit_pls and pls_predict: responses from a table by few components.
 */
#include "multivariate/multivariate.h"

#include "multivariate/model.h"
#include "multivariate/pls.h"

#include <cblas.h>

/* ---- fit_pls ------------------------------------------------------------------------------------ */

/* What fit_pls gives and pls_predict takes is one table, so that they cannot differ. */
static const th_param model_fields[] = {
	TH_MATRIX(struct pls_params, x_loadings, "Loadings of x: a row for each of its columns, in it one for each component.",
		  {"minItems": 1, "items": {"minItems": 1}}),
	TH_MATRIX(struct pls_params, y_loadings, "Loadings of y: a row for each response, in it one for each component.",
		  {"minItems": 1, "items": {"minItems": 1}}),
	TH_MATRIX(struct pls_params, direct_weights, "Scaled x times these are the scores: a row for each column of x.",
		  {"minItems": 1, "items": {"minItems": 1}}),
	TH_MATRIX(struct pls_params, beta_coefficients, "Scaled x times these are scaled y: a row for each column of x.",
		  {"minItems": 1, "items": {"minItems": 1}}),
	TH_NUMBERS(struct pls_params, x_means, "Means of the columns of x.", {"minItems": 1}),
	TH_NUMBERS(struct pls_params, x_stds, "Their standard deviations; 1 for one that does not vary.",
		   {"minItems": 1, "items": {"exclusiveMinimum": 0}}),
	TH_NUMBERS(struct pls_params, y_means, "Means of the responses.", {"minItems": 1}),
	TH_NUMBERS(struct pls_params, y_stds, "Their standard deviations; 1 for one that does not vary.",
		   {"minItems": 1, "items": {"exclusiveMinimum": 0}}),
	TH_INTEGER(struct pls_params, n_components, "How many components there are.", {"minimum": 1}),
	TH_NUMBERS(struct pls_params, scaling_factor_for_scores, "Standard deviation of the scores of each component.",
		   {"minItems": 1, "items": {"minimum": 0}}),
	TH_INTEGER(struct pls_params, n_samples, "How many rows the model was fitted on.", {"minimum": 1}),
	TH_NUMBERS(struct pls_params, spe_values, "SPE of each of those rows.",
		   {"minItems": 1, "items": {"minimum": 0}}),
	TH_END
};

static const th_param y_data_arms[] = {
	TH_NUMBERS_MAYBE(struct fit_pls_in, y_list, "One response.", {"minItems": 3}),
	TH_MATRIX_MAYBE(struct fit_pls_in, y_rows, "One or more responses a row.",
			{"minItems": 3, "items": {"minItems": 1}}),
	TH_END
};

const th_param fit_pls_params[] = {
	TH_MATRIX(struct fit_pls_in, x_data, "The predictors: a list of rows, one an observation, all equally long.",
		  {"minItems": 3, "items": {"minItems": 1}}),
	TH_EITHER(y_data, y_data_arms, "The responses, as many rows as x_data: a list of numbers, or of rows.", {}),
	TH_INTEGER(struct fit_pls_in, n_components, "How many components to fit, at most; fitting ends where x is used up or y explained.",
		   {"minimum": 1}),
	TH_STRINGS_MAYBE(struct fit_pls_in, x_column_names, "Names of the columns of x_data, all different.", {}),
	TH_STRINGS_MAYBE(struct fit_pls_in, y_column_names, "Names of the responses, all different.", {}),
	TH_END
};

const th_param fit_pls_results[] = {
	TH_GIVES_INTEGER(n_components, "How many components were fitted.", {"minimum": 1}),
	TH_GIVES_NUMBERS(r2x_cumulative, "Share of the variance of y that the components up to each explain.", {}),
	TH_GIVES_NUMBERS(r2_per_component, "Share of the variance of y that each component adds.", {}),
	TH_GIVES(rmse, TH_KIND_MATRIX, 0, "Root mean squared error of fit, in scaled units: a row for each response, in it one for each number of components.", {}),
	TH_GIVES(coefficients, TH_KIND_MATRIX, 0, "Scaled x times these are scaled y: a row for each column of x, in it one for each response.", {}),
	TH_GIVES_FIELDS(model_params, TH_KIND_OBJECT, 0, model_fields,
			"The model: hand it to pls_predict as it is.", {}),
	TH_END
};

/* Takes y_data, in either form, as a table. */
static int32_t take_responses(th_call *call, const struct fit_pls_in *in, struct table *ret_table)
{
	if (!in->y_list.values)
		return table_take(call, "y_data", &in->y_rows, ret_table);
	*ret_table = (struct table){ in->y_list.values, (size_t)in->y_list.count, 1 };
	return table_check_rows(call, "y_data", in->y_list.count);
}

static int32_t take(th_call *call, const struct fit_pls_in *in, struct scaling *ret_x,
		    struct scaling *ret_y)
{
	struct table x, y;
	int32_t r = table_take(call, "x_data", &in->x_data, &x);

	if (r == TH_OK)
		r = take_responses(call, in, &y);
	if (r == TH_OK && x.rows != y.rows)
		r = th_fail(call,
			    "x_data has %zu rows and y_data %zu: send a response for each row.",
			    x.rows, y.rows);
	if (r == TH_OK)
		r = table_check_names(call, "x_column_names", &in->x_column_names, x.columns);
	if (r == TH_OK)
		r = table_check_names(call, "y_column_names", &in->y_column_names, y.columns);
	if (r == TH_OK)
		r = scaling_fit(call, "x_data", &x, ret_x);
	if (r == TH_OK)
		r = scaling_fit(call, "y_data", &y, ret_y);
	return r;
}

static void put_explained(th_call *call, const struct pls *pls)
{
	th_put_numbers(call, "r2x_cumulative", pls->explained, pls->model.count);
	th_begin_list(call, "r2_per_component");
	for (size_t a = 0; a < pls->model.count; a++)
		th_put_number(call, NULL, pls->explained[a] - (a ? pls->explained[a - 1] : 0));
	th_end(call);
}

static void put_model(th_call *call, const struct scaling *x, const struct scaling *y,
		      const struct pls *pls, double *row)
{
	const size_t columns = pls->model.columns, count = pls->model.count;
	const size_t responses = y->scaled.columns;

	th_begin_object(call, "model_params");
	table_put_columns(call, "x_loadings", pls->model.loadings, columns, count, row);
	table_put_columns(call, "y_loadings", pls->y_loadings, responses, count, row);
	table_put_columns(call, "direct_weights", pls->model.weights, columns, count, row);
	table_put(call, "beta_coefficients", pls->coefficients, columns, responses);
	th_put_numbers(call, "x_means", x->means, columns);
	th_put_numbers(call, "x_stds", x->deviations, columns);
	th_put_numbers(call, "y_means", y->means, responses);
	th_put_numbers(call, "y_stds", y->deviations, responses);
	th_put_integer(call, "n_components", (int64_t)count);
	th_put_numbers(call, "scaling_factor_for_scores", pls->model.deviations, count);
	th_put_integer(call, "n_samples", (int64_t)x->scaled.rows);
	th_put_numbers(call, "spe_values", pls->spe, x->scaled.rows);
	th_end(call);
}

int32_t fit_pls(th_call *call, const void *input)
{
	const struct fit_pls_in *in = input;
	struct scaling x, y;
	struct pls pls;
	double *row;
	int32_t r = take(call, in, &x, &y);

	if (r == TH_OK)
		r = pls_fit(call, &x, &y, (size_t)in->n_components, &pls);
	if (r != TH_OK)
		return r;
	row = table_doubles(call, pls.model.count);
	if (!row)
		return TH_NO_MEMORY;
	if (pls.ended)
		th_warn(call, "rank", "%lld components were asked for, and %zu fitted: %s.",
			(long long)in->n_components, pls.model.count, pls.ended);
	th_put_integer(call, "n_components", (int64_t)pls.model.count);
	put_explained(call, &pls);
	table_put_columns(call, "rmse", pls.rmse, y.scaled.columns, pls.model.count, row);
	table_put(call, "coefficients", pls.coefficients, x.scaled.columns, y.scaled.columns);
	put_model(call, &x, &y, &pls, row);
	return TH_OK;
}

/* ---- pls_predict -------------------------------------------------------------------------------- */

const th_param pls_predict_params[] = {
	TH_OBJECT(struct pls_predict_in, model_params, struct pls_params, model_fields,
		  "The model_params that fit_pls gave. Keys beside its own are passed over.",
		  {"patternProperties": {"": {}}}),
	MODEL_NEW_DATA(struct pls_predict_in),
	TH_END
};

const th_param pls_predict_results[] = {
	TH_GIVES(y_hat, TH_KIND_MATRIX, 0, "Predicted responses, in their own units: a row for each new row.", {}),
	MODEL_DISTANCES,
	MODEL_LIMITS,
	TH_END
};

/* Checks what the model has beyond the part that it shares with PCA. */
static int32_t check_responses(th_call *call, const struct pls_params *p)
{
	const uint64_t responses = p->y_means.count;
	int32_t r = table_check_columns(call, "model_params", responses);

	if (r == TH_OK)
		r = model_check_length(call, "y_stds", p->y_stds.count, responses);
	if (r == TH_OK)
		r = model_check_shape(call, "y_loadings", &p->y_loadings, responses,
				      (uint64_t)p->n_components);
	if (r == TH_OK)
		r = model_check_shape(call, "beta_coefficients", &p->beta_coefficients,
				      p->x_means.count, responses);
	return r;
}

/* Writes y_hat: the scores times the loadings of y, back in units of the responses. */
static int32_t put_responses(th_call *call, const struct pls_params *p,
			     const struct prediction *prediction)
{
	const size_t rows = prediction->rows, responses = (size_t)p->y_means.count;
	const int count = (int)prediction->components;
	double *y = table_doubles(call, rows * responses);

	if (!y)
		return TH_NO_MEMORY;
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)responses, count, 1,
		    prediction->projection.scores, count, p->y_loadings.values, count, 0, y,
		    (int)responses);
	for (size_t i = 0; i < rows * responses; i++)
		y[i] = y[i] * p->y_stds.values[i % responses] + p->y_means.values[i % responses];
	table_put(call, "y_hat", y, rows, responses);
	return model_check_range(call, y, rows * responses);
}

int32_t pls_predict(th_call *call, const void *input)
{
	const struct pls_predict_in *in = input;
	const struct pls_params *p = &in->model_params;
	const struct model_params params = {
		{ "direct_weights", "x_loadings", "x_means", "x_stds" },
		&p->direct_weights,
		&p->x_loadings,
		&p->x_means,
		&p->x_stds,
		p->n_components,
		&p->scaling_factor_for_scores,
		p->n_samples,
		&p->spe_values,
	};
	struct prediction prediction;
	int32_t r = model_predict(call, &params, &in->new_data, &prediction);

	if (r == TH_OK)
		r = check_responses(call, p);
	if (r == TH_OK)
		r = put_responses(call, p, &prediction);
	if (r != TH_OK)
		return r;
	model_put_distances(call, &prediction);
	return model_put_limits(call, &prediction);
}
