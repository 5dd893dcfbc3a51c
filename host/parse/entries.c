/* SPDX-License-Identifier: MIT
 *
 * The list in the making: what makes a call, and what is said of one that cannot be made.
 */
#include "parse/parser.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_MAX = 240 };

static void entry_free(struct parse_entry *entry)
{
	json_drop(entry->tool);
	json_drop(entry->arguments);
	json_drop(entry->id);
	json_drop(entry->namespace);
	free(entry->message);
}

void parse_list_free(struct parse_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		entry_free(&list->entries[i]);
	free(list->entries);
	*list = (struct parse_list){ 0 };
}

void parser_add(struct parser *parser, struct parse_entry entry)
{
	struct parse_list *list = parser->list;

	if (list->count == PARSE_ENTRIES_MAX && parser_goes_on(parser))
		parser->status = STATUS_INPUT_TOO_LARGE;
	if (parser_goes_on(parser) && list->count == list->capacity) {
		size_t capacity = list->capacity ? 2 * list->capacity : 16;
		struct parse_entry *entries =
			realloc(list->entries, capacity * sizeof(*list->entries));

		if (entries) {
			list->entries = entries;
			list->capacity = capacity;
		} else {
			parser->status = STATUS_INTERNAL;
		}
	}
	if (!parser_goes_on(parser)) {
		entry_free(&entry);
		return;
	}
	list->entries[list->count++] = entry;
}

void parser_refuse(struct parser *parser, size_t offset, const json *tool, enum parse_reason reason,
		   const char *format, ...)
{
	struct parse_entry entry = { .reason = reason, .offset = offset };
	char message[MESSAGE_MAX];
	va_list arguments;

	if (json_kind(tool) == JSON_TEXT && json_text(tool, NULL)[0])
		entry.tool = json_copy(tool);
	if (format) {
		va_start(arguments, format);
		vsnprintf(message, sizeof(message), format, arguments);
		va_end(arguments);
		message[text_head(message, strlen(message), sizeof(message) - 4)] = '\0';
		entry.message = strdup(message);
	}
	parser_add(parser, entry);
}

/* ---- Calls ------------------------------------------------------------------------------------ */

static bool is_blank(const json *value)
{
	size_t length;
	const char *text = json_text(value, &length);

	for (size_t i = 0; i < length; i++)
		if (!byte_is_space(text[i]))
			return false;
	return true;
}

/* Text is decoded as JSON, at most twice. True with the object, the caller's; false, with the call
 * refused. */
static bool read_arguments(struct parser *parser, const struct found *found, json **ret_object)
{
	json *value = json_hold((json *)found->arguments), *decoded;
	struct json_fault fault;
	size_t length;
	const char *text;

	for (unsigned i = found->decoded; i < 2 && json_kind(value) == JSON_TEXT; i++) {
		int r;

		if (is_blank(value)) {
			json_drop(value);
			value = NULL;
			break;
		}
		text = json_text(value, &length);
		r = json_read(text, length, NULL, &decoded, &fault);
		json_drop(value);
		value = decoded;
		if (r == STATUS_INTERNAL)
			parser->status = STATUS_INTERNAL;
		if (r != STATUS_OK) {
			parser_refuse(parser, found->offset, found->name,
				      found->cut && fault.ended ? PARSE_TRUNCATED
								: PARSE_ARGUMENTS_NOT_JSON,
				      "line %u, column %u of its arguments: %s", fault.line,
				      fault.column, fault.reason);
			return false;
		}
	}
	if (!value)
		value = json_new_object();
	if (json_kind(value) != JSON_OBJECT) {
		parser_refuse(parser, found->offset, found->name, PARSE_ARGUMENTS_NOT_OBJECT,
			      "its arguments are no object but %s",
			      json_kind_name(json_kind(value)));
		json_drop(value);
		return false;
	}
	*ret_object = value;
	return true;
}

/* Ids are kept as text; an integer becomes one. */
static json *read_id(const json *id)
{
	char digits[24];

	if (json_kind(id) == JSON_TEXT && json_text(id, NULL)[0])
		return json_copy(id);
	if (json_kind(id) != JSON_INTEGER)
		return NULL;
	snprintf(digits, sizeof(digits), "%lld", (long long)json_integer(id));
	return json_new_text(digits);
}

static bool has_name(struct parser *parser, const struct found *found)
{
	if (json_kind(found->name) == JSON_TEXT && !is_blank(found->name))
		return true;
	parser_refuse(parser, found->offset, NULL, PARSE_NO_NAME, "it does not name a tool");
	return false;
}

void parser_call_object(struct parser *parser, const struct found *found, json *arguments)
{
	struct parse_entry entry = { .offset = found->offset, .untyped = found->untyped };

	if (!has_name(parser, found)) {
		json_drop(arguments);
		return;
	}
	entry.tool = json_copy(found->name);
	entry.arguments = arguments;
	entry.id = read_id(found->id);
	if (json_kind(found->namespace) == JSON_TEXT && json_text(found->namespace, NULL)[0])
		entry.namespace = json_copy(found->namespace);
	if (!entry.tool || !arguments)
		parser->status = STATUS_INTERNAL;
	parser_add(parser, entry);
}

void parser_call(struct parser *parser, const struct found *found)
{
	json *arguments;

	if (has_name(parser, found) && read_arguments(parser, found, &arguments))
		parser_call_object(parser, found, arguments);
}

/* ---- Afterwards ------------------------------------------------------------------------------- */

void parser_cut(struct parser *parser, size_t count)
{
	struct parse_list *list = parser->list;

	while (list->count > count)
		entry_free(&list->entries[--list->count]);
}

void parser_drop_tentative(struct parser *parser, size_t from, size_t to)
{
	struct parse_list *list = parser->list;
	size_t kept = from;

	for (size_t i = from; i < list->count; i++) {
		if (i < to && list->entries[i].tentative)
			entry_free(&list->entries[i]);
		else
			list->entries[kept++] = list->entries[i];
	}
	list->count = kept;
}

static bool same_call(const struct parse_entry *a, const struct parse_entry *b)
{
	return json_equal(a->tool, b->tool) && json_equal(a->arguments, b->arguments) &&
	       json_equal(a->namespace, b->namespace);
}

/* True where the entry stays in the list. `seen` has the index of the first call of each id. */
static bool check_id(struct parse_list *list, struct parse_entry *entry, size_t index, json *seen)
{
	struct buffer key = BUFFER_INIT(SIZE_MAX);
	const json *first;
	bool stays = true;

	json_print(&key, entry->id);
	buffer_byte(&key, '\0');
	if (key.fault != BUFFER_GOOD) {
		buffer_free(&key);
		return true;
	}
	first = json_get(seen, key.data);
	if (!first) {
		json_set_integer(seen, key.data, (int64_t)index);
	} else if (same_call(&list->entries[json_integer(first)], entry)) {
		stays = false;
	} else {
		entry->reason = PARSE_DUPLICATE_ID;
		json_drop(entry->arguments);
		entry->arguments = NULL;
		entry->message = strdup("another call before it has the same id");
	}
	buffer_free(&key);
	return stays;
}

void parser_check_ids(struct parser *parser)
{
	struct parse_list *list = parser->list;
	json *seen = json_new_object();
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct parse_entry *entry = &list->entries[i];

		if (entry->reason == PARSE_CALL && entry->id && !check_id(list, entry, kept, seen))
			entry_free(entry);
		else
			list->entries[kept++] = *entry;
	}
	list->count = kept;
	json_drop(seen);
}
