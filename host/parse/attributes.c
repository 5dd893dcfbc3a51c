/* SPDX-License-Identifier: MIT
 *
 * The start tag of a call: its attributes, in any order, of which `args` may hold JSON with the very
 * quotes that stand around it.
 */
#include "parse/attributes.h"

#include "parse/lenient.h"

#include <stdio.h>

void attributes_free(struct attributes *attributes)
{
	json_drop(attributes->name);
	json_drop(attributes->id);
	json_drop(attributes->namespace);
	json_drop(attributes->arguments);
}

static bool attribute_is(const struct source *source, size_t from, size_t to, const char *name)
{
	struct tag tag = { .name = from, .name_length = to - from };

	return tag_is(source, &tag, name);
}

static size_t attribute_name_end(const struct source *source, size_t at)
{
	while (at < source->length && (byte_is_name(source->text[at]) || source->text[at] == ':'))
		at++;
	return at;
}

/* ---- The arguments ---------------------------------------------------------------------------- */

/* Whether a tag may go on here, right behind a quote. */
static bool tag_goes_on(const struct source *source, size_t at)
{
	size_t next = source_skip_space(source, at), end;

	if (next == source->length || source->text[next] == '>')
		return true;
	if (source->text[next] == '/') {
		next = source_skip_space(source, next + 1);
		return next == source->length || source->text[next] == '>';
	}
	end = attribute_name_end(source, next);
	next = source_skip_space(source, end);
	return end > at && byte_is_space(source->text[at]) && next < source->length &&
	       source->text[next] == '=';
}

/* The quote that ends the value which begins at `at`: one that has no backslash before it, and
 * behind which the tag goes on. NOT_FOUND. */
static size_t value_end(const struct source *source, size_t at, char quote)
{
	for (; at < source->length; at++) {
		if (source->text[at] == '\\')
			at++;
		else if (source->text[at] == quote && tag_goes_on(source, at + 1))
			return at;
	}
	return NOT_FOUND;
}

/* The object from its brace on, where the quote follows it. */
static bool read_object(const struct source *source, size_t at, char quote, json **ret_value,
			size_t *ret_end, struct json_fault *fault)
{
	size_t first = source_skip_space(source, at), used, end;

	*fault = (struct json_fault){ 0 };
	if (first == source->length || source->text[first] != '{' ||
	    json_read_first(source->text + first, source->length - first, NULL, ret_value, &used,
			    fault) != STATUS_OK)
		return false;
	end = source_skip_space(source, first + used);
	if (end == source->length || source->text[end] == quote) {
		*ret_end = end;
		return true;
	}
	json_drop(*ret_value);
	*ret_value = NULL;
	return false;
}

/* Reads the value behind its opening quote. Answers where the tag goes on; NOT_FOUND: it is cut. */
static size_t read_arguments(const struct source *source, struct finder *next_tag, size_t at,
			     struct attributes *ret)
{
	char quote = source->text[at - 1];
	struct json_fault fault;
	size_t end;

	if (read_object(source, at, quote, &ret->arguments, &end, &fault))
		return end < source->length ? end + 1 : NOT_FOUND;
	end = value_end(source, at, quote);
	/* A text that ends within the object was cut there, even if the string that was cut holds a
	 * quote; but where another tag follows, the string's own quote is missing. */
	if (end == NOT_FOUND ||
	    (fault.ended && source_find_tag(source, next_tag, "tool", false, end) == NOT_FOUND))
		return NOT_FOUND;
	ret->arguments_bad =
		!lenient_json(source, at, end, &ret->arguments, ret->reason, sizeof(ret->reason));
	return end + 1;
}

/* ---- The tag ---------------------------------------------------------------------------------- */

static void set_once(struct attributes *ret, json **value, json *text)
{
	if (*value) {
		ret->repeated = true;
		json_drop(text);
	} else {
		*value = text;
	}
}

/* A quoted value that is not the arguments. A quote that is missing is not looked for in the next
 * tag: XML allows no < in a value, and one that means nothing here may have it but no >. */
static size_t read_value(const struct source *source, size_t at, size_t name, size_t name_end,
			 struct attributes *ret)
{
	char quote = source->text[at - 1];
	json **value = attribute_is(source, name, name_end, "name")	   ? &ret->name
		       : attribute_is(source, name, name_end, "id")	   ? &ret->id
		       : attribute_is(source, name, name_end, "namespace") ? &ret->namespace
									   : NULL;
	char stop = value ? '<' : '>';
	size_t end = at;

	ret->known = ret->known || value;
	while (end < source->length && source->text[end] != quote && source->text[end] != stop)
		end++;
	if (end == source->length || source->text[end] == stop) {
		ret->stop = end;
		return NOT_FOUND;
	}
	if (value)
		set_once(ret, value, source_text(source, at, end));
	return end + 1;
}

static size_t skip_unquoted(const struct source *source, size_t at)
{
	while (at < source->length && !byte_is_space(source->text[at]) && source->text[at] != '>' &&
	       source->text[at] != '<' && source->text[at] != '/')
		at++;
	return at;
}

/* One attribute. Answers where the tag goes on; NOT_FOUND: it is cut at ret->stop. */
static size_t read_attribute(const struct source *source, struct finder *next_tag, size_t at,
			     struct attributes *ret)
{
	size_t end = attribute_name_end(source, at), next = source_skip_space(source, end);
	bool arguments = attribute_is(source, at, end, "args") ||
			 attribute_is(source, at, end, "arguments");

	if (end == at)
		return at + 1;
	if (next == source->length || source->text[next] != '=')
		return end;
	next = source_skip_space(source, next + 1);
	ret->stop = source->length;
	if (arguments) {
		ret->repeated = ret->repeated || ret->has_arguments;
		ret->known = true;
		ret->has_arguments = true;
		json_drop(ret->arguments);
		ret->arguments = NULL;
	}
	if (next == source->length)
		return NOT_FOUND;
	if (source->text[next] != '"' && source->text[next] != '\'') {
		if (arguments) {
			ret->arguments_bad = true;
			snprintf(ret->reason, sizeof(ret->reason),
				 "they have no quotes around them");
		}
		return skip_unquoted(source, next);
	}
	return arguments ? read_arguments(source, next_tag, next + 1, ret)
			 : read_value(source, next + 1, at, end, ret);
}

void attributes_read(const struct source *source, struct finder *next_tag, size_t at,
		     struct attributes *ret)
{
	*ret = (struct attributes){ .end = NOT_FOUND };
	while (at != NOT_FOUND) {
		at = source_skip_space(source, at);
		ret->stop = at;
		if (at == source->length || source->text[at] == '<')
			return;
		if (source->text[at] == '/') {
			size_t next = source_skip_space(source, at + 1);

			ret->closed = next < source->length && source->text[next] == '>';
			at = ret->closed ? next : at + 1;
		} else if (source->text[at] == '>') {
			ret->end = at + 1;
			return;
		} else {
			at = read_attribute(source, next_tag, at, ret);
		}
	}
}
