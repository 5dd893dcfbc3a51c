/* SPDX-License-Identifier: MIT
 *
 * Code fences: quotation, unless all that a fence holds are calls.
 */
#include "parse/fence.h"

#include "parse/value.h"

#include "base/array.h"
#include "base/text.h"

#include <string.h>

struct fence {
	size_t run;	       /* how many backticks or tildes */
	size_t body, body_end; /* what it holds */
	size_t after;	       /* behind the fence */
	char mark;
	bool closed;
	bool may_ask; /* its label is one that calls are put under */
};

static size_t run_length(const struct source *source, size_t at, char mark)
{
	size_t end = at;

	while (end < source->length && source->text[end] == mark)
		end++;
	return end - at;
}

/* Blanks and the marks of a block quote at the begin of a line. */
static size_t skip_margin(const struct source *source, size_t at)
{
	while (at < source->length &&
	       (source->text[at] == ' ' || source->text[at] == '\t' || source->text[at] == '>'))
		at++;
	return at;
}

static size_t trim_end(const struct source *source, size_t from, size_t to)
{
	while (to > from && byte_is_space(source->text[to - 1]))
		to--;
	return to;
}

/* ---- Where it begins and ends ------------------------------------------------------------------ */

static bool label_may_ask(const struct source *source, size_t from, size_t to)
{
	static const char *const labels[] = { "", "json", "xml", "tool_call", "tool_code" };

	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		if (to - from == strlen(labels[i]) &&
		    text_same_folded(source->text + from, labels[i], to - from))
			return true;
	return false;
}

static bool begins_a_call(char byte)
{
	return byte == '{' || byte == '[' || byte == '<';
}

/* Reads the opening line; what a call begins with may stand on it, behind the label. False: it opens
 * no fence. */
static bool open_fence(const struct source *source, size_t at, struct fence *ret)
{
	size_t line_end = source_line_end(source, at), label, rest;
	bool other_ticks;

	*ret = (struct fence){ .mark = source->text[at] };
	ret->run = run_length(source, at, ret->mark);
	if (ret->run < 3)
		return false;
	label = at + ret->run;
	while (label < line_end && byte_is_space(source->text[label]))
		label++;
	rest = label;
	while (rest < line_end && byte_is_name(source->text[rest]))
		rest++;
	ret->may_ask = ret->mark == '`' && label_may_ask(source, label, rest);
	other_ticks = ret->mark == '`' && memchr(source->text + label, '`', line_end - label);
	while (rest < line_end && byte_is_space(source->text[rest]))
		rest++;
	ret->body = line_end < source->length ? line_end + 1 : line_end;
	if (rest < line_end) {
		if (ret->may_ask && begins_a_call(source->text[rest]))
			ret->body = rest;
		else if (other_ticks)
			return false;
		else
			ret->may_ask = false;
	}
	return true;
}

/* The backticks that end a line behind the end of a call, which models write. */
static size_t closes_behind_call(const struct source *source, const struct fence *fence,
				 size_t line, size_t line_end)
{
	size_t end = trim_end(source, line, line_end), first = end, call;

	while (first > line && source->text[first - 1] == '`')
		first--;
	call = trim_end(source, line, first);
	if (end - first < fence->run || call == line || !memchr("}]>", source->text[call - 1], 3))
		return 0;
	return first;
}

/* A line of nothing but the mark; a token that ends the model's turn may follow it. Answers the
 * place behind the mark, or 0. */
static size_t closes(const struct source *source, const struct fence *fence, size_t line,
		     size_t line_end)
{
	size_t first = skip_margin(source, line), run = run_length(source, first, fence->mark);
	size_t rest = source_skip_space(source, first + run);

	if (run < fence->run)
		return 0;
	return rest >= line_end || source_token(source, rest) ? first + run : 0;
}

static void find_end(const struct source *source, struct fence *fence)
{
	size_t line = fence->body;

	fence->body_end = fence->after = source->length;
	while (line < source->length && !fence->closed) {
		size_t line_end = source_line_end(source, line);
		size_t behind = closes(source, fence, line, line_end);
		size_t call_end = 0;

		if (!behind && fence->may_ask)
			call_end = closes_behind_call(source, fence, line, line_end);
		fence->closed = behind || call_end;
		if (fence->closed) {
			fence->body_end = behind ? line : call_end;
			fence->after = behind ? behind : line_end;
		}
		line = line_end + 1;
	}
}

/* ---- What it holds ----------------------------------------------------------------------------- */

/* True where the body is one or more calls and nothing else. */
static bool read_body(struct parser *parser, const struct source *source, const struct fence *fence)
{
	struct source body = {
		.text = source->text + fence->body,
		.length = fence->body_end - fence->body,
		.origin = source_offset(source, fence->body),
		.fixed = source->fixed,
		.whole = source->whole && !fence->closed,
		.body = true,
	};
	size_t before = parser->list->count;
	json *value;

	if (source_blank(&body, 0, body.length))
		return false;
	if (json_read(body.text, body.length, NULL, &value, NULL) != STATUS_OK)
		return scan_read(parser, &body);
	value_read(parser, value, body.origin);
	json_drop(value);
	return parser->list->count > before;
}

enum reading fence_read(struct parser *parser, const struct source *source, size_t *at)
{
	size_t before = parser->list->count;
	struct fence fence;

	if (source->body || !open_fence(source, *at, &fence))
		return READ_NONE;
	find_end(source, &fence);
	*at = fence.after;
	if (!fence.may_ask || parser->options->no_fences)
		return READ_QUOTED;
	if (!read_body(parser, source, &fence)) {
		parser_cut(parser, before);
		return READ_QUOTED;
	}
	for (size_t i = before; i < parser->list->count; i++)
		parser->list->entries[i].tentative = true;
	return READ_CALL;
}
