/* SPDX-License-Identifier: MIT
 *
 * Why a text is no JSON, and what to write instead. The reader comes here once it knows that it is
 * broken, so these functions may look around at leisure.
 */
#include "base/array.h"
#include "base/json-reader.h"
#include "base/status.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is quoted from the text, in bytes. */
#define EXCERPT_MOST 32

struct excerpt {
	char text[EXCERPT_MOST + 20];
};

/* ---- Telling ------------------------------------------------------------------------------- */

static void find_place(struct json_fault *fault, const char *start, const char *at)
{
	const char *line = start, *p;

	fault->offset = (size_t)(at - start);
	fault->line = 1;
	while (line < at && (p = memchr(line, '\n', (size_t)(at - line)))) {
		fault->line++;
		line = p + 1;
	}
	fault->column = (unsigned)(at - line) + 1;
}

int reader_fault(struct json_reader *r, const char *at, const char *format, ...)
{
	struct json_fault *fault = r->fault;
	va_list arguments;

	if (!fault)
		return STATUS_INPUT_INVALID;
	find_place(fault, r->start, at);
	fault->ended = at == r->end;
	va_start(arguments, format);
	vsnprintf(fault->reason, sizeof(fault->reason), format, arguments);
	va_end(arguments);
	return STATUS_INPUT_INVALID;
}

int reader_no_memory(struct json_reader *r)
{
	reader_fault(r, r->at, "no memory is left to hold this text");
	return STATUS_INTERNAL;
}

int reader_too_deep(struct json_reader *r)
{
	if (r->fault)
		r->fault->too_deep = true;
	return reader_fault(r, r->at, "lists and objects lie more than %u deep in one another",
			    r->max_depth);
}

int reader_too_long(struct json_reader *r, size_t length, size_t most)
{
	if (r->fault)
		r->fault->too_long = true;
	return reader_fault(r, r->start, "the text has %zu bytes, and at most %zu are taken",
			    length, most);
}

/* ---- Quoting ------------------------------------------------------------------------------- */

