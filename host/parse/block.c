/* SPDX-License-Identifier: MIT
 *
 * JSON on lines of its own among prose.
 */
#include "parse/block.h"

#include "parse/lenient.h"
#include "parse/value.h"

/* Blanks that do not end the line. */
static size_t skip_blanks(const struct source *source, size_t at)
{
	while (at < source->length && byte_is_space(source->text[at]) && source->text[at] != '\n')
		at++;
	return at;
}

/* What is broken at *at: a call that cannot be made, or prose after all. */
static enum reading read_broken(struct parser *parser, const struct source *source,
				const struct json_fault *fault, size_t *at)
{
	bool cut = fault->ended && source->whole;
	size_t end;

	if (!lenient_means_call(source, *at, *at + fault->offset, &end)) {
		*at += fault->offset ? fault->offset : 1;
		return READ_NONE;
	}
	parser_refuse(parser, source_offset(source, *at), NULL,
		      cut ? PARSE_TRUNCATED : PARSE_NOT_JSON, "line %u, column %u: %s", fault->line,
		      fault->column, fault->reason);
	*at = fault->ended ? source->length : end;
	return READ_CALL;
}

/* The values that stand side by side from *at on. READ_CALL where they end with their line; else
 * what follows them. */
static enum reading read_values(struct parser *parser, const struct source *source, size_t *at,
				json *values)
{
	struct json_fault fault;

	for (;;) {
		size_t used;
		json *value;

		if (json_read_first(source->text + *at, source->length - *at, NULL, &value, &used,
				    &fault) != STATUS_OK) {
			if (json_count(values))
				return READ_QUOTED;
			return read_broken(parser, source, &fault, at);
		}
		json_append(values, value);
		*at = skip_blanks(source, *at + used);
		if (*at == source->length || source->text[*at] == '\n' || source_token(source, *at))
			return READ_CALL;
		/* Llama puts one between its calls. */
		if (source->text[*at] == ';')
			*at = skip_blanks(source, *at + 1);
		if (*at == source->length)
			return READ_QUOTED;
		if (source->text[*at] != '{' && source->text[*at] != '[')
			return READ_QUOTED;
	}
}

enum reading block_read(struct parser *parser, const struct source *source, size_t *at)
{
	size_t before = parser->list->count, start = *at;
	json *values = json_new_list();
	enum reading reading = read_values(parser, source, at, values);

	/* The last of several may be broken; it is read next, as if it had its own line. */
	if (reading == READ_QUOTED && *at < source->length &&
	    (source->text[*at] == '{' || source->text[*at] == '['))
		reading = READ_CALL;
	for (size_t i = 0; i < json_count(values) && reading == READ_CALL; i++)
		value_read(parser, json_peek(values, i), source_offset(source, start));
	json_drop(values);
	if (reading == READ_CALL && parser->list->count == before)
		reading = READ_QUOTED;
	return reading;
}
