/* SPDX-License-Identifier: MIT
 *
 * <invoke name="..."><parameter name="...">text</parameter></invoke>, and the older form with the
 * elements tool_name and parameters.
 */
#include "parse/attributes.h"
#include "parse/element.h"
#include "parse/parameters.h"

/* <parameter name="...">, whose tag has been seen. */
static void read_parameter(struct parameters *parameters, const struct source *source,
			   struct finders *finders, const struct tag *tag)
{
	struct attributes a;

	attributes_read(source, &finders->tool_start, tag->after, &a);
	if (a.end == NOT_FOUND)
		parameters->end = PARAMETERS_CUT;
	else if (!a.name || a.repeated)
		parameters->end = PARAMETERS_STRANGE;
	else if (a.closed) {
		parameters->at = a.end;
		parameters_set(parameters, json_hold(a.name), json_new_text(""));
	} else
		parameters_value(parameters, source, json_hold(a.name), a.end);
	attributes_free(&a);
}

/* The text of an element without attributes; NULL, with parameters->end set, where it does not end
 * before the call. */
static json *read_text(struct parameters *parameters, const struct source *source,
		       struct finder *finder, const char *name, size_t from)
{
	size_t end = source_find_tag(source, finder, name, true, from);
	json *text;

	if (end == NOT_FOUND ||
	    source_find_tag(source, parameters->form->call_end, "invoke", true, from) < end) {
		parameters->end = PARAMETERS_CUT;
		return NULL;
	}
	parameters->at = element_after(source, end);
	text = source_text(source, from, end);
	if (!text)
		parameters->not_utf8 = true;
	return text;
}

/* <parameters><key>value</key>...</parameters>: the search for an end tag ends where the call does,
 * as each key has a tag of its own. */
static void read_children(struct parameters *parameters, const struct source *source)
{
	size_t limit =
		source_find_tag(source, parameters->form->call_end, "invoke", true, parameters->at);
	struct source inside = *source;
	struct tag tag, end;
	char name[64];

	inside.length = limit == NOT_FOUND ? source->length : limit;
	for (;;) {
		struct finder finder = { 0 };
		size_t at = source_skip_space(&inside, parameters->at), close;

		if (at == inside.length || inside.text[at] != '<' ||
		    !source_tag(&inside, at, &tag)) {
			parameters->end = at == inside.length ? PARAMETERS_CUT : PARAMETERS_STRANGE;
			return;
		}
		parameters->at = tag.after + 1;
		if (tag.after == inside.length || inside.text[tag.after] != '>') {
			parameters->end = PARAMETERS_STRANGE;
			return;
		}
		if (tag.end) {
			if (!tag_is(&inside, &tag, "parameters"))
				parameters->end = PARAMETERS_STRANGE;
			return;
		}
		tag_name(&inside, &tag, name);
		close = source_find_tag(&inside, &finder, name, true, parameters->at);
		if (close == NOT_FOUND) {
			parameters->end = PARAMETERS_CUT;
			return;
		}
		source_tag(&inside, close, &end);
		parameters_set(parameters, json_new_text(name),
			       source_text(&inside, parameters->at, close));
		parameters->at = element_after(&inside, close);
	}
}

/* One child of the element. The name may be one; it is the caller's. */
static void read_child(struct parameters *parameters, const struct source *source,
		       struct finders *finders, json **name)
{
	struct tag tag;

	parameters->at = source_skip_space(source, parameters->at);
	if (parameters->at == source->length) {
		parameters->end = PARAMETERS_CUT;
	} else if (source->text[parameters->at] != '<' ||
		   !source_tag(source, parameters->at, &tag)) {
		parameters->end = PARAMETERS_STRANGE;
	} else if (tag.end && tag_is(source, &tag, "invoke")) {
		parameters->at = element_after(source, parameters->at);
		parameters->end = PARAMETERS_DONE;
	} else if (tag_is(source, &tag, tag.end ? "function_calls" : "invoke")) {
		parameters->end = PARAMETERS_LEFT;
	} else if (!tag.end && tag_is(source, &tag, "parameter")) {
		read_parameter(parameters, source, finders, &tag);
	} else if (!tag.end && tag_is(source, &tag, "tool_name") && !*name) {
		*name = read_text(parameters, source, &finders->name_end, "tool_name",
				  element_after(source, parameters->at));
	} else if (!tag.end && tag_is(source, &tag, "parameters")) {
		parameters->at = element_after(source, parameters->at);
		read_children(parameters, source);
	} else {
		parameters->end = PARAMETERS_STRANGE;
	}
}

static void read_element(struct parser *parser, const struct source *source,
			 struct finders *finders, struct attributes *a, size_t start, size_t *at)
{
	struct parameters_form form = {
		.call = "invoke",
		.value = "parameter",
		.call_end = &finders->invoke_end,
		.value_end = &finders->parameter_end,
	};
	struct parameters parameters;
	struct found found = {
		.offset = source_offset(source, start),
		.id = a->id,
		.namespace = a->namespace,
	};

	parameters_begin(&parameters, &form, a->end);
	if (a->closed)
		parameters.end = PARAMETERS_DONE;
	while (parameters.end == PARAMETERS_OPEN)
		read_child(&parameters, source, finders, &a->name);
	found.name = a->name;
	parameters_finish(&parameters, parser, source, &found);
	*at = parameters.at;
}

/* Without a name the element is a mention, unless it goes on like a call. */
static bool has_children(const struct source *source, size_t at)
{
	struct tag tag;

	at = source_skip_space(source, at);
	return at < source->length && source->text[at] == '<' && source_tag(source, at, &tag) &&
	       !tag.end &&
	       (tag_is(source, &tag, "tool_name") || tag_is(source, &tag, "parameters") ||
		tag_is(source, &tag, "parameter"));
}

enum reading invoke_element(struct parser *parser, const struct source *source,
			    struct finders *finders, const struct tag *tag, size_t *at)
{
	struct attributes a;

	if (tag->end)
		return element_stray_end(source, tag, at);
	attributes_read(source, &finders->tool_start, tag->after, &a);
	if (a.end != NOT_FOUND && (a.name || has_children(source, a.end))) {
		read_element(parser, source, finders, &a, *at, at);
	} else if (a.end == NOT_FOUND && a.known) {
		parser_refuse(parser, source_offset(source, *at), a.name, PARSE_TRUNCATED,
			      "its tag does not end");
		*at = a.stop;
	} else {
		attributes_free(&a);
		return READ_NONE;
	}
	attributes_free(&a);
	return READ_CALL;
}
