/* SPDX-License-Identifier: MIT
 *
 * Calls among prose: from left to right, each place is handed to the format that begins there.
 */
#include "parse/block.h"
#include "parse/deepseek.h"
#include "parse/fence.h"
#include "parse/formats.h"
#include "parse/python.h"
#include "parse/quotation.h"

#include "base/array.h"
#include "base/text.h"

#include <string.h>

struct scan {
	struct parser *parser;
	const struct source *source;
	struct finders finders;
	struct quotations quotations;
	struct inline_code code;
	size_t first;	  /* the index of this text's first entry */
	size_t tentative; /* of the first that may be dropped */
	size_t gap;	  /* behind what was read last */
	bool prose;	  /* there is something besides calls */
	bool fresh;	  /* nothing but blanks stands before this place on its line */
};

/* ---- What stands between ------------------------------------------------------------------------ */

/* Words that join two calls and say nothing else, as between two fences. */
static bool is_conjunction(const char *word, size_t length)
{
	static const char *const words[] = { "and",  "also",   "after", "finally", "next",
					     "plus", "second", "that",	"then",	   "&" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == length && text_same_folded(words[i], word, length))
			return true;
	return false;
}

static bool is_joint(const struct source *source, size_t from, size_t to)
{
	while (from < to) {
		size_t end = from;

		while (end < to && !byte_is_space(source->text[end]) && source->text[end] != ',' &&
		       source->text[end] != ':')
			end++;
		if (end > from && !is_conjunction(source->text + from, end - from))
			return false;
		from = end + 1;
	}
	return true;
}

/* Drops the calls of fences that were read before entry `before`. */
static void drop_tentative(struct scan *scan, size_t before)
{
	if (before > scan->tentative)
		parser_drop_tentative(scan->parser, scan->tentative, before);
	scan->tentative = scan->parser->list->count;
}

/* Something has been read, and entries added from `before` on. Prose ahead of it takes back the
 * fences ahead of that: a model shows examples on its way, and asks at the end. */
static void close_gap(struct scan *scan, size_t from, size_t to, size_t before, bool fence)
{
	size_t added = scan->parser->list->count - before;

	if (!source_blank(scan->source, scan->gap, from)) {
		scan->prose = true;
		if (!fence || !is_joint(scan->source, scan->gap, from)) {
			drop_tentative(scan, before);
			scan->tentative -= added;
		}
	}
	scan->gap = to;
}

static void close_quotation(struct scan *scan, size_t to)
{
	scan->prose = true;
	drop_tentative(scan, scan->parser->list->count);
	scan->gap = to;
}

/* ---- What begins at a place --------------------------------------------------------------------- */

/* The tags of the elements around calls, which say nothing themselves. */
static enum reading read_wrapper(const struct source *source, const struct tag *tag, size_t *at)
{
	size_t after = source_skip_space(source, tag->after);

	if (after == source->length || source->text[after] != '>')
		return READ_NONE;
	*at = after + 1;
	return READ_NEUTRAL;
}

static enum reading read_tag(struct scan *scan, size_t *at)
{
	const struct source *source = scan->source;
	enum reading reading;
	struct tag tag;

	if (!source_tag(source, *at, &tag))
		return READ_NONE;
	if (!tag.prefixed && tag_is(source, &tag, "tool") && tag_ends_there(source, &tag))
		return tool_tag(scan->parser, source, &scan->finders, &tag, at);
	if (tag_is(source, &tag, "invoke") && tag_ends_there(source, &tag))
		return invoke_element(scan->parser, source, &scan->finders, &tag, at);
	if (tag_is(source, &tag, "tool_call") && tag_ends_there(source, &tag))
		return tool_call_element(scan->parser, source, &scan->finders, &tag, at);
	reading = quotation_element(source, &scan->quotations, &tag, at);
	if (reading != READ_NONE)
		return reading;
	if (tag_is(source, &tag, "function_calls") || tag_is(source, &tag, "tool_calls") ||
	    (tag.end && (tag_is(source, &tag, "function") || tag_is(source, &tag, "parameter"))))
		return read_wrapper(source, &tag, at);
	return function_tag(scan->parser, source, &scan->finders, at);
}

/* What may follow the < of a tag or a token. */
static bool begins_markup(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
	       byte == '/' || byte == '!' || byte == '|' || byte == DEEPSEEK_TOKEN("")[1];
}

static enum reading read_angle(struct scan *scan, size_t *at)
{
	const struct source *source = scan->source;
	enum reading reading;
	size_t used;

