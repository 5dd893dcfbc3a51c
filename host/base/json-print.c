/* SPDX-License-Identifier: MIT
 *
 * Values to text.
 */
#include "base/json-number.h"
#include "base/json-plain.h"
#include "base/json-value.h"
#include "base/status.h"
#include "base/text.h"

#include <string.h>

#define PIECE 512 /* of a text that is printed at once */
#define PRETTY_INDENT 2
#define PRETTY_SHORT_LIST 16 /* numbers on one line */

/* ---- Numbers ------------------------------------------------------------------------------- */

void json_print_number(struct buffer *out, double value)
{
	char text[JSON_NUMBER_BYTES];

	buffer_append(out, text, (size_t)(json_write_double(text, value) - text));
}

void json_print_integer(struct buffer *out, int64_t value)
{
	char text[JSON_NUMBER_BYTES];

	buffer_append(out, text, (size_t)(json_write_integer(text, value) - text));
}

void json_print_numbers(struct buffer *out, const double *values, size_t count)
{
	char text[1 + JSON_NUMBER_BYTES] = ",";

	buffer_byte(out, '[');
	for (size_t i = 0; i < count; i++) {
		const char *from = i ? text : text + 1;

		buffer_append(out, from, (size_t)(json_write_double(text + 1, values[i]) - from));
	}
	buffer_byte(out, ']');
}

/* ---- Strings ------------------------------------------------------------------------------- */

/* U+2028 and U+2029, which end a line for those who read JSON as JavaScript. */
static bool is_line_end(const char *p)
{
	return !memcmp(p, "\xE2\x80\xA8", 3) || !memcmp(p, "\xE2\x80\xA9", 3);
}

