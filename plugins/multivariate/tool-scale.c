/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scale_data: columns to mean 0 and standard deviation 1.
 */
#include "multivariate/multivariate.h"

#include "multivariate/scaling.h"

const th_param scale_data_params[] = {
	TH_MATRIX(struct scale_data_in, data, "The table: a list of rows, all equally long.",
		  {"minItems": 1, "items": {"minItems": 1}}),
	TH_STRINGS_MAYBE(struct scale_data_in, column_names,
			 "Names of the columns, one for each, all different.", {}),
	TH_END
};

const th_param scale_data_results[] = {
	TH_GIVES(scaled_data, TH_KIND_MATRIX, 0, "The table, centred and divided, row by row.", {}),
	TH_GIVES_NUMBERS(means, "What was subtracted from each column.", {}),
	TH_GIVES_NUMBERS(stds, "What each column was divided by: its standard deviation with n - 1, "
			 "or 1 where it does not vary.", {"items": {"exclusiveMinimum": 0}}),
	TH_END
};

int32_t scale_data(th_call *call, const void *input)
{
	const struct scale_data_in *in = input;
	struct table data;
	struct scaling scaling;
	int32_t r = table_take(call, "data", &in->data, &data);

	if (r == TH_OK)
		r = table_check_names(call, "column_names", &in->column_names, data.columns);
	if (r != TH_OK)
		return r;
	if (data.rows < 2)
		return th_fail(call, "data has one row, and a standard deviation needs two: send "
				     "more rows.");
	r = scaling_fit(call, "data", &data, &scaling);
	if (r != TH_OK)
		return r;
	table_put(call, "scaled_data", scaling.scaled.cells, data.rows, data.columns);
	th_put_numbers(call, "means", scaling.means, data.columns);
	return th_put_numbers(call, "stds", scaling.deviations, data.columns);
}
