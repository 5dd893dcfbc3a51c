/* SPDX-License-Identifier: MIT
 *
 * Parameters in element style, for the formats that have them.
 */
#include "parse/parameters.h"

#include "parse/element.h"

#include <string.h>

void parameters_begin(struct parameters *parameters, const struct parameters_form *form, size_t at)
{
	*parameters = (struct parameters){ .form = form, .values = json_new_object(), .at = at };
}

void parameters_set(struct parameters *parameters, json *key, json *value)
{
	size_t length = 0;
	const char *name = json_text(key, &length);

	if (!name || !length || memchr(name, '\0', length))
		parameters->end = PARAMETERS_STRANGE;
	else if (json_has(parameters->values, name))
		parameters->repeated = true;
	if (parameters->end == PARAMETERS_STRANGE || parameters->repeated)
		json_drop(value);
	else
		json_set(parameters->values, name, value);
	json_drop(key);
}

static void trim_newlines(const struct source *source, size_t *from, size_t *to)
{
	if (*from < *to && source->text[*from] == '\r' && *from + 1 < *to &&
	    source->text[*from + 1] == '\n')
		++*from;
	if (*from < *to && source->text[*from] == '\n')
		++*from;
	if (*from < *to && source->text[*to - 1] == '\n')
		--*to;
	else
		return;
	if (*from < *to && source->text[*to - 1] == '\r')
		--*to;
}

void parameters_value(struct parameters *parameters, const struct source *source, json *key,
		      size_t from)
{
	const struct parameters_form *form = parameters->form;
	size_t end = source_find_tag(source, form->value_end, form->value, true, from), to = end;
	json *value;

	/* A value that ends behind the call's own end has lost its end tag. */
	if (end == NOT_FOUND ||
	    source_find_tag(source, form->call_end, form->call, true, from) < end) {
		parameters->end = PARAMETERS_CUT;
		json_drop(key);
		return;
	}
	parameters->at = element_after(source, end);
	if (form->trim)
		trim_newlines(source, &from, &to);
	value = source_text(source, from, to);
	if (!value)
		parameters->not_utf8 = true;
	parameters_set(parameters, key, value);
}

/* Behind the end tag of the call, or the end of the text: what was cut has no neighbours. */
static size_t behind_call(const struct parameters *parameters, const struct source *source)
{
	size_t end = source_find_tag(source, parameters->form->call_end, parameters->form->call,
				     true, parameters->at);

	return end == NOT_FOUND ? source->length : element_after(source, end);
}

void parameters_finish(struct parameters *parameters, struct parser *parser,
		       const struct source *source, const struct found *found)
{
	bool left = parameters->end == PARAMETERS_LEFT;
	size_t after = left || parameters->end == PARAMETERS_DONE ? parameters->at
								  : behind_call(parameters, source);
	const char *wrong = NULL;
	enum parse_reason reason = PARSE_ARGUMENTS_NOT_JSON;

	if (left || parameters->end == PARAMETERS_CUT ||
	    (parameters->end == PARAMETERS_STRANGE && after == source->length)) {
		reason = PARSE_TRUNCATED;
		wrong = "it does not end";
	} else if (parameters->end == PARAMETERS_STRANGE) {
		wrong = "there is more in it than parameters with a name";
	} else if (parameters->repeated) {
		reason = PARSE_DUPLICATE_KEY;
		wrong = "a parameter is there twice";
	} else if (parameters->not_utf8) {
		wrong = "a parameter is not UTF-8";
	}
	if (wrong) {
		parser_refuse(parser, found->offset, found->name, reason, "%s", wrong);
		json_drop(parameters->values);
	} else {
		struct found call = *found;

		call.untyped = true;
		parser_call_object(parser, &call, parameters->values);
	}
	parameters->at = after;
}
