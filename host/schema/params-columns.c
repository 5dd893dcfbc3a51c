/* SPDX-License-Identifier: MIT
 *
 * A list of objects with the data's own keys, handed on by columns.
 */
#include "schema/params-read.h"

#include "schema/hash.h"

#include <math.h>
#include <stdlib.h>

struct column {
	const char *key; /* borrowed from the row where it appears first */
	double *numbers; /* of the arena; NULL until the first number or boolean */
	th_text *texts;
	uint64_t filled;
	bool has_number, has_boolean;
};

struct columns {
	struct fill *fill;
	uint64_t rows;
	struct column *items; /* in the order in which keys first appear; owned */
	size_t count, capacity;
	struct names names; /* key to index */
};

static struct column *add_column(struct columns *c, const char *key)
{
	size_t wider = c->capacity ? 2 * c->capacity : 16;
	struct column *items;

	if (c->count == c->capacity) {
		if (!(items = realloc(c->items, wider * sizeof(*items))))
			return NULL;
		c->items = items;
		c->capacity = wider;
	}
	if (!names_add(&c->names, key, strlen(key), (uint32_t)c->count))
		return NULL;
	c->items[c->count] = (struct column){ .key = key };
	return &c->items[c->count++];
}

/* The column of a key, made where there is none. Rows mostly repeat their keys in one order, so the
 * column behind that of the key before is tried first. NULL: no memory. */
static struct column *find_column(struct columns *c, const char *key, size_t guess)
{
	uint32_t index;

	if (guess < c->count && !strcmp(c->items[guess].key, key))
		return &c->items[guess];
	index = names_find(&c->names, key, strlen(key));
	return index == NAMES_NONE ? add_column(c, key) : &c->items[index];
}

static bool need_numbers(struct columns *c, struct column *column)
{
	if (column->numbers)
		return true;
	if (!(column->numbers = arena_array(c->fill->arena, c->rows, sizeof(*column->numbers))))
		return false;
	for (uint64_t row = 0; row < c->rows; row++)
		column->numbers[row] = NAN;
	return true;
}

static bool need_texts(struct columns *c, struct column *column)
{
	if (!column->texts)
		column->texts = arena_array(c->fill->arena, c->rows, sizeof(*column->texts));
	return column->texts;
}

static int add_cell(struct columns *c, struct column *column, uint64_t row, const json *value,
		    const struct place *place)
{
	switch (json_kind(value)) {
	case JSON_NULL:
		return STATUS_OK;
	case JSON_INTEGER:
	case JSON_NUMBER:
	case JSON_BOOLEAN:
		if (!need_numbers(c, column))
			return fill_no_memory(c->fill);
		if (json_kind(value) == JSON_BOOLEAN) {
			column->numbers[row] = json_boolean(value);
			column->has_boolean = true;
		} else {
			column->numbers[row] = json_number(value);
			column->has_number = true;
		}
		column->filled++;
		return STATUS_OK;
	case JSON_TEXT:
		if (!need_texts(c, column))
			return fill_no_memory(c->fill);
		column->filled++;
		return fill_text(c->fill, value, &column->texts[row]);
	default:
		return fill_refuse(c->fill, place, "type",
				   "a number, a string, true, false or null", value);
	}
}

static int add_row(struct columns *c, uint64_t row, const json *object, const struct place *place)
{
	struct json_member m;
	size_t guess = 0;
	int r = STATUS_OK;

	for (bool more = json_first(object, &m); more && r == STATUS_OK; more = json_next(&m)) {
		struct place here = place_member(place, m.key);
		struct column *column = find_column(c, m.key, guess);

		if (!column)
			return fill_no_memory(c->fill);
		guess = (size_t)(column - c->items) + 1;
		r = add_cell(c, column, row, m.value, &here);
	}
	return r;
}

static uint32_t kind_of(const struct column *column)
{
	if (!column->numbers)
		return column->texts ? TH_COLUMN_TEXTS : TH_COLUMN_EMPTY;
	if (column->texts || (column->has_number && column->has_boolean))
		return TH_COLUMN_MIXED;
	return column->has_number ? TH_COLUMN_NUMBERS : TH_COLUMN_BOOLEANS;
}

static int hand_over(struct columns *c, th_table *ret_table)
{
	th_column *columns = fill_array(c->fill, c->count, sizeof(*columns));

	if (!columns)
		return STATUS_MEMORY_EXCEEDED;
	for (size_t i = 0; i < c->count; i++) {
		struct column *column = &c->items[i];

		columns[i].kind = kind_of(column);
		if (columns[i].kind == TH_COLUMN_MIXED && !need_texts(c, column))
			return fill_no_memory(c->fill);
		columns[i].name.length = strlen(column->key);
		columns[i].name.data = column->key;
		columns[i].numbers = column->numbers;
		columns[i].texts = column->texts;
		columns[i].missing = c->rows - column->filled;
	}
	ret_table->columns = columns;
	ret_table->column_count = c->count;
	ret_table->column_size = sizeof(*columns);
	ret_table->rows = c->rows;
	return STATUS_OK;
}

int fill_columns(struct fill *f, const json *list, const struct place *place, th_table *ret_table)
{
	struct columns c = { .fill = f, .rows = json_count(list) };
	int r = STATUS_OK;

	for (uint64_t row = 0; row < c.rows && r == STATUS_OK; row++) {
		const json *object = json_peek(list, row);
		struct place here = place_item(place, row);

		if (json_kind(object) != JSON_OBJECT)
			r = fill_refuse_item(f, place, row, "type", "an object, which is a row",
					     list);
		else
			r = add_row(&c, row, object, &here);
	}
	if (r == STATUS_OK)
		r = hand_over(&c, ret_table);
	names_free(&c.names);
	free(c.items);
	return r;
}
