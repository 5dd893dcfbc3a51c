/* SPDX-License-Identifier: MIT
 *
 * The buffer grows with the line that is being read and shrinks again after it, so that one large
 * message does not cost its memory for ever.
 */
#include "config.h"

#include "serve/lines.h"

#include <stdlib.h>
#include <string.h>

#define ROOM ((size_t)64 * 1024)   /* a read asks for at least this much */
#define KEEP ((size_t)1024 * 1024) /* capacity that an empty buffer may keep */

void lines_init(struct lines *lines, size_t maximum)
{
	memset(lines, 0, sizeof(*lines));
	lines->maximum = maximum;
}

void lines_free(struct lines *lines)
{
	free(lines->data);
	lines->data = NULL;
	lines->capacity = lines->start = lines->scanned = lines->end = 0;
}

static void move_to_front(struct lines *lines)
{
	size_t left = lines->end - lines->start;

	if (lines->start && left)
		memmove(lines->data, lines->data + lines->start, left);
	lines->scanned -= lines->start;
	lines->start = 0;
	lines->end = left;
	if (!left && lines->capacity > KEEP)
		lines_free(lines);
}

char *lines_space(struct lines *lines, size_t *ret_room)
{
	size_t left = lines->end - lines->start;
	char *data;

	if (!left || lines->start >= ROOM)
		move_to_front(lines);
	if (lines->capacity - lines->end < ROOM) {
		size_t capacity = lines->capacity * 2 > lines->end + ROOM ? lines->capacity * 2
									  : lines->end + ROOM;

		data = realloc(lines->data, capacity);
		if (!data)
			return NULL;
		lines->data = data;
		lines->capacity = capacity;
	}
	*ret_room = lines->capacity - lines->end;
	return lines->data + lines->end;
}

void lines_added(struct lines *lines, size_t count)
{
	lines->end += count;
}

void lines_finish(struct lines *lines)
{
	lines->finished = true;
}

/* Skips the byte order mark of a stream; false while the first bytes are not all there. */
static bool begin(struct lines *lines)
{
	static const char mark[3] = { '\xEF', '\xBB', '\xBF' };
	size_t left = lines->end - lines->start;

	if (left < sizeof(mark) && !lines->finished &&
	    !memcmp(lines->data + lines->start, mark, left))
		return false;
	if (left >= sizeof(mark) && !memcmp(lines->data + lines->start, mark, sizeof(mark)))
		lines->start += sizeof(mark);
	lines->scanned = lines->start;
	lines->begun = true;
	return true;
}

/* Hands out what lies between start and `stop`, and goes on at `next`. */
static enum line hand_out(struct lines *lines, size_t stop, size_t next, const char **ret_text,
			  size_t *ret_length)
{
	size_t start = lines->start;
	bool dropped = lines->discarding;

	lines->start = lines->scanned = next;
	lines->discarding = false;
	if (dropped)
		return LINE_NONE;
	if (stop > start && lines->data[stop - 1] == '\r')
		stop--;
	if (stop - start > lines->maximum)
		return LINE_TOO_LONG;
	*ret_text = lines->data + start;
	*ret_length = stop - start;
	return LINE_READY;
}

/* The line has no end yet: it waits for more, is found too long, or goes on being dropped. */
static enum line wait_for_more(struct lines *lines)
{
	size_t length = lines->end - lines->start;

	/* A carriage return may turn out to be the first half of the line's end. */
	if (lines->data[lines->end - 1] == '\r')
		length--;
	lines->scanned = lines->end;
	if (length <= lines->maximum && !lines->discarding)
		return LINE_NONE;
	lines->start = lines->end;
	if (lines->discarding)
		return LINE_NONE;
	lines->discarding = true;
	return LINE_TOO_LONG;
}

enum line lines_next(struct lines *lines, const char **ret_text, size_t *ret_length)
{
	while (lines->start < lines->end) {
		char *newline;
		size_t stop;
		enum line found;

		if (!lines->begun && !begin(lines))
			return LINE_NONE;
		newline = memchr(lines->data + lines->scanned, '\n', lines->end - lines->scanned);
		if (!newline && !lines->finished)
			return wait_for_more(lines);
		stop = newline ? (size_t)(newline - lines->data) : lines->end;
		found = hand_out(lines, stop, newline ? stop + 1 : stop, ret_text, ret_length);
		if (found != LINE_NONE)
			return found;
	}
	return LINE_NONE;
}

bool lines_more(const struct lines *lines)
{
	size_t left = lines->end - lines->scanned;

	return left && memchr(lines->data + lines->scanned, '\n', left);
}

bool lines_left(const struct lines *lines)
{
	return lines->start < lines->end;
}
