/* SPDX-License-Identifier: MIT
 *
 * Strings, as the JSON reader reads them.
 */
#include "base/json-reader.h"
#include "base/status.h"
#include "base/text.h"

#include <string.h>

/* Moves on to the next quote or backslash. */
static int skip_characters(struct json_reader *r)
{
	for (;;) {
		int bytes;

		r->at = json_plain_end(r->at, r->end);
		if (reader_ended(r) || (unsigned char)*r->at < 0x20)
			return reader_explain_string(r);
		if (*r->at == '"' || *r->at == '\\')
			return STATUS_OK;
		bytes = text_sequence(r->at, (size_t)(r->end - r->at));
		if (bytes < 0)
			return reader_explain_string(r);
		r->at += bytes;
	}
}

/* The code unit of \uXXXX at `p`, or -1. */
static int32_t unicode_escape(const char *p, const char *end)
{
	int32_t unit = 0;

	if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
		return -1;
	for (int i = 2; i < 6; i++) {
		char c = p[i];

		unit <<= 4;
		if (c >= '0' && c <= '9')
			unit |= c - '0';
		else if (c >= 'a' && c <= 'f')
			unit |= c - 'a' + 10;
		else if (c >= 'A' && c <= 'F')
			unit |= c - 'A' + 10;
		else
			return -1;
	}
	return unit;
}

static void append_point(struct buffer *b, uint32_t point)
{
	char bytes[4];
	size_t length;

	if (point < 0x80) {
		bytes[0] = (char)point;
		length = 1;
	} else if (point < 0x800) {
		bytes[0] = (char)(0xC0 | point >> 6);
		length = 2;
	} else if (point < 0x10000) {
		bytes[0] = (char)(0xE0 | point >> 12);
		length = 3;
	} else {
		bytes[0] = (char)(0xF0 | point >> 18);
		length = 4;
	}
	for (size_t i = 1; i < length; i++)
		bytes[i] = (char)(0x80 | (point >> 6 * (length - 1 - i) & 0x3F));
	buffer_append(b, bytes, length);
}

/* \uXXXX, or two of them where they are the halves of a surrogate pair. */
static int read_unicode(struct json_reader *r)
{
	int32_t unit = unicode_escape(r->at, r->end), low;
	uint32_t point = (uint32_t)unit;

	if (unit < 0 || (unit >= 0xDC00 && unit <= 0xDFFF))
		return reader_explain_escape(r);
	if (unit >= 0xD800 && unit <= 0xDBFF) {
		low = unicode_escape(r->at + 6, r->end);
		if (low < 0xDC00 || low > 0xDFFF)
			return reader_explain_escape(r);
		point = 0x10000 + ((uint32_t)(unit - 0xD800) << 10) + (uint32_t)(low - 0xDC00);
		r->at += 6;
	}
	r->at += 6;
	append_point(&r->string, point);
	return STATUS_OK;
}

static int read_escape(struct json_reader *r)
{
	static const char names[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	const char *name;

	if (r->end - r->at < 2)
		return reader_explain_escape(r);
	if (r->at[1] == 'u')
		return read_unicode(r);
	name = r->at[1] ? strchr(names, r->at[1]) : NULL;
	if (!name)
		return reader_explain_escape(r);
	buffer_byte(&r->string, bytes[name - names]);
	r->at += 2;
	return STATUS_OK;
}

/* The string that began at `first`, the rest of which may hold anything. */
static int read_rest(struct json_reader *r, const char *first, const char **ret_string,
		     size_t *ret_length)
{
	int status = skip_characters(r);

	if (status != STATUS_OK)
		return status;
	if (*r->at == '"') {
		*ret_string = first;
		*ret_length = (size_t)(r->at++ - first);
		return STATUS_OK;
	}
	buffer_reset(&r->string);
	for (;;) {
		buffer_append(&r->string, first, (size_t)(r->at - first));
		if (*r->at == '"')
			break;
		status = read_escape(r);
		if (status != STATUS_OK)
			return status;
		first = r->at;
		status = skip_characters(r);
		if (status != STATUS_OK)
			return status;
	}
	r->at++;
	if (r->string.fault != BUFFER_GOOD)
		return reader_no_memory(r);
	*ret_string = r->string.data;
	*ret_length = r->string.length;
	return STATUS_OK;
}

int reader_string(struct json_reader *r, const char **ret_string, size_t *ret_length)
{
	const char *first = r->at + 1;

	r->at = json_plain_end(first, r->end);
	if (!reader_sees(r, '"'))
		return read_rest(r, first, ret_string, ret_length);
	*ret_string = first;
	*ret_length = (size_t)(r->at++ - first);
	return STATUS_OK;
}
