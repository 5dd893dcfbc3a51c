/* SPDX-License-Identifier: MIT
 *
 * JSON that is broken: whether a call was meant, and where it ends.
 */
#include "parse/lenient.h"

#include <string.h>

enum { LEVELS = 64 };

/* What is known of an open object or list. */
struct level {
	bool is_list;
	bool searched; /* calls may lie in it */
	bool inside;   /* and in the value of its last key */
	bool is_type;  /* its last key was "type" */
	bool has_name, has_arguments;
};

struct walk {
	const struct source *source;
	struct level levels[LEVELS];
	size_t depth; /* may pass LEVELS: what lies deeper is not looked at */
	bool meant;
};

static struct level *innermost(struct walk *w)
{
	return w->depth > 0 && w->depth <= LEVELS ? &w->levels[w->depth - 1] : NULL;
}

static bool is_one_of(const struct walk *w, size_t from, size_t to, const char *const *texts)
{
	for (; *texts; texts++)
		if (to - from == strlen(*texts) &&
		    !memcmp(w->source->text + from, *texts, to - from))
			return true;
	return false;
}

static void note_key(struct walk *w, struct level *level, size_t from, size_t to)
{
	static const char *const calls[] = { "tool_calls", "function_call", "functionCall", "tool",
					     NULL };
	static const char *const holders[] = { "choices",    "message", "content", "output",
					       "candidates", "parts",	"delta",   NULL };
	static const char *const arguments[] = { "arguments", "parameters", NULL };
	static const char *const name[] = { "name", NULL }, *const type[] = { "type", NULL };

	level->inside = is_one_of(w, from, to, holders);
	level->is_type = is_one_of(w, from, to, type);
	level->has_name = level->has_name || is_one_of(w, from, to, name);
	level->has_arguments = level->has_arguments || is_one_of(w, from, to, arguments);
	if (is_one_of(w, from, to, calls) || (level->has_name && level->has_arguments))
		w->meant = true;
}

/* A string, in either quote; it ends with its line at the latest. Answers where to go on. */
static size_t walk_string(struct walk *w, size_t at)
{
	static const char *const types[] = { "tool_use", "function_call", NULL };
	const struct source *source = w->source;
	struct level *level = innermost(w);
	size_t to = at + 1, next;

	while (to < source->length && source->text[to] != source->text[at] &&
	       source->text[to] != '\n')
		to += source->text[to] == '\\' && to + 1 < source->length ? 2 : 1;
	if (to >= source->length)
		return source->length;
	if (source->text[to] == '\n')
		return to;
	next = source_skip_space(source, to + 1);
	if (!level || !level->searched || level->is_list)
		return to + 1;
	if (next < source->length && source->text[next] == ':')
		note_key(w, level, at + 1, to);
	else if (level->is_type && is_one_of(w, at + 1, to, types))
		w->meant = true;
	return to + 1;
}

static void open_level(struct walk *w, bool is_list)
{
	const struct level *around = innermost(w);
	bool searched = !w->depth ||
			(around && around->searched && (around->is_list || around->inside));

	if (w->depth < LEVELS)
		w->levels[w->depth] = (struct level){ .is_list = is_list, .searched = searched };
	w->depth++;
}

/* How far a place lies behind the begin of its line, where there are only blanks before it. */
static size_t indentation(const struct source *source, size_t at)
{
	size_t first = at;

	while (first > 0 && (source->text[first - 1] == ' ' || source->text[first - 1] == '\t'))
		first--;
	return at - first;
}

/* Whether the line at `at` belongs to something else than the block which is that far indented. */
static bool begins_another(const struct source *source, size_t at, size_t indented)
{
	size_t first = at;

	while (first < source->length && byte_is_space(source->text[first]) &&
	       source->text[first] != '\n')
		first++;
	if (first == source->length)
		return false;
	if (source->text[first] == '\n' || source_has(source, first, "```"))
		return true;
	return first - at <= indented && (source->text[first] == '{' ||
					  source->text[first] == '[' || source->text[first] == '<');
}

bool lenient_means_call(const struct source *source, size_t at, size_t fault, size_t *ret_end)
{
	struct walk w = { .source = source };
	size_t indented = indentation(source, at);

	while (at < source->length) {
		char byte = source->text[at];

		if (byte == '"' || byte == '\'') {
			at = walk_string(&w, at);
			continue;
		}
		if (byte == '{' || byte == '[')
			open_level(&w, byte == '[');
		at++;
		if ((byte == '}' || byte == ']') && --w.depth == 0)
			break;
		if (byte == '\n' && at >= fault && begins_another(source, at, indented))
			break;
	}
	*ret_end = at;
	return w.meant;
}
