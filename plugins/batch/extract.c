/* SPDX-License-Identifier: MIT
 *
 * extract_batch_features: a table of readings into one row a batch.
 */
#include "batch/batch.h"

#include "common/order.h"

#include <math.h>
#include <stdbool.h>

#define SLOPE_LEAST 3 /* readings that a slope is worth something with */

/* clang-format off */
const th_param extract_params[] = {
	TH_TABLE(struct extract_in, data, "The readings, one object a row: numbers in the value columns, null where one is missing.", {"minItems": 2}),
	TH_STRINGS(struct extract_in, value_columns, "Names of the columns to sum up.", {"minItems": 1, "uniqueItems": true}),
	TH_CHOICES_MAYBE(struct extract_in, features, "What to work out of each column, in this order; mean and std where left out. last is the last reading in the order of the rows; area and slope need time_column.",
			 ["mean", "median", "std", "iqr", "sum", "min", "max", "last", "count", "area", "slope"]),
	TH_STRING_OR(struct extract_in, batch_column, "batch", "Name of the column that says which batch a row belongs to. Where it is left out and no column is called batch, all rows are one batch.", {}),
	TH_STRING_MAYBE(struct extract_in, time_column, "Name of the column that says when a reading was taken, as a number.", {}),
	TH_END
};

const th_param extract_results[] = {
	TH_GIVES_JSON(feature_matrix, "One object a batch, in order of the batches: its id, then COLUMN_feature for each feature and column (COLUMN_endpoint for last); null where there is nothing to work with.",
		      {"type": "array", "items": {"type": "object"}}),
	TH_GIVES_INTEGER(n_batches, "Number of batches.", {"minimum": 0}),
	TH_GIVES_INTEGER(n_features, "Number of features a batch: columns times features.", {"minimum": 0}),
	TH_GIVES_STRINGS(features_extracted, "The features asked for.", {}),
	TH_GIVES(reason, TH_KIND_TEXT, TH_OPTIONAL, "Why features are null.", {}),
	TH_END
};
/* clang-format on */

static const char *const feature_names[FEATURES] = { "mean",  "median", "std",	"iqr",
						     "sum",   "min",	"max",	"last",
						     "count", "area",	"slope" };

/* What is asked for, with columns found. */
struct extraction {
	const struct extract_in *in;
	const int32_t *features;
	size_t feature_count;
	const th_column **columns;
	size_t column_count;
	const th_column *batch; /* NULL: all rows are one */
	const th_column *time;	/* NULL: not given */
	char **keys;		/* of the result: feature by feature, column by column */
	struct batches batches;
	bool open; /* a feature is null */
};

static int32_t refuse_column(th_call *call, const char *argument, th_text name,
			     const th_table *table)
{
	char there[300];
	size_t length = 0;
	uint64_t i;

	if (!table->column_count)
		return th_refuse(call, argument,
				 "There is no column \"%.*s\": the rows hold nothing.",
				 SHOWN(name));
	/* As many names as fit, of which each is cut to 40 bytes. */
	for (i = 0; i < table->column_count && length + 48 < sizeof(there); i++) {
		th_text other = th_table_column(table, i)->name;
		int more = snprintf(there + length, sizeof(there) - length, "%s\"%.*s\"",
				    i ? ", " : "", SHOWN(other));

		length += more > 0 ? (size_t)more : 0;
	}
	if (i < table->column_count)
		return th_refuse(
			call, argument,
			"There is no column \"%.*s\"; there are %s and %llu more.",
			SHOWN(name), there, (unsigned long long)(table->column_count - i));
	return th_refuse(call, argument, "There is no column \"%.*s\"; there are %s.",
			 SHOWN(name), there);
}

/* The first row with a text in the column; rows: there is none. */
static uint64_t first_text(const th_column *column, uint64_t rows)
{
	uint64_t row = 0;

	while (row < rows && !(column->texts && column->texts[row].data))
		row++;
	return row;
}

/* The column holds numbers, or nothing. A mixed one without a text holds booleans too. */
static int32_t check_numeric(th_call *call, const th_column *column, uint64_t rows)
{
	uint64_t row = first_text(column, rows);

	if (column->kind == TH_COLUMN_NUMBERS || column->kind == TH_COLUMN_EMPTY)
		return TH_OK;
	if (row == rows)
		return th_refuse(call, "data",
				 "Column \"%.*s\" holds booleans, and numbers are needed.",
				 SHOWN(column->name));
	return th_refuse(
		call, "data",
		"Column \"%.*s\" is not numeric: row %llu holds \"%.*s\". Send numbers with "
		"a point as the "
		"decimal separator and without quotes, and null where a reading is missing.",
		SHOWN(column->name), (unsigned long long)row,
		SHOWN(column->texts[row]));
}

