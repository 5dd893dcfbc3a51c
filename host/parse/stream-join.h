/* SPDX-License-Identifier: MIT
 *
 * The pieces of a stream in the making. Private to parse.
 */
#ifndef TOOLHOST_PARSE_STREAM_JOIN_H
#define TOOLHOST_PARSE_STREAM_JOIN_H

#include "parse/stream.h"
#include "parse/value.h"

enum part_kind { PART_TEXT, PART_CALL, PART_VALUE };

/* Something that the model has said, of which pieces may still come. */
struct part {
	enum part_kind kind;
	struct buffer text; /* what it said, or the arguments as text */
	json *name, *id;
	json *value; /* whole, or the arguments as they began */
	size_t offset;
	bool complete; /* its end has been seen */
};

struct stream {
	struct parser *parser;
	struct part *parts; /* in the order in which they began */
	size_t count, capacity;
	json *places; /* the index of the part of each key */
	json *whole;  /* the response that says all again at the end */
	size_t whole_offset;
	bool finished;	/* the end of the stream has been seen */
	bool cut;	/* the model's limit has ended it */
	bool has_calls; /* of a message in which the text beside calls does not matter */
};

void stream_begin(struct stream *stream, struct parser *parser);
void stream_add(struct stream *stream, const json *event, size_t offset);
void stream_end(struct stream *stream); /* reads what has been joined, and frees it */

/* The part of a key, which begins now if there is none yet; NULL: no memory. Another key's last part
 * is complete where a call begins. */
struct part *stream_part(struct stream *stream, enum part_kind kind, const char *key,
			 size_t offset);

/* The pieces of the formats; true where the event is one of theirs. */
bool stream_add_chunk(struct stream *stream, const json *event, size_t offset);
bool stream_add_block(struct stream *stream, const json *event, size_t offset);
bool stream_add_item(struct stream *stream, const json *event, size_t offset);

#endif
