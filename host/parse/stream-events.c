/* SPDX-License-Identifier: MIT
 *
 * The events of the services: chunks of chat completions, Anthropic's blocks, the items of Responses,
 * Gemini's parts.
 */
#include "parse/stream-join.h"

#include <stdio.h>

enum { KEY_MAX = 48 };

static void append(struct part *part, const json *text)
{
	size_t length;
	const char *bytes = json_text(text, &length);

	if (part && length)
		buffer_append(&part->text, bytes, length);
}

static void keep(json **value, const json *from)
{
	if (!*value && from)
		*value = json_hold((json *)from);
}

static long long index_of(const json *object, const char *key, long long fallback)
{
	const json *index = json_get(object, key);

	return json_kind(index) == JSON_INTEGER ? (long long)json_integer(index) : fallback;
}

/* ---- Chat completions --------------------------------------------------------------------------- */

/* The name may come in pieces; some services send it with each of them. */
static void add_name(struct part *part, const json *name)
{
	struct buffer whole = BUFFER_INIT(SIZE_MAX);
	size_t length;
	const char *bytes;

	if (!part->name || !json_text(part->name, NULL) || json_equal(part->name, name)) {
		keep(&part->name, name);
		return;
	}
	bytes = json_text(part->name, &length);
	buffer_append(&whole, bytes, length);
	bytes = json_text(name, &length);
	buffer_append(&whole, bytes, length);
	if (whole.length && whole.fault == BUFFER_GOOD) {
		json_drop(part->name);
		part->name = json_new_text_n(whole.data, whole.length);
	}
	buffer_free(&whole);
}

static void add_function(struct part *part, const json *function)
{
	const json *arguments = json_get(function, "arguments");

	if (!part)
		return;
	if (json_kind(json_get(function, "name")) == JSON_TEXT)
		add_name(part, json_get(function, "name"));
	if (json_kind(arguments) == JSON_TEXT)
		append(part, arguments);
	else
		keep(&part->value, arguments);
}

static void add_tool_calls(struct stream *stream, const json *calls, size_t offset)
{
	for (size_t i = 0; i < json_count(calls); i++) {
		const json *piece = json_peek(calls, i);
		char key[KEY_MAX];
		struct part *part;

		snprintf(key, sizeof(key), "call %lld", index_of(piece, "index", (long long)i));
		part = stream_part(stream, PART_CALL, key, offset);
		if (!part)
			return;
		keep(&part->id, json_get(piece, "id"));
		add_function(part, json_get(piece, "function"));
		stream->has_calls = true;
	}
}

bool stream_add_chunk(struct stream *stream, const json *event, size_t offset)
{
	const json *choice = plain_first(json_get(event, "choices"));
	const json *delta = json_get(choice, "delta"), *reason;

	if (json_kind(json_get(event, "choices")) != JSON_LIST ||
	    (json_kind(delta) != JSON_OBJECT && choice))
		return false;
	if (json_kind(json_get(delta, "content")) == JSON_TEXT)
		append(stream_part(stream, PART_TEXT, "text", offset), json_get(delta, "content"));
	add_tool_calls(stream, json_get(delta, "tool_calls"), offset);
	if (json_kind(json_get(delta, "function_call")) == JSON_OBJECT) {
		add_function(stream_part(stream, PART_CALL, "function_call", offset),
			     json_get(delta, "function_call"));
		stream->has_calls = true;
	}
	reason = json_get(choice, "finish_reason");
	if (json_kind(reason) == JSON_TEXT)
		stream->finished = true;
	if (json_text_is(reason, "length"))
		stream->cut = true;
	return true;
}

/* ---- Anthropic ---------------------------------------------------------------------------------- */

static void start_block(struct stream *stream, const json *event, const char *key, size_t offset)
{
	const json *block = json_get(event, "content_block");
	struct part *part;

	if (json_text_is(json_get(block, "type"), "tool_use")) {
		part = stream_part(stream, PART_CALL, key, offset);
		if (!part)
			return;
		keep(&part->name, json_get(block, "name"));
		keep(&part->id, json_get(block, "id"));
		keep(&part->value, json_get(block, "input"));
	} else if (json_text_is(json_get(block, "type"), "text")) {
		append(stream_part(stream, PART_TEXT, key, offset), json_get(block, "text"));
	}
}

