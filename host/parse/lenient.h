/* SPDX-License-Identifier: MIT
 *
 * JSON that was put into markup, and JSON that is broken. Private to parse.
 */
#ifndef TOOLHOST_PARSE_LENIENT_H
#define TOOLHOST_PARSE_LENIENT_H

#include "parse/parser.h"

/* Reads a piece of text as JSON: as it stands, with the backslashes before quotes undone, with
 * entities decoded; the first that is JSON wins. Blank: null. False, with why in `reason`, where
 * none is. */
bool lenient_json(const struct source *source, size_t from, size_t to, json **ret_value,
		  char *reason, size_t reason_size);

/* Looks over a block that is no JSON from `fault` on: whether it has the keys of a call where a call
 * would have them, and where what belongs to it ends. */
bool lenient_means_call(const struct source *source, size_t at, size_t fault, size_t *ret_end);

#endif
