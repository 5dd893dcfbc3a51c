/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "schema/format.h"

#include "base/buffer.h"
#include "schema/pattern.h"

#include <string.h>

/* ASCII only, whatever the locale. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c | 32) >= 'a' && (c | 32) <= 'z';
}

static bool is_hex(char c)
{
	return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

/* A number of exactly `digits` digits; -1: there is none. */
static int take_digits(const char **at, const char *end, int digits)
{
	int value = 0;

	if (end - *at < digits)
		return -1;
	for (int i = 0; i < digits; i++, ++*at) {
		if (!is_digit(**at))
			return -1;
		value = 10 * value + (**at - '0');
	}
	return value;
}

static bool take(const char **at, const char *end, char c)
{
	if (*at == end || **at != c)
		return false;
	++*at;
	return true;
}

/* ---- Dates and times (RFC 3339) -------------------------------------------------------- */

static bool take_date(const char **at, const char *end)
{
	static const int days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int year, month, day;

	if ((year = take_digits(at, end, 4)) < 0 || !take(at, end, '-') ||
	    (month = take_digits(at, end, 2)) < 0 || !take(at, end, '-') ||
	    (day = take_digits(at, end, 2)) < 0 || month < 1 || month > 12 || day < 1)
		return false;
	if (month == 2 && (year % 4 || (!(year % 100) && year % 400)))
		return day <= 28;
	return day <= days[month - 1];
}

/* Minutes east of UTC. */
static bool take_offset(const char **at, const char *end, int *ret_minutes)
{
	int sign, hours, minutes;

	*ret_minutes = 0;
	if (take(at, end, 'Z') || take(at, end, 'z'))
		return true;
	if (take(at, end, '+'))
		sign = 1;
	else if (take(at, end, '-'))
		sign = -1;
	else
		return false;
	if ((hours = take_digits(at, end, 2)) < 0 || !take(at, end, ':') ||
	    (minutes = take_digits(at, end, 2)) < 0 || hours > 23 || minutes > 59)
		return false;
	*ret_minutes = sign * (60 * hours + minutes);
	return true;
}

static bool take_time(const char **at, const char *end)
{
	int hours, minutes, seconds, offset;

	if ((hours = take_digits(at, end, 2)) < 0 || !take(at, end, ':') ||
	    (minutes = take_digits(at, end, 2)) < 0 || !take(at, end, ':') ||
	    (seconds = take_digits(at, end, 2)) < 0 || hours > 23 || minutes > 59 || seconds > 60)
		return false;
	if (take(at, end, '.')) {
		if (take_digits(at, end, 1) < 0)
			return false;
		while (*at < end && is_digit(**at))
			++*at;
	}
	if (!take_offset(at, end, &offset))
		return false;
	/* A leap second is the last one of a day in UTC. */
	return seconds < 60 || (60 * hours + minutes - offset + 2 * 1440) % 1440 == 1439;
}

static bool is_date_time(const char *at, const char *end)
{
	return take_date(&at, end) && (take(&at, end, 'T') || take(&at, end, 't')) &&
	       take_time(&at, end) && at == end;
}

/* Parts such as 3H in the order of `units`, without a gap between them: RFC 3339, appendix A. */
static bool take_parts(const char **at, const char *end, const char *units, bool *ret_any)
{
	const char *last = NULL, *unit;

	*ret_any = false;
	while (*at < end && is_digit(**at)) {
		while (*at < end && is_digit(**at))
			++*at;
		if (*at == end || !**at || !(unit = strchr(units, **at)) ||
		    (last && unit != last + 1))
			return false;
		last = unit;
		*ret_any = true;
		++*at;
	}
	return true;
}

static bool is_duration(const char *at, const char *end)
{
	const char *start;
	bool days, hours = false;

	if (!take(&at, end, 'P'))
		return false;
	start = at;
	if (take_parts(&at, end, "W", &days) && days)
		return at == end;
	at = start;
	if (!take_parts(&at, end, "YMD", &days))
		return false;
	if (take(&at, end, 'T') && (!take_parts(&at, end, "HMS", &hours) || !hours))
		return false;
	return at == end && (days || hours);
}

