/* SPDX-License-Identifier: MIT
 */
#include "pack/content.h"

#include "base/array.h"
#include "pack/services.h"

#include <string.h>

/* The size of th_content in version 1.0. */
#define CONTENT_SIZE_LEAST 80u

static const char *const roles[] = { "user", "assistant" };

static void append_base64(struct buffer *out, const char *data, size_t length)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *in = (const unsigned char *)data;
	size_t encoded, i;
	char *place;

	if (length > SIZE_MAX / 4 * 3 - 3)
		length = SIZE_MAX / 4 * 3 - 3; /* more than any buffer holds */
	encoded = (length + 2) / 3 * 4;
	place = buffer_reserve(out, encoded);
	if (!place)
		return;
	for (i = 0; i < length; i += 3) {
		size_t left = length - i;
		uint32_t three = (uint32_t)in[i] << 16;

		if (left > 1)
			three |= (uint32_t)in[i + 1] << 8;
		if (left > 2)
			three |= in[i + 2];
		*place++ = digits[three >> 18];
		*place++ = digits[three >> 12 & 63];
		*place++ = left > 1 ? digits[three >> 6 & 63] : '=';
		*place++ = left > 2 ? digits[three & 63] : '=';
	}
	buffer_commit(out, encoded);
}

static void append_member(struct buffer *out, const char *key, th_text value)
{
	if (!value.data)
		return;
	buffer_format(out, ",\"%s\":", key);
	json_print_text(out, value.data, value.length);
}

static void append_bytes(struct buffer *out, const char *key, th_text value)
{
	buffer_format(out, ",\"%s\":\"", key);
	append_base64(out, value.data, value.length);
	buffer_byte(out, '"');
}

static void append_resource(struct buffer *out, const th_content *content)
{
	static const th_text nothing = TH_TEXT("");

	buffer_text(out, "{\"type\":\"resource\",\"resource\":{\"uri\":");
	json_print_text(out, content->uri.data, content->uri.length);
	append_member(out, "mimeType", content->mime_type);
	if (content->binary)
		append_bytes(out, "blob", content->data);
	else
		append_member(out, "text", content->data.data ? content->data : nothing);
	buffer_text(out, "}}");
}

void content_print(struct buffer *out, const th_content *content)
{
	switch (content->kind) {
	case TH_CONTENT_TEXT:
		buffer_text(out, "{\"type\":\"text\",\"text\":");
		json_print_text(out, content->data.data, content->data.length);
		break;
	case TH_CONTENT_IMAGE:
	case TH_CONTENT_AUDIO:
		buffer_format(out, "{\"type\":\"%s\"",
			      content->kind == TH_CONTENT_IMAGE ? "image" : "audio");
		append_bytes(out, "data", content->data);
		append_member(out, "mimeType", content->mime_type);
		break;
	case TH_CONTENT_RESOURCE:
		append_resource(out, content);
		return;
	case TH_CONTENT_LINK:
		buffer_text(out, "{\"type\":\"resource_link\"");
		append_member(out, "uri", content->uri);
		append_member(out, "name", content->name.data ? content->name : content->uri);
		append_member(out, "mimeType", content->mime_type);
		break;
	}
	buffer_byte(out, '}');
}

/* What is wrong with a block, as a constant phrase, or NULL. */
static const char *block_fault(const th_content *content)
{
	if (content->role >= ARRAY_SIZE(roles))
		return "a content block has an unknown role";
	if (!content->data.data && content->data.length)
		return "a content block has NULL data with a length";
	switch (content->kind) {
	case TH_CONTENT_TEXT:
		return content->data.data ? NULL : "a text block has no text";
	case TH_CONTENT_IMAGE:
	case TH_CONTENT_AUDIO:
		if (!content->data.data)
			return "an image or audio block has no data";
		return content->mime_type.data ? NULL : "an image or audio block has no mime_type";
	case TH_CONTENT_RESOURCE:
	case TH_CONTENT_LINK:
		return content->uri.data ? NULL : "a resource or link block has no uri";
	}
	return "a content block is of an unknown kind";
}

/* Leaves out what the kind of a block does not use. */
static void leave_used(th_content *content)
{
	static const th_text nothing = TH_NO_TEXT;

	if (content->kind == TH_CONTENT_TEXT)
		content->mime_type = nothing;
	if (content->kind == TH_CONTENT_LINK)
		content->data = nothing;
	else
		content->name = nothing;
	if (content->kind != TH_CONTENT_LINK && content->kind != TH_CONTENT_RESOURCE)
		content->uri = nothing;
	content->binary = content->kind == TH_CONTENT_RESOURCE && content->binary;
}

const char *content_check(const th_content *given, th_content *ret_content)
{
	const char *fault;

	memset(ret_content, 0, sizeof(*ret_content));
	if (!given || given->struct_size < CONTENT_SIZE_LEAST)
		return "a content block does not state its struct_size";
	memcpy(ret_content, given,
	       given->struct_size < sizeof(*given) ? given->struct_size : sizeof(*given));
	fault = block_fault(ret_content);
	if (!fault)
		leave_used(ret_content);
	return fault;
}

int32_t content_put(th_call *public, const th_content *given)
{
	struct call *call = call_of(public);
	struct buffer *out = &call->content;
	th_content content;
	const char *fault;

	if (call->fault)
		return call->fault;
	fault = content_check(given, &content);
	if (fault)
		return result_misuse(call, fault, NULL);
	if (out->length)
		buffer_byte(out, ',');
	if (call->is_prompt)
		buffer_format(out, "{\"role\":\"%s\",\"content\":", roles[content.role]);
	content_print(out, &content);
	if (call->is_prompt)
		buffer_byte(out, '}');
	return result_written(call, out);
}
