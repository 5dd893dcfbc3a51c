/* SPDX-License-Identifier: MIT
 *
 * Calls in decoded structures. Private to parse.
 */
#ifndef TOOLHOST_PARSE_VALUE_H
#define TOOLHOST_PARSE_VALUE_H

#include "parse/parser.h"

/* What is known of the place where a value lies. */
struct place {
	size_t offset;
	bool cut;  /* the model's limit has ended what it is from */
	bool last; /* it is the last of its list */
};

/* Any value: an object, or a list of calls, blocks, items or messages. Offset: of its JSON. */
void value_read(struct parser *parser, const json *value, size_t offset);
void value_object(struct parser *parser, const json *object, struct place place);
void value_items(struct parser *parser, const json *list, struct place place);

/* Text that the model has said within a structure is read as text is. */
void value_text(struct parser *parser, const json *text, size_t offset);

void openai_choices(struct parser *parser, const json *object, size_t offset);
/* True where the object has calls under tool_calls or function_call, be they malformed. */
bool openai_message(struct parser *parser, const json *object, struct place place);
void openai_entry(struct parser *parser, const json *entry, struct place place);

void responses_response(struct parser *parser, const json *object, size_t offset);
void responses_item(struct parser *parser, const json *item, struct place place);

void anthropic_content(struct parser *parser, const json *message, struct place place);
void anthropic_block(struct parser *parser, const json *block, struct place place);

void gemini_response(struct parser *parser, const json *object, size_t offset);
void gemini_content(struct parser *parser, const json *content, size_t offset);
bool gemini_part(struct parser *parser, const json *part, size_t offset); /* true: it has a call */

/* An object without a frame: a call only where its shape is unmistakable. */
void plain_object(struct parser *parser, const json *object, size_t offset);
/* An object that is a call by its place. */
void plain_call(struct parser *parser, const json *object, struct place place);
/* What stands where calls have to: one, or a list of them. */
void plain_meant(struct parser *parser, const json *value, size_t offset);

/* What a call has under "arguments", or under another name for them. */
const json *plain_arguments(const json *object);
/* Of alternatives, the one with index 0, or the first where they have none. */
const json *plain_first(const json *list);

#endif
