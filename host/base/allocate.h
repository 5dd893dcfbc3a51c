/* SPDX-License-Identifier: MIT
 *
 * A calloc() for both programs: that of glibc, before 2.41, never takes from the blocks that a
 * thread has freed and keeps at hand, as malloc() does. What json-c asks for with each call is
 * small, and fits those.
 */
#ifndef TOOLHOST_ALLOCATE_H
#define TOOLHOST_ALLOCATE_H

#include <stddef.h>
#include <string.h>

#define ALLOCATE_SMALL_MOST ((size_t)1024) /* bytes that glibc's malloc() keeps at hand */

/* As calloc(count, size), out of the malloc() and the calloc() of the program's C library. */
static inline void *allocate_zeroed(size_t count, size_t size, void *(*library_malloc)(size_t),
				    void *(*library_calloc)(size_t, size_t))
{
	size_t total;
	void *memory;

	if (__builtin_mul_overflow(count, size, &total) || total > ALLOCATE_SMALL_MOST)
		return library_calloc(count, size);
	memory = library_malloc(total);
	__asm__("" : "+r"(memory)); /* or the compiler makes a calloc() of both */
	if (memory)
		memset(memory, 0, total);
	return memory;
}

#endif
