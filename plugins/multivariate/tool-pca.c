/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fit_pca, pca_predict and detect_multivariate_outliers: principal components of a table.
 */
#include "multivariate/multivariate.h"

#include "multivariate/limits.h"
#include "multivariate/model.h"
#include "multivariate/pca.h"

#include "common/tool.h"

#define DATA(S)                                                                        \
	TH_MATRIX(S, data, "The table: a list of rows, one an observation, all equally long.", \
		  {"minItems": 3, "items": {"minItems": 1}})
#define COMPONENTS(S)                                                                  \
	TH_INTEGER(S, n_components, "How many components to fit; no more are fitted than the rank of the data.", \
		   {"minimum": 1})

/* ---- fit_pca ------------------------------------------------------------------------------------ */

/* What fit_pca gives and pca_predict takes is one table, so that they cannot differ. */
static const th_param model_fields[] = {
	TH_MATRIX(struct pca_params, loadings, "Loadings: a row for each column of the data, in it one for each component.",
		  {"minItems": 1, "items": {"minItems": 1}}),
	TH_NUMBERS(struct pca_params, means, "Means of the columns.", {"minItems": 1}),
	TH_NUMBERS(struct pca_params, stds, "Standard deviations of the columns; 1 for one that does not vary.",
		   {"minItems": 1, "items": {"exclusiveMinimum": 0}}),
	TH_INTEGER(struct pca_params, n_components, "How many components there are.", {"minimum": 1}),
	TH_NUMBERS(struct pca_params, scaling_factor_for_scores, "Standard deviation of the scores of each component.",
		   {"minItems": 1, "items": {"minimum": 0}}),
	TH_INTEGER(struct pca_params, n_samples, "How many rows the model was fitted on.", {"minimum": 1}),
	TH_NUMBERS(struct pca_params, spe_values, "SPE of each of those rows.",
		   {"minItems": 1, "items": {"minimum": 0}}),
	TH_END
};

const th_param fit_pca_params[] = {
	DATA(struct fit_pca_in),
	COMPONENTS(struct fit_pca_in),
	TH_STRINGS_MAYBE(struct fit_pca_in, column_names,
			 "Names of the columns, one for each, all different.", {}),
	TH_END
};

