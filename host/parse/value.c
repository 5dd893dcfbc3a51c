/* SPDX-License-Identifier: MIT
 *
 * Decoded structures: whose they are, and which of their parts the model has just said.
 */
#include "parse/stream.h"
#include "parse/value.h"

#include <string.h>

static bool ends_with(const json *text, const char *tail)
{
	size_t length, tail_length = strlen(tail);
	const char *bytes = json_text(text, &length);

	return length >= tail_length && !memcmp(bytes + length - tail_length, tail, tail_length);
}

static bool has_role(const json *object)
{
	return json_kind(json_get(object, "role")) == JSON_TEXT;
}

static bool is_models(const json *role)
{
	return json_text_is(role, "assistant") || json_text_is(role, "model");
}

/* What somebody else has said: another role, or the result of a call. */
static bool is_foreign(const json *object)
{
	const json *type = json_get(object, "type");

	if (has_role(object) && !is_models(json_get(object, "role")))
		return true;
	return ends_with(type, "_output") || ends_with(type, "_result") ||
	       json_has(object, "functionResponse") || json_has(object, "function_response");
}

void value_text(struct parser *parser, const json *text, size_t offset)
{
	struct source source = { .origin = offset, .fixed = true, .whole = true };

	if (json_kind(text) == JSON_TEXT && parser->depth < PARSE_DEPTH) {
		source.text = json_text(text, &source.length);
		text_read(parser, &source);
	}
}

/* ---- Objects ---------------------------------------------------------------------------------- */

static void read_content(struct parser *parser, const json *message, struct place place)
{
	const json *content = json_get(message, "content");

	if (json_kind(content) == JSON_TEXT)
		value_text(parser, content, place.offset);
	else if (json_kind(content) == JSON_LIST)
		anthropic_content(parser, message, place);
	else if (json_kind(json_get(message, "parts")) == JSON_LIST)
		gemini_content(parser, message, place.offset);
}

/* The object by its type. True where that says all. */
static bool read_typed(struct parser *parser, const json *object, struct place place)
{
	const json *type = json_get(object, "type");

	if (json_kind(type) != JSON_TEXT)
		return false;
	if (json_text_is(type, "tool_use"))
		anthropic_block(parser, object, place);
	else if (json_text_is(type, "function_call") || json_text_is(type, "custom_tool_call"))
		responses_item(parser, object, place);
	else if (json_text_is(type, "text") || json_text_is(type, "output_text"))
		value_text(parser, json_get(object, "text"), place.offset);
	else
		/* Calls that the provider has run itself, such as web_search_call. */
		return (ends_with(type, "_call") && !json_text_is(type, "tool_call")) ||
		       ends_with(type, "_use");
	return true;
}

void value_object(struct parser *parser, const json *object, struct place place)
{
	if (is_foreign(object))
		return;
	if (json_kind(json_get(object, "choices")) == JSON_LIST)
		openai_choices(parser, object, place.offset);
	else if (json_kind(json_get(object, "candidates")) == JSON_LIST)
		gemini_response(parser, object, place.offset);
	else if (json_text_is(json_get(object, "object"), "response"))
		responses_response(parser, object, place.offset);
	else if (openai_message(parser, object, place) || read_typed(parser, object, place))
		return;
	else if (has_role(object) || json_text_is(json_get(object, "type"), "message"))
		read_content(parser, object, place);
	else if (json_kind(json_get(json_get(object, "content"), "parts")) == JSON_LIST)
		gemini_content(parser, json_get(object, "content"), place.offset);
	else if (!gemini_part(parser, object, place.offset))
		plain_object(parser, object, place.offset);
}

/* ---- Lists ------------------------------------------------------------------------------------ */

static bool are_messages(const json *list)
{
	size_t count = json_count(list);

	for (size_t i = 0; i < count; i++) {
		const json *item = json_peek(list, i);

		if (json_kind(item) != JSON_OBJECT || !has_role(item))
			return false;
	}
	return count > 0;
}

/* Calls before a result, or before what a user has said, have been answered. */
static size_t first_open(const json *list)
{
	size_t first = json_count(list);

	while (first > 0) {
		const json *item = json_peek(list, first - 1);

		if (json_kind(item) == JSON_OBJECT && is_foreign(item))
			break;
		first--;
	}
	return first;
}

static void read_items(struct parser *parser, const json *list, struct place place,
		       bool report_others)
{
	size_t count = json_count(list);

	for (size_t i = first_open(list); i < count && parser_goes_on(parser); i++) {
		const json *item = json_peek(list, i);

		place.last = i + 1 == count;
		if (json_kind(item) == JSON_OBJECT)
			value_object(parser, item, place);
		else if (report_others)
			parser_refuse(parser, place.offset, NULL, PARSE_NOT_AN_OBJECT,
				      "entry %zu of the list is no object", i);
	}
}

void value_items(struct parser *parser, const json *list, struct place place)
{
	size_t before = parser->list->count, others = 0, count = json_count(list);

	if (json_packed(list, NULL))
		return;
	for (size_t i = first_open(list); i < count; i++)
		others += json_kind(json_peek(list, i)) != JSON_OBJECT;
	if (others == count)
		return;
	read_items(parser, list, place, false);
	/* Among calls, an entry that is none is told; in other lists it is as good as any. */
	if (others > 0 && parser->list->count > before) {
		parser_cut(parser, before);
		read_items(parser, list, place, true);
	}
}

void value_read(struct parser *parser, const json *value, size_t offset)
{
	struct place place = { .offset = offset, .last = true };
	size_t count = json_count(value);

	if (json_kind(value) == JSON_OBJECT && stream_is_piece(value))
		stream_read_value(parser, value, offset);
	else if (json_kind(value) == JSON_OBJECT)
		value_object(parser, value, place);
	else if (json_kind(value) != JSON_LIST || !count)
		return;
	else if (stream_is_piece(json_peek(value, 0)))
		stream_read_value(parser, value, offset);
	else if (are_messages(value))
		value_object(parser, json_peek(value, count - 1), place);
	else
		value_items(parser, value, place);
}
