/* SPDX-License-Identifier: MIT
 *
 * Characters and sets of them, from ECMA-262 to PCRE2.
 */
#include "base/array.h"
#include "schema/pattern-translate.h"

#include <ctype.h>
#include <stdio.h>

uint32_t translate_take_point(struct translator *t)
{
	unsigned char lead = (unsigned char)*t->at++;
	unsigned more = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
	uint32_t point = more == 0 ? lead : lead & (0x3F >> more);

	while (more-- && t->at < t->end)
		point = point << 6 | ((unsigned char)*t->at++ & 0x3F);
	return point;
}

void translate_put_point(struct translator *t, uint32_t point)
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
	for (size_t i = 0; i < ARRAY_SIZE(categories); i++)
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
		return translate_fail(t, "\\p needs a property in braces, such as \\p{L}");
	snprintf(text, sizeof(text), "%.*s", (int)(close - t->at - 1), t->at + 1);
	if (!*text ||
	    strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_=") !=
		    strlen(text))
		return translate_fail(t, "\\p{%s} is no property", text);
	t->at = close + 1;
	if ((value = strchr(text, '='))) {
		*value++ = '\0';
		if (!strcmp(text, "Script") || !strcmp(text, "sc"))
			script = "sc";
		else if (!strcmp(text, "Script_Extensions") || !strcmp(text, "scx"))
			script = "scx";
		else if (strcmp(text, "General_Category") && strcmp(text, "gc"))
			return translate_fail(t, "\\p{%s=...} is no property", text);
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
bool translate_set(struct translator *t, bool in_class, bool *ret_good)
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
			return translate_fail(t, "%u hexadecimal digits are wanted", digits);
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
			return translate_fail(t, "\\u{...} takes a code point, such as \\u{1F432}");
	} else if (!take_hex(t, 4, ret_point)) {
		return false;
	} else if (*ret_point >= 0xD800 && *ret_point < 0xDC00 && skip(t, "\\u")) {
		if (!take_hex(t, 4, &low))
			return false;
		if (low < 0xDC00 || low >= 0xE000)
			return translate_fail(t, "half of a surrogate pair is no character");
		*ret_point = 0x10000 + ((*ret_point - 0xD800) << 10) + (low - 0xDC00);
	}
	if (*ret_point > 0x10FFFF || (*ret_point >= 0xD800 && *ret_point < 0xE000))
		return translate_fail(t, "that is no code point");
	return true;
}

/* A character by its escape, behind the backslash. */
bool translate_escaped(struct translator *t, uint32_t *ret_point)
{
	static const char letters[] = "tnvfr", values[] = "\t\n\v\f\r";
	const char *found;
	char letter;

	if (t->at == t->end)
		return translate_fail(t, "a \\ at the end");
	letter = *t->at;
	if ((found = letter ? strchr(letters, letter) : NULL)) {
		t->at++;
		*ret_point = (uint32_t)values[found - letters];
		return true;
	}
	if (letter == 'c') {
		if (t->end - t->at < 2 || !isalpha((unsigned char)t->at[1]))
			return translate_fail(t, "\\c needs a letter");
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
		return translate_fail(t, "ECMA-262 has no \\%c", letter);
	*ret_point = translate_take_point(t);
	return true;
}

/* ---- Classes --------------------------------------------------------------------------- */

/* One element of a class; `ret_point` is -1 for a set, which has been written. */
static bool class_atom(struct translator *t, int64_t *ret_point)
{
	uint32_t point;
	bool good;

	if (!skip(t, "\\")) {
		*ret_point = translate_take_point(t);
		return true;
	}
	*ret_point = -1;
	if (translate_set(t, true, &good))
		return good;
	if (skip(t, "b"))
		point = '\b';
	else if (!translate_escaped(t, &point))
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
			translate_put_point(t, (uint32_t)from);
		return true;
	}
	t->at++;
	if (from < 0) { /* a set has no range: the dash is a dash */
		translate_put_point(t, '-');
		return true;
	}
	translate_put_point(t, (uint32_t)from);
	if (next_is(t, "\\") && t->end - t->at > 1 && is_one_of(t->at[1], SETS)) {
		translate_put_point(t, '-');
		return class_atom(t, &to);
	}
	buffer_byte(t->out, '-');
	if (!class_atom(t, &to))
		return false;
	if (to < from)
		return translate_fail(t, "a range of a class runs backwards");
	translate_put_point(t, (uint32_t)to);
	return true;
}

/* Behind the [. */
enum term translate_class(struct translator *t)
{
	bool negated = skip(t, "^");

	if (skip(t, "]")) {
		buffer_text(t->out, negated ? "[\\x{0}-\\x{10ffff}]" : "(?!)");
		return negated ? TERM_ITEM : TERM_GROUP;
	}
	buffer_text(t->out, negated ? "[^" : "[");
	while (t->at < t->end && *t->at != ']')
		if (!class_range(t))
			return TERM_FAILED;
	if (!skip(t, "]")) {
		translate_fail(t, "a class is not closed: ] is missing");
		return TERM_FAILED;
	}
	buffer_byte(t->out, ']');
	return TERM_ITEM;
}
