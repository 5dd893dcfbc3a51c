/* SPDX-License-Identifier: MIT
 *
 * Calls spelled as Python: a list of name(key=value, ...), or name.call(key=value, ...). Arguments
 * are literals; anything else there is refused.
 */
#include "parse/python.h"

#include "base/array.h"
#include "base/text.h"

#include <string.h>

enum { DEPTH_MOST = 64 };

struct python {
	const struct source *source;
	size_t at;
	unsigned depth;
	bool ended; /* the text ends where more has to come */
	bool repeated;
};

static bool at_end(struct python *p)
{
	p->at = source_skip_space(p->source, p->at);
	if (p->at == p->source->length)
		p->ended = true;
	return p->at == p->source->length;
}

static bool take(struct python *p, char byte)
{
	if (at_end(p) || p->source->text[p->at] != byte)
		return false;
	p->at++;
	return true;
}

static bool is_first_of_name(char byte)
{
	return byte_is_name(byte) && byte != '.' && byte != '-' && !(byte >= '0' && byte <= '9');
}

/* A name, with dots where `dotted`. */
static bool take_name(struct python *p, bool dotted, size_t *ret_from, size_t *ret_to)
{
	if (at_end(p) || !is_first_of_name(p->source->text[p->at]))
		return false;
	*ret_from = p->at;
	while (p->at < p->source->length && byte_is_name(p->source->text[p->at]) &&
	       p->source->text[p->at] != '-' && (dotted || p->source->text[p->at] != '.'))
		p->at++;
	*ret_to = p->at;
	return true;
}

/* ---- Literals --------------------------------------------------------------------------------- */

static bool read_value(struct python *p, json **ret_value);

static int hex_digit(char byte)
{
	return byte >= '0' && byte <= '9'   ? byte - '0'
	       : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10
	       : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10
					    : -1;
}

/* The escape behind a backslash, as JSON text. */
static bool append_escape(struct python *p, struct buffer *out)
{
	static const char names[] = "\\'\"abfnrtv0", bytes[] = "\\'\"\a\b\f\n\r\t\v";
	char byte = p->source->text[p->at++];
	const char *name = strchr(names, byte);
	unsigned digits = byte == 'x' ? 2 : byte == 'u' ? 4 : 0;
	char unit[7] = "\\u0000";

	if (byte == '\n')
		return true;
	if (byte && name) {
		json_print_text_part(out, &bytes[name - names], 1);
		return true;
	}
	if (!digits || p->source->length - p->at < digits)
		return false;
	for (unsigned i = 0; i < digits; i++) {
		unit[6 - digits + i] = p->source->text[p->at++];
		if (hex_digit(unit[6 - digits + i]) < 0)
			return false;
	}
	buffer_text(out, unit);
	return true;
}

static bool read_string(struct python *p, json **ret_value)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	const char *text = p->source->text;
	char quote = text[p->at++];
	bool good = true;

	buffer_byte(&out, '"');
	while (good && p->at < p->source->length && text[p->at] != quote && text[p->at] != '\n') {
		size_t from = p->at;

		if (text[p->at] == '\\') {
			p->at++;
			good = p->at < p->source->length && append_escape(p, &out);
			continue;
		}
		while (p->at < p->source->length && text[p->at] != quote && text[p->at] != '\n' &&
		       text[p->at] != '\\')
			p->at++;
		good = text_is_utf8(text + from, p->at - from);
		json_print_text_part(&out, text + from, p->at - from);
	}
	p->ended = p->ended || p->at >= p->source->length;
	good = good && take(p, quote);
	buffer_byte(&out, '"');
	good = good && out.fault == BUFFER_GOOD &&
	       json_read(out.data, out.length, NULL, ret_value, NULL) == STATUS_OK;
	buffer_free(&out);
	return good;
}

static bool read_number(struct python *p, json **ret_value)
{
	size_t from = p->at;

	while (p->at < p->source->length &&
	       (byte_is_name(p->source->text[p->at]) || p->source->text[p->at] == '+'))
		p->at++;
	p->ended = p->ended || p->at == p->source->length;
	return json_read(p->source->text + from, p->at - from, NULL, ret_value, NULL) ==
		       STATUS_OK &&
	       json_is_number(*ret_value);
}

static bool read_word(struct python *p, json **ret_value)
{
	static const char *const words[] = { "None", "null", "True", "true", "False", "false" };
	size_t from, to;

	if (!take_name(p, true, &from, &to))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (to - from != strlen(words[i]) ||
		    memcmp(p->source->text + from, words[i], to - from) != 0)
			continue;
		*ret_value = i < 2 ? NULL : json_new_boolean(i < 4);
		return true;
	}
	return false;
}

static bool read_list(struct python *p, json **ret_value)
{
	json *list = json_new_list(), *item;

	p->at++;
	while (!take(p, ']')) {
		if (p->ended || !read_value(p, &item)) {
			json_drop(list);
			return false;
		}
		json_append(list, item);
		if (!take(p, ',') && (p->ended || p->source->text[p->at] != ']')) {
			json_drop(list);
			return false;
		}
	}
	*ret_value = list;
	return true;
}

static bool read_member(struct python *p, json *object)
{
	json *key = NULL, *value = NULL;
	size_t length;
	const char *name;
	bool good;

	if (at_end(p) || (p->source->text[p->at] != '\'' && p->source->text[p->at] != '"'))
		return false;
	good = read_string(p, &key) && take(p, ':') && read_value(p, &value);
	name = json_text(key, &length);
	good = good && !memchr(name, '\0', length) && !json_has(object, name);
	if (good)
		json_set(object, name, value);
	else
		json_drop(value);
	json_drop(key);
	return good && (take(p, ',') || (!p->ended && p->source->text[p->at] == '}'));
}

