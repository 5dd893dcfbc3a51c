/* SPDX-License-Identifier: MIT
 *
 * Stored streams: pieces that are joined before they are read. Private to parse.
 */
#ifndef TOOLHOST_PARSE_STREAM_H
#define TOOLHOST_PARSE_STREAM_H

#include "parse/parser.h"

/* Whether a text is a stream of server-sent events. */
bool stream_begins(const struct source *source);
void stream_read(struct parser *parser, const struct source *source);

/* Whether a value is a piece of a stream, or begins a list of them. */
bool stream_is_piece(const json *value);
void stream_read_value(struct parser *parser, const json *value, size_t offset);

#endif
