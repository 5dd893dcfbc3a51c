/* SPDX-License-Identifier: MIT
 *
 * JSON blocks. Private to parse.
 */
#ifndef TOOLHOST_PARSE_BLOCK_H
#define TOOLHOST_PARSE_BLOCK_H

#include "parse/formats.h"

/* At a brace or bracket that begins its line. *at is moved behind what was read, also where that is
 * no call. READ_NONE: it is no JSON, and means none. */
enum reading block_read(struct parser *parser, const struct source *source, size_t *at);

#endif
