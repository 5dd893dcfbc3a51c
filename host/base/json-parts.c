/* SPDX-License-Identifier: MIT
 *
 * Objects of a known form, read into their parts. Anything unusual is left to json_read(), so
 * nothing here explains.
 */
#include "base/json-reader.h"
#include "base/status.h"

#include <string.h>

static struct json_part *find_part(struct json_part *parts, size_t count, const char *key,
				   size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (parts[i].key_length == length && parts[i].key[0] == key[0] &&
		    !memcmp(parts[i].key, key, length))
			return &parts[i];
	return NULL;
}

/* The bytes of a key without escapes, past its colon; NULL for any other. */
static const char *read_key(struct json_reader *r, size_t *ret_length)
{
	const char *key = r->at + 1, *end;

	if (!reader_sees(r, '"'))
		return NULL;
	end = memchr(key, '"', (size_t)(r->end - key));
	if (!end)
		return NULL;
	*ret_length = (size_t)(end - key);
	r->at = end + 1;
	reader_skip_blanks(r);
	if (!reader_sees(r, ':'))
		return NULL;
	r->at++;
	reader_skip_blanks(r);
	return key;
}

/* A string that stands in the text as it is. */
static bool read_text(struct json_reader *r, struct json_part *part)
{
	if (!reader_sees(r, '"') || reader_string(r, &part->text, &part->length) != STATUS_OK)
		return false;
	return part->text >= r->start && part->text < r->end;
}

static bool read_integer(struct json_reader *r, struct json_part *part)
{
	const char *first = r->at, *p = first + reader_sees(r, '-');
	const char *digits = p;

	while (p < r->end && *p >= '0' && *p <= '9')
		p++;
	/* At most 18 digits fit into 64 bits, whatever they are; a 0 in front, a fraction, an
	 * exponent are for others. */
	if (p == digits || p - digits > 18 ||
	    (*digits == '0' && (p - digits > 1 || digits > first)) || p == r->end || *p == '.' ||
	    *p == 'e' || *p == 'E')
		return false;
	part->text = first;
	part->length = (size_t)(p - first);
	r->at = p;
	return true;
}

static bool read_parts(struct json_reader *r, struct json_part *parts, size_t count);

static bool read_part(struct json_reader *r, struct json_part *part)
{
	switch (part->form) {
	case JSON_PART_VALUE:
		return reader_value(r, JSON_PLACE_OBJECT, &part->value) == STATUS_OK;
	case JSON_PART_TEXT:
		return read_text(r, part);
	case JSON_PART_SCALAR:
		if (!reader_sees(r, '"'))
			return read_integer(r, part);
		if (!read_text(r, part))
			return false;
		part->text--;
		part->length += 2;
		return true;
	case JSON_PART_PARTS:
		return read_parts(r, part->inside, part->inside_count);
	}
	return false;
}

static bool read_parts(struct json_reader *r, struct json_part *parts, size_t count)
{
	if (!reader_sees(r, '{') || r->depth == r->max_depth)
		return false;
	r->at++;
	r->depth++;
	reader_skip_blanks(r);
	do {
		size_t length;
		const char *key = read_key(r, &length);
		struct json_part *part = key ? find_part(parts, count, key, length) : NULL;

		if (!part || part->there)
			return false;
		part->there = true;
		if (!read_part(r, part))
			return false;
	} while (reader_next_element(r));
	r->depth--;
	if (!reader_sees(r, '}'))
		return false;
	r->at++;
	return true;
}

static void clear_parts(struct json_part *parts, size_t count, bool drop)
{
	for (size_t i = 0; i < count; i++) {
		if (parts[i].form == JSON_PART_PARTS)
			clear_parts(parts[i].inside, parts[i].inside_count, drop);
		else if (drop)
			json_drop(parts[i].value);
		parts[i].value = NULL;
		parts[i].there = false;
	}
}

bool json_read_parts(const char *text, size_t length, const struct json_limits *limits,
		     struct json_part *parts, size_t count)
{
	struct json_reader r;
	bool good;

	clear_parts(parts, count, false);
	good = reader_init(&r, text, length, limits, NULL) == STATUS_OK;
	if (good) {
		reader_skip_blanks(&r);
		good = read_parts(&r, parts, count);
		reader_skip_blanks(&r);
		good = good && reader_ended(&r);
	}
	if (!good)
		clear_parts(parts, count, true);
	reader_free(&r);
	return good;
}