/* The head of `length` bytes at `p`, printable whatever they are. */
static const char *quote(struct excerpt *e, const char *p, size_t length)
{
	struct buffer escaped = BUFFER_INIT(SIZE_MAX);
	size_t head = text_head(p, length, EXCERPT_MOST);
	size_t shown;

	json_print_text_part(&escaped, p, head);
	shown = text_head(escaped.data, escaped.length, sizeof(e->text) - sizeof("..."));
	snprintf(e->text, sizeof(e->text), "%.*s%s", (int)shown, escaped.data ? escaped.data : "",
		 head < length || shown < escaped.length ? "..." : "");
	buffer_free(&escaped);
	return e->text;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

/* How many bytes from `p` could be part of a name, or of a number. */
static size_t word_length(const struct json_reader *r, const char *p)
{
	const char *first = p;

	while (p < r->end && (is_letter(*p) || is_digit(*p)))
		p++;
	return (size_t)(p - first);
}

static size_t number_length(const struct json_reader *r, const char *p)
{
	const char *first = p;

	while (p < r->end && (is_letter(*p) || is_digit(*p) || *p == '.' || *p == '+' || *p == '-'))
		p++;
	return (size_t)(p - first);
}

/* ---- What goes wrong anywhere -------------------------------------------------------------- */

static bool begins(const struct json_reader *r, const char *p, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(r->end - p) >= length && !memcmp(p, word, length);
}

/* The faults that need no look at what is around them. True where it was one of them. */
static bool explain_byte(struct json_reader *r)
{
	unsigned char c = (unsigned char)*r->at;

	if (c == '\0')
		reader_fault(r, r->at, "a NUL byte: leave it out");
	else if (c < 0x20 || c == 0x7F)
		reader_fault(r, r->at, "the control character 0x%02X: leave it out", c);
	else if (begins(r, r->at, "\xEF\xBB\xBF"))
		reader_fault(r, r->at, "a byte order mark: leave it out");
	else if (text_sequence(r->at, (size_t)(r->end - r->at)) < 0)
		reader_fault(r, r->at, "the byte 0x%02X is not UTF-8: write the text in UTF-8", c);
	else if (begins(r, r->at, "\xE2\x80\x9C") || begins(r, r->at, "\xE2\x80\x9D"))
		reader_fault(r, r->at, "a typographic quote: write \"");
	else if (begins(r, r->at, "\xC2\xA0"))
		reader_fault(r, r->at, "a no-break space: write a blank");
	else if (c == '#' || begins(r, r->at, "//") || begins(r, r->at, "/*"))
		reader_fault(r, r->at, "a comment: JSON has none, leave it out");
	else if (c == '\'' || c == '`')
		reader_fault(r, r->at, "the quote %c: write \"", c);
	else
		return false;
	return true;
}

static int explain_character(struct json_reader *r, const char *expected)
{
	int bytes = text_sequence(r->at, (size_t)(r->end - r->at));

	return reader_fault(r, r->at, "%.*s where %s has to stand", bytes, r->at, expected);
}

/* ---- Values -------------------------------------------------------------------------------- */

static bool begins_a_word(const char *p, size_t length)
{
	return !strncmp("true", p, length) || !strncmp("false", p, length) ||
	       !strncmp("null", p, length);
}

static int explain_word(struct json_reader *r)
{
	static const char *const spellings[][2] = {
		{ "nan", "null" },	 { "infinity", "null" }, { "inf", "null" },
		{ "none", "null" },	 { "null", "null" },	 { "nil", "null" },
		{ "undefined", "null" }, { "na", "null" },	 { "true", "true" },
		{ "false", "false" },
	};
	size_t length = word_length(r, r->at);
	struct excerpt e;

	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++)
		if (strlen(spellings[i][0]) == length &&
		    text_same_folded(spellings[i][0], r->at, length))
			return reader_fault(r, r->at, "%.*s is no JSON value: write %s",
					    (int)length, r->at, spellings[i][1]);
	quote(&e, r->at, length);
	if (r->at + length == r->end && begins_a_word(r->at, length))
		return reader_fault(r, r->end, "the text ends inside a value: %s", e.text);
	return reader_fault(r, r->at, "%s has no quotes: write \"%s\"", e.text, e.text);
}

static int explain_end(struct json_reader *r, enum json_place place)
{
	if (place == JSON_PLACE_LIST)
		return reader_fault(r, r->at, "the text ends inside a list: its ] is missing");
	if (place == JSON_PLACE_OBJECT)
		return reader_fault(r, r->at, "the text ends inside an object: its } is missing");
	return reader_fault(r, r->at, "the text is empty: write one JSON value, such as {}");
}

int reader_explain_value(struct json_reader *r, enum json_place place)
{
	struct excerpt e;

	if (reader_ended(r))
		return explain_end(r, place);
	if (explain_byte(r))
		return STATUS_INPUT_INVALID;
	if (is_letter(*r->at))
		return explain_word(r);
	if ((*r->at == '.' || *r->at == '+') && number_length(r, r->at) > 1) {
		quote(&e, r->at + 1, number_length(r, r->at + 1));
		return reader_fault(r, r->at, "a number begins with %c: write %s%s", *r->at,
				    *r->at == '.' ? "0." : "", e.text);
	}
	if (*r->at == ',')
		return reader_fault(r, r->at, "no value before this comma");
	if (*r->at == ']' && place == JSON_PLACE_LIST)
		return reader_fault(r, r->at, "a comma before ]: leave the comma out");
	if (*r->at == '}' && place == JSON_PLACE_OBJECT)
		return reader_fault(r, r->at, "a key without a value: write one, or null");
	return explain_character(r, "a value");
}

/* A number that may only have been cut: -, 1., 1e or 1e+ at the end. */
static bool number_is_cut(const struct json_reader *r)
{
	const char *p = r->at + (*r->at == '-');

	while (p < r->end && is_digit(*p))
		p++;
	if (p == r->end)
		return !is_digit(p[-1]);
	if (*p == '.' && p > r->at && is_digit(p[-1]))
		for (p++; p < r->end && is_digit(*p);)
			p++;
	if (p < r->end && (*p == 'e' || *p == 'E') && p > r->at && is_digit(p[-1]))
		p++;
	if (p < r->end && (*p == '-' || *p == '+'))
		p++;
	return p == r->end;
}

