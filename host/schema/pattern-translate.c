/* SPDX-License-Identifier: MIT
 *
 * From ECMA-262 (with the u flag) to PCRE2.
 *
 * Nothing is passed through as it is: each element is read by the rules of the one language and
 * written in the other, so that what only PCRE2 knows cannot slip in. Some leniency of ECMA-262
 * Annex B stays, since schemas in the wild need it: an escaped punctuation mark stands for itself,
 * and so do a lone ], { and }.
 */
#include "schema/pattern.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS_MOST 200 /* named ones, and groups in one another */
#define REPEATS_MOST 65535

struct name {
	const char *text;
	size_t length;
	unsigned group;
};

struct translator {
	const char *start, *at, *end;
	struct buffer *out;
	struct pattern_facts *facts;
	struct name names[GROUPS_MOST];
	unsigned name_count;
	unsigned groups; /* that capture */
	unsigned depth;
	char *reason;
	size_t reason_size;
};

/* What a term was, for the quantifier behind it. */
enum term { TERM_FAILED, TERM_ASSERTION, TERM_ITEM, TERM_REFERENCE, TERM_GROUP };

static bool alternatives(struct translator *t);

__attribute__((format(printf, 2, 3))) static bool fail(struct translator *t, const char *format,
						       ...)
{
	char text[96];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	snprintf(t->reason, t->reason_size, "%s at byte %zu", text, (size_t)(t->at - t->start));
	return false;
}

static bool next_is(const struct translator *t, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(t->end - t->at) >= length && !memcmp(t->at, text, length);
}

static bool skip(struct translator *t, const char *text)
{
	if (!next_is(t, text))
		return false;
	t->at += strlen(text);
	return true;
}

/* Of a pattern's byte, which may be NUL. */
static bool is_one_of(char byte, const char *set)
{
	return byte && strchr(set, byte);
}

/* The next code point; the text is valid UTF-8. */
static uint32_t take_point(struct translator *t)
{
	unsigned char lead = (unsigned char)*t->at++;
	unsigned more = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
	uint32_t point = more == 0 ? lead : lead & (0x3F >> more);

	while (more-- && t->at < t->end)
		point = point << 6 | ((unsigned char)*t->at++ & 0x3F);
	return point;
}

static void put_point(struct translator *t, uint32_t point)
{
	if (point < 0x80 && isalnum((int)point))
		buffer_byte(t->out, (char)point);
	else
		buffer_format(t->out, "\\x{%x}", (unsigned)point);
}

/* ---- Properties ------------------------------------------------------------------------ */

/* General categories by their long names; PCRE2 knows only the short ones. */
static const char *const categories[][2] = {
	{ "Cased_Letter", "L&" },
	{ "LC", "L&" },
	{ "Close_Punctuation", "Pe" },
	{ "Connector_Punctuation", "Pc" },
	{ "Control", "Cc" },
	{ "cntrl", "Cc" },
	{ "Currency_Symbol", "Sc" },
	{ "Dash_Punctuation", "Pd" },
	{ "Decimal_Number", "Nd" },
	{ "digit", "Nd" },
	{ "Enclosing_Mark", "Me" },
	{ "Final_Punctuation", "Pf" },
	{ "Format", "Cf" },
	{ "Initial_Punctuation", "Pi" },
	{ "Letter", "L" },
	{ "Letter_Number", "Nl" },
	{ "Line_Separator", "Zl" },
	{ "Lowercase_Letter", "Ll" },
	{ "Mark", "M" },
	{ "Combining_Mark", "M" },
	{ "Math_Symbol", "Sm" },
	{ "Modifier_Letter", "Lm" },
	{ "Modifier_Symbol", "Sk" },
	{ "Nonspacing_Mark", "Mn" },
	{ "Number", "N" },
	{ "Open_Punctuation", "Ps" },
	{ "Other", "C" },
	{ "Other_Letter", "Lo" },
	{ "Other_Number", "No" },
	{ "Other_Punctuation", "Po" },
	{ "Other_Symbol", "So" },
	{ "Paragraph_Separator", "Zp" },
	{ "Private_Use", "Co" },
	{ "Punctuation", "P" },
	{ "punct", "P" },
	{ "Separator", "Z" },
	{ "Space_Separator", "Zs" },
	{ "Spacing_Mark", "Mc" },
	{ "Surrogate", "Cs" },
	{ "Symbol", "S" },
	{ "Titlecase_Letter", "Lt" },
	{ "Unassigned", "Cn" },
	{ "Uppercase_Letter", "Lu" },
};

static const char *category(const char *name)
{
	for (size_t i = 0; i < sizeof(categories) / sizeof(categories[0]); i++)
		if (!strcmp(categories[i][0], name))
			return categories[i][1];
	return name;
}

