/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of data as the tools of this pack take and give them: limits, column names, memory.
 *
 * Functions of this pack that answer int32_t answer TH_OK, or the code that the tool is to return;
 * the call has been told the reason then.
 */
#ifndef TOOLHOST_MULTIVARIATE_TABLE_H
#define TOOLHOST_MULTIVARIATE_TABLE_H

#include <toolhost/plugin.h>

#include <stddef.h>

/* Rows x columns, row by row: cell (i, j) is cells[i * columns + j]. All cells are finite. */
struct table {
	const double *cells;
	size_t rows, columns;
};

/* Room for `count` doubles that lives as long as the call; NULL when there is none. */
double *table_doubles(th_call *call, size_t count);

/* Takes the argument `name` as a table. Fails where it passes the operator's max_matrix_rows or
 * max_matrix_cols. */
int32_t table_take(th_call *call, const char *name, const th_matrix *matrix,
		   struct table *ret_table);

/* Fails where a list of the argument `name` is longer than a table may have rows, or columns. */
int32_t table_check_rows(th_call *call, const char *name, uint64_t count);
int32_t table_check_columns(th_call *call, const char *name, uint64_t count);

/* Fails unless the names, the argument `name`, are absent, or one for each column and all
 * different. */
int32_t table_check_names(th_call *call, const char *name, const th_texts *names, size_t columns);

/* Writes rows x columns cells as a list of rows. */
void table_put(th_call *call, const char *key, const double *cells, size_t rows, size_t columns);

/* Writes cells that stand column by column, as a list of rows; `row` is room for one. */
void table_put_columns(th_call *call, const char *key, const double *cells, size_t rows,
		       size_t columns, double *row);

/* From rows x columns cells, row by row, to the same column by column. */
void table_transpose(const double *cells, size_t rows, size_t columns, double *ret_cells);

#endif
