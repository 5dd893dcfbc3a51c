/* SPDX-License-Identifier: MIT
 *
 * <tool name="..." args='{...}'/>, and the element with the object in its body.
 */
#include "parse/attributes.h"
#include "parse/lenient.h"

#include "parse/element.h"

/* Adds the call of a whole tag. */
static void add_call(struct parser *parser, const struct source *source, size_t at,
		     const struct attributes *a)
{
	struct found found = {
		.offset = source_offset(source, at),
		.name = a->name,
		.arguments = a->arguments,
		.id = a->id,
		.namespace = a->namespace,
		.decoded = 1,
	};

	if (!a->name)
		parser_refuse(parser, found.offset, NULL, PARSE_NO_NAME, "it does not name a tool");
	else if (a->repeated)
		parser_refuse(parser, found.offset, a->name, PARSE_DUPLICATE_KEY,
			      "an attribute is there twice");
	else if (a->arguments_bad)
		parser_refuse(parser, found.offset, a->name, PARSE_ARGUMENTS_NOT_JSON, "%s",
			      a->reason);
	else
		parser_call(parser, &found);
}

static void read_body(const struct source *source, size_t from, size_t to, struct attributes *a)
{
	if (a->has_arguments)
		return;
	a->arguments_bad =
		!lenient_json(source, from, to, &a->arguments, a->reason, sizeof(a->reason));
}

enum reading tool_tag(struct parser *parser, const struct source *source, struct finders *finders,
		      const struct tag *tag, size_t *at)
{
	enum reading reading = READ_CALL;
	struct attributes a;
	struct element_finders both = { &finders->tool_start, &finders->tool_end };
	size_t start = *at, end, sound;

	if (tag->end)
		return element_stray_end(source, tag, at);
	attributes_read(source, &finders->tool_start, tag->after, &a);
	if (!a.known && !(a.closed && a.end != NOT_FOUND)) {
		/* A mention, as in "the <tool> tag". */
		reading = READ_NONE;
	} else if (a.end == NOT_FOUND) {
		parser_refuse(parser, source_offset(source, start), a.name, PARSE_TRUNCATED,
			      "its tag does not end");
		*at = a.stop;
	} else if (a.closed) {
		add_call(parser, source, start, &a);
		*at = a.end;
	} else if ((end = element_end(source, both, "tool", a.end, &sound)) == NOT_FOUND) {
		parser_refuse(parser, source_offset(source, start), a.name, PARSE_TRUNCATED,
			      "its tag has neither a slash nor an end tag");
		*at = sound;
	} else {
		read_body(source, a.end, end, &a);
		add_call(parser, source, start, &a);
		*at = element_after(source, end);
	}
	attributes_free(&a);
	return reading;
}