/* ---- Addresses ------------------------------------------------------------------------- */

static bool is_hostname(const char *text, size_t length)
{
	size_t label = 0;

	if (!length || length > 253)
		return false;
	for (size_t i = 0; i <= length; i++) {
		if (i == length || text[i] == '.') {
			if (!label || label > 63 || text[i - 1] == '-')
				return false;
			label = 0;
		} else if (is_letter(text[i]) || is_digit(text[i]) || (text[i] == '-' && label)) {
			label++;
		} else {
			return false;
		}
	}
	return true;
}

/* The same with any code point beyond ASCII, and with the full stops that are no ASCII left as they
 * are. */
static bool is_international_host(const char *text, size_t length)
{
	char plain[254];

	if (length >= sizeof(plain))
		return false;
	for (size_t i = 0; i < length; i++)
		plain[i] = (unsigned char)text[i] < 0x80 ? text[i] : 'x';
	return is_hostname(plain, length);
}

static bool is_literal_host(const char *text, size_t length)
{
	if (length < 2 || text[0] != '[' || text[length - 1] != ']')
		return false;
	if (length > 7 && !strncasecmp(text + 1, "IPv6:", 5))
		return format_is_ipv6(text + 6, length - 7);
	return format_is_ipv4(text + 1, length - 2);
}

static bool is_atom(char c, bool international)
{
	return is_letter(c) || is_digit(c) || (c && strchr("!#$%&'*+/=?^_`{|}~-", c)) ||
	       (international && (unsigned char)c >= 0x80);
}

static bool is_quoted(const char *text, size_t length, bool international)
{
	if (length < 2 || text[0] != '"' || text[length - 1] != '"')
		return false;
	for (size_t i = 1; i + 1 < length; i++) {
		if (text[i] == '"')
			return false;
		if (text[i] == '\\' && ++i + 1 == length)
			return false;
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7F ||
		    (!international && (unsigned char)text[i] >= 0x80))
			return false;
	}
	return true;
}

/* RFC 5321 4.1.2, and RFC 6531 for the international form. */
static bool is_email(const char *text, size_t length, bool international)
{
	const char *at = memrchr(text, '@', length);
	size_t local, host;

	if (!at)
		return false;
	local = (size_t)(at - text);
	host = length - local - 1;
	if (!local || local > 64)
		return false;
	if (!is_quoted(text, local, international))
		for (size_t i = 0; i < local; i++)
			if (text[i] == '.' ? !i || i + 1 == local || text[i - 1] == '.'
					   : !is_atom(text[i], international))
				return false;
	return is_literal_host(at + 1, host) ||
	       (international ? is_international_host(at + 1, host) : is_hostname(at + 1, host));
}

static bool is_uuid(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (i == 8 || i == 13 || i == 18 || i == 23 ? text[i] != '-' : !is_hex(text[i]))
			return false;
	return length == 36;
}

/* ---- Pointers and expressions ---------------------------------------------------------- */

static bool is_json_pointer(const char *text, size_t length)
{
	if (length && *text != '/')
		return false;
	for (size_t i = 0; i < length; i++)
		if (text[i] == '~' &&
		    (i + 1 == length || (text[i + 1] != '0' && text[i + 1] != '1')))
			return false;
	return true;
}

static bool is_relative_json_pointer(const char *text, size_t length)
{
	size_t digits = 0;

	while (digits < length && is_digit(text[digits]))
		digits++;
	if (!digits || (digits > 1 && *text == '0'))
		return false;
	return (length == digits + 1 && text[digits] == '#') ||
	       is_json_pointer(text + digits, length - digits);
}

static bool is_regex(const char *text, size_t length)
{
	struct buffer out = BUFFER_INIT(64 * PATTERN_LENGTH_MOST);
	struct pattern_facts facts;
	char reason[8];
	bool good = pattern_translate(text, length, &out, &facts, reason, sizeof(reason));

	buffer_free(&out);
	return good;
}

