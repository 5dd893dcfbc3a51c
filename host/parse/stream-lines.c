/* SPDX-License-Identifier: MIT
 *
 * Server-sent events as they were stored: the lines of data of each, put together.
 */
#include "parse/stream-join.h"

#include <string.h>

bool stream_begins(const struct source *source)
{
	return source_has(source, 0, "data:") || source_has(source, 0, "event:");
}

static void read_event(struct stream *stream, const struct buffer *data, size_t offset)
{
	json *value;

	if (!data->length || data->fault != BUFFER_GOOD)
		return;
	if (data->length == 6 && !memcmp(data->data, "[DONE]", 6)) {
		stream->finished = true;
		return;
	}
	/* An event that is no JSON was cut; what it is part of stays incomplete. */
	if (json_read(data->data, data->length, NULL, &value, NULL) != STATUS_OK)
		return;
	stream_add(stream, value, offset);
	json_drop(value);
}

/* The rest of a line of data, without the one blank that may stand behind the colon. */
static void add_line(struct buffer *data, const struct source *source, size_t from, size_t to)
{
	if (to > from && source->text[to - 1] == '\r')
		to--;
	if (to > from && source->text[from] == ' ')
		from++;
	if (data->length)
		buffer_byte(data, '\n');
	buffer_append(data, source->text + from, to - from);
}

void stream_read(struct parser *parser, const struct source *source)
{
	struct buffer data = BUFFER_INIT(SIZE_MAX);
	struct stream stream;
	size_t at = 0, offset = 0;

	stream_begin(&stream, parser);
	while (at < source->length && parser_goes_on(parser)) {
		size_t end = source_line_end(source, at);

		if (source_has(source, at, "data:")) {
			if (!data.length)
				offset = source_offset(source, at);
			add_line(&data, source, at + 5, end);
		} else if (source_blank(source, at, end)) {
			read_event(&stream, &data, offset);
			buffer_reset(&data);
		}
		at = end + 1;
	}
	read_event(&stream, &data, offset);
	buffer_free(&data);
	stream_end(&stream);
}
