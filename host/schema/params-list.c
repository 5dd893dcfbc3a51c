/* SPDX-License-Identifier: MIT
 *
 * Lists of the arguments to arrays of the tool. Numbers that are packed are handed on as they are.
 */
#include "schema/number.h"
#include "schema/params-read.h"

#include <math.h>
#include <stdio.h>

/* Elements of a list, or of a row, to doubles. */
static int copy_numbers(struct fill *f, const th_param *p, const json *list,
			const struct place *place, double *ret_values, uint64_t *missing)
{
	size_t count;
	const double *packed = json_packed(list, &count);

	if (packed) {
		memcpy(ret_values, packed, count * sizeof(*packed));
		return STATUS_OK;
	}
	count = json_count(list);
	for (size_t i = 0; i < count; i++) {
		const json *item = json_peek(list, i);

		if (json_is_number(item)) {
			ret_values[i] = json_number(item);
		} else if (!item && (p->flags & TH_GAPS)) {
			ret_values[i] = NAN;
			++*missing;
		} else {
			return fill_refuse_item(
				f, place, i, "type",
				p->flags & TH_GAPS ? "a number or null" : "a number", list);
		}
	}
	return STATUS_OK;
}

static int fill_numbers(struct fill *f, const th_param *p, const json *list,
			const struct place *place, th_numbers *ret_numbers)
{
	size_t count = json_count(list);
	const double *packed = json_packed(list, NULL);
	double *values;

	ret_numbers->count = count;
	if (packed && !f->copy) {
		ret_numbers->values = packed;
		return STATUS_OK;
	}
	if (!(values = fill_array(f, count, sizeof(*values))))
		return STATUS_MEMORY_EXCEEDED;
	ret_numbers->values = values;
	return copy_numbers(f, p, list, place, values, &ret_numbers->missing);
}

static int fill_integers(struct fill *f, const json *list, const struct place *place,
			 th_integers *ret_integers)
{
	size_t count = json_count(list);
	const double *packed = json_packed(list, NULL);
	int64_t *values = fill_array(f, count, sizeof(*values));

	if (!values)
		return STATUS_MEMORY_EXCEEDED;
	for (size_t i = 0; i < count; i++) {
		bool whole = packed ? number_is_whole(packed[i]) && !number_is_beyond_64(packed[i])
				    : fill_is_whole(json_peek(list, i), &values[i]);

		if (!whole)
			return fill_refuse_item(f, place, i, "type", "an integer that fits 64 bits",
						list);
		if (packed)
			values[i] = (int64_t)packed[i];
	}
	ret_integers->values = values;
	ret_integers->count = count;
	return STATUS_OK;
}

static int fill_flags(struct fill *f, const th_param *p, const json *list,
		      const struct place *place, th_flags *ret_flags)
{
	bool choices = p->kind == TH_KIND_CHOICES;
	size_t count = json_count(list);
	int32_t *values = fill_array(f, count, sizeof(*values));

	if (!values)
		return STATUS_MEMORY_EXCEEDED;
	for (size_t i = 0; i < count; i++) {
		const json *item = json_peek(list, i);

		if (choices)
			values[i] = fill_find_word(f, p, item);
		else
			values[i] = json_kind(item) == JSON_BOOLEAN ? json_boolean(item) : -1;
		if (values[i] < 0)
			return fill_refuse_item(
				f, place, i, choices ? "enum" : "type",
				choices ? "one of the words of its list" : "true or false", list);
	}
	ret_flags->values = values;
	ret_flags->count = count;
	return STATUS_OK;
}

static int fill_texts(struct fill *f, const json *list, const struct place *place,
		      th_texts *ret_texts)
{
	size_t count = json_count(list);
	th_text *values = fill_array(f, count, sizeof(*values));
	int r = STATUS_OK;

	if (!values)
		return STATUS_MEMORY_EXCEEDED;
	for (size_t i = 0; i < count && r == STATUS_OK; i++) {
		const json *item = json_peek(list, i);

		if (json_kind(item) != JSON_TEXT)
			return fill_refuse_item(f, place, i, "type", "a string", list);
		r = fill_text(f, item, &values[i]);
	}
	ret_texts->values = values;
	ret_texts->count = count;
	return r;
}

