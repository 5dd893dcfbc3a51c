/* SPDX-License-Identifier: MIT
 *
 * The JSON reader on any bytes: what it takes prints and reads as the same value, what it refuses
 * has a sound fault, and any bytes at all print as a string that reads again.
 */
#include "base/json.h"
#include "base/status.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static json *read_again(struct buffer *text)
{
	json *again;

	require(text->fault == BUFFER_GOOD);
	require(json_read(text->data, text->length, NULL, &again, NULL) == STATUS_OK);
	buffer_free(text);
	return again;
}

static void check_value(const json *value)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	json *again;

	json_print(&text, value);
	again = read_again(&text);
	require(json_equal(value, again));
	json_drop(again);

	json_print_pretty(&text, value);
	again = read_again(&text);
	require(json_equal(again, value));
	json_drop(again);

	again = json_copy(value);
	require(json_equal(value, again));
	json_drop(again);
}

static void check_fault(const struct json_fault *fault, const char *text, size_t size)
{
	const char *line = text;
	unsigned lines = 1;

	require(fault->offset <= size);
	for (size_t i = 0; i < fault->offset; i++) {
		if (text[i] != '\n')
			continue;
		lines++;
		line = text + i + 1;
	}
	require(fault->line == lines);
	require(fault->column == (size_t)(text + fault->offset - line) + 1);
	require(fault->reason[0] && memchr(fault->reason, '\0', sizeof(fault->reason)));
	require(text_is_utf8(fault->reason, strlen(fault->reason)));
}

static void check_id(const char *text, size_t size)
{
	json *id;
	bool found = json_salvage_id(text, size, &id);

	require(found == (id != NULL));
	require(!found || json_kind(id) == JSON_TEXT || json_kind(id) == JSON_INTEGER);
	json_drop(id);
}

/* A string of the bytes reads as the bytes, where they were UTF-8. */
static void check_string(const char *text, size_t size)
{
	struct buffer printed = BUFFER_INIT(SIZE_MAX);
	const char *string;
	size_t length;
	json *again;

	json_print_text(&printed, text, size);
	again = read_again(&printed);
	string = json_text(again, &length);
	require(string && text_is_utf8(string, length));
	if (text_is_utf8(text, size))
		require(length == size && !memcmp(string, text, size));
	json_drop(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct json_fault fault;
	double number;
	json *value;

	if (json_read(text, size, NULL, &value, &fault) == STATUS_OK)
		check_value(value);
	else
		check_fault(&fault, text, size);
	if (json_parse_number(text, size, &number))
		require(json_is_number(value) && json_number(value) == number);
	json_drop(value);
	check_id(text, size);
	check_string(text, size);
	return 0;
}
