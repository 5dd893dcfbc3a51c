/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tools of the pack: for each the struct that it receives, its two tables and its function. What is
 * told of them to people and models is in multivariate.c.
 */
#ifndef TOOLHOST_MULTIVARIATE_H
#define TOOLHOST_MULTIVARIATE_H

#include <toolhost/plugin.h>

struct scale_data_in {
	th_matrix data;
	th_texts column_names;
};

extern const th_param scale_data_params[], scale_data_results[];
int32_t scale_data(th_call *call, const void *input);

struct fit_pca_in {
	th_matrix data;
	int64_t n_components;
	th_texts column_names;
};

extern const th_param fit_pca_params[], fit_pca_results[];
int32_t fit_pca(th_call *call, const void *input);

/* What fit_pca gives as model_params and pca_predict takes. */
struct pca_params {
	th_matrix loadings;
	th_numbers means, stds;
	int64_t n_components;
	th_numbers scaling_factor_for_scores;
	int64_t n_samples;
	th_numbers spe_values;
};

struct pca_predict_in {
	struct pca_params model_params;
	th_matrix new_data;
};

extern const th_param pca_predict_params[], pca_predict_results[];
int32_t pca_predict(th_call *call, const void *input);

struct fit_pls_in {
	th_matrix x_data;
	th_numbers y_list; /* y_data is either */
	th_matrix y_rows;
	int64_t n_components;
	th_texts x_column_names, y_column_names;
};

extern const th_param fit_pls_params[], fit_pls_results[];
int32_t fit_pls(th_call *call, const void *input);

/* What fit_pls gives as model_params and pls_predict takes. */
struct pls_params {
	th_matrix x_loadings, y_loadings, direct_weights, beta_coefficients;
	th_numbers x_means, x_stds, y_means, y_stds;
	int64_t n_components;
	th_numbers scaling_factor_for_scores;
	int64_t n_samples;
	th_numbers spe_values;
};

struct pls_predict_in {
	struct pls_params model_params;
	th_matrix new_data;
};

extern const th_param pls_predict_params[], pls_predict_results[];
int32_t pls_predict(th_call *call, const void *input);

struct detect_multivariate_outliers_in {
	th_matrix data;
	int64_t n_components;
	double conf_level;
};

extern const th_param detect_multivariate_outliers_params[], detect_multivariate_outliers_results[];
int32_t detect_multivariate_outliers(th_call *call, const void *input);

#endif
