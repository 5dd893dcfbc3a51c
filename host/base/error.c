/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ERROR_BYTES_MOST ((size_t)64 * 1024)
/* What closes the object behind its details. */
#define ERROR_TAIL "}}}"

/* Drops the start of a code point that vsnprintf() cut in two. */
static void drop_cut_point(char *text)
{
	size_t length = strlen(text), start = length;

	while (start > 0 && length - start < 4) {
		start--;
		if ((text[start] & 0xC0) != 0x80) {
			if (text_sequence(text + start, length - start) < 0)
				text[start] = '\0';
			return;
		}
	}
}

int error_set(struct error *error, int status, const char *format, ...)
{
	char message[sizeof(error->message)];
	va_list arguments;

	if (!error)
		return status;
	/* The arguments may lie in the error itself: "%s: %s" with its older message. */
	va_start(arguments, format);
	if (vsnprintf(message, sizeof(message), format, arguments) >= (int)sizeof(message))
		drop_cut_point(message);
	va_end(arguments);
	error_clear(error);
	error->status = status;
	memcpy(error->message, message, sizeof(message));
	return status;
}

void error_detail(struct error *error, const char *key, json *value)
{
	if (!error) {
		json_drop(value);
		return;
	}
	if (!error->details)
		error->details = json_new_object();
	json_set(error->details, key, value);
}

void error_detail_text(struct error *error, const char *key, const char *text)
{
	if (error)
		error_detail(error, key, json_new_text(text));
}

void error_detail_integer(struct error *error, const char *key, int64_t value)
{
	if (error)
		error_detail(error, key, json_new_integer(value));
}

void error_clear(struct error *error)
{
	if (!error)
		return;
	json_drop(error->details);
	error->status = STATUS_OK;
	error->retry_after_ms = 0;
	error->details = NULL;
	error->message[0] = '\0';
}

void error_move(struct error *to, struct error *from)
{
	if (to == from)
		return;
	if (!to) {
		error_clear(from);
		return;
	}
	error_clear(to);
	*to = *from;
	from->details = NULL;
	error_clear(from);
}

/* Each detail that fits into `room` bytes together with those before it. */
static void print_details(struct buffer *out, const json *details, size_t room)
{
	struct buffer one = BUFFER_INIT(room);
	struct json_member member;
	bool first = true;

	for (bool more = json_first(details, &member); more; more = json_next(&member)) {
		buffer_reset(&one);
		one.maximum = room;
		if (!first)
			buffer_byte(&one, ',');
		json_print_text(&one, member.key, strlen(member.key));
		buffer_byte(&one, ':');
		json_print(&one, member.value);
		if (one.fault != BUFFER_GOOD)
			continue;
		buffer_append(out, one.data, one.length);
		room -= one.length;
		first = false;
	}
	buffer_free(&one);
}

void error_print(struct buffer *out, const struct error *error)
{
	size_t start = out->length;

	buffer_format(out, "{\"error\":{\"code\":\"%s\",\"category\":\"%s\",\"message\":",
		      status_code(error->status), status_category(error->status));
	json_print_text(out, error->message, strlen(error->message));
	buffer_format(out, ",\"retryable\":%s,\"retry_after_ms\":",
		      status_retryable(error->status) ? "true" : "false");
	if (error->retry_after_ms > 0)
		json_print_integer(out, error->retry_after_ms);
	else
		buffer_text(out, "null");
	buffer_text(out, ",\"details\":{");
	if (error->details)
		print_details(out, error->details,
			      ERROR_BYTES_MOST - (out->length - start) - strlen(ERROR_TAIL));
	buffer_text(out, ERROR_TAIL);
}

json *error_to_json(const struct error *error)
{
	struct buffer text = BUFFER_INIT(ERROR_BYTES_MOST);
	json *value = NULL;

	error_print(&text, error);
	if (text.fault == BUFFER_GOOD)
		json_read(text.data, text.length, NULL, &value, NULL);
	buffer_free(&text);
	return value;
}
