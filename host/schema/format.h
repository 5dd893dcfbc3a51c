/* SPDX-License-Identifier: MIT
 *
 * What `format` says of a text. Formats that take tables of Unicode to decide (idn-hostname, and
 * the meaning of xn-- labels in hostname) are annotations only.
 */
#ifndef TOOLHOST_FORMAT_H
#define TOOLHOST_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

enum format {
	FORMAT_NONE,
	FORMAT_DATE,
	FORMAT_DATE_TIME,
	FORMAT_DURATION,
	FORMAT_EMAIL,
	FORMAT_HOSTNAME,
	FORMAT_IDN_EMAIL,
	FORMAT_IPV4,
	FORMAT_IPV6,
	FORMAT_IRI,
	FORMAT_IRI_REFERENCE,
	FORMAT_JSON_POINTER,
	FORMAT_REGEX,
	FORMAT_RELATIVE_JSON_POINTER,
	FORMAT_TIME,
	FORMAT_URI,
	FORMAT_URI_REFERENCE,
	FORMAT_URI_TEMPLATE,
	FORMAT_UUID,
	FORMAT_COUNT,
};

enum format format_find(const char *name);	 /* FORMAT_NONE: not decided here */
const char *format_expected(enum format format); /* "a date such as 2024-01-31" */
bool format_check(enum format format, const char *text, size_t length);

/* format-uri.c */
bool format_is_uri(const char *text, size_t length, bool reference, bool international);
bool format_is_uri_template(const char *text, size_t length);
bool format_is_ipv4(const char *text, size_t length);
bool format_is_ipv6(const char *text, size_t length);

#endif
