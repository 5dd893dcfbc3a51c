/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry/config-text.h"

#include "base/text.h"

#include <string.h>

/* What ends a text without quotes: libconfuse's own set. */
#define BARE_END " #\"'\t\n\r={}()+,*"
#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

enum token_kind { TOKEN_END, TOKEN_TEXT, TOKEN_MARK, TOKEN_FAULT };

/* A piece of the text, as libconfuse cuts it. */
struct token {
	enum token_kind kind;
	char mark;	   /* of a TOKEN_MARK: one of { } ( ) = , and + for += */
	const char *start; /* of a text without its quotes */
	const char *end;
	int line; /* on which it begins */
	const char *fault;
};

struct scanner {
	const char *at;
	const char *end;
	int line;
};

static struct token token_fault(int line, const char *fault)
{
	return (struct token){ .kind = TOKEN_FAULT, .line = line, .fault = fault };
}

/* Goes to `to`, which lies ahead, and counts the lines. */
static void skip_to(struct scanner *s, const char *to)
{
	for (; s->at < to; s->at++)
		s->line += *s->at == '\n';
}

static bool starts_with(const struct scanner *s, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(s->end - s->at) >= length && !memcmp(s->at, text, length);
}

/* Skips blanks and comments. False at a comment that does not end. */
static bool skip_blanks(struct scanner *s)
{
	while (s->at < s->end) {
		if (strchr(" \t\r\n", *s->at) && *s->at) {
			skip_to(s, s->at + 1);
		} else if (*s->at == '#' || starts_with(s, "//")) {
			const char *line_end = memchr(s->at, '\n', (size_t)(s->end - s->at));

			skip_to(s, line_end ? line_end : s->end);
		} else if (starts_with(s, "/*")) {
			const char *close =
				memmem(s->at + 2, (size_t)(s->end - s->at) - 2, "*/", 2);

			if (!close)
				return false;
			skip_to(s, close + 2);
		} else {
			break;
		}
	}
	return true;
}

static struct token next_quoted(struct scanner *s)
{
	char quote = *s->at;
	struct token token = { .kind = TOKEN_TEXT, .start = s->at + 1, .line = s->line };
	const char *at = token.start;

	while (at < s->end && *at != quote) {
		const char *brace = NULL;

		/* "${NAME}" stands for a variable of the environment; quotes in it end nothing. */
		if (quote == '"' && *at == '$' && s->end - at > 1 && at[1] == '{')
			brace = memchr(at, '}', (size_t)(s->end - at));
		if (brace)
			at = brace;
		else if (*at == '\\' && at + 1 < s->end)
			at++;
		at++;
	}
	if (at >= s->end)
		return token_fault(token.line, "the quote that begins here is not closed");
	token.end = at;
	skip_to(s, at + 1);
	return token;
}

static struct token next_bare(struct scanner *s)
{
	struct token token = { .kind = TOKEN_TEXT, .start = s->at, .line = s->line };

	while (s->at < s->end && !strchr(BARE_END, *s->at))
		s->at++;
	token.end = s->at;
	if (*token.start == '[')
		return token_fault(token.line,
				   "a list stands in braces, as in { \"a\", \"b\" }, and a section "
				   "is written pack \"name\" { ... }");
	if (s->at < s->end && (*s->at == '*' || (*s->at == '+' && !starts_with(s, "+="))))
		return token_fault(token.line, "a text that holds * or + has to stand in quotes");
	return token;
}

static struct token next_token(struct scanner *s)
{
	int line;

	if (!skip_blanks(s))
		return token_fault(s->line, "the comment that begins here is not closed");
	line = s->line;
	if (s->at == s->end)
		return (struct token){ .kind = TOKEN_END, .line = line };
	if ((unsigned char)*s->at < 0x20 || *s->at == 0x7F)
		return token_fault(line, "a control character stands here");
	if (*s->at == '"' || *s->at == '\'')
		return next_quoted(s);
	if (strchr("{}()=,", *s->at))
		return (struct token){
			.kind = TOKEN_MARK, .mark = *s->at++, .end = s->at, .line = line
		};
	if (starts_with(s, "+=")) {
		s->at += 2;
		return (struct token){
			.kind = TOKEN_MARK, .mark = '+', .end = s->at, .line = line
		};
	}
	return next_bare(s);
}

static bool token_is(const struct token *token, const char *text)
{
	size_t length = strlen(text);

	return token->kind == TOKEN_TEXT && (size_t)(token->end - token->start) == length &&
	       !memcmp(token->start, text, length);
}

size_t config_text_mark(const char *text)
{
	return strncmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) ? 0
								       : strlen(BYTE_ORDER_MARK);
}

