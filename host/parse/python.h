/* SPDX-License-Identifier: MIT
 *
 * Calls spelled as Python. Private to parse.
 */
#ifndef TOOLHOST_PARSE_PYTHON_H
#define TOOLHOST_PARSE_PYTHON_H

#include "parse/parser.h"

/* All of the source as one list of calls. False, with nothing added, where it is none. */
bool python_list(struct parser *parser, const struct source *source);

/* A list of calls, or one call of the form name.call(...), from `at` to the end of the source. */
bool python_reads(struct parser *parser, const struct source *source, size_t at);

#endif
