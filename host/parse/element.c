/* SPDX-License-Identifier: MIT
 *
 * Where an element ends whose body is JSON.
 */
#include "parse/element.h"

bool element_opens_json(const struct source *source, size_t body)
{
	size_t at = source_skip_space(source, body);

	return at < source->length && (source->text[at] == '{' || source->text[at] == '[');
}

/* How far the JSON at the head of the body is sound: its end, or where its fault lies. */
static size_t sound_end(const struct source *source, size_t body, bool *ret_ended)
{
	size_t at = source_skip_space(source, body), used;
	struct json_fault fault;
	json *value;

	*ret_ended = false;
	if (!element_opens_json(source, body))
		return body;
	if (json_read_first(source->text + at, source->length - at, NULL, &value, &used, &fault) ==
	    STATUS_OK) {
		json_drop(value);
		return at + used;
	}
	*ret_ended = fault.ended;
	return at + fault.offset;
}

/* Whether a line ends behind the end tag at `at`. No string of JSON goes on behind a line's end, so
 * such a tag is one. */
static bool ends_a_line(const struct source *source, size_t at)
{
	at = element_after(source, at);
	while (at < source->length &&
	       (source->text[at] == ' ' || source->text[at] == '\t' || source->text[at] == '\r'))
		at++;
	return at == source->length || source->text[at] == '\n';
}

size_t element_end(const struct source *source, struct element_finders finders, const char *name,
		   size_t body, size_t *ret_sound)
{
	bool ended;
	size_t sound = sound_end(source, body, &ended);
	size_t end = source_find_tag(source, finders.end, name, true, body);

	/* A string whose own quote is missing may run past the end tag up to its line's end. */
	while (end < sound && !ends_a_line(source, end))
		end = source_find_tag(source, finders.end, name, true, end + 1);
	*ret_sound = ended ? source->length : sound;
	if (end != NOT_FOUND && end > sound &&
	    source_find_tag(source, finders.start, name, false, sound) < end)
		return NOT_FOUND;
	return end;
}

size_t element_after(const struct source *source, size_t at)
{
	struct tag tag;
	size_t after;

	if (!source_tag(source, at, &tag))
		return at + 1;
	after = source_skip_space(source, tag.after);
	return after < source->length && source->text[after] == '>' ? after + 1 : tag.after;
}

enum reading element_stray_end(const struct source *source, const struct tag *tag, size_t *at)
{
	size_t after = source_skip_space(source, tag->after);

	if (after == source->length || source->text[after] != '>')
		return READ_NONE;
	*at = after + 1;
	return READ_NEUTRAL;
}