/* \p{...} or \P{...}, behind the letter. */
static bool property(struct translator *t, bool negated, bool in_class)
{
	const char *close = memchr(t->at, '}', (size_t)(t->end - t->at));
	char text[80], *value;
	const char *script = NULL;

	if (!next_is(t, "{") || !close || close - t->at > (ptrdiff_t)sizeof(text))
		return fail(t, "\\p needs a property in braces, such as \\p{L}");
	snprintf(text, sizeof(text), "%.*s", (int)(close - t->at - 1), t->at + 1);
	if (!*text ||
	    strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_=") !=
		    strlen(text))
		return fail(t, "\\p{%s} is no property", text);
	t->at = close + 1;
	if ((value = strchr(text, '='))) {
		*value++ = '\0';
		if (!strcmp(text, "Script") || !strcmp(text, "sc"))
			script = "sc";
		else if (!strcmp(text, "Script_Extensions") || !strcmp(text, "scx"))
			script = "scx";
		else if (strcmp(text, "General_Category") && strcmp(text, "gc"))
			return fail(t, "\\p{%s=...} is no property", text);
	}
	if (script) {
		buffer_format(t->out, "\\%c{%s:%s}", negated ? 'P' : 'p', script, value);
	} else if (!value && !strcmp(text, "ASCII")) {
		buffer_format(t->out, in_class ? "%s" : "[%s]",
			      negated ? "\\x{80}-\\x{10ffff}" : "\\x{0}-\\x{7f}");
	} else if (!value && !strcmp(text, "Assigned")) {
		buffer_format(t->out, "\\%c{Cn}", negated ? 'p' : 'P');
	} else {
		buffer_format(t->out, "\\%c{%s}", negated ? 'P' : 'p',
			      category(value ? value : text));
	}
	return true;
}

/* ---- Escapes --------------------------------------------------------------------------- */

#define SPACES                                                                                     \
	"\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{"   \
	"205f}"                                                                                    \
	"\\x{3000}\\x{feff}"
#define NO_SPACES                                                                                  \
	"\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"           \
	"\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}"             \
	"\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}"

/* The letters of escapes that stand for a set. */
#define SETS "dDwWsSpP"

/* A set such as \d, behind the backslash. False where there is none; `ret_good` tells of a property
 * that is wrong. */
static bool class_escape(struct translator *t, bool in_class, bool *ret_good)
{
	char letter = t->at < t->end ? *t->at : '\0';

	*ret_good = true;
	if (!is_one_of(letter, SETS))
		return false;
	t->at++;
	if (letter == 'p' || letter == 'P')
		*ret_good = property(t, letter == 'P', in_class);
	else if (letter == 's' || letter == 'S')
		buffer_format(t->out, in_class ? "%s" : "[%s]", letter == 's' ? SPACES : NO_SPACES);
	else
		buffer_format(t->out, "\\%c", letter);
	return true;
}

static bool take_hex(struct translator *t, unsigned digits, uint32_t *ret_value)
{
	*ret_value = 0;
	for (unsigned i = 0; i < digits; i++, t->at++) {
		if (t->at == t->end || !isxdigit((unsigned char)*t->at))
			return fail(t, "%u hexadecimal digits are wanted", digits);
		*ret_value = *ret_value * 16 + (uint32_t)(isdigit((unsigned char)*t->at)
								  ? *t->at - '0'
								  : (*t->at | 32) - 'a' + 10);
	}
	return true;
}

/* \uXXXX, a surrogate pair of those, or \u{X...}; behind the u. */
static bool take_unicode(struct translator *t, uint32_t *ret_point)
{
	uint32_t low;

	if (skip(t, "{")) {
		*ret_point = 0;
		while (t->at < t->end && isxdigit((unsigned char)*t->at) &&
		       *ret_point <= 0x10FFFF) {
			if (!take_hex(t, 1, &low))
				return false;
			*ret_point = *ret_point * 16 + low;
		}
		if (t->at[-1] == '{' || !skip(t, "}"))
			return fail(t, "\\u{...} takes a code point, such as \\u{1F432}");
	} else if (!take_hex(t, 4, ret_point)) {
		return false;
	} else if (*ret_point >= 0xD800 && *ret_point < 0xDC00 && skip(t, "\\u")) {
		if (!take_hex(t, 4, &low))
			return false;
		*ret_point = 0x10000 + ((*ret_point - 0xD800) << 10) + (low - 0xDC00);
	}
	if (*ret_point > 0x10FFFF || (*ret_point >= 0xD800 && *ret_point < 0xE000))
		return fail(t, "that is no code point");
	return true;
}

/* A character by its escape, behind the backslash. */
static bool take_escaped(struct translator *t, uint32_t *ret_point)
{
	static const char letters[] = "tnvfr", values[] = "\t\n\v\f\r";
	const char *found;
	char letter;

	if (t->at == t->end)
		return fail(t, "a \\ at the end");
	letter = *t->at;
	if ((found = letter ? strchr(letters, letter) : NULL)) {
		t->at++;
		*ret_point = (uint32_t)values[found - letters];
		return true;
	}
	if (letter == 'c') {
		if (t->end - t->at < 2 || !isalpha((unsigned char)t->at[1]))
			return fail(t, "\\c needs a letter");
		*ret_point = (uint32_t)t->at[1] & 31;
		t->at += 2;
		return true;
	}
	if (letter == '0' && (t->end - t->at < 2 || !isdigit((unsigned char)t->at[1]))) {
		t->at++;
		*ret_point = 0;
		return true;
	}
	if (letter == 'x' || letter == 'u') {
		t->at++;
		return letter == 'x' ? take_hex(t, 2, ret_point) : take_unicode(t, ret_point);
	}
	if (isalnum((unsigned char)letter))
		return fail(t, "ECMA-262 has no \\%c", letter);
	*ret_point = take_point(t);
	return true;
}