/* ---- The table ------------------------------------------------------------------------- */

static const struct {
	const char *name;
	const char *expected;
} formats[FORMAT_COUNT] = {
	[FORMAT_DATE] = { "date", "a date such as 2024-01-31" },
	[FORMAT_DATE_TIME] = { "date-time", "a date and time such as 2024-01-31T12:30:00Z" },
	[FORMAT_DURATION] = { "duration", "a duration such as P3D or PT1H30M" },
	[FORMAT_EMAIL] = { "email", "an e-mail address" },
	[FORMAT_HOSTNAME] = { "hostname", "a host name such as www.example.com" },
	[FORMAT_IDN_EMAIL] = { "idn-email", "an e-mail address" },
	[FORMAT_IPV4] = { "ipv4", "an IPv4 address such as 192.0.2.1" },
	[FORMAT_IPV6] = { "ipv6", "an IPv6 address such as 2001:db8::1" },
	[FORMAT_IRI] = { "iri", "an absolute IRI" },
	[FORMAT_IRI_REFERENCE] = { "iri-reference", "an IRI reference" },
	[FORMAT_JSON_POINTER] = { "json-pointer", "a JSON Pointer such as /a/0" },
	[FORMAT_REGEX] = { "regex", "a regular expression of ECMA-262" },
	[FORMAT_RELATIVE_JSON_POINTER] = { "relative-json-pointer",
					   "a relative JSON Pointer such as 1/a" },
	[FORMAT_TIME] = { "time", "a time with its offset such as 12:30:00Z" },
	[FORMAT_URI] = { "uri", "an absolute URI such as https://example.com/" },
	[FORMAT_URI_REFERENCE] = { "uri-reference", "a URI reference" },
	[FORMAT_URI_TEMPLATE] = { "uri-template", "a URI template" },
	[FORMAT_UUID] = { "uuid", "a UUID such as 2eb8aa08-aa98-11ea-b4aa-73b441d16380" },
};

enum format format_find(const char *name)
{
	for (int i = FORMAT_NONE + 1; i < FORMAT_COUNT; i++)
		if (!strcmp(formats[i].name, name))
			return i;
	return FORMAT_NONE;
}

const char *format_expected(enum format format)
{
	return formats[format].expected;
}

bool format_check(enum format format, const char *text, size_t length)
{
	const char *at = text, *end = text + length;

	switch (format) {
	case FORMAT_DATE:
		return take_date(&at, end) && at == end;
	case FORMAT_TIME:
		return take_time(&at, end) && at == end;
	case FORMAT_DATE_TIME:
		return is_date_time(text, end);
	case FORMAT_DURATION:
		return is_duration(text, end);
	case FORMAT_EMAIL:
	case FORMAT_IDN_EMAIL:
		return is_email(text, length, format == FORMAT_IDN_EMAIL);
	case FORMAT_HOSTNAME:
		return is_hostname(text, length);
	case FORMAT_IPV4:
		return format_is_ipv4(text, length);
	case FORMAT_IPV6:
		return format_is_ipv6(text, length);
	case FORMAT_IRI:
	case FORMAT_URI:
		return format_is_uri(text, length, false, format == FORMAT_IRI);
	case FORMAT_IRI_REFERENCE:
	case FORMAT_URI_REFERENCE:
		return format_is_uri(text, length, true, format == FORMAT_IRI_REFERENCE);
	case FORMAT_JSON_POINTER:
		return is_json_pointer(text, length);
	case FORMAT_RELATIVE_JSON_POINTER:
		return is_relative_json_pointer(text, length);
	case FORMAT_REGEX:
		return is_regex(text, length);
	case FORMAT_URI_TEMPLATE:
		return format_is_uri_template(text, length);
	case FORMAT_UUID:
		return is_uuid(text, length);
	default:
		return true;
	}
}
