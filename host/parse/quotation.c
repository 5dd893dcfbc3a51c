/* SPDX-License-Identifier: MIT
 *
 * What a model shows or thinks and does not say: comments, thoughts, the results of calls.
 */
#include "parse/quotation.h"

#include "parse/deepseek.h"
#include "parse/element.h"

/* Behind the end tag, or the end of the text. */
static size_t skip_element(const struct source *source, struct finder *finder, const char *name,
			   size_t at)
{
	size_t end = source_find_tag(source, finder, name, true, at);

	return end == NOT_FOUND ? source->length : element_after(source, end);
}

/* A result may quote the tags of a result. Where they do not pair, the first end tag counts: looking
 * through all of the text again for each start tag would take too long. */
static size_t skip_nested(const struct source *source, struct quotation_finders *finders,
			  const char *name, size_t at)
{
	unsigned depth = 1;
	size_t place = at;

	while (depth > 0 && !finders->unpaired) {
		size_t end = source_find_tag(source, &finders->end, name, true, place);
		size_t start = source_find_tag(source, &finders->start, name, false, place);

		if (end == NOT_FOUND)
			finders->unpaired = true;
		else if (start < end)
			depth++;
		else
			depth--;
		place = (start < end ? start : end) + 1;
	}
	return finders->unpaired ? skip_element(source, &finders->end, name, at)
				 : element_after(source, place - 1);
}

/* Behind the start tag; 0 where it is no whole tag, or has no body. */
static size_t body_of(const struct source *source, struct finder *angle, const struct tag *tag,
		      size_t *at)
{
	size_t close = source_find(source, angle, ">", tag->after);

	if (close == NOT_FOUND) {
		*at = source->length;
		return 0;
	}
	*at = close + 1;
	return source->text[close - 1] == '/' ? 0 : close + 1;
}

static bool follows_a_name(const struct source *source, const struct tag *tag)
{
	return tag->after == source->length || byte_is_space(source->text[tag->after]) ||
	       source->text[tag->after] == '>' || source->text[tag->after] == '/';
}

enum reading quotation_element(const struct source *source, struct quotations *quotations,
			       const struct tag *tag, size_t *at)
{
	static const char *const thoughts[] = { "think", "thinking" };
	static const char *const results[] = { "tool_result", "tool_response", "function_results" };
	size_t body;

	if (!follows_a_name(source, tag))
		return READ_NONE;
	for (int i = 0; i < 2; i++) {
		if (!tag_is(source, tag, thoughts[i]))
			continue;
		body = body_of(source, &quotations->angle, tag, at);
		if (tag->end)
			return READ_UNSAID;
		if (body)
			*at = skip_element(source, &quotations->thoughts[i], thoughts[i], body);
		return READ_NEUTRAL;
	}
	for (int i = 0; i < 3; i++) {
		if (!tag_is(source, tag, results[i]))
			continue;
		body = body_of(source, &quotations->angle, tag, at);
		if (body && !tag->end)
			*at = skip_nested(source, &quotations->results[i], results[i], body);
		return READ_QUOTED;
	}
	return READ_NONE;
}

static bool skip_between(const struct source *source, struct finder *finder, const char *begin,
			 const char *end, size_t *at)
{
	size_t found;

	if (!source_has(source, *at, begin))
		return false;
	found = source_find(source, finder, end, *at);
	*at = found == NOT_FOUND ? source->length : found;
	if (found != NOT_FOUND)
		while (source->text[(*at)++] != '>' && *at < source->length)
			;
	return true;
}

enum reading quotation_token(const struct source *source, struct quotations *quotations, size_t *at)
{
	if (skip_between(source, &quotations->comment, "<!--", "-->", at))
		return READ_NEUTRAL;
	if (skip_between(source, &quotations->outputs, DEEPSEEK_OUTPUTS_BEGIN, DEEPSEEK_OUTPUTS_END,
			 at) ||
	    skip_between(source, &quotations->output, DEEPSEEK_OUTPUT_BEGIN, DEEPSEEK_OUTPUT_END,
			 at))
		return READ_QUOTED;
	return READ_NONE;
}

/* ---- Inline code ------------------------------------------------------------------------------ */

static bool begins_a_fence(const struct source *source, size_t line)
{
	while (line < source->length && (source->text[line] == ' ' || source->text[line] == '\t'))
		line++;
	return source_has(source, line, "```") || source_has(source, line, "~~~");
}

static size_t run_length(const struct source *source, size_t at)
{
	size_t end = at;

	while (end < source->length && source->text[end] == '`')
		end++;
	return end - at;
}

/* Notes where in the paragraph the last run of each length lies: without a later one of its length,
 * a run opens nothing. */
static void look_through_paragraph(const struct source *source, struct inline_code *code, size_t at)
{
	for (size_t i = 0; i <= INLINE_CODE_MAX; i++)
		code->last[i] = 0;
	while (at < source->length) {
		size_t run = run_length(source, at);

		if (run > 0 && run <= INLINE_CODE_MAX)
			code->last[run] = at;
		if (source->text[at] == '\n') {
			size_t next = at + 1;

			if (source_blank(source, next, source_line_end(source, next)) ||
			    begins_a_fence(source, next))
				break;
		}
		at += run ? run : 1;
	}
	code->paragraph_end = at;
}

enum reading quotation_code(const struct source *source, struct inline_code *code, size_t *at)
{
	size_t run = run_length(source, *at), end = *at + run;

	if (*at >= code->paragraph_end)
		look_through_paragraph(source, code, *at);
	if (run > INLINE_CODE_MAX || code->last[run] <= *at) {
		*at = end;
		return READ_NONE;
	}
	while (run_length(source, end) != run) {
		size_t other = run_length(source, end);

		end += other ? other : 1;
	}
	*at = end + run;
	return READ_QUOTED;
}
