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

/* What all lines are, if each of them is a JSON value. */
struct lines {
	bool messages; /* each has a role */
	bool others;   /* and one has that of somebody else */
	bool pieces;   /* of a stream */
	size_t last;   /* where the last one begins */
};

static void look_at_line(struct lines *lines, const json *value, bool first)
{
	const json *role = json_get(value, "role");

	lines->messages = lines->messages && json_kind(role) == JSON_TEXT;
	lines->others = lines->others ||
			!(json_text_is(role, "assistant") || json_text_is(role, "model"));
	if (first)
		lines->pieces = stream_is_piece(value);
}

/* False where a line is no JSON. The values are not kept: there may be very many. */
static bool look_at_lines(const struct source *source, struct lines *ret)
{
	size_t at = 0, end;
	json *value;

	*ret = (struct lines){ .messages = true };
	for (; next_line(source, &at, &end); at = end) {
		if (json_read(source->text + at, end - at, NULL, &value, NULL) != STATUS_OK)
			return false;
		look_at_line(ret, value, at == 0);
		json_drop(value);
		ret->last = at;
	}
	return true;
}

/* Reads the lines from `at` on: each for itself, or as the pieces of a stream. */
static void read_lines(struct parser *parser, const struct source *source, size_t at, bool pieces)
{
	json *list = pieces ? json_new_list() : NULL, *value;
	size_t end;

	for (; next_line(source, &at, &end) && parser_goes_on(parser); at = end) {
		if (json_read(source->text + at, end - at, NULL, &value, NULL) != STATUS_OK)
			break;
		if (pieces) {
			json_append(list, value);
			continue;
		}
		value_read(parser, value, source_offset(source, at));
		json_drop(value);
	}
	if (pieces)
		stream_read_value(parser, list, source_offset(source, 0));
	json_drop(list);
}

/* Messages of several roles are a transcript, of which the last one counts. */
static bool lines_read(struct parser *parser, const struct source *source)
{
	struct lines lines;

	if (!begins_json(source->text[0]) || !look_at_lines(source, &lines))
		return false;
	read_lines(parser, source, lines.messages && lines.others ? lines.last : 0, lines.pieces);
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
	text.length = source_end(&text);
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
