/* SPDX-License-Identifier: MIT
 *
 * Calls that are plain objects: {"tool", "arguments"}, {"name", "arguments"}, {"name", "parameters"}.
 */
#include "base/array.h"
#include "parse/value.h"

#include <string.h>

const json *plain_arguments(const json *object)
{
	static const char *const keys[] = { "arguments", "parameters", "args", "input" };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (json_has(object, keys[i]))
			return json_get(object, keys[i]);
	return NULL;
}

const json *plain_first(const json *list)
{
	for (size_t i = 0; i < json_count(list); i++) {
		const json *item = json_peek(list, i), *index = json_get(item, "index");

		if (json_kind(item) != JSON_OBJECT)
			continue;
		if (!index || (json_kind(index) == JSON_INTEGER && json_integer(index) == 0))
			return item;
	}
	return NULL;
}

static bool has_only(const json *object, const char *const *keys)
{
	struct json_member m;

	for (bool more = json_first(object, &m); more; more = json_next(&m)) {
		size_t i = 0;

		while (keys[i] && strcmp(keys[i], m.key) != 0)
			i++;
		if (!keys[i])
			return false;
	}
	return true;
}

/* Text that means a JSON value which could be arguments; not the command line of a program. */
static bool is_json_text(const json *value)
{
	size_t length, i = 0;
	const char *text = json_text(value, &length);

	while (i < length && byte_is_space(text[i]))
		i++;
	return i < length && (text[i] == '{' || text[i] == '[' || text[i] == '"');
}

/* The parameters of a tool's definition are a schema. */
static bool is_schema(const json *parameters)
{
	return json_text_is(json_get(parameters, "type"), "object") &&
	       (json_count(parameters) == 1 ||
		json_kind(json_get(parameters, "properties")) == JSON_OBJECT);
}

static bool is_tool_shape(const json *object)
{
	static const char *const alone[] = { "tool", "id", "namespace", "type", NULL };

	if (json_has(object, "arguments"))
		return json_has(object, "tool");
	return json_kind(json_get(object, "tool")) == JSON_TEXT && has_only(object, alone);
}

static bool is_name_shape(const json *object)
{
	static const char *const with_parameters[] = { "name", "parameters", "type", NULL };
	const json *arguments = json_get(object, "arguments");
	const json *parameters = json_get(object, "parameters");
	const json *type = json_get(object, "type");

	if (json_kind(json_get(object, "name")) != JSON_TEXT)
		return false;
	if (json_kind(arguments) == JSON_OBJECT || is_json_text(arguments))
		return true;
	return json_kind(parameters) == JSON_OBJECT && !is_schema(parameters) &&
	       has_only(object, with_parameters) && (!type || json_text_is(type, "function"));
}

/* One entry of tool_calls by itself. */
static bool is_entry(const json *object)
{
	const json *function = json_get(object, "function");

	return json_kind(json_get(function, "name")) == JSON_TEXT &&
	       json_has(function, "arguments");
}

void plain_object(struct parser *parser, const json *object, size_t offset)
{
	struct place place = { .offset = offset };

	if (is_tool_shape(object) || is_name_shape(object))
		plain_call(parser, object, place);
	else if (is_entry(object))
		openai_entry(parser, object, place);
}

void plain_call(struct parser *parser, const json *object, struct place place)
{
	struct found found = {
		.offset = place.offset,
		.name = json_get(object, json_has(object, "tool") ? "tool" : "name"),
		.arguments = plain_arguments(object),
		.id = json_get(object, "id"),
		.namespace = json_get(object, "namespace"),
		.cut = place.cut,
	};

	parser_call(parser, &found);
}

static void read_meant(struct parser *parser, const json *value, size_t offset)
{
	struct place place = { .offset = offset };

	if (json_kind(value) != JSON_OBJECT)
		parser_refuse(parser, offset, NULL, PARSE_NOT_AN_OBJECT, "it is no object but %s",
			      json_kind_name(json_kind(value)));
	else if (!openai_message(parser, value, place))
		openai_entry(parser, value, place);
}

void plain_meant(struct parser *parser, const json *value, size_t offset)
{
	if (json_kind(value) != JSON_LIST) {
		read_meant(parser, value, offset);
		return;
	}
	for (size_t i = 0; i < json_count(value) && parser_goes_on(parser); i++)
		read_meant(parser, json_packed(value, NULL) ? NULL : json_peek(value, i), offset);
}