/* ---- Classes --------------------------------------------------------------------------- */

/* One element of a class; `ret_point` is -1 for a set, which has been written. */
static bool class_atom(struct translator *t, int64_t *ret_point)
{
	uint32_t point;
	bool good;

	if (!skip(t, "\\")) {
		*ret_point = take_point(t);
		return true;
	}
	*ret_point = -1;
	if (class_escape(t, true, &good))
		return good;
	if (skip(t, "b"))
		point = '\b';
	else if (!take_escaped(t, &point))
		return false;
	*ret_point = point;
	return true;
}

static bool class_range(struct translator *t)
{
	int64_t from, to;

	if (!class_atom(t, &from))
		return false;
	if (!next_is(t, "-") || t->end - t->at < 2 || t->at[1] == ']') {
		if (from >= 0)
			put_point(t, (uint32_t)from);
		return true;
	}
	t->at++;
	if (from < 0) { /* a set has no range: the dash is a dash */
		put_point(t, '-');
		return true;
	}
	put_point(t, (uint32_t)from);
	if (next_is(t, "\\") && t->end - t->at > 1 && is_one_of(t->at[1], SETS)) {
		put_point(t, '-');
		return class_atom(t, &to);
	}
	buffer_byte(t->out, '-');
	if (!class_atom(t, &to))
		return false;
	if (to < from)
		return fail(t, "a range of a class runs backwards");
	put_point(t, (uint32_t)to);
	return true;
}

/* Behind the [. */
static enum term class(struct translator *t) {
	bool negated = skip(t, "^");

	if (skip(t, "]")){ buffer_text(t->out, negated ? "[\\x{0}-\\x{10ffff}]" : "(?!)");
			   return negated ? TERM_ITEM : TERM_GROUP; }
buffer_text(t->out, negated ? "[^" : "[");
while (t->at < t->end && *t->at != ']')
	if (!class_range(t))
		return TERM_FAILED;
if (!skip(t, "]")) {
	fail(t, "a class is not closed: ] is missing");
	return TERM_FAILED;
}
buffer_byte(t->out, ']');
return TERM_ITEM;
}

/* ---- Groups and references ------------------------------------------------------------- */

/* The name behind (?< or \k<, with its >. */
static bool take_name(struct translator *t, struct name *ret_name)
{
	const char *close = memchr(t->at, '>', (size_t)(t->end - t->at));

	if (!close || close == t->at)
		return fail(t, "a group's name is not closed: > is missing");
	for (const char *c = t->at; c < close; c++)
		if ((unsigned char)*c < 0x80 && !isalnum((unsigned char)*c) && *c != '_' &&
		    *c != '$')
			return fail(t, "a group's name has letters, digits, _ and $");
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
			struct name *name = &t->names[t->name_count];

			if (t->name_count++ >= GROUPS_MOST)
				return fail(t, "more than %d named groups", GROUPS_MOST);
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
	struct name name;

	if (skip(t, "k")) {
		if (!skip(t, "<") || !take_name(t, &name)) {
			fail(t, "\\k needs the name of a group, such as \\k<name>");
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
		fail(t, "a reference to a group that is not there");
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
	struct name name;
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
		fail(t, "ECMA-262 has no group (?%c",
		     t->end - t->at > 1 && isprint((unsigned char)t->at[1]) ? t->at[1] : ' ');
		return TERM_FAILED;
	}
	if (++t->depth > GROUPS_MOST) {
		fail(t, "groups more than %d deep", GROUPS_MOST);
		return TERM_FAILED;
	}
	if (!alternatives(t))
		return TERM_FAILED;
	t->depth--;
	if (!skip(t, ")")) {
		fail(t, "a group is not closed: ) is missing");
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
	if (class_escape(t, false, &good))
		return good ? TERM_ITEM : TERM_FAILED;
	if (!take_escaped(t, &point))
		return TERM_FAILED;
	put_point(t, point);
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
		return fail(t, "a repetition runs backwards");
	if (least > REPEATS_MOST || (most > REPEATS_MOST && most != ULONG_MAX))
		return fail(t, "more than %d repetitions", REPEATS_MOST);
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
		return fail(t, "there is nothing to repeat");
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
		fail(t, "there is nothing to repeat");
		return TERM_FAILED;
	}
	if (skip(t, "\\"))
		return escape(t);
	if (skip(t, "["))
		return class(t);
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
	point = take_point(t);
	put_point(t, point);
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
		return fail(&t, "the pattern is longer than %d bytes", PATTERN_LENGTH_MOST);
	if (!find_groups(&t) || !alternatives(&t))
		return false;
	if (t.at < t.end)
		return fail(&t, "a ) that closes nothing");
	if (out->fault != BUFFER_GOOD)
		return fail(&t, "the pattern grows too large");
	return true;
}
