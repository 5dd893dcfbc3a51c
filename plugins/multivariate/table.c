/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of data; see table.h.
 */
#include "multivariate/table.h"

#include <toolhost/settings.h>

double *table_doubles(th_call *call, size_t count)
{
	return (double *)th_allocate(call, count, sizeof(double));
}

/* LAPACK counts in int, so a setting beyond that has no effect. */
static int32_t check_limit(th_call *call, const char *name, uint64_t count, const char *what,
			   const char *setting, int64_t otherwise)
{
	int64_t limit = th_setting_whole(call, setting, otherwise);

	if (limit > INT32_MAX)
		limit = INT32_MAX;
	if (count <= (uint64_t)limit)
		return TH_OK;
	return th_fail(call,
		       "%s has %llu %s, and %lld are allowed: send fewer, or raise the setting %s.",
		       name, (unsigned long long)count, what, (long long)limit, setting);
}

int32_t table_check_rows(th_call *call, const char *name, uint64_t count)
{
	return check_limit(call, name, count, "rows", "max_matrix_rows", 10000);
}

int32_t table_check_columns(th_call *call, const char *name, uint64_t count)
{
	return check_limit(call, name, count, "columns", "max_matrix_cols", 500);
}

int32_t table_take(th_call *call, const char *name, const th_matrix *matrix,
		   struct table *ret_table)
{
	int32_t r = table_check_rows(call, name, matrix->rows);

	if (r == TH_OK)
		r = table_check_columns(call, name, matrix->columns);
	ret_table->cells = matrix->values;
	ret_table->rows = (size_t)matrix->rows;
	ret_table->columns = (size_t)matrix->columns;
	return r;
}

int32_t table_check_names(th_call *call, const char *name, const th_texts *names, size_t columns)
{
	if (!names->values)
		return TH_OK;
	if (names->count != columns)
		return th_fail(
			call, "%s has %llu names and the data have %zu columns: give one for each.",
			name, (unsigned long long)names->count, columns);
	for (size_t i = 1; i < columns; i++)
		for (size_t j = 0; j < i; j++) {
			const th_text *a = &names->values[i], *b = &names->values[j];

			if (a->length == b->length && !memcmp(a->data, b->data, (size_t)a->length))
				return th_fail(call,
					       "In %s, columns %zu and %zu have the same name: "
					       "give every column its own.",
					       name, j, i);
		}
	return TH_OK;
}

void table_put(th_call *call, const char *key, const double *cells, size_t rows, size_t columns)
{
	th_begin_list(call, key);
	for (size_t i = 0; i < rows; i++)
		th_put_numbers(call, NULL, cells + i * columns, columns);
	th_end(call);
}

void table_put_columns(th_call *call, const char *key, const double *cells, size_t rows,
		       size_t columns, double *row)
{
	th_begin_list(call, key);
	for (size_t i = 0; i < rows; i++) {
		for (size_t j = 0; j < columns; j++)
			row[j] = cells[j * rows + i];
		th_put_numbers(call, NULL, row, columns);
	}
	th_end(call);
}

void table_transpose(const double *cells, size_t rows, size_t columns, double *ret_cells)
{
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < columns; j++)
			ret_cells[j * rows + i] = cells[i * columns + j];
}
