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

/* Where the call ends. What was cut has no neighbours, so that is then the end of the text. */
static size_t behind_call(const struct parameters *parameters, const struct source *source,
			  bool *ret_ends)
{
	size_t end;

	*ret_ends = parameters->end == PARAMETERS_DONE;
	if (*ret_ends || parameters->end == PARAMETERS_LEFT)
		return parameters->at;
	end = source_find_tag(source, parameters->form->call_end, parameters->form->call, true,
			      parameters->at);
	*ret_ends = end != NOT_FOUND;
	return *ret_ends ? element_after(source, end) : source->length;
}

/* Why the call cannot be made; NULL: it can. */
static const char *fault_of(const struct parameters *parameters, bool ends,
			    enum parse_reason *ret_reason)
{
	*ret_reason = PARSE_TRUNCATED;
	if (!ends || parameters->end == PARAMETERS_CUT)
		return "it does not end";
	*ret_reason = PARSE_DUPLICATE_KEY;
	if (parameters->repeated)
		return "a parameter is there twice";
	*ret_reason = PARSE_ARGUMENTS_NOT_JSON;
	if (parameters->end == PARAMETERS_STRANGE)
		return "there is more in it than parameters with a name";
	return parameters->not_utf8 ? "a parameter is not UTF-8" : NULL;
}

void parameters_finish(struct parameters *parameters, struct parser *parser,
		       const struct source *source, const struct found *found)
{
	struct found call = *found;
	enum parse_reason reason;
	bool ends;
	size_t after = behind_call(parameters, source, &ends);
	const char *fault = fault_of(parameters, ends, &reason);

	if (fault) {
		parser_refuse(parser, found->offset, found->name, reason, "%s", fault);
		json_drop(parameters->values);
	} else {
		call.untyped = true;
		parser_call_object(parser, &call, parameters->values);
	}
	parameters->at = after;
}
