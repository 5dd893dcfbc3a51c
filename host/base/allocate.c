/* SPDX-License-Identifier: MIT
 *
 * calloc() of glibc, before 2.41, never takes from the blocks that a thread has freed and keeps at
 * hand, as malloc() does. What json-c asks for with each call is small, and fits those. The linker
 * puts this in its place (--wrap) where the program itself calls it, and archives in it: libraries
 * and packs have their own.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#define SMALL_MOST ((size_t)1024)

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
	size_t total;
	void *memory;

	if (__builtin_mul_overflow(count, size, &total) || total > SMALL_MOST)
		return __real_calloc(count, size);
	memory = malloc(total);
	__asm__("" : "+r"(memory)); /* or the compiler makes a calloc() of both */
	if (memory)
		memset(memory, 0, total);
	return memory;
}