static int explain_number(struct json_reader *r)
{
	const char *p = r->at + (*r->at == '-'), *sign = *r->at == '-' ? "-" : "";
	size_t length = number_length(r, r->at);
	struct excerpt e, rest;

	quote(&e, r->at, length);
	if (p == r->end || !(is_digit(*p) || is_letter(*p) || *p == '.'))
		return reader_fault(r, r->at, "a minus sign without a number");
	if (is_letter(*p))
		return reader_fault(r, r->at, "%s is no JSON value: write null", e.text);
	if (*p == '.') {
		quote(&rest, p, number_length(r, p));
		return reader_fault(r, r->at, "a number begins with .: write %s0%s", sign,
				    rest.text);
	}
	if (*p == '0' && p + 1 < r->end && is_digit(p[1])) {
		while (p + 1 < r->end && *p == '0' && is_digit(p[1]))
			p++;
		quote(&rest, p, number_length(r, p));
		return reader_fault(r, r->at, "%s begins with a zero: write %s%s", e.text, sign,
				    rest.text);
	}
	while (p < r->end && is_digit(*p))
		p++;
	if (p < r->end && *p == '.' && (p + 1 == r->end || !is_digit(p[1])))
		return reader_fault(r, p, "no digit behind the point: write %.*s.0",
				    (int)text_head(r->at, (size_t)(p - r->at), EXCERPT_MOST),
				    r->at);
	return reader_fault(r, r->at, "no digit in the exponent of %s", e.text);
}

int reader_explain_number(struct json_reader *r)
{
	int status = explain_number(r);

	if (r->fault && number_is_cut(r))
		r->fault->ended = true;
	return status;
}

/* ---- Lists and objects --------------------------------------------------------------------- */

int reader_explain_key(struct json_reader *r)
{
	struct excerpt e;
	size_t length;

	if (reader_ended(r))
		return explain_end(r, JSON_PLACE_OBJECT);
	if (*r->at == '}')
		return reader_fault(r, r->at, "a comma before }: leave the comma out");
	if (*r->at == ',')
		return reader_fault(r, r->at, "no key and value before this comma");
	length = word_length(r, r->at);
	if (length > 0) {
		quote(&e, r->at, length);
		return reader_fault(r, r->at, "a key without quotes: write \"%s\"", e.text);
	}
	if (explain_byte(r))
		return STATUS_INPUT_INVALID;
	return explain_character(r, "a key in double quotes");
}

int reader_explain_colon(struct json_reader *r)
{
	if (reader_ended(r))
		return explain_end(r, JSON_PLACE_OBJECT);
	if (explain_byte(r))
		return STATUS_INPUT_INVALID;
	if (*r->at == ',' || *r->at == '}')
		return reader_fault(r, r->at, "a key without a value: write : and the value");
	return explain_character(r, "the : behind a key");
}

/* A value ended, and what follows directly belongs to it. True where it was so. */
static bool explain_tail(struct json_reader *r)
{
	const char *first = r->at;
	struct excerpt e;
	size_t length;

	if (r->at == r->start || !(is_letter(*r->at) || is_digit(*r->at) || *r->at == '.'))
		return false;
	if (r->at[-1] == '"') {
		reader_fault(r, r->at, "a string has ended here: write \\\" for a quote within it");
		return true;
	}
	while (first > r->start && (is_digit(first[-1]) || first[-1] == '.' || first[-1] == '-'))
		first--;
	if (first == r->at)
		return false;
	length = number_length(r, first);
	quote(&e, first, length);
	reader_fault(r, first, "%s is no number: write digits, one point and an exponent", e.text);
	return true;
}

static int explain_behind(struct json_reader *r)
{
	if (explain_byte(r) || explain_tail(r))
		return STATUS_INPUT_INVALID;
	if (strchr("]},:", *r->at))
		return explain_character(r, "the end of the text");
	return reader_fault(r, r->at, "more behind the value: write one value only");
}

