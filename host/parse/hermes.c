/* SPDX-License-Identifier: MIT
 *
 * <tool_call> elements: JSON in those of Hermes and Qwen, arg_key and arg_value in those of GLM.
 */
#include "parse/element.h"
#include "parse/parameters.h"
#include "parse/value.h"

/* ---- JSON ------------------------------------------------------------------------------------- */

/* Refuses what is broken at `place`, and reads on behind its end tag. */
static size_t refuse_json(struct parser *parser, const struct source *source,
			  struct finders *finders, size_t start, size_t place,
			  const struct json_fault *fault)
{
	struct element_finders both = { &finders->call_start, &finders->call_end };
	bool cut = fault->ended && source->whole;
	size_t sound, end = element_end(source, both, "tool_call", place, &sound);

	parser_refuse(parser, source_offset(source, start), NULL,
		      cut ? PARSE_TRUNCATED : PARSE_NOT_JSON, "line %u, column %u: %s", fault->line,
		      fault->column, fault->reason);
	return end == NOT_FOUND ? sound : element_after(source, end);
}

/* What follows the JSON of an element. True where it spoils it: more text before the end tag. */
static bool is_spoilt(const struct source *source, struct finders *finders, size_t at,
		      size_t *ret_after)
{
	size_t next = source_skip_space(source, at);
	size_t end = source_find_tag(source, &finders->call_end, "tool_call", true, at);

	/* An element without an end tag has been cut, or the model has left the tag out. */
	if (end == NOT_FOUND ||
	    source_find_tag(source, &finders->call_start, "tool_call", false, at) < end) {
		*ret_after = at;
		return false;
	}
	*ret_after = element_after(source, end);
	return next != end;
}

static void read_json(struct parser *parser, const struct source *source, struct finders *finders,
		      size_t start, size_t *at)
{
	size_t before = parser->list->count, place = *at;
	struct json_fault fault;

	while (element_opens_json(source, place) && parser_goes_on(parser)) {
		size_t used;
		json *value;

		place = source_skip_space(source, place);
		if (json_read_first(source->text + place, source->length - place, NULL, &value,
				    &used, &fault) != STATUS_OK) {
			*at = refuse_json(parser, source, finders, start, place, &fault);
			return;
		}
		plain_meant(parser, value, source_offset(source, start));
		json_drop(value);
		place += used;
	}
	if (is_spoilt(source, finders, place, at)) {
		parser_cut(parser, before);
		parser_refuse(parser, source_offset(source, start), NULL, PARSE_NOT_JSON,
			      "there is more in it than JSON");
	}
}

/* ---- Keys and values -------------------------------------------------------------------------- */

/* The name of a call in GLM's form, which ends its line or stands before an element; NULL. */
static json *read_name(const struct source *source, size_t at, size_t *ret_end)
{
	size_t end = at;

	while (end < source->length && byte_is_name(source->text[end]))
		end++;
	*ret_end = end;
	if (end == at || end == source->length)
		return NULL;
	if (source->text[end] == '\r' && end + 1 < source->length)
		++*ret_end;
	if (source->text[*ret_end] != '\n' && !source_has(source, end, "<arg_key>"))
		return NULL;
	return source_text(source, at, end);
}

static void read_pairs(struct parser *parser, const struct source *source, struct finders *finders,
		       struct found *found, size_t *at)
{
	struct parameters_form form = {
		.call = "tool_call",
		.value = "arg_value",
		.call_end = &finders->call_end,
		.value_end = &finders->value_end,
		.trim = true,
	};
	struct parameters p;

	parameters_begin(&p, &form, *at);
	while (p.end == PARAMETERS_OPEN) {
		size_t next = source_skip_space(source, p.at), key, key_end;

		p.at = next;
		if (next == source->length) {
			p.end = PARAMETERS_CUT;
		} else if (source_has(source, next, "</tool_call>")) {
			p.at = element_after(source, next);
			p.end = PARAMETERS_DONE;
		} else if (source_has(source, next, "<tool_call>")) {
			p.end = PARAMETERS_LEFT;
		} else if (!source_has(source, next, "<arg_key>")) {
			p.end = PARAMETERS_STRANGE;
		} else {
			key = element_after(source, next);
			key_end = source_find_tag(source, &finders->key_end, "arg_key", true, key);
			next = key_end == NOT_FOUND
				       ? source->length
				       : source_skip_space(source, element_after(source, key_end));
			if (next == source->length)
				p.end = PARAMETERS_CUT;
			else if (!source_has(source, next, "<arg_value>"))
				p.end = PARAMETERS_STRANGE;
			else
				parameters_value(&p, source, source_text(source, key, key_end),
						 element_after(source, next));
		}
	}
	parameters_finish(&p, parser, source, found);
	*at = p.at;
}

/* True where the element goes on as GLM's do. */
static bool read_glm(struct parser *parser, const struct source *source, struct finders *finders,
		     size_t start, size_t *at)
{
	struct found found = { .offset = source_offset(source, start) };
	size_t behind, next;
	json *name = read_name(source, *at, &behind);
	bool ours;

	next = source_skip_space(source, behind);
	ours = name && (next == source->length || source_has(source, next, "<arg_key>") ||
			source_has(source, next, "</tool_call>"));
	if (ours) {
		found.name = name;
		*at = behind;
		read_pairs(parser, source, finders, &found, at);
	}
	json_drop(name);
	return ours;
}

/* ---- The element ------------------------------------------------------------------------------ */

/* An element with anything else in it; a mention of the tag is none. */
static enum reading read_strange(struct parser *parser, const struct source *source,
				 struct finders *finders, size_t start, size_t body, size_t *at)
{
	json *value;
	size_t end = source_find_tag(source, &finders->call_end, "tool_call", true, body);

	if (source_skip_space(source, body) == source->length) {
		parser_refuse(parser, source_offset(source, start), NULL, PARSE_TRUNCATED,
			      "the text ends within it");
		*at = source->length;
		return READ_CALL;
	}
	if (end == NOT_FOUND ||
	    source_find_tag(source, &finders->call_start, "tool_call", false, body) < end)
		return READ_NONE;
	if (json_read(source->text + body, end - body, NULL, &value, NULL) == STATUS_OK)
		plain_meant(parser, value, source_offset(source, start));
	else
		parser_refuse(parser, source_offset(source, start), NULL, PARSE_NOT_JSON,
			      "there is no JSON in it");
	json_drop(value);
	*at = element_after(source, end);
	return READ_CALL;
}

enum reading tool_call_element(struct parser *parser, const struct source *source,
			       struct finders *finders, const struct tag *tag, size_t *at)
{
	size_t start = *at, body = element_after(source, start), first;

	if (tag->end)
		return element_stray_end(source, tag, at);
	if (source->text[body - 1] != '>')
		return READ_NONE;
	first = source_skip_space(source, body);
	if (element_opens_json(source, first)) {
		*at = first;
		read_json(parser, source, finders, start, at);
		return READ_CALL;
	}
	if (source_has_folded(source, first, "<function=")) {
		*at = first;
		return READ_NEUTRAL;
	}
	*at = first;
	if (read_glm(parser, source, finders, start, at))
		return READ_CALL;
	*at = start;
	return read_strange(parser, source, finders, start, body, at);
}
