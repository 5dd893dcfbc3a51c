/* SPDX-License-Identifier: MIT
 *
 * From ECMA-262 (with the u flag) to PCRE2.
 *
 * Nothing is passed through as it is: each element is read by the rules of the one language and
 * written in the other, so that what only PCRE2 knows cannot slip in. Some leniency of ECMA-262
 * Annex B stays, since schemas in the wild need it: an escaped punctuation mark stands for itself,
 * and so do a lone ], { and }.
 */
#include "schema/pattern-translate.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define REPEATS_MOST 65535

static bool alternatives(struct translator *t);

bool translate_fail(struct translator *t, const char *format, ...)
{
	char text[96];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	snprintf(t->reason, t->reason_size, "%s at byte %zu", text, (size_t)(t->at - t->start));
	return false;
}

/* ---- Groups and references ------------------------------------------------------------- */

/* The name behind (?< or \k<, with its >. */
static bool take_name(struct translator *t, struct translator_name *ret_name)
{
	const char *close = memchr(t->at, '>', (size_t)(t->end - t->at));

	if (!close || close == t->at)
		return translate_fail(t, "a group's name is not closed: > is missing");
	for (const char *c = t->at; c < close; c++)
		if ((unsigned char)*c < 0x80 && !isalnum((unsigned char)*c) && *c != '_' &&
		    *c != '$')
			return translate_fail(t, "a group's name has letters, digits, _ and $");
	ret_name->text = t->at;
	ret_name->length = (size_t)(close - t->at);
	t->at = close + 1;
	return true;
}

static bool is_named_group(const char *at, const char *end)
{
	return end - at > 3 && !memcmp(at, "(?<", 3) && at[3] != '=' && at[3] != '!';
}

/* Counts the groups that capture, and notes their names, which may be referred to before they
 * stand. */
static bool find_groups(struct translator *t)
{
	bool in_class = false;

	for (; t->at < t->end; t->at++) {
		if (*t->at == '\\') {
			t->at += t->at + 1 < t->end;
		} else if (in_class || *t->at == '[') {
			in_class = *t->at != ']';
		} else if (is_named_group(t->at, t->end)) {
			struct translator_name *name = &t->names[t->name_count];

			if (t->name_count++ >= TRANSLATE_GROUPS_MOST)
				return translate_fail(t, "more than %d named groups",
						      TRANSLATE_GROUPS_MOST);
			t->at += 3;
			if (!take_name(t, name))
				return false;
			t->at--;
			name->group = ++t->groups;
		} else if (*t->at == '(' && !(t->at + 1 < t->end && t->at[1] == '?')) {
			t->groups++;
		}
	}
	t->at = t->start;
	return true;
}

static enum term reference(struct translator *t)
{
	unsigned long group = 0;
	struct translator_name name;

	if (skip(t, "k")) {
		if (!skip(t, "<") || !take_name(t, &name)) {
			translate_fail(t, "\\k needs the name of a group, such as \\k<name>");
			return TERM_FAILED;
		}
		for (unsigned i = 0; i < t->name_count; i++)
			if (t->names[i].length == name.length &&
			    !memcmp(t->names[i].text, name.text, name.length))
				group = t->names[i].group;
	} else {
		while (t->at < t->end && isdigit((unsigned char)*t->at) && group <= t->groups)
			group = 10 * group + (unsigned long)(*t->at++ - '0');
	}
	if (!group || group > t->groups) {
		translate_fail(t, "a reference to a group that is not there");
		return TERM_FAILED;
	}
	buffer_format(t->out, "\\g{%lu}", group);
	t->facts->scan = UINT64_MAX; /* what it repeats may be as long as the subject */
	return TERM_REFERENCE;
}

/* Behind the (. */
static enum term group(struct translator *t)
{
	static const char *const heads[] = { "?:", "?=", "?!", "?<=", "?<!", NULL };
	enum term term = TERM_GROUP;
	struct translator_name name;
	size_t i;

	for (i = 0; heads[i] && !next_is(t, heads[i]); i++)
		;
	buffer_byte(t->out, '(');
	if (heads[i]) {
		skip(t, heads[i]);
		buffer_text(t->out, heads[i]);
		term = i ? TERM_ASSERTION : TERM_GROUP;
	} else if (skip(t, "?<")) {
		if (!take_name(t, &name))
			return TERM_FAILED;
	} else if (next_is(t, "?")) {
		translate_fail(t, "ECMA-262 has no group (?%c",
			       t->end - t->at > 1 && isprint((unsigned char)t->at[1]) ? t->at[1]
										      : ' ');
		return TERM_FAILED;
	}
	if (++t->depth > TRANSLATE_GROUPS_MOST) {
		translate_fail(t, "groups more than %d deep", TRANSLATE_GROUPS_MOST);
		return TERM_FAILED;
	}
	if (!alternatives(t))
		return TERM_FAILED;
	t->depth--;
	if (!skip(t, ")")) {
		translate_fail(t, "a group is not closed: ) is missing");
		return TERM_FAILED;
	}
	buffer_byte(t->out, ')');
	return term;
}

