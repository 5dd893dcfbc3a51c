/* SPDX-License-Identifier: MIT
 *
 * A value is a tag and what the tag says: nothing, eight bytes, or a count and that many things.
 */
#include "config.h"

#include "base/json-wire.h"

#include <string.h>

#define DEPTH_MOST 512

enum wire_tag {
	WIRE_NULL = 'n',
	WIRE_FALSE = 'f',
	WIRE_TRUE = 't',
	WIRE_INTEGER = 'i',
	WIRE_NUMBER = 'd',
	WIRE_TEXT = 's',
	WIRE_LIST = 'l',
	WIRE_PACKED = 'p',
	WIRE_OBJECT = 'o',
};

/* ---- Writing --------------------------------------------------------------------------------- */

static void write_count(struct buffer *out, enum wire_tag tag, uint64_t count)
{
	buffer_byte(out, (char)tag);
	buffer_append(out, &count, sizeof(count));
}

static void write_text(struct buffer *out, const char *text, size_t length)
{
	write_count(out, WIRE_TEXT, length);
	buffer_append(out, text, length);
}

/* Doubles lie at multiples of their size, so that they can be read in place. */
static size_t padding(size_t offset)
{
	return -offset % sizeof(double);
}

static void write_list(struct buffer *out, const json *list)
{
	size_t count;
	const double *packed = json_packed(list, &count);

	if (packed) {
		write_count(out, WIRE_PACKED, count);
		buffer_append(out, "\0\0\0\0\0\0\0", padding(out->length));
		buffer_append(out, packed, count * sizeof(*packed));
		return;
	}
	count = json_count(list);
	write_count(out, WIRE_LIST, count);
	for (size_t i = 0; i < count; i++)
		json_wire_write(out, json_peek(list, i));
}

static void write_object(struct buffer *out, const json *object)
{
	struct json_member m;

	write_count(out, WIRE_OBJECT, json_count(object));
	for (bool more = json_first(object, &m); more; more = json_next(&m)) {
		write_text(out, m.key, strlen(m.key));
		json_wire_write(out, m.value);
	}
}

void json_wire_write(struct buffer *out, const json *value)
{
	const char *text;
	size_t length;
	int64_t integer;
	double number;

	switch (json_kind(value)) {
	case JSON_NULL:
		buffer_byte(out, WIRE_NULL);
		break;
	case JSON_BOOLEAN:
		buffer_byte(out, json_boolean(value) ? WIRE_TRUE : WIRE_FALSE);
		break;
	case JSON_INTEGER:
		integer = json_integer(value);
		buffer_byte(out, WIRE_INTEGER);
		buffer_append(out, &integer, sizeof(integer));
		break;
	case JSON_NUMBER:
		number = json_number(value);
		buffer_byte(out, WIRE_NUMBER);
		buffer_append(out, &number, sizeof(number));
		break;
	case JSON_TEXT:
		text = json_text(value, &length);
		write_text(out, text, length);
		break;
	case JSON_LIST:
		write_list(out, value);
		break;
	case JSON_OBJECT:
		write_object(out, value);
		break;
	}
}

/* ---- Reading --------------------------------------------------------------------------------- */

struct wire {
	const char *start, *at, *end;
};

static bool take(struct wire *w, void *ret, size_t length)
{
	if ((size_t)(w->end - w->at) < length)
		return false;
	memcpy(ret, w->at, length);
	w->at += length;
	return true;
}

/* A count of things of `size` bytes at least, all of which have to lie in what is left. */
static bool take_count(struct wire *w, size_t size, uint64_t *ret_count)
{
	return take(w, ret_count, sizeof(*ret_count)) &&
	       *ret_count <= (size_t)(w->end - w->at) / size;
}

static bool read_value(struct wire *w, unsigned depth, json **ret_value);

static bool read_text(struct wire *w, json **ret_value)
{
	uint64_t length;

	if (!take_count(w, 1, &length))
		return false;
	*ret_value = json_new_text_n(w->at, length);
	w->at += length;
	return *ret_value != NULL;
}

static bool read_packed(struct wire *w, json **ret_value)
{
	uint64_t count;
	char pad[sizeof(double)];

	if (!take(w, &count, sizeof(count)) || !take(w, pad, padding((size_t)(w->at - w->start))) ||
	    count > (size_t)(w->end - w->at) / sizeof(double))
		return false;
	*ret_value = json_new_packed((const double *)(const void *)w->at, count);
	w->at += count * sizeof(double);
	return *ret_value != NULL;
}

static bool read_list(struct wire *w, unsigned depth, json **ret_value)
{
	uint64_t count;

	if (!take_count(w, 1, &count) || !(*ret_value = json_new_list()))
		return false;
	for (uint64_t i = 0; i < count; i++) {
		json *item;

		if (!read_value(w, depth, &item))
			return false;
		json_append(*ret_value, item);
	}
	return true;
}

static bool read_object(struct wire *w, unsigned depth, json **ret_value)
{
	uint64_t count;

	if (!take_count(w, 2, &count) || !(*ret_value = json_new_object()))
		return false;
	for (uint64_t i = 0; i < count; i++) {
		json *key = NULL, *value = NULL;
		bool good = w->at < w->end && *w->at++ == WIRE_TEXT && read_text(w, &key) &&
			    read_value(w, depth, &value);

		if (good)
			json_set(*ret_value, json_text(key, NULL), value);
		else
			json_drop(value);
		json_drop(key);
		if (!good)
			return false;
	}
	return true;
}

static bool read_plain(struct wire *w, char tag, json **ret_value)
{
	int64_t integer;
	double number;

	switch (tag) {
	case WIRE_NULL:
		return true;
	case WIRE_FALSE:
	case WIRE_TRUE:
		*ret_value = json_new_boolean(tag == WIRE_TRUE);
		return *ret_value != NULL;
	case WIRE_INTEGER:
		if (!take(w, &integer, sizeof(integer)))
			return false;
		*ret_value = json_new_integer(integer);
		return *ret_value != NULL;
	case WIRE_NUMBER:
		if (!take(w, &number, sizeof(number)))
			return false;
		*ret_value = json_new_number(number);
		return *ret_value != NULL;
	case WIRE_TEXT:
		return read_text(w, ret_value);
	case WIRE_PACKED:
		return read_packed(w, ret_value);
	default:
		return false;
	}
}

/* On failure *ret_value may hold what was read so far, for the caller to drop. */
static bool read_value(struct wire *w, unsigned depth, json **ret_value)
{
	char tag;

	*ret_value = NULL;
	if (!depth || !take(w, &tag, 1))
		return false;
	if (tag == WIRE_LIST	 ? !read_list(w, depth - 1, ret_value)
	    : tag == WIRE_OBJECT ? !read_object(w, depth - 1, ret_value)
				 : !read_plain(w, tag, ret_value)) {
		json_drop(*ret_value);
		*ret_value = NULL;
		return false;
	}
	return true;
}

bool json_wire_read(const char *data, size_t length, json **ret_value)
{
	struct wire w = { data, data, data + length };

	if (read_value(&w, DEPTH_MOST, ret_value) && w.at == w.end)
		return true;
	json_drop(*ret_value);
	*ret_value = NULL;
	return false;
}
