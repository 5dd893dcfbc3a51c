/* SPDX-License-Identifier: MIT
 *
 * JSON as it is put into attributes and elements: as it stands, with its quotes behind backslashes,
 * or with entities.
 */
#include "base/array.h"
#include "parse/lenient.h"

#include <stdio.h>
#include <string.h>

static bool read_json(const char *text, size_t length, json **ret_value, char *reason,
		      size_t reason_size)
{
	struct json_fault fault;

	if (json_read(text, length, NULL, ret_value, &fault) == STATUS_OK)
		return true;
	if (reason)
		snprintf(reason, reason_size, "line %u, column %u of its arguments: %s", fault.line,
			 fault.column, fault.reason);
	return false;
}

/* `all`: backslashes behind backslashes are undone as well, as for JSON that was quoted as a whole. */
static void undo_backslashes(struct buffer *out, const char *text, size_t length, bool all)
{
	for (size_t i = 0; i < length; i++) {
		char next = i + 1 < length ? text[i + 1] : '\0';

		if (text[i] == '\\' && (next == '"' || next == '\'' || (all && next == '\\')))
			i++;
		buffer_byte(out, text[i]);
	}
}

static void append_point(struct buffer *out, uint32_t point)
{
	char bytes[] = { (char)(0xF0 | point >> 18), (char)(0x80 | (point >> 12 & 0x3F)),
			 (char)(0x80 | (point >> 6 & 0x3F)), (char)(0x80 | (point & 0x3F)) };

	if (point < 0x80) {
		buffer_byte(out, (char)point);
	} else if (point < 0x800) {
		bytes[2] = (char)(0xC0 | point >> 6);
		buffer_append(out, bytes + 2, 2);
	} else if (point < 0x10000) {
		bytes[1] = (char)(0xE0 | point >> 12);
		buffer_append(out, bytes + 1, 3);
	} else {
		buffer_append(out, bytes, 4);
	}
}

static int digit_of(char byte, int base)
{
	int digit = byte >= '0' && byte <= '9'	 ? byte - '0'
		    : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10
		    : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10
						 : 99;

	return digit < base ? digit : -1;
}

/* "&#169;" or "&#xA9;": its length, with the character appended; 0: it is none. */
static size_t append_reference(struct buffer *out, const char *text, size_t length)
{
	bool hexadecimal = length > 2 && (text[2] == 'x' || text[2] == 'X');
	size_t first = hexadecimal ? 3 : 2, i = first;
	uint32_t point = 0;

	for (; i < length && i < first + 8; i++) {
		int digit = digit_of(text[i], hexadecimal ? 16 : 10);

		if (digit < 0)
			break;
		point = point * (hexadecimal ? 16 : 10) + (uint32_t)digit;
	}
	if (i == first || i == length || text[i] != ';' || !point || point > 0x10FFFF ||
	    (point >= 0xD800 && point < 0xE000))
		return 0;
	append_point(out, point);
	return i + 1;
}

static size_t append_entity(struct buffer *out, const char *text, size_t length)
{
	static const char *const names[][2] = {
		{ "&quot;", "\"" }, { "&apos;", "'" }, { "&amp;", "&" },
		{ "&lt;", "<" },    { "&gt;", ">" },
	};

	if (length > 1 && text[1] == '#')
		return append_reference(out, text, length);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t name_length = strlen(names[i][0]);

		if (length >= name_length && !memcmp(text, names[i][0], name_length)) {
			buffer_text(out, names[i][1]);
			return name_length;
		}
	}
	return 0;
}

static void decode_entities(struct buffer *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length;) {
		size_t used = text[i] == '&' ? append_entity(out, text + i, length - i) : 0;

		if (!used) {
			buffer_byte(out, text[i]);
			used = 1;
		}
		i += used;
	}
}

/* The text with backslashes undone, or with entities decoded. */
static bool read_undone(const char *text, size_t length, json **ret_value)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	bool done = false;

	for (int i = 0; i < 3 && !done; i++) {
		if (!memchr(text, i < 2 ? '\\' : '&', length))
			continue;
		buffer_reset(&out);
		if (i < 2)
			undo_backslashes(&out, text, length, i == 1);
		else
			decode_entities(&out, text, length);
		done = out.fault == BUFFER_GOOD &&
		       read_json(out.data, out.length, ret_value, NULL, 0);
	}
	buffer_free(&out);
	return done;
}

bool lenient_json(const struct source *source, size_t from, size_t to, json **ret_value,
		  char *reason, size_t reason_size)
{
	*ret_value = NULL;
	if (source_blank(source, from, to))
		return true;
	return read_json(source->text + from, to - from, ret_value, reason, reason_size) ||
	       read_undone(source->text + from, to - from, ret_value);
}
