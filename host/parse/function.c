/* SPDX-License-Identifier: MIT
 *
 * <function=NAME>{...}</function> of Llama, and with <parameter=NAME> elements of Qwen.
 */
#include "parse/element.h"
#include "parse/parameters.h"

#include <string.h>

/* "<word=NAME>" at `at`: the name, the caller's, and where the tag ends. NULL: it is none. */
static json *read_equals_tag(const struct source *source, size_t at, const char *word,
			     size_t *ret_end)
{
	size_t first = at + strlen(word), end = first;

	if (!source_has_folded(source, at, word))
		return NULL;
	while (end < source->length && end - first < PARSE_NAME_MAX && source->text[end] != '>' &&
	       source->text[end] != '<' && source->text[end] != '\n')
		end++;
	if (end == source->length || source->text[end] != '>')
		return NULL;
	*ret_end = end + 1;
	return source_text(source, first, end);
}

/* Whether the text ends before the name of the parameter does. */
static bool ends_within_name(const struct source *source, size_t at)
{
	return source_has_folded(source, at, "<parameter=") &&
	       source->length - at <= PARSE_NAME_MAX &&
	       !memchr(source->text + at, '>', source->length - at);
}

static void read_parameters(struct parser *parser, const struct source *source,
			    struct finders *finders, struct found *found, size_t *at)
{
	struct parameters_form form = {
		.call = "function",
		.value = "parameter",
		.call_end = &finders->function_end,
		.value_end = &finders->parameter_end,
		.trim = true,
	};
	struct parameters parameters;
	struct tag tag;

	parameters_begin(&parameters, &form, *at);
	while (parameters.end == PARAMETERS_OPEN) {
		size_t next = source_skip_space(source, parameters.at), value;
		json *key = NULL;

		parameters.at = next;
		if (next == source->length)
			parameters.end = PARAMETERS_CUT;
		else if (source->text[next] == '<' && source_tag(source, next, &tag) && tag.end &&
			 tag_is(source, &tag, "function")) {
			parameters.at = element_after(source, next);
			parameters.end = PARAMETERS_DONE;
		} else if (source_has(source, next, "</tool_call>") ||
			   source_has(source, next, "<tool_call>") ||
			   source_has_folded(source, next, "<function="))
			parameters.end = PARAMETERS_LEFT;
		else if ((key = read_equals_tag(source, next, "<parameter=", &value)))
			parameters_value(&parameters, source, key, value);
		else
			parameters.end = ends_within_name(source, next) ? PARAMETERS_CUT
									: PARAMETERS_STRANGE;
	}
	parameters_finish(&parameters, parser, source, found);
	*at = parameters.at;
}

static void read_json(struct parser *parser, const struct source *source, struct finders *finders,
		      struct found *found, size_t *at)
{
	struct element_finders both = { &finders->function_start, &finders->function_end };
	size_t sound, end = element_end(source, both, "function", *at, &sound);
	json *body;

	if (end == NOT_FOUND) {
		parser_refuse(parser, found->offset, found->name, PARSE_TRUNCATED,
			      "it has no end tag");
		*at = sound;
		return;
	}
	body = source_text(source, *at, end);
	if (body) {
		found->arguments = body;
		parser_call(parser, found);
	} else {
		parser_refuse(parser, found->offset, found->name, PARSE_ARGUMENTS_NOT_JSON,
			      "its arguments are not UTF-8");
	}
	json_drop(body);
	*at = element_after(source, end);
}

enum reading function_tag(struct parser *parser, const struct source *source,
			  struct finders *finders, size_t *at)
{
	struct found found = { .offset = source_offset(source, *at) };
	size_t body;
	json *name = read_equals_tag(source, *at, "<function=", &body);

	if (!name)
		return READ_NONE;
	found.name = name;
	*at = body;
	if (source_has_folded(source, source_skip_space(source, body), "<parameter="))
		read_parameters(parser, source, finders, &found, at);
	else
		read_json(parser, source, finders, &found, at);
	json_drop(name);
	return READ_CALL;
}
