/* SPDX-License-Identifier: MIT
 *
 * Chat completions: tool_calls, and function_call, which came before it.
 */
#include "parse/value.h"

/* A type that is no function, and the name of what it is about, if there is one. */
static void refuse_type(struct parser *parser, const json *entry, size_t offset)
{
	const json *type = json_get(entry, "type");
	const json *about = json_get(entry, json_text(type, NULL));
	const json *name = json_get(json_kind(about) == JSON_OBJECT ? about : entry, "name");

	parser_refuse(parser, offset, name, PARSE_UNSUPPORTED_TYPE,
		      "calls of type %.64s are not taken: only functions are",
		      json_text(type, NULL));
}

void openai_entry(struct parser *parser, const json *entry, struct place place)
{
	const json *type = json_get(entry, "type"), *function = json_get(entry, "function");
	struct found found = {
		.offset = place.offset,
		.id = json_get(entry, "id"),
		.namespace = json_get(entry, "namespace"),
		.cut = place.cut,
	};

	if (json_kind(type) == JSON_TEXT && !json_text_is(type, "function") &&
	    !json_text_is(type, "tool_call")) {
		refuse_type(parser, entry, place.offset);
		return;
	}
	if (json_kind(function) != JSON_OBJECT) {
		plain_call(parser, entry, place);
		return;
	}
	found.name = json_get(function, "name");
	found.arguments = plain_arguments(function);
	parser_call(parser, &found);
}

static void read_tool_calls(struct parser *parser, const json *list, struct place place)
{
	for (size_t i = 0; i < json_count(list) && parser_goes_on(parser); i++) {
		const json *entry = json_peek(list, i);

		if (json_kind(entry) == JSON_OBJECT)
			openai_entry(parser, entry, place);
		else
			parser_refuse(parser, place.offset, NULL, PARSE_NOT_AN_OBJECT,
				      "entry %zu of tool_calls is no object", i);
	}
}

bool openai_message(struct parser *parser, const json *object, struct place place)
{
	const json *calls = json_get(object, "tool_calls");
	const json *call = json_get(object, "function_call");
	struct found found = { .offset = place.offset, .cut = place.cut };

	if (json_kind(calls) == JSON_LIST && json_count(calls) > 0) {
		read_tool_calls(parser, calls, place);
		return true;
	}
	if (json_kind(calls) == JSON_OBJECT || json_kind(calls) == JSON_TEXT) {
		parser_refuse(parser, place.offset, NULL, PARSE_NOT_A_LIST,
			      "tool_calls is no list but %s", json_kind_name(json_kind(calls)));
		return true;
	}
	if (json_kind(call) != JSON_OBJECT)
		return false;
	found.name = json_get(call, "name");
	found.arguments = plain_arguments(call);
	found.id = json_get(call, "id");
	found.namespace = json_get(call, "namespace");
	parser_call(parser, &found);
	return true;
}

void openai_choices(struct parser *parser, const json *object, size_t offset)
{
	const json *message = json_get(plain_first(json_get(object, "choices")), "message");
	const json *reason = json_get(plain_first(json_get(object, "choices")), "finish_reason");
	struct place place = {
		.offset = offset,
		.cut = json_text_is(reason, "length"),
		.last = true,
	};

	if (json_kind(message) == JSON_OBJECT)
		value_object(parser, message, place);
}