static int32_t find_column(th_call *call, const char *argument, th_text name, const th_table *table,
			   const th_column **ret_column)
{
	*ret_column = th_table_find(table, name.data, name.length);
	if (!*ret_column)
		return refuse_column(call, argument, name, table);
	return check_numeric(call, *ret_column, table->rows);
}

static bool wants(const struct extraction *e, int32_t feature)
{
	for (size_t i = 0; i < e->feature_count; i++)
		if (e->features[i] == feature)
			return true;
	return false;
}

static int32_t take_features(th_call *call, struct extraction *e)
{
	static const int32_t fallback[] = { FEATURE_MEAN, FEATURE_STD };
	unsigned seen = 0;

	e->features = e->in->features.values;
	e->feature_count = (size_t)e->in->features.count;
	if (!e->features && !th_given(call, "features")) {
		e->features = fallback;
		e->feature_count = 2;
	}
	for (size_t i = 0; i < e->feature_count; i++) {
		if (seen & 1u << e->features[i])
			return th_refuse(call, "features", "The feature %s is asked for twice.",
					 feature_names[e->features[i]]);
		seen |= 1u << e->features[i];
	}
	for (int32_t timed = FEATURE_AREA; timed <= FEATURE_SLOPE; timed++)
		if (wants(e, timed) && !e->in->time_column.data)
			return th_refuse(
				call, "time_column",
				"%s needs time_column: name the column that holds the time "
				"of a reading.",
				feature_names[timed]);
	return TH_OK;
}

static int32_t take_columns(th_call *call, struct extraction *e)
{
	const struct extract_in *in = e->in;
	int32_t r = TH_OK;

	e->column_count = (size_t)in->value_columns.count;
	e->columns = th_allocate(call, e->column_count, sizeof(const th_column *));
	if (!e->columns)
		return out_of_memory(call);
	for (size_t i = 0; i < e->column_count && r == TH_OK; i++)
		r = find_column(call, "value_columns", in->value_columns.values[i], &in->data,
				&e->columns[i]);
	if (r == TH_OK && in->time_column.data)
		r = find_column(call, "time_column", in->time_column, &in->data, &e->time);
	if (r != TH_OK)
		return r;
	e->batch = th_table_find(&in->data, in->batch_column.data, in->batch_column.length);
	if (!e->batch && th_given(call, "batch_column"))
		return refuse_column(call, "batch_column", in->batch_column, &in->data);
	/* true and 1 would be one batch. */
	if (e->batch && e->batch->kind == TH_COLUMN_MIXED &&
	    first_text(e->batch, in->data.rows) == in->data.rows)
		return th_refuse(call, "data",
				 "Column \"%.*s\" names batches by numbers and by booleans: use one "
				 "of them throughout.",
				 SHOWN(e->batch->name));
	return TH_OK;
}

static int32_t make_keys(th_call *call, struct extraction *e)
{
	size_t count = e->feature_count * e->column_count;

	e->keys = th_allocate(call, count + 1, sizeof(*e->keys));
	if (!e->keys)
		return out_of_memory(call);
	for (size_t i = 0; i < count; i++) {
		th_text column = e->columns[i % e->column_count]->name;
		int32_t feature = e->features[i / e->column_count];
		size_t room = (size_t)column.length + 16;

		e->keys[i] = th_allocate(call, room, 1);
		if (!e->keys[i])
			return out_of_memory(call);
		snprintf(e->keys[i], room, "%.*s_%s", (int)column.length, column.data,
			 feature == FEATURE_LAST ? "endpoint" : feature_names[feature]);
		if (e->batch && e->batch->name.length == strlen(e->keys[i]) &&
		    !memcmp(e->batch->name.data, e->keys[i], strlen(e->keys[i])))
			return th_refuse(call, "batch_column",
					 "The batches' column has the name of a feature, \"%s\", and "
					 "a row of the result can hold one of the two: rename the "
					 "column.",
					 e->keys[i]);
	}
	return TH_OK;
}

/* Room for the readings of the largest batch. */
struct desk {
	double *values;
	double *times;
	double *in_time;
	double *scratch;
	struct keyed *order;
};

static bool desk_make(th_call *call, const struct batches *b, struct desk *ret_desk)
{
	size_t largest = 0;

	for (size_t i = 0; i < b->count; i++)
		if (b->start[i + 1] - b->start[i] > largest)
			largest = b->start[i + 1] - b->start[i];
	ret_desk->values =
		th_allocate(call, 3 * largest + FEATURES_SCRATCH(largest), sizeof(double));
	ret_desk->order = th_allocate(call, 2 * largest, sizeof(struct keyed));
	if (!ret_desk->values || !ret_desk->order)
		return false;
	ret_desk->times = ret_desk->values + largest;
	ret_desk->in_time = ret_desk->times + largest;
	ret_desk->scratch = ret_desk->in_time + largest;
	return true;
}