int reader_explain_next(struct json_reader *r, enum json_place place)
{
	bool list = place == JSON_PLACE_LIST;

	if (place == JSON_PLACE_TOP)
		return explain_behind(r);
	if (reader_ended(r))
		return explain_end(r, place);
	if (explain_byte(r) || explain_tail(r))
		return STATUS_INPUT_INVALID;
	if (*r->at == '"' || *r->at == '{' || *r->at == '[' || *r->at == '-' || is_digit(*r->at) ||
	    is_letter(*r->at))
		return reader_fault(r, r->at,
				    list ? "no comma between two values of a list"
					 : "no comma between two members of an object");
	if (*r->at == (list ? '}' : ']'))
		return reader_fault(r, r->at,
				    list ? "a list ends with }: write ]"
					 : "an object ends with ]: write }");
	if (*r->at == ':' && list)
		return reader_fault(r, r->at, "a key in a list: write { } around it");
	return explain_character(r, list ? "a comma or ]" : "a comma or }");
}

int reader_repeated_key(struct json_reader *r, const char *at, const char *key)
{
	struct excerpt e;

	return reader_fault(r, at, "a key twice in one object: \"%s\"",
			    quote(&e, key, strlen(key)));
}

/* ---- Strings ------------------------------------------------------------------------------- */

int reader_explain_string(struct json_reader *r)
{
	static const char *const names[][2] = {
		['\b'] = { "a backspace", "\\b" },	 ['\t'] = { "a tab", "\\t" },
		['\n'] = { "a line feed", "\\n" },	 ['\f'] = { "a form feed", "\\f" },
		['\r'] = { "a carriage return", "\\r" },
	};
	unsigned char c;

	if (reader_ended(r))
		return reader_fault(r, r->at, "the text ends inside a string: its \" is missing");
	c = (unsigned char)*r->at;
	if (c == '\0')
		return reader_fault(r, r->at, "a NUL byte in a string: write \\u0000");
	if (c < ARRAY_SIZE(names) && names[c][0])
		return reader_fault(r, r->at, "%s in a string: write %s", names[c][0], names[c][1]);
	if (c < 0x20)
		return reader_fault(
			r, r->at, "the control character 0x%02X in a string: write \\u%04X", c, c);
	reader_fault(r, r->at, "the byte 0x%02X is not UTF-8: write the text in UTF-8", c);
	if (r->fault && c >= 0xC2 && c <= 0xF4)
		r->fault->ended = text_sequence(r->at, (size_t)(r->end - r->at)) == r->at - r->end;
	return STATUS_INPUT_INVALID;
}

/* The first half of a pair, with nothing behind it that could not begin the second. */
static bool surrogate_is_cut(const struct json_reader *r)
{
	size_t left = (size_t)(r->end - r->at) - 6;

	return left < 6 && strchr("89abAB", r->at[3]) &&
	       !memcmp(r->at + 6, "\\u", left < 2 ? left : 2);
}

int reader_explain_escape(struct json_reader *r)
{
	size_t left = (size_t)(r->end - r->at);
	struct excerpt e;

	if (left < 2)
		return reader_fault(r, r->end, "the text ends inside a string: its \" is missing");
	if (r->at[1] != 'u') {
		quote(&e, r->at + 1, (size_t)abs(text_sequence(r->at + 1, left - 1)));
		return reader_fault(r, r->at, "\\%s is no escape: write \\\\ for a backslash",
				    e.text);
	}
	for (size_t i = 2; i < 6; i++) {
		if (i >= left)
			return reader_fault(r, r->end,
					    "the text ends inside a string: its \" is missing");
		if (!strchr("0123456789abcdefABCDEF", r->at[i]) || !r->at[i])
			return reader_fault(r, r->at, "\\u needs four hexadecimal digits");
	}
	reader_fault(r, r->at, "half a surrogate pair, %.6s: write both halves, or the character",
		     r->at);
	if (r->fault && surrogate_is_cut(r))
		r->fault->ended = true;
	return STATUS_INPUT_INVALID;
}