	if (*at + 1 == source->length || !begins_markup(source->text[*at + 1]))
		return READ_NONE;
	reading = quotation_token(source, &scan->quotations, at);
	if (reading != READ_NONE)
		return reading;
	if (source_has(source, *at, "<|python_tag|>"))
		return python_tag(scan->parser, source, &scan->finders, at);
	if (source_has(source, *at, DEEPSEEK_CALL_BEGIN))
		return deepseek_call(scan->parser, source, &scan->finders.deepseek_end, at);
	used = source_token(source, *at);
	if (used > 0) {
		*at += used;
		return READ_NEUTRAL;
	}
	return read_tag(scan, at);
}

static enum reading read_place(struct scan *scan, size_t *at)
{
	const struct source *source = scan->source;

	switch (source->text[*at]) {
	case '`':
		return quotation_code(source, &scan->code, at);
	case '<':
		return read_angle(scan, at);
	case '[':
		if (source_has(source, *at, "[TOOL_CALLS]"))
			return mistral_token(scan->parser, source, at);
		return READ_NONE;
	default:
		return READ_NONE;
	}
}

/* What only counts at the begin of a line. *ret_fence: it is a fence. */
static enum reading read_line(struct scan *scan, size_t *at, bool *ret_fence)
{
	const struct source *source = scan->source;
	size_t first = *at, quoted;
	enum reading reading;

	while (first < source->length && byte_is_space(source->text[first]) &&
	       source->text[first] != '\n')
		first++;
	quoted = first;
	while (quoted < source->length &&
	       (source->text[quoted] == '>' || source->text[quoted] == ' '))
		quoted++;
	*at = first;
	if (quoted < source->length &&
	    (source->text[quoted] == '`' || source->text[quoted] == '~')) {
		*ret_fence = true;
		reading = fence_read(scan->parser, source, &quoted);
		if (reading != READ_NONE)
			*at = quoted;
		return reading;
	}
	if (first < source->length && !source_has(source, first, "[TOOL_CALLS]") &&
	    (source->text[first] == '{' || source->text[first] == '['))
		return block_read(scan->parser, source, at);
	return READ_NONE;
}

/* ---- The scan ----------------------------------------------------------------------------------- */

/* The next place where something may begin. */
static size_t next_place(const struct source *source, size_t at)
{
	while (at < source->length && source->text[at] != '\n' && source->text[at] != '`' &&
	       source->text[at] != '<' && source->text[at] != '[')
		at++;
	return at;
}

/* Whether only blanks stand before a place on its line. */
static bool begins_line(const struct source *source, size_t at)
{
	while (at > 0 && (source->text[at - 1] == ' ' || source->text[at - 1] == '\t'))
		at--;
	return at == 0 || source->text[at - 1] == '\n';
}

/* All before this was thought, not said. */
static void forget(struct scan *scan, size_t to)
{
	parser_cut(scan->parser, scan->first);
	scan->tentative = scan->first;
	scan->gap = to;
}

static void step(struct scan *scan, size_t *at)
{
	size_t start = *at, before = scan->parser->list->count;
	enum reading reading = READ_NONE;
	bool fence = false;

	if (scan->fresh)
		reading = read_line(scan, at, &fence);
	scan->fresh = false;
	if (reading == READ_NONE && *at < scan->source->length && *at == start)
		reading = read_place(scan, at);
	if (reading == READ_NONE) {
		/* A line's blanks were skipped, or what was looked at is prose. */
		if (*at == start) {
			scan->fresh = scan->source->text[start] == '\n';
			*at = scan->fresh ? start + 1 : next_place(scan->source, start + 1);
		} else {
			scan->fresh = begins_line(scan->source, *at);
		}
		return;
	}
	if (reading == READ_UNSAID)
		forget(scan, *at);
	else if (reading == READ_QUOTED)
		close_quotation(scan, *at);
	else
		close_gap(scan, start, *at, before, fence);
	scan->fresh = begins_line(scan->source, *at);
}

bool scan_read(struct parser *parser, const struct source *source)
{
	struct scan scan = {
		.parser = parser,
		.source = source,
		.first = parser->list->count,
		.tentative = parser->list->count,
		.fresh = true,
	};
	size_t at = 0;

	while (at < source->length && parser_goes_on(parser))
		step(&scan, &at);
	close_gap(&scan, source->length, source->length, parser->list->count, false);
	for (size_t i = scan.first; i < parser->list->count; i++)
		parser->list->entries[i].tentative = false;
	return !scan.prose && parser->list->count > scan.first;
}