bool stream_add_block(struct stream *stream, const json *event, size_t offset)
{
	const json *type = json_get(event, "type"), *delta = json_get(event, "delta");
	char key[KEY_MAX];

	snprintf(key, sizeof(key), "block %lld", index_of(event, "index", 0));
	if (json_text_is(type, "content_block_start")) {
		start_block(stream, event, key, offset);
	} else if (json_text_is(type, "content_block_delta")) {
		/* Pieces of a block that is neither text nor a call of ours have no part. */
		if (json_has(stream->places, key))
			append(stream_part(stream, PART_TEXT, key, offset),
			       json_get(delta,
					json_has(delta, "partial_json") ? "partial_json" : "text"));
	} else if (json_text_is(type, "content_block_stop")) {
		if (json_has(stream->places, key))
			stream_part(stream, PART_TEXT, key, offset)->complete = true;
	} else if (json_text_is(type, "message_delta")) {
		stream->cut = stream->cut ||
			      json_text_is(json_get(delta, "stop_reason"), "max_tokens");
	} else {
		return json_text_is(type, "message_start") || json_text_is(type, "message_stop") ||
		       json_text_is(type, "ping");
	}
	return true;
}

/* ---- Responses and Gemini ------------------------------------------------------------------------ */

static void add_item(struct stream *stream, const json *event, const char *key, size_t offset,
		     bool done)
{
	const json *item = json_get(event, "item");
	struct part *part;

	if (!json_text_is(json_get(item, "type"), "function_call"))
		return;
	part = stream_part(stream, PART_CALL, key, offset);
	if (!part)
		return;
	keep(&part->name, json_get(item, "name"));
	keep(&part->id, json_get(item, json_has(item, "call_id") ? "call_id" : "id"));
	if (!done)
		return;
	part->complete = !json_text_is(json_get(item, "status"), "incomplete");
	buffer_reset(&part->text);
	append(part, json_get(item, "arguments"));
}

static bool add_response_event(struct stream *stream, const json *event, const char *key,
			       size_t offset)
{
	const json *type = json_get(event, "type"), *response = json_get(event, "response");

	if (json_text_is(type, "response.output_item.added") ||
	    json_text_is(type, "response.output_item.done")) {
		add_item(stream, event, key, offset,
			 json_text_is(type, "response.output_item.done"));
	} else if (json_text_is(type, "response.function_call_arguments.delta")) {
		append(stream_part(stream, PART_CALL, key, offset), json_get(event, "delta"));
	} else if (json_text_is(type, "response.output_text.delta")) {
		append(stream_part(stream, PART_TEXT, key, offset), json_get(event, "delta"));
	} else if ((json_text_is(type, "response.completed") ||
		    json_text_is(type, "response.incomplete")) &&
		   json_kind(json_get(response, "output")) == JSON_LIST) {
		json_drop(stream->whole);
		stream->whole = json_hold((json *)response);
		stream->whole_offset = offset;
	} else {
		return json_text(type, NULL) != NULL && json_has(event, "sequence_number");
	}
	return true;
}

/* Text that goes on from one answer to the next is one text. */
static void add_parts(struct stream *stream, const json *parts, size_t offset)
{
	for (size_t i = 0; i < json_count(parts); i++) {
		const json *part = json_peek(parts, i);
		char key[KEY_MAX];

		snprintf(key, sizeof(key), "gemini %zu", stream->count);
		if (json_kind(json_get(part, "text")) == JSON_TEXT) {
			if (json_boolean(json_get(part, "thought")))
				continue;
			if (stream->count && stream->parts[stream->count - 1].kind == PART_TEXT)
				append(&stream->parts[stream->count - 1], json_get(part, "text"));
			else
				append(stream_part(stream, PART_TEXT, key, offset),
				       json_get(part, "text"));
		} else {
			struct part *whole = stream_part(stream, PART_VALUE, key, offset);

			if (whole)
				keep(&whole->value, part);
		}
	}
}

bool stream_add_item(struct stream *stream, const json *event, size_t offset)
{
	const json *content;
	char key[KEY_MAX];

	if (json_kind(json_get(event, "candidates")) == JSON_LIST) {
		content = json_get(plain_first(json_get(event, "candidates")), "content");
		add_parts(stream, json_get(content, "parts"), offset);
		return true;
	}
	snprintf(key, sizeof(key), "item %lld %lld", index_of(event, "output_index", 0),
		 index_of(event, "content_index", 0));
	return add_response_event(stream, event, key, offset);
}
