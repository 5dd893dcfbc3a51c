/* SPDX-License-Identifier: MIT
 *
 * A text as a model gave it.
 */
#include "parse/python.h"
#include "parse/stream.h"
#include "parse/value.h"

/* Whether a JSON value may begin with the byte; most prose does not. */
static bool begins_json(char byte)
{
	return byte == '{' || byte == '[' || byte == '"' || byte == '-' || byte == 't' ||
	       byte == 'f' || byte == 'n' || (byte >= '0' && byte <= '9');
}

static bool read_value(struct parser *parser, const struct source *source)
{
	json *value;
	int r;

	if (!begins_json(source->text[0]))
		return false;
	r = json_read(source->text, source->length, NULL, &value, NULL);
	if (r == STATUS_INTERNAL)
		parser->status = r;
	if (r != STATUS_OK)
		return false;
	value_read(parser, value, source_offset(source, 0));
	json_drop(value);
	return true;
}

/* ---- JSON lines --------------------------------------------------------------------------------- */

/* Moves to the next line that is not blank; false at the end. */
static bool next_line(const struct source *source, size_t *at, size_t *ret_end)
{
	*at = source_skip_space(source, *at);
	*ret_end = *at < source->length ? source_line_end(source, *at) : *at;
	return *at < source->length;
}

/* The values of all lines, the caller's. NULL: a line is none. */
static json *read_lines(const struct source *source)
{
	json *values = json_new_list(), *value;
	size_t at = 0, end;

	for (; next_line(source, &at, &end); at = end) {
		if (json_read(source->text + at, end - at, NULL, &value, NULL) != STATUS_OK) {
			json_drop(values);
			return NULL;
		}
		json_append(values, value);
	}
	return values;
}

/* Messages of several roles are a transcript, of which the last one counts. */
static bool is_transcript(const json *values)
{
	bool others = false;

	for (size_t i = 0; i < json_count(values); i++) {
		const json *role = json_get(json_peek(values, i), "role");

		if (json_kind(role) != JSON_TEXT)
			return false;
		others = others ||
			 !(json_text_is(role, "assistant") || json_text_is(role, "model"));
	}
	return others;
}

static bool lines_read(struct parser *parser, const struct source *source)
{
	json *values = begins_json(source->text[0]) ? read_lines(source) : NULL;
	size_t at = 0, end;

	if (!values)
		return false;
	if (is_transcript(values) || stream_is_piece(json_peek(values, 0))) {
		value_read(parser, values, source_offset(source, 0));
		json_drop(values);
		return true;
	}
	for (size_t i = 0; next_line(source, &at, &end); at = end, i++)
		value_read(parser, json_peek(values, i), source_offset(source, at));
	json_drop(values);
	return true;
}

/* ---- The text ----------------------------------------------------------------------------------- */

void text_read(struct parser *parser, const struct source *source)
{
	struct source text = *source;
	size_t first = source_has(source, 0, "\xEF\xBB\xBF") ? 3 : 0;

	first = source_skip_space(source, first);
	text.text += first;
	text.length -= first;
	text.origin = source_offset(source, first);
	while (text.length > 0 && byte_is_space(text.text[text.length - 1]))
		text.length--;
	if (!text.length)
		return;
	parser->depth++;
	if (stream_begins(&text))
		stream_read(parser, &text);
	else if (!read_value(parser, &text) && !lines_read(parser, &text) &&
		 !python_list(parser, &text))
		scan_read(parser, &text);
	parser->depth--;
}
