/* SPDX-License-Identifier: MIT
 *
 * The syntax of URIs and IRIs (RFC 3986, RFC 3987), of URI templates (RFC 6570), and of addresses.
 */
#include "config.h"

#include "schema/format.h"

#include <arpa/inet.h>
#include <string.h>

struct text {
	const char *at, *end;
	bool international;
};

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_alphanumeric(char c)
{
	return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static bool is_hex(char c)
{
	return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

/* inet_pton() takes a NUL-ended text; addresses that are longer than any are none. */
static bool is_address(int family, const char *text, size_t length)
{
	unsigned char address[sizeof(struct in6_addr)];
	char copy[INET6_ADDRSTRLEN];

	if (length >= sizeof(copy) || memchr(text, '\0', length))
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return inet_pton(family, copy, address) == 1;
}

bool format_is_ipv4(const char *text, size_t length)
{
	/* Four decimal numbers; a leading zero would be octal elsewhere. */
	for (size_t i = 0; i + 1 < length; i++)
		if (text[i] == '0' && is_digit(text[i + 1]) && (!i || text[i - 1] == '.'))
			return false;
	return is_address(AF_INET, text, length);
}

bool format_is_ipv6(const char *text, size_t length)
{
	const char *colon = memrchr(text, ':', length);

	if (colon && memchr(colon, '.', (size_t)(text + length - colon)) &&
	    !format_is_ipv4(colon + 1, (size_t)(text + length - colon - 1)))
		return false;
	return is_address(AF_INET6, text, length);
}

/* ---- Characters ------------------------------------------------------------------------ */

static uint32_t take_point(struct text *t)
{
	unsigned char lead = (unsigned char)*t->at++;
	unsigned more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
	uint32_t point = lead & (0x3F >> more);

	while (more-- && t->at < t->end)
		point = point << 6 | ((unsigned char)*t->at++ & 0x3F);
	return point;
}

/* ucschar, and iprivate, which only a query may have. */
static bool is_international(uint32_t point, bool in_query)
{
	if (in_query && ((point >= 0xE000 && point <= 0xF8FF) || point >= 0xF0000))
		return (point & 0xFFFE) != 0xFFFE;
	return (point >= 0xA0 && point <= 0xD7FF) || (point >= 0xF900 && point <= 0xFDCF) ||
	       (point >= 0xFDF0 && point <= 0xFFEF) ||
	       (point >= 0x10000 && point < 0xF0000 && (point & 0xFFFE) != 0xFFFE &&
		(point < 0xE0000 || point >= 0xE1000));
}

/* Takes one character: unreserved, a sub-delimiter, percent-encoded, or one of `more`. */
static bool take_character(struct text *t, const char *more, bool in_query)
{
	if (t->at == t->end)
		return false;
	if ((unsigned char)*t->at >= 0x80) {
		struct text ahead = *t;

		if (!t->international || !is_international(take_point(&ahead), in_query))
			return false;
		t->at = ahead.at;
		return true;
	}
	if (*t->at == '%') {
		if (t->end - t->at < 3 || !is_hex(t->at[1]) || !is_hex(t->at[2]))
			return false;
		t->at += 3;
		return true;
	}
	if (!is_alphanumeric(*t->at) && !is_one_of(*t->at, "-._~!$&'()*+,;=") &&
	    !is_one_of(*t->at, more))
		return false;
	t->at++;
	return true;
}

static void take_characters(struct text *t, const char *more)
{
	while (take_character(t, more, false))
		;
}

/* ---- URIs ------------------------------------------------------------------------------ */

static bool take_scheme(struct text *t)
{
	const char *at = t->at;

	if (at == t->end || is_digit(*at) || !is_alphanumeric(*at))
		return false;
	while (at < t->end && (is_alphanumeric(*at) || is_one_of(*at, "+-.")))
		at++;
	if (at == t->end || *at != ':')
		return false;
	t->at = at + 1;
	return true;
}

/* [IPv6] or [v1.anything] */
static bool take_bracketed(struct text *t)
{
	const char *close = memchr(t->at, ']', (size_t)(t->end - t->at));
	const char *at = t->at + 1;

	if (!close)
		return false;
	t->at = close + 1;
	if ((*at | 32) != 'v')
		return format_is_ipv6(at, (size_t)(close - at));
	for (at++; at < close && is_hex(*at); at++)
		;
	if (at[-1] == 'v' || at[-1] == 'V' || *at != '.' || at + 1 == close)
		return false;
	for (at++; at < close; at++)
		if (!is_alphanumeric(*at) && !is_one_of(*at, "-._~!$&'()*+,;=:"))
			return false;
	return true;
}

static bool take_authority(struct text *t)
{
	const char *start = t->at;

	take_characters(t, ":");
	if (t->at < t->end && *t->at == '@')
		t->at++;
	else
		t->at = start;
	if (t->at < t->end && *t->at == '[') {
		if (!take_bracketed(t))
			return false;
	} else {
		take_characters(t, "");
	}
	if (t->at < t->end && *t->at == ':')
		for (t->at++; t->at < t->end && is_digit(*t->at); t->at++)
			;
	return t->at == t->end || is_one_of(*t->at, "/?#");
}

bool format_is_uri(const char *text, size_t length, bool reference, bool international)
{
	struct text t = { .at = text, .end = text + length, .international = international };
	bool scheme = take_scheme(&t);

	if (!scheme && !reference)
		return false;
	if (t.end - t.at >= 2 && t.at[0] == '/' && t.at[1] == '/') {
		t.at += 2;
		if (!take_authority(&t))
			return false;
	} else if (!scheme) {
		/* A colon in the first segment would make it a scheme. */
		take_characters(&t, "@");
		if (t.at < t.end && *t.at == ':')
			return false;
	}
	take_characters(&t, ":@/");
	if (t.at < t.end && *t.at == '?')
		for (t.at++; take_character(&t, ":@/?", true);)
			;
	if (t.at < t.end && *t.at == '#')
		for (t.at++; take_character(&t, ":@/?", false);)
			;
	return t.at == t.end;
}

/* ---- URI templates --------------------------------------------------------------------- */

static bool take_name(struct text *t)
{
	bool any = false;

	for (;;) {
		if (t->end - t->at >= 3 && *t->at == '%' && is_hex(t->at[1]) && is_hex(t->at[2]))
			t->at += 3;
		else if (t->at < t->end && (is_alphanumeric(*t->at) || *t->at == '_'))
			t->at++;
		else if (any && t->at < t->end && *t->at == '.' && t->at[-1] != '.')
			t->at++;
		else
			return any && t->at[-1] != '.';
		any = true;
	}
}

/* One variable: a name, and perhaps * or a length from 1 to 9999. */
static bool take_variable(struct text *t)
{
	int digits = 0;

	if (!take_name(t) || t->at == t->end)
		return false;
	if (*t->at == '*') {
		t->at++;
	} else if (*t->at == ':') {
		for (t->at++; t->at < t->end && is_digit(*t->at); t->at++)
			if (!digits++ && *t->at == '0')
				return false;
		return digits > 0 && digits < 5;
	}
	return true;
}

/* Behind the {. */
static bool take_expression(struct text *t)
{
	if (t->at < t->end && is_one_of(*t->at, "+#./;?&=,!@|"))
		t->at++;
	do {
		if (!take_variable(t) || t->at == t->end)
			return false;
	} while (*t->at++ == ',');
	return t->at[-1] == '}';
}

static bool take_literal(struct text *t)
{
	unsigned char c = (unsigned char)*t->at;

	if (c == '%')
		return take_character(t, "", false);
	if (c >= 0x80)
		return is_international(take_point(t), true);
	t->at++;
	return c > ' ' && c != 0x7F && !is_one_of((char)c, "\"<>\\^`{|}");
}

bool format_is_uri_template(const char *text, size_t length)
{
	struct text t = { .at = text, .end = text + length, .international = true };

	while (t.at < t.end) {
		if (*t.at == '{') {
			t.at++;
			if (!take_expression(&t))
				return false;
		} else if (!take_literal(&t)) {
			return false;
		}
	}
	return true;
}
