/* SPDX-License-Identifier: MIT
 *
 * A growing run of bytes with a hard maximum.
 *
 * The first append that would pass the maximum, or for which there is no memory, marks the buffer
 * as failed; later appends do nothing. So a writer appends freely and looks once, at the end.
 */
#ifndef TOOLHOST_BUFFER_H
#define TOOLHOST_BUFFER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum buffer_fault { BUFFER_GOOD, BUFFER_FULL, BUFFER_NO_MEMORY };

struct buffer {
	char *data; /* owned; always followed by a NUL once something was appended */
	size_t length;
	size_t capacity;
	size_t maximum;	 /* bytes that `length` never passes; SIZE_MAX: no bound */
	uint64_t wanted; /* bytes that a failed buffer would have held, as far as known */
	uint32_t fault;	 /* enum buffer_fault */
	uint32_t reserved;
};

#define BUFFER_INIT(max) ((struct buffer){ .maximum = (max) })

void buffer_init(struct buffer *b, size_t maximum);
void buffer_free(struct buffer *b);  /* leaves an empty buffer with the same maximum */
void buffer_reset(struct buffer *b); /* empties it and clears the fault; keeps the memory unless it
					is large */

/* Room for `more` bytes at the end, to be filled by the caller and counted by buffer_commit(); NULL
 * if the buffer has failed. */
char *buffer_reserve(struct buffer *b, size_t more);
static inline void buffer_commit(struct buffer *b, size_t more)
{
	b->length += more;
	b->data[b->length] = '\0';
}

/* As buffer_append(), where there is no room yet. */
void buffer_append_slow(struct buffer *b, const void *data, size_t length);

static inline void buffer_append(struct buffer *b, const void *data, size_t length)
{
	if (length >= b->capacity - b->length || length > b->maximum - b->length || b->fault) {
		buffer_append_slow(b, data, length);
		return;
	}
	if (length)
		memcpy(b->data + b->length, data, length);
	buffer_commit(b, length);
}

static inline void buffer_text(struct buffer *b, const char *text)
{
	buffer_append(b, text, strlen(text));
}

static inline void buffer_byte(struct buffer *b, char byte)
{
	buffer_append(b, &byte, 1);
}

void buffer_format(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Hands the bytes over: the caller frees them. The buffer is empty afterwards. NULL if it has
 * failed. */
char *buffer_take(struct buffer *b, size_t *ret_length);

#endif
