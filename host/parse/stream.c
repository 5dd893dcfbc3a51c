/* SPDX-License-Identifier: MIT
 *
 * Joining the pieces of a stream, and reading what they make.
 */
#include "parse/stream-join.h"

#include <stdlib.h>
#include <string.h>

static bool has_prefix(const json *text, const char *prefix)
{
	const char *bytes = json_text(text, NULL);

	return bytes && !strncmp(bytes, prefix, strlen(prefix));
}

bool stream_is_piece(const json *value)
{
	const json *type = json_get(value, "type");
	const json *choice = plain_first(json_get(value, "choices"));

	return json_text_is(json_get(value, "object"), "chat.completion.chunk") ||
	       json_kind(json_get(choice, "delta")) == JSON_OBJECT ||
	       has_prefix(type, "content_block_") || has_prefix(type, "message_start") ||
	       has_prefix(type, "message_delta") || has_prefix(type, "response.");
}

void stream_read_value(struct parser *parser, const json *value, size_t offset)
{
	struct stream stream;

	stream_begin(&stream, parser);
	if (json_kind(value) == JSON_OBJECT)
		stream_add(&stream, value, offset);
	for (size_t i = 0; json_kind(value) == JSON_LIST && i < json_count(value); i++)
		stream_add(&stream, json_peek(value, i), offset);
	stream_end(&stream);
}

/* ---- Parts -------------------------------------------------------------------------------------- */

void stream_begin(struct stream *stream, struct parser *parser)
{
	*stream = (struct stream){ .parser = parser, .places = json_new_object() };
}

static struct part *new_part(struct stream *stream, enum part_kind kind, size_t offset)
{
	if (stream->count == PARSE_ENTRIES_MAX)
		stream->parser->status = STATUS_INPUT_TOO_LARGE;
	if (!parser_goes_on(stream->parser))
		return NULL;
	if (stream->count == stream->capacity) {
		size_t capacity = stream->capacity ? 2 * stream->capacity : 16;
		struct part *parts = realloc(stream->parts, capacity * sizeof(*parts));

		if (!parts) {
			stream->parser->status = STATUS_INTERNAL;
			return NULL;
		}
		stream->parts = parts;
		stream->capacity = capacity;
	}
	stream->parts[stream->count] = (struct part){
		.kind = kind,
		.text = BUFFER_INIT(SIZE_MAX),
		.offset = offset,
	};
	return &stream->parts[stream->count++];
}

struct part *stream_part(struct stream *stream, enum part_kind kind, const char *key, size_t offset)
{
	const json *place = json_get(stream->places, key);
	struct part *part;

	if (place)
		return &stream->parts[json_integer(place)];
	part = new_part(stream, kind, offset);
	if (!part)
		return NULL;
	json_set_integer(stream->places, key, (int64_t)stream->count - 1);
	if (kind == PART_CALL && stream->count > 1)
		part[-1].complete = true;
	return part;
}

void stream_add(struct stream *stream, const json *event, size_t offset)
{
	struct part *part;

	if (json_kind(event) != JSON_OBJECT || stream_add_chunk(stream, event, offset) ||
	    stream_add_block(stream, event, offset) || stream_add_item(stream, event, offset))
		return;
	part = new_part(stream, PART_VALUE, offset);
	if (part)
		part->value = json_hold((json *)event);
}

/* ---- What they make ----------------------------------------------------------------------------- */

static void read_call(struct stream *stream, const struct part *part, bool last)
{
	struct parser *parser = stream->parser;
	json *text = NULL;
	struct found found = {
		.offset = part->offset,
		.name = part->name,
		.arguments = part->value,
		.id = part->id,
		.cut = stream->cut,
	};

	if (!part->complete && !stream->finished) {
		parser_refuse(parser, part->offset, part->name, PARSE_TRUNCATED,
			      "the stream ends within it");
		return;
	}
	if (stream->cut && last && part->value) {
		parser_refuse(parser, part->offset, part->name, PARSE_TRUNCATED,
			      "the message was cut by its limit of tokens");
		return;
	}
	if (part->text.length) {
		text = json_new_text_n(part->text.data, part->text.length);
		found.arguments = text;
	}
	parser_call(parser, &found);
	json_drop(text);
}

static void read_part(struct stream *stream, const struct part *part, bool last)
{
	struct place place = { .offset = part->offset, .cut = stream->cut, .last = last };
	json *text;

	if (part->kind == PART_CALL) {
		read_call(stream, part, last);
	} else if (part->kind == PART_VALUE) {
		value_object(stream->parser, part->value, place);
	} else if (!stream->has_calls && part->text.length) {
		text = json_new_text_n(part->text.data, part->text.length);
		value_text(stream->parser, text, part->offset);
		json_drop(text);
	}
}

void stream_end(struct stream *stream)
{
	struct place place = { .offset = stream->whole_offset, .last = true };

	if (stream->whole)
		value_object(stream->parser, stream->whole, place);
	for (size_t i = 0; i < stream->count; i++) {
		struct part *part = &stream->parts[i];

		if (part->text.fault != BUFFER_GOOD)
			stream->parser->status = STATUS_INTERNAL;
		if (!stream->whole && parser_goes_on(stream->parser))
			read_part(stream, part, i + 1 == stream->count);
		buffer_free(&part->text);
		json_drop(part->name);
		json_drop(part->id);
		json_drop(part->value);
	}
	free(stream->parts);
	json_drop(stream->places);
	json_drop(stream->whole);
}
