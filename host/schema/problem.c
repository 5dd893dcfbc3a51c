/* SPDX-License-Identifier: MIT */
#include "schema/problem.h"

#include "schema/schema.h"

#include <stdio.h>
#include <string.h>

#define SHOWN_BYTES 48 /* of a text */
#define SHOWN_KEYS 4   /* of an object */

void problem_copy(char *ret, size_t size, const char *text)
{
	size_t length = strlen(text), keep = length;

	if (length >= size) {
		keep = text_head(text, length, size - sizeof("..."));
		memcpy(ret + keep, "...", sizeof("..."));
	} else {
		ret[length] = '\0';
	}
	memcpy(ret, text, keep);
}

void problem_trim(char *text)
{
	size_t length = strlen(text), start = length;

	while (start > 0 && length - start < 4) {
		start--;
		if (((unsigned char)text[start] & 0xC0) == 0x80)
			continue;
		if (text_sequence(text + start, length - start) < 0)
			text[start] = '\0';
		return;
	}
}

/* Prints into a bounded text what the printers of base/ append to a buffer. */
static void copy_printed(char *ret, size_t size, struct buffer *printed)
{
	problem_copy(ret, size,
		     printed->fault == BUFFER_GOOD && printed->data ? printed->data : "...");
	buffer_free(printed);
}

void problem_view_text(const char *text, size_t length, char *ret, size_t size)
{
	struct buffer printed = BUFFER_INIT(16 * SHOWN_BYTES);
	size_t shown = text_head(text, length, SHOWN_BYTES);

	json_print_text(&printed, text, shown);
	if (shown < length) {
		printed.data[printed.length - 1] = '\0';
		printed.length--;
		buffer_format(&printed, "...\" (a string of %zu characters)",
			      text_points(text, length));
	}
	copy_printed(ret, size, &printed);
}

void problem_view_number(double number, char *ret, size_t size)
{
	struct buffer printed = BUFFER_INIT(64);

	json_print_number(&printed, number);
	copy_printed(ret, size, &printed);
}

static void view_object(const json *object, char *ret, size_t size)
{
	char keys[96] = "";
	struct json_member m;
	size_t count = 0;

	for (bool more = json_first(object, &m); more && count <= SHOWN_KEYS;
	     more = json_next(&m), count++) {
		if (count == SHOWN_KEYS)
			snprintf(keys + strlen(keys), sizeof(keys) - strlen(keys), ", ...");
		else if (!problem_add_word(keys, sizeof(keys) - sizeof(", ..."), m.key, !count))
			break;
	}
	snprintf(ret, size, count ? "an object with the %s %s" : "an empty object",
		 json_count(object) == 1 ? "key" : "keys", keys);
}

void problem_view(const json *value, char *ret, size_t size)
{
	struct buffer printed = BUFFER_INIT(64);
	const char *text;
	size_t length, count;

	switch (json_kind(value)) {
	case JSON_TEXT:
		text = json_text(value, &length);
		problem_view_text(text, length, ret, size);
		break;
	case JSON_LIST:
		count = json_count(value);
		snprintf(ret, size,
			 count == 1 ? "an array of 1 item"
			 : count    ? "an array of %zu items"
				    : "an empty array",
			 count);
		break;
	case JSON_OBJECT:
		view_object(value, ret, size);
		break;
	default:
		json_print(&printed, value);
		copy_printed(ret, size, &printed);
	}
}

bool problem_add_word(char *list, size_t size, const char *word, bool first)
{
	struct buffer printed = BUFFER_INIT(4096);
	size_t length = strlen(list);
	bool fits;

	json_print_text(&printed, word, strlen(word));
	fits = printed.fault == BUFFER_GOOD && length + printed.length + sizeof(", , ...") < size;
	if (fits)
		sprintf(list + length, "%s%s", first ? "" : ", ", printed.data);
	else if (length + sizeof(", ...") < size)
		strcpy(list + length, first ? "..." : ", ...");
	buffer_free(&printed);
	return fits;
}

/* ---- The error of the gate ------------------------------------------------------------- */

static json *to_json(const struct schema_problem *problem)
{
	json *object = json_new_object();

	json_set_text(object, "path", problem->path);
	json_set_text(object, "keyword", problem->keyword);
	json_set_text(object, "expected", problem->expected);
	json_set_text(object, "found", problem->found);
	if (*problem->hint)
		json_set_text(object, "hint", problem->hint);
	return object;
}

static void add_sentence(struct buffer *message, const struct schema_problem *problem)
{
	if (*problem->path)
		buffer_format(message, "%s: ", problem->path);
	buffer_format(message, "expected %s, found %s", problem->expected, problem->found);
	if (*problem->hint)
		buffer_format(message, " (%s)", problem->hint);
}

int schema_problems_to_error(const struct schema_problems *problems, const char *tool_name,
			     struct error *error)
{
	struct buffer message = BUFFER_INIT(16384);
	json *list;

	if (!error)
		return STATUS_INPUT_INVALID;
	if (tool_name)
		buffer_format(&message, "the arguments of %s do not fit: ", tool_name);
	for (size_t i = 0; i < problems->count; i++) {
		buffer_text(&message, i ? "; " : "");
		add_sentence(&message, &problems->items[i]);
	}
	if (problems->more)
		buffer_format(&message, "; and %zu more", problems->more);
	error_set(error, STATUS_INPUT_INVALID, "%s", message.data ? message.data : "");
	buffer_free(&message);

	list = json_new_list();
	for (size_t i = 0; i < problems->count; i++)
		json_append(list, to_json(&problems->items[i]));
	if (tool_name)
		error_detail_text(error, "tool_name", tool_name);
	error_detail(error, "errors", list);
	error_detail_integer(error, "more", (int64_t)problems->more);
	return STATUS_INPUT_INVALID;
}