const char *config_text_fault(const char *text, size_t length, int *ret_line)
{
	struct scanner s = { text, text + length, 1 };
	struct token token;
	int depth = 0, opened = 1;

	for (token = next_token(&s); token.kind == TOKEN_TEXT || token.kind == TOKEN_MARK;
	     token = next_token(&s)) {
		if (token.kind == TOKEN_TEXT)
			continue;
		if (token.mark == '{' && depth++ == 0)
			opened = token.line;
		else if (token.mark == '}')
			depth--;
	}
	*ret_line = token.line;
	if (token.kind == TOKEN_FAULT)
		return token.fault;
	*ret_line = opened;
	if (depth > 0)
		return "the brace that opens here is not closed";
	*ret_line = 1;
	if (memchr(text, '\0', length))
		return "the file holds a NUL byte";
	return text_is_utf8(text, length) ? NULL : "the file is no UTF-8 text";
}

void config_text_blank_comments(char *text, size_t length)
{
	struct scanner s = { text, text + length, 1 };
	struct token token;

	do {
		char *gap = text + (s.at - text);

		skip_blanks(&s);
		for (; gap < s.at; gap++)
			if (!strchr("\t\r\n", *gap) || !*gap)
				*gap = ' ';
		token = next_token(&s);
	} while (token.kind == TOKEN_TEXT || token.kind == TOKEN_MARK);
}

/* Goes behind the opening brace of a section; false where there is none of that title. */
static bool find_section(struct scanner *s, const char *kind, const char *title, int *ret_line)
{
	struct token before[2] = { { .kind = TOKEN_END }, { .kind = TOKEN_END } }, token;
	int depth = 0;

	for (token = next_token(s); token.kind == TOKEN_TEXT || token.kind == TOKEN_MARK;
	     token = next_token(s)) {
		if (token.kind == TOKEN_MARK && token.mark == '{') {
			if (depth == 0 && token_is(&before[0], kind) &&
			    token_is(&before[1], title)) {
				*ret_line = before[0].line;
				return true;
			}
			depth++;
		} else if (token.kind == TOKEN_MARK && token.mark == '}') {
			depth--;
		}
		before[0] = before[1];
		before[1] = token;
	}
	return false;
}

int config_text_line(const char *text, size_t length, const char *kind, const char *title)
{
	struct scanner s = { text, text + length, 1 };
	int line = 0;

	return find_section(&s, kind, title, &line) ? line : 0;
}

/* The value of a key of the section whose opening brace has just been passed: its token, quotes
 * left out, or one of another kind than TOKEN_TEXT. */
static struct token find_value(struct scanner *s, const char *key)
{
	struct token token = next_token(s);
	int depth = 1;

	while (token.kind == TOKEN_TEXT || token.kind == TOKEN_MARK) {
		bool is_key = depth == 1 && token_is(&token, key);

		if (token.kind == TOKEN_MARK && token.mark == '{')
			depth++;
		else if (token.kind == TOKEN_MARK && token.mark == '}' && --depth == 0)
			break;
		token = next_token(s);
		if (token.kind != TOKEN_MARK || token.mark != '=')
			continue;
		/* What follows an equal sign is a value, whatever it is called. */
		token = next_token(s);
		if (is_key)
			return token;
		if (token.kind == TOKEN_TEXT)
			token = next_token(s);
	}
	return (struct token){ .kind = TOKEN_END };
}

static void append_quoted(struct buffer *out, const char *text)
{
	buffer_byte(out, '"');
	for (; *text; text++) {
		if (strchr("\"\\$", *text))
			buffer_byte(out, '\\');
		buffer_byte(out, *text);
	}
	buffer_byte(out, '"');
}

void config_text_enable(struct buffer *out, const char *text, size_t length, const char *kind,
			const char *title, bool enabled)
{
	struct scanner s = { text, text + length, 1 };
	const char *word = enabled ? "true" : "false", *body, *end = text + length;
	struct token value;
	int line;

	if (!find_section(&s, kind, title, &line)) {
		buffer_append(out, text, length);
		if (length && text[length - 1] != '\n')
			buffer_byte(out, '\n');
		buffer_format(out, "%s%s ", length ? "\n" : "", kind);
		append_quoted(out, title);
		buffer_format(out, " {\n\tenabled = %s\n}\n", word);
		return;
	}
	body = s.at;
	value = find_value(&s, "enabled");
	if (value.kind == TOKEN_TEXT) {
		buffer_append(out, text, (size_t)(value.start - text));
		buffer_text(out, word);
		buffer_append(out, value.end, (size_t)(end - value.end));
		return;
	}
	buffer_append(out, text, (size_t)(body - text));
	buffer_format(out, "%senabled = %s",
		      end - body > 1 && body[0] == '\r' && body[1] == '\n' ? "\r\n\t"
		      : body < end && *body == '\n'			   ? "\n\t"
									   : " ",
		      word);
	buffer_append(out, body, (size_t)(end - body));
}
