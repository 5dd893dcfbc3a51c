/* SPDX-License-Identifier: MIT
 *
 * [TOOL_CALLS] and a list, or a name with [CALL_ID] and [ARGS].
 */
#include "parse/formats.h"
#include "parse/value.h"

#include <string.h>

/* Reads the JSON at *at and moves behind it, or behind what is sound of it. */
static bool read_json(const struct source *source, size_t *at, json **ret_value,
		      struct json_fault *fault)
{
	size_t used;
	bool read;

	*at = source_skip_space(source, *at);
	read = json_read_first(source->text + *at, source->length - *at, NULL, ret_value, &used,
			       fault) == STATUS_OK;
	*at = fault->ended ? source->length : *at + (read ? used : fault->offset);
	return read;
}

static void read_list(struct parser *parser, const struct source *source, size_t start, size_t *at)
{
	size_t offset = source_offset(source, start);
	struct json_fault fault;
	json *value;

	if (read_json(source, at, &value, &fault)) {
		plain_meant(parser, value, offset);
		json_drop(value);
		return;
	}
	parser_refuse(parser, offset, NULL,
		      fault.ended && source->whole ? PARSE_TRUNCATED : PARSE_NOT_JSON,
		      "line %u, column %u: %s", fault.line, fault.column, fault.reason);
}

static void read_arguments(struct parser *parser, const struct source *source, struct found *found,
			   size_t *at)
{
	struct json_fault fault;
	json *value;

	if (read_json(source, at, &value, &fault)) {
		found->arguments = value;
		found->decoded = 1;
		parser_call(parser, found);
		json_drop(value);
		return;
	}
	parser_refuse(parser, found->offset, found->name,
		      fault.ended && source->whole ? PARSE_TRUNCATED : PARSE_ARGUMENTS_NOT_JSON,
		      "line %u, column %u of its arguments: %s", fault.line, fault.column,
		      fault.reason);
}

/* The word that ends before a bracket, a brace or the line. */
static size_t word_end(const struct source *source, size_t at)
{
	size_t end = at;

	while (end < source->length && end - at < PARSE_NAME_MAX && source->text[end] != '[' &&
	       source->text[end] != '{' && source->text[end] != '\n')
		end++;
	return end;
}

static json *trimmed(const struct source *source, size_t from, size_t to)
{
	while (to > from && byte_is_space(source->text[to - 1]))
		to--;
	return source_text(source, from, to);
}

/* No name has a blank in it; what stands behind a mention of the token has. */
static bool has_blank(const json *name)
{
	const char *text = json_text(name, NULL);

	return text && strpbrk(text, " \t");
}

/* Whether the text ends within one of the tokens behind a name. */
static bool is_cut(const struct source *source, size_t at)
{
	size_t left = source->length - at;

	return (left < strlen("[ARGS]") && !memcmp("[ARGS]", source->text + at, left)) ||
	       (left < strlen("[CALL_ID]") && !memcmp("[CALL_ID]", source->text + at, left));
}

enum reading mistral_token(struct parser *parser, const struct source *source, size_t *at)
{
	struct found found = { .offset = source_offset(source, *at) };
	size_t start = *at, end;
	size_t first = source_skip_space(source, start + sizeof("[TOOL_CALLS]") - 1);
	json *name, *id = NULL;
	enum reading reading = READ_CALL;

	*at = first;
	if (first < source->length && (source->text[first] == '[' || source->text[first] == '{') &&
	    !source_has(source, first, "[ARGS]") && !source_has(source, first, "[CALL_ID]")) {
		read_list(parser, source, start, at);
		return READ_CALL;
	}
	end = word_end(source, first);
	name = trimmed(source, first, end);
	if (source_has(source, end, "[CALL_ID]")) {
		first = end + strlen("[CALL_ID]");
		end = word_end(source, first);
		id = trimmed(source, first, end);
	}
	found.name = name;
	found.id = id;
	*at = end;
	if (source_has(source, end, "[ARGS]"))
		*at = source_skip_space(source, end + strlen("[ARGS]"));
	if (has_blank(name)) {
		reading = READ_NONE;
	} else if (*at == source->length || is_cut(source, end)) {
		parser_refuse(parser, found.offset, name, PARSE_TRUNCATED, "it has no arguments");
		*at = source->length;
	} else if (*at > end || source->text[end] == '{') {
		read_arguments(parser, source, &found, at);
	} else {
		reading = READ_NONE;
	}
	if (reading == READ_NONE)
		*at = start;
	json_drop(name);
	json_drop(id);
	return reading;
}
