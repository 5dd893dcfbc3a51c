/* SPDX-License-Identifier: MIT */
#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The first allocation, and what a reset keeps at most. */
#define BUFFER_LEAST 256
#define BUFFER_KEEP ((size_t)1 << 20)

#define LARGE_PAGE ((size_t)2 << 20)
#define LARGE (2 * LARGE_PAGE)

void buffer_init(struct buffer *b, size_t maximum)
{
	*b = BUFFER_INIT(maximum);
}

void buffer_free(struct buffer *b)
{
	free(b->data);
	buffer_init(b, b->maximum);
}

void buffer_reset(struct buffer *b)
{
	if (b->capacity > BUFFER_KEEP) {
		buffer_free(b);
		return;
	}
	b->length = 0;
	b->wanted = 0;
	b->fault = BUFFER_GOOD;
	if (b->data)
		b->data[0] = '\0';
}

static void buffer_fail(struct buffer *b, enum buffer_fault fault, size_t more)
{
	b->fault = fault;
	b->wanted = (uint64_t)b->length + more;
}

/* Memory of this size comes from the system, a page of 4 KiB at the first touch of each: with pages
 * of 2 MiB there are 500 times fewer of those. Where there are none, nothing changes. */
static void use_large_pages(char *data, size_t size)
{
	uintptr_t start = ((uintptr_t)data + LARGE_PAGE - 1) & ~(uintptr_t)(LARGE_PAGE - 1);
	uintptr_t end = ((uintptr_t)data + size) & ~(uintptr_t)(LARGE_PAGE - 1);

	if (start < end)
		madvise((void *)start, end - start, MADV_HUGEPAGE);
}

char *buffer_reserve(struct buffer *b, size_t more)
{
	size_t capacity, needed;
	char *data;

	if (b->fault != BUFFER_GOOD) {
		b->wanted += more;
		return NULL;
	}
	if (more < b->capacity - b->length && more <= b->maximum - b->length)
		return b->data + b->length;
	if (more > b->maximum - b->length || more >= SIZE_MAX - b->length) {
		buffer_fail(b, BUFFER_FULL, more);
		return NULL;
	}
	needed = b->length + more + 1;
	capacity = b->capacity ? b->capacity : BUFFER_LEAST;
	while (capacity < needed)
		capacity = capacity > SIZE_MAX / 2 ? needed : capacity * 2;
	/* Doubling need not pass what the maximum lets in. */
	if (capacity - 1 > b->maximum)
		capacity = b->maximum + 1;
	data = realloc(b->data, capacity);
	if (!data) {
		buffer_fail(b, BUFFER_NO_MEMORY, more);
		return NULL;
	}
	if (capacity >= LARGE && capacity > b->capacity)
		use_large_pages(data, capacity);
	b->data = data;
	b->capacity = capacity;
	data[b->length] = '\0';
	return data + b->length;
}

void buffer_append_slow(struct buffer *b, const void *data, size_t length)
{
	char *place = buffer_reserve(b, length);

	if (!place)
		return;
	if (length)
		memcpy(place, data, length);
	buffer_commit(b, length);
}

void buffer_format(struct buffer *b, const char *format, ...)
{
	va_list arguments;
	char small[256];
	char *place;
	int length;

	va_start(arguments, format);
	length = vsnprintf(small, sizeof(small), format, arguments);
	va_end(arguments);
	if (length < 0) {
		buffer_fail(b, BUFFER_NO_MEMORY, 0);
		return;
	}
	if ((size_t)length < sizeof(small)) {
		buffer_append(b, small, (size_t)length);
		return;
	}
	place = buffer_reserve(b, (size_t)length);
	if (!place)
		return;
	va_start(arguments, format);
	vsnprintf(place, (size_t)length + 1, format, arguments);
	va_end(arguments);
	buffer_commit(b, (size_t)length);
}

char *buffer_take(struct buffer *b, size_t *ret_length)
{
	char *data = NULL;

	if (ret_length)
		*ret_length = 0;
	/* An empty buffer has no memory yet, and its text is "". */
	if (b->fault == BUFFER_GOOD && buffer_reserve(b, 0)) {
		data = b->data;
		if (ret_length)
			*ret_length = b->length;
		b->data = NULL;
	}
	buffer_free(b);
	return data;
}