/* ---- Terms ----------------------------------------------------------------------------- */

static enum term escape(struct translator *t)
{
	uint32_t point;
	bool good;

	if (next_is(t, "b") || next_is(t, "B")) {
		buffer_format(t->out, "\\%c", *t->at++);
		return TERM_ASSERTION;
	}
	if (next_is(t, "k") || (t->at < t->end && *t->at >= '1' && *t->at <= '9'))
		return reference(t);
	if (translate_set(t, false, &good))
		return good ? TERM_ITEM : TERM_FAILED;
	if (!translate_escaped(t, &point))
		return TERM_FAILED;
	translate_put_point(t, point);
	return TERM_ITEM;
}

/* {n}, {n,} or {n,m}; false, taking nothing, where there is none. */
static bool take_braces(struct translator *t, unsigned long *ret_least, unsigned long *ret_most)
{
	const char *at = t->at;
	char *behind;

	if (!next_is(t, "{") || t->end - at < 3 || !isdigit((unsigned char)at[1]))
		return false;
	*ret_least = *ret_most = strtoul(at + 1, &behind, 10);
	if (*behind == ',') {
		*ret_most = ULONG_MAX;
		if (isdigit((unsigned char)*++behind))
			*ret_most = strtoul(behind, &behind, 10);
	}
	if (behind >= t->end || *behind != '}')
		return false;
	t->at = behind + 1;
	return true;
}

static bool braces(struct translator *t, enum term term, unsigned long least, unsigned long most)
{
	if (least > most)
		return translate_fail(t, "a repetition runs backwards");
	if (least > REPEATS_MOST || (most > REPEATS_MOST && most != ULONG_MAX))
		return translate_fail(t, "more than %d repetitions", REPEATS_MOST);
	if (most == ULONG_MAX)
		buffer_format(t->out, "{%lu,}", least);
	else
		buffer_format(t->out, "{%lu,%lu}", least, most);
	/* The repetitions that have to be there are gone over in one step. */
	if (term == TERM_ITEM && least > t->facts->scan)
		t->facts->scan = least;
	return true;
}

static bool quantifier(struct translator *t, enum term term)
{
	unsigned long least, most;
	bool braced = take_braces(t, &least, &most);

	if (!braced && !(t->at < t->end && is_one_of(*t->at, "*+?")))
		return true;
	if (term == TERM_ASSERTION)
		return translate_fail(t, "there is nothing to repeat");
	if (!braced)
		buffer_byte(t->out, *t->at++);
	else if (!braces(t, term, least, most))
		return false;
	if (skip(t, "?"))
		buffer_byte(t->out, '?');
	return true;
}

static enum term term(struct translator *t)
{
	unsigned long least, most;
	uint32_t point;

	if (is_one_of(*t->at, "*+?") || take_braces(t, &least, &most)) {
		translate_fail(t, "there is nothing to repeat");
		return TERM_FAILED;
	}
	if (skip(t, "\\"))
		return escape(t);
	if (skip(t, "["))
		return translate_class(t);
	if (skip(t, "("))
		return group(t);
	if (next_is(t, "^") || next_is(t, "$")) {
		buffer_byte(t->out, *t->at++);
		return TERM_ASSERTION;
	}
	if (skip(t, ".")) {
		buffer_text(t->out, "[^\\n\\r\\x{2028}\\x{2029}]");
		return TERM_ITEM;
	}
	point = translate_take_point(t);
	translate_put_point(t, point);
	return TERM_ITEM;
}

static bool alternatives(struct translator *t)
{
	enum term last;

	while (t->at < t->end && *t->at != ')') {
		if (skip(t, "|")) {
			buffer_byte(t->out, '|');
			continue;
		}
		if ((last = term(t)) == TERM_FAILED || !quantifier(t, last))
			return false;
	}
	return true;
}

bool pattern_translate(const char *text, size_t length, struct buffer *out,
		       struct pattern_facts *ret_facts, char *ret_reason, size_t size)
{
	struct translator t = {
		.start = text,
		.at = text,
		.end = text + length,
		.out = out,
		.facts = ret_facts,
		.reason = ret_reason,
		.reason_size = size,
	};

	*ret_facts = (struct pattern_facts){ 0 };
	if (length > PATTERN_LENGTH_MOST)
		return translate_fail(&t, "the pattern is longer than %d bytes",
				      PATTERN_LENGTH_MOST);
	if (!find_groups(&t) || !alternatives(&t))
		return false;
	if (t.at < t.end)
		return translate_fail(&t, "a ) that closes nothing");
	if (out->fault != BUFFER_GOOD)
		return translate_fail(&t, "the pattern grows too large");
	return true;
}