/* The readings of one column in one batch. */
static struct readings gather(const struct extraction *e, const th_column *column, size_t batch,
			      const struct desk *desk)
{
	struct readings r = { .values = desk->values };
	size_t end = e->batches.start[batch + 1];

	for (size_t i = e->batches.start[batch]; column->numbers && i < end; i++) {
		uint64_t row = e->batches.rows[i];
		double value = column->numbers[row];

		if (isnan(value))
			continue;
		desk->values[r.count] = value;
		if (e->time && e->time->numbers && !isnan(e->time->numbers[row]))
			desk->order[r.timed++] = (struct keyed){ e->time->numbers[row], r.count };
		r.count++;
	}
	if (!e->time)
		return r;
	sort_keyed(desk->order, r.timed, desk->order + r.timed);
	for (size_t i = 0; i < r.timed; i++) {
		desk->times[i] = desk->order[i].key;
		desk->in_time[i] = desk->values[desk->order[i].item];
	}
	r.times = desk->times;
	r.in_time = desk->in_time;
	return r;
}

static void put_id(th_call *call, const struct extraction *e, size_t batch)
{
	uint64_t row = e->batches.rows[e->batches.start[batch]];
	const th_column *ids = e->batch;
	char *key;

	if (!ids)
		return;
	key = th_allocate(call, ids->name.length + 1, 1);
	if (!key)
		return;
	memcpy(key, ids->name.data, ids->name.length);
	key[ids->name.length] = 0;
	if (ids->texts && ids->texts[row].data)
		th_put_text(call, key, ids->texts[row]);
	else if (ids->kind == TH_COLUMN_BOOLEANS)
		th_put_boolean(call, key, ids->numbers[row] != 0);
	else
		th_put_number(call, key, ids->numbers[row]);
}

/* One row of the answer. features: FEATURES a column. */
static int32_t put_batch(th_call *call, struct extraction *e, size_t batch, const struct desk *desk,
			 double *features)
{
	bool slope = wants(e, FEATURE_SLOPE);

	for (size_t c = 0; c < e->column_count; c++) {
		struct readings r = gather(e, e->columns[c], batch, desk);

		if (slope && r.timed < SLOPE_LEAST)
			return th_refuse(
				call, "data",
				"A slope needs %d readings with a time in each batch, and "
				"the batch of row %llu has "
				"%zu of \"%.*s\": leave that batch out, or slope.",
				SLOPE_LEAST,
				(unsigned long long)e->batches.rows[e->batches.start[batch]],
				r.timed, SHOWN(e->columns[c]->name));
		features_of(&r, features + c * FEATURES, desk->scratch);
	}
	th_begin_object(call, NULL);
	put_id(call, e, batch);
	for (size_t f = 0; f < e->feature_count; f++)
		for (size_t c = 0; c < e->column_count; c++) {
			double value = features[c * FEATURES + (size_t)e->features[f]];

			th_put_number(call, e->keys[f * e->column_count + c], value);
			e->open |= !isfinite(value);
		}
	return th_end(call);
}

static int32_t put_matrix(th_call *call, struct extraction *e)
{
	double *features = th_allocate(call, e->column_count * FEATURES, sizeof(*features));
	struct desk desk;
	int32_t r = TH_OK;

	if (!features || !desk_make(call, &e->batches, &desk))
		return out_of_memory(call);
	th_begin_list(call, "feature_matrix");
	for (size_t batch = 0; batch < e->batches.count && r == TH_OK; batch++) {
		if (th_cancelled(call))
			return TH_CANCELLED;
		r = put_batch(call, e, batch, &desk, features);
	}
	th_end(call);
	return r;
}

int32_t extract_batch_features(th_call *call, const void *input)
{
	struct extraction e = { .in = input };
	int32_t r;

	r = take_features(call, &e);
	if (r == TH_OK)
		r = take_columns(call, &e);
	if (r == TH_OK)
		r = make_keys(call, &e);
	if (r == TH_OK && e.feature_count)
		r = batches_make(call, e.batch, e.in->data.rows, &e.batches);
	if (r == TH_OK)
		r = put_matrix(call, &e);
	if (r != TH_OK)
		return r;
	th_put_integer(call, "n_batches", (int64_t)e.batches.count);
	th_put_integer(call, "n_features", (int64_t)(e.feature_count * e.column_count));
	th_begin_list(call, "features_extracted");
	for (size_t i = 0; i < e.feature_count; i++)
		th_put_string(call, NULL, feature_names[e.features[i]]);
	th_end(call);
	if (e.open)
		give_reason(call, "A feature is null where a batch has too few readings for it, no "
				  "variation in time, or numbers beyond the range of a double.");
	return TH_OK;
}
