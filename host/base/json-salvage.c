/* SPDX-License-Identifier: MIT
 *
 * The id of a message that is no JSON.
 */
#include "base/json.h"
#include "base/status.h"

#include <string.h>

/* A tolerant look at a broken object: strings and brackets are told apart, and all else is passed
 * over. */
struct scan {
	const char *at;
	const char *end;
	size_t objects, lists; /* how many are open */
	unsigned ids;	       /* keys "id" at the top level */
	json *id;	       /* the value of the last one, where it can be one; owned */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_blanks(struct scan *s)
{
	while (s->at < s->end && is_blank(*s->at))
		s->at++;
}

/* Past the string whose opening quote is next; false where it does not end. */
static bool skip_string(struct scan *s)
{
	for (s->at++; s->at < s->end; s->at++) {
		if (*s->at == '"') {
			s->at++;
			return true;
		}
		if (*s->at == '\\' && s->at + 1 < s->end)
			s->at++;
	}
	return false;
}

static bool is_id_key(const char *text, size_t length)
{
	json *key = NULL;
	bool is_id;

	/* A key may be spelled with escapes. */
	if (length > sizeof("\"\\u0069\\u0064\"") - 1 ||
	    json_read(text, length, NULL, &key, NULL) != STATUS_OK)
		return false;
	is_id = json_text_is(key, "id");
	json_drop(key);
	return is_id;
}

/* The value behind the colon of an id: a whole token, with what ends a member behind it. */
static void take_id(struct scan *s)
{
	const char *first = s->at;
	json *id = NULL;

	if (s->at < s->end && *s->at == '"') {
		if (!skip_string(s))
			return;
	} else {
		while (s->at < s->end && !is_blank(*s->at) && !strchr(",}]{[\"", *s->at))
			s->at++;
		if (s->at == s->end)
			return; /* more digits may have followed */
	}
	if (json_read(first, (size_t)(s->at - first), NULL, &id, NULL) != STATUS_OK)
		return;
	skip_blanks(s);
	if ((json_kind(id) == JSON_TEXT || json_kind(id) == JSON_INTEGER) &&
	    (s->at == s->end || *s->at == ',' || *s->at == '}'))
		s->id = id;
	else
		json_drop(id);
}

/* A string where a key of the top level may stand. */
static bool scan_key(struct scan *s)
{
	const char *first = s->at;
	bool is_id;

	if (!skip_string(s))
		return false;
	is_id = is_id_key(first, (size_t)(s->at - first));
	skip_blanks(s);
	if (!is_id || s->at == s->end || *s->at != ':')
		return true;
	s->at++;
	skip_blanks(s);
	if (++s->ids == 1)
		take_id(s);
	return true;
}

/* False where more brackets close than are open, so that nobody can say what the top level is. */
static bool scan_bracket(struct scan *s)
{
	switch (*s->at++) {
	case '{':
		s->objects++;
		return true;
	case '[':
		s->lists++;
		return true;
	case '}':
		return s->objects-- > 0;
	case ']':
		return s->lists-- > 0;
	default:
		return true;
	}
}

static void scan_message(struct scan *s)
{
	char before = '\0';

	while (s->at < s->end) {
		char c = *s->at;
		bool top = s->objects == 1 && s->lists == 0;

		if (is_blank(c)) {
			s->at++;
			continue;
		}
		if (c == '"') {
			/* Directly behind a colon stands a value, whatever it looks like. */
			if (!(top && before != ':' ? scan_key(s) : skip_string(s)))
				return;
		} else if (!scan_bracket(s)) {
			return;
		}
		before = c;
	}
}

bool json_salvage_id(const char *text, size_t length, json **ret_id)
{
	struct scan s = { .at = text, .end = text + length };

	*ret_id = NULL;
	if (length >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3))
		s.at += 3;
	skip_blanks(&s);
	if (s.at == s.end || *s.at != '{')
		return false;
	scan_message(&s);
	if (s.ids != 1) {
		json_drop(s.id);
		return false;
	}
	*ret_id = s.id;
	return s.id != NULL;
}