static void print_escape(struct buffer *out, unsigned char byte)
{
	static const char short_forms[] = {
		['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't',
	};

	if (byte < sizeof(short_forms) && short_forms[byte])
		buffer_append(out, (char[]){ '\\', short_forms[byte] }, 2);
	else
		buffer_format(out, "\\u%04x", byte);
}

/* Room for `most` bytes, of which fewer may be needed; NULL where that many may not fit. */
static char *room_for(struct buffer *out, size_t most)
{
	if (out->fault != BUFFER_GOOD || most > out->maximum - out->length)
		return NULL;
	return buffer_reserve(out, most);
}

/* Copies what is plain, and quotes and backslashes as escapes, up to anything else or to `stop`. */
static const char *copy_simple(char **to, const char *p, const char *stop)
{
	char *out = *to;

	for (;;) {
		while (stop - p >= 8) {
			unsigned plain = json_plain_bytes(p);

			memcpy(out, p, 8); /* there is room: each byte may need two */
			p += plain;
			out += plain;
			if (plain < 8)
				break;
		}
		while (p < stop && json_is_plain(*p))
			*out++ = *p++;
		if (p == stop || (*p != '"' && *p != '\\'))
			break;
		*out++ = '\\';
		*out++ = *p++;
	}
	*to = out;
	return p;
}

/* Prints as much as copy_simple() takes, which is all of most texts; answers the end of that. */
static const char *print_simple(struct buffer *out, const char *p, const char *end)
{
	while (p < end) {
		size_t piece = (size_t)(end - p) < PIECE ? (size_t)(end - p) : PIECE;
		const char *stop = p + piece;
		char *place = room_for(out, 2 * piece), *to = place;

		if (!place)
			return p;
		p = copy_simple(&to, p, stop);
		buffer_commit(out, (size_t)(to - place));
		if (p < stop)
			return p;
	}
	return p;
}

void json_print_text_part(struct buffer *out, const char *text, size_t length)
{
	const char *end = text + length, *p = print_simple(out, text, end), *done = p;

	while ((p = json_plain_end(p, end)) < end) {
		unsigned char byte = (unsigned char)*p;
		int bytes = text_sequence(p, (size_t)(end - p));

		if (byte >= 0x80 && bytes > 0 && !(bytes == 3 && is_line_end(p))) {
			p += bytes;
			continue;
		}
		buffer_append(out, done, (size_t)(p - done));
		if (byte == '"' || byte == '\\') {
			/* The byte itself goes with the next run. */
			buffer_byte(out, '\\');
			done = p++;
			continue;
		}
		if (byte < 0x80)
			print_escape(out, byte);
		else if (bytes > 0)
			buffer_text(out, p[2] == '\xA8' ? "\\u2028" : "\\u2029");
		else
			buffer_text(out, "\xEF\xBF\xBD");
		p += bytes > 0 ? bytes : -bytes;
		done = p;
	}
	buffer_append(out, done, (size_t)(end - done));
}

/* All of a short text with its quotes, where copy_simple() takes it, as nearly every one. */
static bool print_short(struct buffer *out, const char *text, size_t length)
{
	char *place = length <= PIECE ? room_for(out, 2 * length + 2) : NULL, *to = place;

	if (!place)
		return false;
	*to++ = '"';
	if (copy_simple(&to, text, text + length) < text + length)
		return false;
	*to++ = '"';
	buffer_commit(out, (size_t)(to - place));
	return true;
}

void json_print_text(struct buffer *out, const char *text, size_t length)
{
	if (print_short(out, text, length))
		return;
	buffer_byte(out, '"');
	json_print_text_part(out, text, length);
	buffer_byte(out, '"');
}

static void print_string(struct buffer *out, const json *value)
{
	size_t length;
	const char *text = json_text(value, &length);

	json_print_text(out, text, length);
}

/* ---- Values -------------------------------------------------------------------------------- */

static void print_list(struct buffer *out, const json *list)
{
	size_t count;
	const double *values = json_packed(list, &count);

	if (values) {
		json_print_numbers(out, values, count);
		return;
	}
	count = json_count(list);
	buffer_byte(out, '[');
	for (size_t i = 0; i < count; i++) {
		if (i)
			buffer_byte(out, ',');
		json_print(out, json_peek(list, i));
	}
	buffer_byte(out, ']');
}

static void print_object(struct buffer *out, const json *object)
{
	struct json_member m;
	bool first = true;

	buffer_byte(out, '{');
	for (bool more = json_first(object, &m); more; more = json_next(&m)) {
		if (!first)
			buffer_byte(out, ',');
		first = false;
		json_print_text(out, m.key, strlen(m.key));
		buffer_byte(out, ':');
		json_print(out, m.value);
	}
	buffer_byte(out, '}');
}

void json_print(struct buffer *out, const json *value)
{
	switch (json_kind(value)) {
	case JSON_NULL:
		buffer_append(out, "null", 4);
		break;
	case JSON_BOOLEAN:
		buffer_text(out, json_boolean(value) ? "true" : "false");
		break;
	case JSON_INTEGER:
		json_print_integer(out, json_integer(value));
		break;
	case JSON_NUMBER:
		json_print_number(out, json_number(value));
		break;
	case JSON_TEXT:
		print_string(out, value);
		break;
	case JSON_LIST:
		print_list(out, value);
		break;
	case JSON_OBJECT:
		print_object(out, value);
		break;
	}
}

/* ---- For people ---------------------------------------------------------------------------- */

static void print_pretty(struct buffer *out, const json *value, int depth);

static void new_line(struct buffer *out, int depth)
{
	buffer_format(out, "\n%*s", depth * PRETTY_INDENT, "");
}

static bool fits_a_line(const json *list, size_t count)
{
	if (count > PRETTY_SHORT_LIST)
		return false;
	for (size_t i = 0; i < count; i++) {
		enum json_kind kind = json_item_kind(list, i);

		if (kind != JSON_INTEGER && kind != JSON_NUMBER && kind != JSON_NULL)
			return false;
	}
	return true;
}

static void print_pretty_list(struct buffer *out, const json *list, int depth)
{
	size_t count = json_count(list);
	bool one_line = fits_a_line(list, count);

	buffer_byte(out, '[');
	for (size_t i = 0; i < count; i++) {
		json *item = json_item(list, i);

		if (i)
			buffer_byte(out, ',');
		if (!one_line)
			new_line(out, depth + 1);
		else if (i)
			buffer_byte(out, ' ');
		print_pretty(out, item, depth + 1);
		json_drop(item);
	}
	if (!one_line)
		new_line(out, depth);
	buffer_byte(out, ']');
}

static void print_pretty_object(struct buffer *out, const json *object, int depth)
{
	struct json_member m;
	bool first = true;

	buffer_byte(out, '{');
	for (bool more = json_first(object, &m); more; more = json_next(&m)) {
		if (!first)
			buffer_byte(out, ',');
		first = false;
		new_line(out, depth + 1);
		json_print_text(out, m.key, strlen(m.key));
		buffer_text(out, ": ");
		print_pretty(out, m.value, depth + 1);
	}
	if (!first)
		new_line(out, depth);
	buffer_byte(out, '}');
}

static void print_pretty(struct buffer *out, const json *value, int depth)
{
	enum json_kind kind = json_kind(value);

	if (kind == JSON_LIST)
		print_pretty_list(out, value, depth);
	else if (kind == JSON_OBJECT)
		print_pretty_object(out, value, depth);
	else
		json_print(out, value);
}

void json_print_pretty(struct buffer *out, const json *value)
{
	print_pretty(out, value, 0);
}

bool json_print_checked(struct buffer *out, const char *text, size_t length, unsigned max_depth)
{
	struct json_limits limits = { .max_depth = max_depth };
	json *value;

	if (json_read(text, length, &limits, &value, NULL) != STATUS_OK)
		return false;
	json_print(out, value);
	json_drop(value);
	return true;
}
