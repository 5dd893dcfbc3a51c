/* SPDX-License-Identifier: MIT
 *
 * Lines out of a stream of bytes, with a bound on their length.
 */
#ifndef TOOLHOST_LINES_H
#define TOOLHOST_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct lines {
	char *data; /* owned */
	size_t capacity;
	size_t start;	/* of what was not handed out yet */
	size_t scanned; /* no line ends before this */
	size_t end;
	size_t maximum;	 /* bytes of one line */
	bool discarding; /* a line was too long: what is left of it is dropped */
	bool begun;	 /* past the place for a byte order mark */
	bool finished;	 /* no more bytes will come */
};

enum line { LINE_NONE, LINE_READY, LINE_TOO_LONG };

void lines_init(struct lines *lines, size_t maximum);
void lines_free(struct lines *lines);

/* Where the next bytes go: at least one and *ret_room at most. NULL: no memory. Ends the life of
 * lines handed out before. */
char *lines_space(struct lines *lines, size_t *ret_room);
void lines_added(struct lines *lines, size_t count);

/* No more bytes will come: a last line without an end counts too. */
void lines_finish(struct lines *lines);

/* The next line, without its end (LF or CR LF), valid until lines_space(). A byte order mark at the
 * very start of the stream is skipped. A line that is too long is told once, when its length passes
 * the maximum, and its bytes are dropped as they come. */
enum line lines_next(struct lines *lines, const char **ret_text, size_t *ret_length);

/* Whether another whole line is there already. */
bool lines_more(const struct lines *lines);

/* Whether anything is there that was not handed out yet. */
bool lines_left(const struct lines *lines);

#endif
