/* SPDX-License-Identifier: MIT
 *
 * The host's calloc(). The linker puts it in place of the C library's (--wrap) where the program
 * itself calls it, and archives in it: libraries and packs have their own.
 */
#include "config.h"

#include "base/allocate.h"

#include <stdlib.h>

void *__real_calloc(size_t count, size_t size);
/* The compiler does not see who calls it, where it compiles the whole program at once (-flto). */
__attribute__((used)) void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
	return allocate_zeroed(count, size, malloc, __real_calloc);
}
