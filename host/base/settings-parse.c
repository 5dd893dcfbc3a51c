/* SPDX-License-Identifier: MIT */
#include "base/settings-parse.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\n\r\v\f"
#define SHOWN_MOST 60

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* ---- Numbers ------------------------------------------------------------------------------- */

/* Takes out the underscores, which stand between digits only. */
static bool drop_underscores(char *text)
{
	char *to = text;

	for (const char *p = text; *p; p++) {
		if (*p != '_')
			*to++ = *p;
		else if (p == text || !is_digit(p[-1]) || !is_digit(p[1]))
			return false;
	}
	*to = '\0';
	return true;
}

static bool parse_whole(const char *text, int64_t *ret_value)
{
	bool negative = *text == '-';
	int64_t value = 0;

	text += *text == '-' || *text == '+';
	if (!*text)
		return false;
	for (; *text; text++) {
		if (!is_digit(*text) || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, *text - '0', &value))
			return false;
	}
	*ret_value = negative ? -value : value;
	return true;
}

/* What Python takes and JSON does not: a plus sign, zeros in front, nothing before or behind the
 * point. */
static bool parse_real(const char *text, double *ret_value)
{
	struct buffer number = BUFFER_INIT(SIZE_MAX);
	size_t whole, fraction = 0;
	bool good;

	if (*text == '-')
		buffer_byte(&number, '-');
	text += *text == '-' || *text == '+';
	while (text[0] == '0' && is_digit(text[1]))
		text++;
	whole = strspn(text, "0123456789");
	buffer_append(&number, whole ? text : "0", whole ? whole : 1);
	text += whole;
	if (*text == '.') {
		fraction = strspn(text + 1, "0123456789");
		if (fraction)
			buffer_append(&number, text, fraction + 1);
		text += fraction + 1;
	}
	buffer_text(&number, text);
	good = whole + fraction > 0 && number.fault == BUFFER_GOOD &&
	       json_parse_number(number.data, number.length, ret_value);
	buffer_free(&number);
	return good;
}

static bool in_range(const struct setting_info *info, double value)
{
	return value >= info->least && value <= info->most;
}

/* ---- Words --------------------------------------------------------------------------------- */

static void to_lower(char *text)
{
	for (; *text; text++)
		if (*text >= 'A' && *text <= 'Z')
			*text = (char)(*text - 'A' + 'a');
}

/* Which of `words`, which '|' separates, `text` is; -1: none. */
static int find_word(const char *text, const char *words)
{
	size_t length = strlen(text);

	for (int index = 0;; index++) {
		size_t word = strcspn(words, "|");

		if (word == length && !strncmp(text, words, length))
			return index;
		if (!words[word])
			return -1;
		words += word + 1;
	}
}

static bool is_one_of(const char *text, const char *words)
{
	return find_word(text, words) >= 0;
}

/* Takes blanks around the items of a list out, and items that are empty. */
static void tidy_list(char *text)
{
	char *to = text;

	for (const char *p = text; *p;) {
		size_t length, last;

		p += strspn(p, BLANKS ",");
		length = strcspn(p, ",");
		for (last = length; last > 0 && strchr(BLANKS, p[last - 1]); last--)
			;
		if (last > 0) {
			if (to > text)
				*to++ = ',';
			memmove(to, p, last);
			to += last;
		}
		p += length;
	}
	*to = '\0';
}

/* ---- Values -------------------------------------------------------------------------------- */

static bool parse_stripped(const struct setting_info *info, struct setting_value *value)
{
	char *text = value->text;

	switch (info->type) {
	case SETTING_REAL:
		return drop_underscores(text) && parse_real(text, &value->real) &&
		       in_range(info, value->real);
	case SETTING_WHOLE:
		return drop_underscores(text) && parse_whole(text, &value->whole) &&
		       in_range(info, (double)value->whole);
	case SETTING_SWITCH:
		to_lower(text);
		value->on = is_one_of(text, "1|true|yes|on");
		return value->on || is_one_of(text, "0|false|no|off|");
	case SETTING_WORDS:
		to_lower(text);
		value->whole = find_word(text, info->words);
		return value->whole >= 0;
	case SETTING_LIST:
		tidy_list(text);
		return text_is_utf8(text, strlen(text));
	}
	return false;
}

int setting_parse(const struct setting_info *info, const char *text,
		  struct setting_value **ret_value)
{
	struct setting_value *value;
	size_t length;

	*ret_value = NULL;
	text += strspn(text, BLANKS);
	for (length = strlen(text); length > 0 && strchr(BLANKS, text[length - 1]); length--)
		;
	value = calloc(1, sizeof(*value) + length + 1);
	if (!value)
		return STATUS_INTERNAL;
	memcpy(value->text, text, length);
	if (!parse_stripped(info, value)) {
		free(value);
		return STATUS_CONFIG_INVALID;
	}
	*ret_value = value;
	return STATUS_OK;
}

/* ---- Messages ------------------------------------------------------------------------------ */

void setting_show_text(struct buffer *out, const char *text)
{
	size_t length = strlen(text), shown = text_head(text, length, SHOWN_MOST);

	buffer_byte(out, '"');
	json_print_text_part(out, text, shown);
	buffer_text(out, shown < length ? "...\"" : "\"");
}

static void show_words(struct buffer *out, const char *words)
{
	for (;;) {
		size_t word = strcspn(words, "|");

		buffer_append(out, words, word);
		words += word;
		if (!*words)
			return;
		words++;
		buffer_text(out, strchr(words, '|') ? ", " : " or ");
	}
}

void setting_show_allowed(struct buffer *out, const struct setting_info *info)
{
	switch (info->type) {
	case SETTING_REAL:
	case SETTING_WHOLE:
		buffer_text(out,
			    info->type == SETTING_REAL ? "a number from " : "a whole number from ");
		json_print_number(out, info->least);
		buffer_text(out, " to ");
		json_print_number(out, info->most);
		if (info->unit[0])
			buffer_format(out, " (%s)", info->unit);
		break;
	case SETTING_SWITCH:
		buffer_text(out, "true or false");
		break;
	case SETTING_WORDS:
		show_words(out, info->words);
		break;
	case SETTING_LIST:
		buffer_text(out, "names separated by commas, in UTF-8");
		break;
	}
}