/* ---- Matrix ---------------------------------------------------------------------------- */

/* The shape: the starts of the rows, and the longest row. */
static int measure_rows(struct fill *f, const th_param *p, const json *list,
			const struct place *place, uint64_t *starts, uint64_t *ret_columns)
{
	uint64_t columns = 0;
	char expected[64];

	for (size_t i = 0; i < json_count(list); i++) {
		const json *row = json_peek(list, i);
		uint64_t length;

		if (json_kind(row) != JSON_LIST)
			return fill_refuse_item(f, place, i, "type",
						"a row, which is an array of numbers", list);
		length = json_count(row);
		if (i && length != columns && !(p->flags & TH_RAGGED)) {
			snprintf(expected, sizeof(expected),
				 "a row of %llu number%s, as the rows before",
				 (unsigned long long)columns, columns == 1 ? "" : "s");
			return fill_refuse_item(f, place, i, "items", expected, list);
		}
		starts[i + 1] = starts[i] + length;
		columns = length > columns ? length : columns;
	}
	*ret_columns = columns;
	return STATUS_OK;
}

static int fill_matrix(struct fill *f, const th_param *p, const json *list,
		       const struct place *place, th_matrix *ret_matrix)
{
	uint64_t rows = json_count(list);
	uint64_t *starts = fill_array(f, rows + 1, sizeof(*starts));
	double *values;
	int r;

	if (!starts)
		return STATUS_MEMORY_EXCEEDED;
	if ((r = measure_rows(f, p, list, place, starts, &ret_matrix->columns)) != STATUS_OK)
		return r;
	if (!(values = fill_array(f, starts[rows], sizeof(*values))))
		return STATUS_MEMORY_EXCEEDED;
	for (size_t i = 0; i < rows && r == STATUS_OK; i++) {
		struct place here = place_item(place, i);

		r = copy_numbers(f, p, json_peek(list, i), &here, values + starts[i],
				 &ret_matrix->missing);
	}
	ret_matrix->values = values;
	ret_matrix->row_starts = starts;
	ret_matrix->rows = rows;
	return r;
}

/* ---- Records --------------------------------------------------------------------------- */

static int fill_records(struct fill *f, const th_param *p, const json *list,
			const struct place *place, th_records *ret_records)
{
	size_t count = json_count(list);
	char *items = fill_array(f, count, p->item_size);
	int r = STATUS_OK;

	if (!items)
		return STATUS_MEMORY_EXCEEDED;
	for (size_t i = 0; i < count && r == STATUS_OK; i++) {
		const json *item = json_peek(list, i);
		struct place here = place_item(place, i);

		if (json_kind(item) != JSON_OBJECT)
			return fill_refuse_item(f, place, i, "type", "an object", list);
		r = fill_struct(f, p->fields, item, &here, items + i * p->item_size);
	}
	ret_records->items = items;
	ret_records->count = count;
	ret_records->stride = p->item_size;
	return r;
}

int fill_list(struct fill *f, const th_param *p, const json *list, const struct place *place,
	      void *field)
{
	switch (p->kind) {
	case TH_KIND_NUMBERS:
		return fill_numbers(f, p, list, place, field);
	case TH_KIND_INTEGERS:
		return fill_integers(f, list, place, field);
	case TH_KIND_BOOLEANS:
	case TH_KIND_CHOICES:
		return fill_flags(f, p, list, place, field);
	case TH_KIND_TEXTS:
		return fill_texts(f, list, place, field);
	case TH_KIND_MATRIX:
		return fill_matrix(f, p, list, place, field);
	case TH_KIND_RECORDS:
		return fill_records(f, p, list, place, field);
	default:
		return fill_columns(f, list, place, field);
	}
}
