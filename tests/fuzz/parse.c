/* SPDX-License-Identifier: MIT
 *
 * Model output of any bytes: whatever is read out of it is sound, and can be printed.
 *
 * The first byte of the input says whether fences count.
 */
#include "parse/parse.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void check_value(const json *value)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	json *again;

	json_print(&text, value);
	require(text.fault == BUFFER_GOOD);
	require(json_read(text.data, text.length, NULL, &again, NULL) == STATUS_OK);
	require(json_equal(value, again));
	json_drop(again);
	buffer_free(&text);
}

static void check_entry(const struct parse_entry *entry, size_t size)
{
	bool call = entry->reason == PARSE_CALL;

	require(entry->offset < size);
	require(!entry->id || json_kind(entry->id) == JSON_TEXT);
	require(!entry->namespace || json_kind(entry->namespace) == JSON_TEXT);
	require(call ? json_kind(entry->tool) == JSON_TEXT
		     : !entry->tool || json_kind(entry->tool) == JSON_TEXT);
	require(call == (json_kind(entry->arguments) == JSON_OBJECT));
	require(call == !*parse_reason_name(entry->reason));
	if (call)
		check_value(entry->arguments);
	if (entry->tool)
		check_value(entry->tool);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct parse_options options = { 0 };
	struct parse_list list;

	if (!size)
		return 0;
	options.no_fences = data[0] & 1;
	require(parse_output((const char *)data + 1, size - 1, &options, &list, NULL) == STATUS_OK);
	for (size_t i = 0; i < list.count; i++)
		check_entry(&list.entries[i], size - 1);
	parse_list_free(&list);
	return 0;
}
