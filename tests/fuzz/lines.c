/* SPDX-License-Identifier: MIT
 *
 * The line reader, fed in pieces of any size, against a splitter that sees all at once.
 *
 * The first byte of the input says how the rest is cut into pieces.
 */
#include <config.h>

#include "serve/lines.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAXIMUM ((size_t)24)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The stream as it is to be understood, at the line that comes next. */
struct expected {
	const char *at, *end;
};

static void expected_begin(struct expected *expected, const char *data, size_t size)
{
	expected->at = data;
	expected->end = data + size;
	if (size >= 3 && !memcmp(data, "\xef\xbb\xbf", 3))
		expected->at += 3;
}

static enum line expected_next(struct expected *expected, const char **ret_text, size_t *ret_length)
{
	const char *start = expected->at, *stop;
	size_t left = (size_t)(expected->end - start);

	if (!left)
		return LINE_NONE;
	stop = memchr(start, '\n', left);
	expected->at = stop ? stop + 1 : expected->end;
	if (!stop)
		stop = expected->end;
	if (stop > start && stop[-1] == '\r')
		stop--;
	*ret_text = start;
	*ret_length = (size_t)(stop - start);
	return *ret_length > MAXIMUM ? LINE_TOO_LONG : LINE_READY;
}

static void check_lines(struct lines *lines, struct expected *expected)
{
	const char *text, *expected_text;
	size_t length, expected_length;
	enum line found;

	while ((found = lines_next(lines, &text, &length)) != LINE_NONE) {
		if (expected_next(expected, &expected_text, &expected_length) != found)
			abort();
		if (found == LINE_READY &&
		    (length != expected_length || memcmp(text, expected_text, length)))
			abort();
	}
}

static void add_piece(struct lines *lines, const char *data, size_t size)
{
	while (size) {
		size_t room;
		char *space = lines_space(lines, &room);
		size_t taken;

		if (!space || !room)
			abort();
		taken = size < room ? size : room;
		memcpy(space, data, taken);
		lines_added(lines, taken);
		data += taken;
		size -= taken;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data + 1;
	struct expected expected;
	struct lines lines;
	size_t done = 0, cut;
	const char *rest_text;
	size_t rest_length;

	if (!size)
		return 0;
	size--;
	cut = data[0];
	expected_begin(&expected, text, size);
	lines_init(&lines, MAXIMUM);
	while (done < size) {
		size_t piece = 1 + cut % 61;

		cut = (cut * 5 + 3) & 0xff;
		if (piece > size - done)
			piece = size - done;
		add_piece(&lines, text + done, piece);
		done += piece;
		check_lines(&lines, &expected);
	}
	lines_finish(&lines);
	check_lines(&lines, &expected);
	if (expected_next(&expected, &rest_text, &rest_length) != LINE_NONE)
		abort();
	lines_free(&lines);
	return 0;
}
