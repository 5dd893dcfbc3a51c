/* SPDX-License-Identifier: MIT
 *
 * DeepSeek's tokens: a type, a name and fenced JSON (V3), or a name and JSON (V3.1).
 */
#include "parse/deepseek.h"

#include <string.h>

static size_t trim_end(const struct source *source, size_t from, size_t to)
{
	while (to > from && byte_is_space(source->text[to - 1]))
		to--;
	return to;
}

/* Where `token` lies within a name's length of `at`; NOT_FOUND. */
static size_t find_near(const struct source *source, size_t at, const char *token)
{
	struct source near = *source;
	struct finder finder = { 0 };

	if (near.length - at > PARSE_NAME_MAX)
		near.length = at + PARSE_NAME_MAX;
	return source_find(&near, &finder, token, at);
}

/* V3: behind the separator stand the name, a line's end and a fence. *at moves to the JSON. */
static json *fenced_name(const struct source *source, size_t *at)
{
	size_t end = find_near(source, *at, "\n"), fence;
	json *name;

	if (end == NOT_FOUND)
		return NULL;
	fence = source_skip_space(source, end);
	if (!source_has(source, fence, "```"))
		return NULL;
	name = source_text(source, *at, trim_end(source, *at, end));
	*at = source_line_end(source, fence);
	return name;
}

/* Reads the JSON and the tokens behind it. */
static void read_arguments(struct parser *parser, const struct source *source,
			   struct finder *call_end, struct found *found, size_t *at)
{
	size_t first = source_skip_space(source, *at), used, end, next;
	struct json_fault fault;
	json *value = NULL;
	bool read = json_read_first(source->text + first, source->length - first, NULL, &value,
				    &used, &fault) == STATUS_OK;

	next = source_skip_space(source, first + (read ? used : fault.offset));
	end = source_find(source, call_end, DEEPSEEK_CALL_END, next);
	if (source_has(source, next, "```"))
		next = source_skip_space(source, next + 3);
	if ((read || first == end) && next == end) {
		found->arguments = value;
		found->decoded = 1;
		parser_call(parser, found);
	} else if (end == NOT_FOUND && (read || fault.ended)) {
		parser_refuse(parser, found->offset, found->name, PARSE_TRUNCATED,
			      "it does not end");
	} else {
		parser_refuse(parser, found->offset, found->name, PARSE_ARGUMENTS_NOT_JSON,
			      "line %u, column %u of its arguments: %s", fault.line, fault.column,
			      read ? "there is more than JSON" : fault.reason);
	}
	json_drop(value);
	*at = end != NOT_FOUND	     ? end + strlen(DEEPSEEK_CALL_END)
	      : !read && fault.ended ? source->length
				     : next;
}

enum reading deepseek_call(struct parser *parser, const struct source *source,
			   struct finder *call_end, size_t *at)
{
	size_t type = *at + strlen(DEEPSEEK_CALL_BEGIN);
	size_t separator = find_near(source, type, DEEPSEEK_SEPARATOR);
	size_t behind = separator + strlen(DEEPSEEK_SEPARATOR);
	struct found found = { .offset = source_offset(source, *at) };
	json *name, *kind;

	if (separator == NOT_FOUND) {
		if (source->length - type > PARSE_NAME_MAX)
			return READ_NONE;
		parser_refuse(parser, found.offset, NULL, PARSE_TRUNCATED, "it does not end");
		*at = source->length;
		return READ_CALL;
	}
	kind = source_text(source, type, trim_end(source, type, separator));
	*at = behind;
	name = fenced_name(source, at);
	found.name = name ? name : kind;
	if (name && !json_text_is(kind, "function")) {
		parser_refuse(parser, found.offset, name, PARSE_UNSUPPORTED_TYPE,
			      "it is no call of a function");
		behind = source_find(source, call_end, DEEPSEEK_CALL_END, *at);
		*at = behind == NOT_FOUND ? source->length : behind + strlen(DEEPSEEK_CALL_END);
	} else {
		read_arguments(parser, source, call_end, &found, at);
	}
	json_drop(name);
	json_drop(kind);
	return READ_CALL;
}
