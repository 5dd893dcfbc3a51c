/* SPDX-License-Identifier: MIT
 *
 * Rows into batches.
 */
#include "batch/batch.h"

#include "common/labels.h"
#include "common/order.h"

#include <math.h>
#include <stdlib.h>

/* Numbers the batches of rows with a number as their id, in order of the number; answers how many
 * there are. */
static size_t number_numeric(const th_column *ids, uint64_t rows, uint32_t *batch,
			     struct keyed *room)
{
	size_t n = 0, batches = 0;

	if (!ids->numbers)
		return 0;
	for (uint64_t row = 0; row < rows; row++)
		if (!isnan(ids->numbers[row]))
			room[n++] = (struct keyed){ ids->numbers[row], row };
	sort_keyed(room, n, room + rows);
	for (size_t i = 0; i < n; i++) {
		batches += i == 0 || room[i].key != room[i - 1].key;
		batch[room[i].item] = (uint32_t)batches - 1;
	}
	return batches;
}

/* A text id, and the number under which its rows were found. */
struct named {
	const th_text *name;
	uint32_t found;
};

static int compare_named(const void *a, const void *b)
{
	const th_text *x = ((const struct named *)a)->name, *y = ((const struct named *)b)->name;
	int order = memcmp(x->data, y->data, x->length < y->length ? x->length : y->length);

	return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* Numbers the batches of rows with a text as their id, from `first` on, in order of the bytes.
 * SIZE_MAX: no memory. */
static size_t number_named(th_call *call, const th_column *ids, uint64_t rows, size_t first,
			   uint32_t *batch)
{
	struct label *labels = th_allocate(call, rows, sizeof(*labels));
	uint64_t *row_of = th_allocate(call, rows, sizeof(*row_of));
	uint32_t *group = th_allocate(call, 2 * rows + labels_slots((size_t)rows), sizeof(*group));
	uint32_t *rank;
	struct named *named;
	size_t n = 0, count;

	if (!labels || !row_of || !group)
		return SIZE_MAX;
	rank = group + rows;
	for (uint64_t row = 0; row < rows; row++)
		if (ids->texts[row].data) {
			labels[n] = label_make(ids->texts[row].data, (size_t)ids->texts[row].length,
					       false);
			row_of[n++] = row;
		}
	count = labels_group(labels, n, group, rank + rows);
	named = th_allocate(call, count + 1, sizeof(*named));
	if (!named)
		return SIZE_MAX;
	for (size_t i = 0; i < n; i++)
		named[group[i]] = (struct named){ &ids->texts[row_of[i]], group[i] };
	qsort(named, count, sizeof(*named), compare_named);
	for (size_t i = 0; i < count; i++)
		rank[named[i].found] = (uint32_t)(first + i);
	for (size_t i = 0; i < n; i++)
		batch[row_of[i]] = rank[group[i]];
	return count;
}

static bool is_missing(const th_column *ids, uint64_t row)
{
	return (!ids->numbers || isnan(ids->numbers[row])) &&
	       (!ids->texts || !ids->texts[row].data);
}

/* From here on whole numbers share their doubles: two batches would be one without a word. */
#define IDS_BLUR 0x1p53

static int32_t check_ids(th_call *call, const th_column *ids, uint64_t rows)
{
	for (uint64_t row = 0; row < rows; row++) {
		if (is_missing(ids, row))
			return th_refuse(call, "data",
					 "Row %llu does not say which batch it belongs to: fill in "
					 "its \"%.*s\", or leave the row out.",
					 (unsigned long long)row, SHOWN(ids->name));
		if (ids->numbers && fabs(ids->numbers[row]) >= IDS_BLUR)
			return th_refuse(
				call, "data",
				"Row %llu names its batch, in \"%.*s\", by a number of 2^53 "
				"or more, and such numbers cannot be told apart: send the "
				"ids as texts.",
				(unsigned long long)row, SHOWN(ids->name));
	}
	return TH_OK;
}

int32_t batches_make(th_call *call, const th_column *ids, uint64_t rows,
		     struct batches *ret_batches)
{
	struct keyed *room = th_allocate(call, 2 * rows, sizeof(*room));
	uint32_t *batch = th_allocate(call, rows, sizeof(*batch));
	struct batches b = { .count = 1 };

	if (!room || !batch)
		return out_of_memory(call);
	memset(batch, 0, rows * sizeof(*batch));
	if (ids) {
		int32_t r = check_ids(call, ids, rows);
		size_t named = 0;

		if (r != TH_OK)
			return r;
		b.count = number_numeric(ids, rows, batch, room);
		if (ids->texts)
			named = number_named(call, ids, rows, b.count, batch);
		if (named == SIZE_MAX)
			return out_of_memory(call);
		b.count += named;
	}
	b.start = th_allocate(call, b.count + 1, sizeof(*b.start));
	b.rows = th_allocate(call, rows, sizeof(*b.rows));
	if (!b.start || !b.rows)
		return out_of_memory(call);
	groups_sort(batch, (size_t)rows, b.count, b.start, b.rows);
	*ret_batches = b;
	return TH_OK;
}