const th_param fit_pca_results[] = {
	TH_GIVES_INTEGER(n_components, "How many components were fitted: those asked for, or the rank of the data where that is less.",
			 {"minimum": 1}),
	TH_GIVES_INTEGER(n_samples, "Rows of the data.", {}),
	TH_GIVES_INTEGER(n_features, "Columns of the data.", {}),
	TH_GIVES_NUMBERS(explained_variance, "Variance of the scores of each component.", {}),
	TH_GIVES(r2_cumulative, TH_KIND_NUMBERS, TH_GAPS,
		 "Share of the variance that the components up to each explain.", {}),
	TH_GIVES(r2_per_component, TH_KIND_NUMBERS, TH_GAPS,
		 "Share of the variance that each component explains.", {}),
	OUTLIER_RESULTS,
	TH_GIVES_FIELDS(model_params, TH_KIND_OBJECT, 0, model_fields,
			"The model: hand it to pca_predict as it is.", {}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why numbers are null.", {}),
	TH_END
};

/* Takes the data and fits; says so where fewer components were fitted than asked for. */
static int32_t fit(th_call *call, const th_matrix *matrix, int64_t asked, const th_texts *names,
		   struct scaling *ret_scaling, struct pca *ret_pca)
{
	struct table data;
	int32_t r = table_take(call, "data", matrix, &data);

	if (r == TH_OK && names)
		r = table_check_names(call, "column_names", names, data.columns);
	if (r == TH_OK)
		r = scaling_fit(call, "data", &data, ret_scaling);
	if (r == TH_OK)
		r = pca_fit(call, ret_scaling, (size_t)asked, ret_pca);
	if (r == TH_OK && ret_pca->model.count < (uint64_t)asked)
		th_warn(call, "rank",
			"%lld components were asked for, and the data have rank %zu: %zu fitted.",
			(long long)asked, ret_pca->rank, ret_pca->model.count);
	if (r == TH_OK && ret_pca->tied)
		th_warn(call, "tie",
			"Components %zu and %zu explain the same share of the variance: any other "
			"pair of directions in their plane would do as well.",
			ret_pca->tied, ret_pca->tied + 1);
	return r;
}

/* Shares of the variance, NaN where there is none. */
static int32_t put_shares(th_call *call, const struct pca *pca)
{
	double *each = table_doubles(call, pca->model.count);
	double *cumulative = table_doubles(call, pca->model.count);
	double sum = 0;

	if (!each || !cumulative)
		return TH_NO_MEMORY;
	for (size_t a = 0; a < pca->model.count; a++) {
		sum += pca->variances[a];
		each[a] = pca->variances[a] / pca->total_variance;
		cumulative[a] = sum / pca->total_variance;
	}
	th_put_numbers(call, "r2_cumulative", cumulative, pca->model.count);
	return th_put_numbers(call, "r2_per_component", each, pca->model.count);
}

static int32_t put_model(th_call *call, const struct scaling *scaling, const struct pca *pca)
{
	const size_t columns = pca->model.columns, count = pca->model.count;
	double *row = table_doubles(call, count);

	if (!row)
		return TH_NO_MEMORY;
	th_begin_object(call, "model_params");
	table_put_columns(call, "loadings", pca->model.loadings, columns, count, row);
	th_put_numbers(call, "means", scaling->means, columns);
	th_put_numbers(call, "stds", scaling->deviations, columns);
	th_put_integer(call, "n_components", (int64_t)count);
	th_put_numbers(call, "scaling_factor_for_scores", pca->model.deviations, count);
	th_put_integer(call, "n_samples", (int64_t)pca->training.rows);
	th_put_numbers(call, "spe_values", pca->training.spe, pca->training.rows);
	return th_end(call);
}

int32_t fit_pca(th_call *call, const void *input)
{
	const struct fit_pca_in *in = input;
	struct scaling scaling;
	struct pca pca;
	struct outliers outliers;
	int32_t r = fit(call, &in->data, in->n_components, &in->column_names, &scaling, &pca);

	if (r == TH_OK)
		r = find_outliers(call, MODEL_LEVEL, &pca.training, pca.model.count, &outliers);
	if (r != TH_OK)
		return r;
	th_put_integer(call, "n_components", (int64_t)pca.model.count);
	th_put_integer(call, "n_samples", (int64_t)pca.training.rows);
	th_put_integer(call, "n_features", (int64_t)pca.model.columns);
	th_put_numbers(call, "explained_variance", pca.variances, pca.model.count);
	r = put_shares(call, &pca);
	if (r != TH_OK)
		return r;
	put_outliers(call, &outliers, &pca.training);
	r = put_model(call, &scaling, &pca);
	if (r == TH_OK && pca.rank == 0)
		give_reason(call, "No column varies: there is no variance to explain.");
	return r;
}

/* ---- detect_multivariate_outliers --------------------------------------------------------------- */

const th_param detect_multivariate_outliers_params[] = {
	DATA(struct detect_multivariate_outliers_in),
	COMPONENTS(struct detect_multivariate_outliers_in),
	TH_NUMBER_OR(struct detect_multivariate_outliers_in, conf_level, 0.95,
		     "Share of good observations that stay below each limit.",
		     {"minimum": 0.8, "maximum": 0.999}),
	TH_END
};

const th_param detect_multivariate_outliers_results[] = {
	OUTLIER_RESULTS,
	TH_GIVES_NUMBER(t2_limit, "The limit of Hotelling's T2.", {"minimum": 0}),
	TH_GIVES_NUMBER(spe_limit, "The limit of SPE.", {"minimum": 0}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why there can be no outlier.", {}),
	TH_END
};

int32_t detect_multivariate_outliers(th_call *call, const void *input)
{
	const struct detect_multivariate_outliers_in *in = input;
	struct scaling scaling;
	struct pca pca;
	struct outliers outliers;
	int32_t r = fit(call, &in->data, in->n_components, NULL, &scaling, &pca);

	if (r == TH_OK)
		r = find_outliers(call, in->conf_level, &pca.training, pca.model.count, &outliers);
	if (r != TH_OK)
		return r;
	put_outliers(call, &outliers, &pca.training);
	th_put_number(call, "t2_limit", outliers.t2_limit);
	r = th_put_number(call, "spe_limit", outliers.spe_limit);
	if (r == TH_OK && pca.rank == 0)
		give_reason(call, "No column varies: no row can be unlike the others.");
	return r;
}

/* ---- pca_predict -------------------------------------------------------------------------------- */

const th_param pca_predict_params[] = {
	TH_OBJECT(struct pca_predict_in, model_params, struct pca_params, model_fields,
		  "The model_params that fit_pca gave. Keys beside its own are passed over.",
		  {"patternProperties": {"": {}}}),
	MODEL_NEW_DATA(struct pca_predict_in),
	TH_END
};

const th_param pca_predict_results[] = {
	MODEL_DISTANCES,
	TH_GIVES(is_outlier, TH_KIND_BOOLEANS, 0, "Whether each row is above one of the limits.", {}),
	MODEL_LIMITS,
	TH_END
};

int32_t pca_predict(th_call *call, const void *input)
{
	const struct pca_predict_in *in = input;
	const struct pca_params *p = &in->model_params;
	const struct model_params params = {
		{ "loadings", "loadings", "means", "stds" },
		&p->loadings,
		&p->loadings,
		&p->means,
		&p->stds,
		p->n_components,
		&p->scaling_factor_for_scores,
		p->n_samples,
		&p->spe_values,
	};
	struct prediction found;
	int32_t r = model_predict(call, &params, &in->new_data, &found);

	if (r != TH_OK)
		return r;
	model_put_distances(call, &found);
	th_begin_list(call, "is_outlier");
	for (size_t i = 0; i < found.rows; i++)
		th_put_boolean(
			call, NULL,
			found.projection.t2[i] > found.t2_limit + found.projection.t2_noise[i] ||
				found.projection.spe[i] >
					found.spe_limit + found.projection.spe_noise[i]);
	th_end(call);
	return model_put_limits(call, &found);
}
