/* SPDX-License-Identifier: MIT
 *
 * Code fences. Private to parse.
 */
#ifndef TOOLHOST_PARSE_FENCE_H
#define TOOLHOST_PARSE_FENCE_H

#include "parse/formats.h"

/* At the first character of a line that may open a fence. *at is moved behind the fence. READ_CALL:
 * all that it holds are calls, which were added as tentative ones. READ_QUOTED: anything else.
 * READ_NONE: it is no fence. */
enum reading fence_read(struct parser *parser, const struct source *source, size_t *at);

#endif
