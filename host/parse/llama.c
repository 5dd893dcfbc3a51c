/* SPDX-License-Identifier: MIT
 *
 * <|python_tag|>: JSON calls separated by semicolons, a call of a built-in tool, or code, which is
 * no call.
 */
#include "parse/formats.h"
#include "parse/lenient.h"
#include "parse/python.h"
#include "parse/value.h"

/* Where the code behind the tag ends. */
static size_t code_end(const struct source *source, struct finders *finders, size_t at)
{
	size_t eom = source_find(source, &finders->eom, "<|eom_id|>", at);
	size_t eot = source_find(source, &finders->eot, "<|eot_id|>", at);
	size_t end = eom < eot ? eom : eot;

	return end == NOT_FOUND ? source->length : end;
}

/* The JSON at *at. False where it is none. */
static bool read_value(struct parser *parser, const struct source *source, size_t *at)
{
	struct json_fault fault;
	size_t used, end;
	json *value;

	if (json_read_first(source->text + *at, source->length - *at, NULL, &value, &used,
			    &fault) == STATUS_OK) {
		if (json_kind(value) == JSON_LIST || json_has(value, "name") ||
		    json_has(value, "function"))
			plain_meant(parser, value, source_offset(source, *at));
		else
			value_read(parser, value, source_offset(source, *at));
		json_drop(value);
		*at += used;
		return true;
	}
	if (lenient_means_call(source, *at, *at + fault.offset, &end)) {
		bool cut = fault.ended && source->whole;

		parser_refuse(parser, source_offset(source, *at), NULL,
			      cut ? PARSE_TRUNCATED : PARSE_NOT_JSON, "line %u, column %u: %s",
			      fault.line, fault.column, fault.reason);
		*at = end;
		return true;
	}
	return false;
}

static void read_values(struct parser *parser, const struct source *source, size_t *at)
{
	size_t next = *at;

	while (next < source->length && (source->text[next] == '{' || source->text[next] == '[') &&
	       parser_goes_on(parser) && read_value(parser, source, &next)) {
		*at = next;
		next = source_skip_space(source, next);
		if (next < source->length && source->text[next] == ';')
			next = source_skip_space(source, next + 1);
	}
}

enum reading python_tag(struct parser *parser, const struct source *source, struct finders *finders,
			size_t *at)
{
	size_t before = parser->list->count;
	size_t next = source_skip_space(source, *at + sizeof("<|python_tag|>") - 1), end;
	struct source code = *source;

	end = code_end(source, finders, next);
	code.length = end;
	code.whole = source->whole && end == source->length;
	*at = next;
	if (next < end && source->text[next] == '{') {
		read_values(parser, source, at);
	} else if (next < end && python_reads(parser, &code, next)) {
		*at = end;
	} else if (next < end && source->text[next] == '[') {
		read_values(parser, source, at);
	}
	if (parser->list->count > before)
		return READ_CALL;
	*at = end;
	return READ_QUOTED;
}