static bool read_dict(struct python *p, json **ret_value)
{
	json *object = json_new_object();

	p->at++;
	while (!take(p, '}')) {
		if (p->ended || !read_member(p, object)) {
			json_drop(object);
			return false;
		}
	}
	*ret_value = object;
	return true;
}

static bool read_value(struct python *p, json **ret_value)
{
	bool good = false;
	char byte;

	*ret_value = NULL;
	if (at_end(p) || p->depth == DEPTH_MOST)
		return false;
	p->depth++;
	byte = p->source->text[p->at];
	if (byte == '\'' || byte == '"')
		good = read_string(p, ret_value);
	else if (byte == '[')
		good = read_list(p, ret_value);
	else if (byte == '{')
		good = read_dict(p, ret_value);
	else if (byte == '-' || (byte >= '0' && byte <= '9'))
		good = read_number(p, ret_value);
	else
		good = read_word(p, ret_value);
	p->depth--;
	if (!good) {
		json_drop(*ret_value);
		*ret_value = NULL;
	}
	return good;
}

/* ---- Calls ------------------------------------------------------------------------------------ */

/* Behind the parenthesis; true past the one that closes it. */
static bool read_arguments(struct python *p, json *arguments)
{
	while (!take(p, ')')) {
		size_t from, to;
		json *key, *value = NULL;

		if (p->ended || !take_name(p, false, &from, &to) || !take(p, '=') ||
		    !read_value(p, &value))
			return false;
		key = source_text(p->source, from, to);
		if (json_has(arguments, json_text(key, NULL)))
			p->repeated = true;
		json_set(arguments, json_text(key, NULL), value);
		json_drop(key);
		if (!take(p, ',') && (p->ended || p->source->text[p->at] != ')'))
			return false;
	}
	return true;
}

/* Past the parenthesis that closes the call, whatever stands before it. */
static void skip_arguments(struct python *p)
{
	const char *text = p->source->text;
	char quote = '\0';

	for (unsigned depth = 1; depth > 0 && p->at < p->source->length; p->at++) {
		char byte = text[p->at];

		if (quote && byte == '\\' && p->at + 1 < p->source->length)
			p->at++;
		else if (quote)
			quote = byte == quote || byte == '\n' ? '\0' : quote;
		else if (byte == '\'' || byte == '"')
			quote = byte;
		else if (byte == '(')
			depth++;
		else if (byte == ')')
			depth--;
	}
}

/* Whether name( or name(key= or name() stands there, which is what a call looks like. */
static bool looks_like_call(struct python p)
{
	size_t from, to;

	if (!take_name(&p, true, &from, &to) || !take(&p, '('))
		return false;
	if (take(&p, ')') || p.ended)
		return true;
	return take_name(&p, false, &from, &to) &&
	       (p.at == p.source->length || (take(&p, '=') && !take(&p, '=')));
}

/* Reads one call of the form `name` + `tail` + "(...)". False where it is none. */
static bool read_call(struct parser *parser, struct python *p, const char *tail)
{
	struct found found = { 0 };
	json *arguments, *name;
	size_t from, to, tail_length = strlen(tail), open;

	if (!looks_like_call(*p) || !take_name(p, true, &from, &to) || !take(p, '('))
		return false;
	open = p->at;
	if (to - from <= tail_length ||
	    memcmp(p->source->text + to - tail_length, tail, tail_length) != 0)
		return false;
	name = source_text(p->source, from, to - tail_length);
	found.offset = source_offset(p->source, from);
	found.name = name;
	arguments = json_new_object();
	if (read_arguments(p, arguments) && !p->repeated) {
		parser_call_object(parser, &found, arguments);
	} else {
		bool cut = p->ended && p->source->whole;

		parser_refuse(parser, found.offset, name,
			      p->repeated ? PARSE_DUPLICATE_KEY
			      : cut	  ? PARSE_TRUNCATED
					  : PARSE_ARGUMENTS_NOT_JSON,
			      "its arguments are not key=value with literals");
		json_drop(arguments);
		p->at = open;
		skip_arguments(p);
		p->repeated = false;
	}
	json_drop(name);
	return true;
}

/* Past the tokens that end a model's turn. */
static size_t skip_tokens(const struct source *source, size_t at)
{
	size_t used;

	at = source_skip_space(source, at);
	while (at < source->length && (used = source_token(source, at)) > 0)
		at = source_skip_space(source, at + used);
	return at;
}

static bool read_calls(struct parser *parser, struct python *p)
{
	if (!take(p, '[') || !looks_like_call(*p))
		return false;
	while (read_call(parser, p, "") && parser_goes_on(parser)) {
		if (take(p, ']'))
			return skip_tokens(p->source, p->at) == p->source->length;
		if (p->at == p->source->length)
			return true;
		if (!take(p, ','))
			return false;
	}
	return false;
}

bool python_list(struct parser *parser, const struct source *source)
{
	struct python p = { .source = source };
	size_t before = parser->list->count;

	if (read_calls(parser, &p))
		return true;
	parser_cut(parser, before);
	return false;
}

bool python_reads(struct parser *parser, const struct source *source, size_t at)
{
	struct source rest = {
		.text = source->text + at,
		.length = source->length - at,
		.origin = source_offset(source, at),
		.fixed = source->fixed,
		.whole = source->whole,
	};
	struct python p = { .source = &rest };

	if (source->text[at] == '[')
		return python_list(parser, &rest);
	return read_call(parser, &p, ".call");
}
