/* SPDX-License-Identifier: MIT
 *
 * What the files of the translator of regular expressions share.
 */
#ifndef TOOLHOST_PATTERN_TRANSLATE_H
#define TOOLHOST_PATTERN_TRANSLATE_H

#include "schema/pattern.h"

#include <string.h>

#define TRANSLATE_GROUPS_MOST 200 /* named ones, and groups in one another */

struct translator_name {
	const char *text;
	size_t length;
	unsigned group;
};

struct translator {
	const char *start, *at, *end;
	struct buffer *out;
	struct pattern_facts *facts;
	struct translator_name names[TRANSLATE_GROUPS_MOST];
	unsigned name_count;
	unsigned groups; /* that capture */
	unsigned depth;
	char *reason;
	size_t reason_size;
};

/* What a term was, for the quantifier behind it. */
enum term { TERM_FAILED, TERM_ASSERTION, TERM_ITEM, TERM_REFERENCE, TERM_GROUP };

static inline bool next_is(const struct translator *t, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(t->end - t->at) >= length && !memcmp(t->at, text, length);
}

static inline bool skip(struct translator *t, const char *text)
{
	if (!next_is(t, text))
		return false;
	t->at += strlen(text);
	return true;
}

/* Of a pattern's byte, which may be NUL. */
static inline bool is_one_of(char byte, const char *set)
{
	return byte && strchr(set, byte);
}

/* Answers false; the reason names the byte that was reached. */
bool translate_fail(struct translator *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* ---- pattern-class.c: characters and sets of them --------------------------------------- */

uint32_t translate_take_point(struct translator *t); /* the text is valid UTF-8 */
void translate_put_point(struct translator *t, uint32_t point);

/* A set such as \d, behind the backslash. False where there is none; `ret_good` tells of a property
 * that is wrong. */
bool translate_set(struct translator *t, bool in_class, bool *ret_good);

/* A character by its escape, behind the backslash. */
bool translate_escaped(struct translator *t, uint32_t *ret_point);

/* A class, behind its [. */
enum term translate_class(struct translator *t);

#endif
