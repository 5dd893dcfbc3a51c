/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models that come back as arguments: checked, and new observations projected by them.
 */
#ifndef TOOLHOST_MULTIVARIATE_MODEL_H
#define TOOLHOST_MULTIVARIATE_MODEL_H

#include "multivariate/projection.h"

/* The level of the limits that fits and predictions state. */
#define MODEL_LEVEL 0.95

/* What both kinds of model have, as it stands in the arguments. Weights and loadings have a row for
 * each column of the data. */
struct model_params {
	struct {
		const char *weights, *loadings, *means, *deviations;
	} names; /* of the arguments, for messages */
	const th_matrix *weights, *loadings;
	const th_numbers *means, *deviations;
	int64_t n_components;
	const th_numbers *score_deviations;
	int64_t n_samples;
	const th_numbers *spe_values;
};

struct prediction {
	size_t rows, components;
	struct projection projection;
	double t2_limit, spe_limit;
};

/* Fails where a list of the model, called `name`, does not have `count` entries. */
int32_t model_check_length(th_call *call, const char *name, uint64_t length, uint64_t count);

/* The same for a matrix. */
int32_t model_check_shape(th_call *call, const char *name, const th_matrix *matrix, uint64_t rows,
			  uint64_t columns);

/* Fails where a number of the answer is not finite. */
int32_t model_check_range(th_call *call, const double *values, size_t count);

/* Checks that the model is one, and within the operator's limits, and projects new rows. A row that
 * differs from the plane by no more than rounding has SPE 0. */
int32_t model_predict(th_call *call, const struct model_params *params, const th_matrix *new_data,
		      struct prediction *ret_prediction);

/* Writes scores, hotellings_t2 and spe. */
void model_put_distances(th_call *call, const struct prediction *prediction);

/* Writes t2_limit and spe_limit, and the reason where a number of either kind is null. */
int32_t model_put_limits(th_call *call, const struct prediction *prediction);

/* The argument, and the fields that these two write. */
#define MODEL_NEW_DATA(S)                                                                 \
	TH_MATRIX(S, new_data, "New rows, with the columns that the model was fitted on, in the same order.", \
		  {"minItems": 1, "items": {"minItems": 1}})
#define MODEL_DISTANCES                                                                   \
	TH_GIVES(scores, TH_KIND_MATRIX, 0, "Scores: a row for each new row, in it one for each component.", {}), \
	TH_GIVES(hotellings_t2, TH_KIND_NUMBERS, TH_GAPS,                                  \
		 "Squared distance of each row from the centre of the model; null where it is infinite, off a component without spread.", \
		 {}),                                                                      \
	TH_GIVES_NUMBERS(spe, "Distance of each row from the plane of the model.", {})

#define MODEL_LIMITS                                                                      \
	TH_GIVES_NUMBER_OR_NULL(t2_limit, "What 95 % of good rows stay below in T2; null where it is infinite, with as many components as samples.", \
				{"minimum": 0}),                                           \
	TH_GIVES_NUMBER(spe_limit, "What 95 % of good rows stay below in SPE.", {"minimum": 0}),     \
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why numbers are null.", {})

#endif
