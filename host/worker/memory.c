/* SPDX-License-Identifier: MIT
 *
 * The malloc family of glibc under its own names, with an eye on NULL. Symbols of the program come
 * before those of the C library, in every pack and library that is loaded. Memory that is had by
 * mmap() itself is not seen.
 */
#include "config.h"

#include "worker/memory.h"

#include "base/allocate.h"
#include "base/procfs.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic(void (*)(size_t wanted)) told; /* NULL: nobody, or not any more */

void memory_watch(void (*tell)(size_t wanted))
{
	atomic_store(&told, tell);
}

uint64_t memory_data(void)
{
	return (uint64_t)procfs_number("/proc/self/status", "VmData:") << 10; /* of KiB */
}

/* AddressSanitizer has a malloc of its own, and its shadow bears no limit on memory. */
#ifdef TH_ASAN

void memory_fill(void)
{
}

#else

#define PIECE_MOST ((size_t)8 << 10)
#define PIECE_SMALL ((size_t)1 << 10)
#define PIECE_STEP ((size_t)16)
#define PIECES_MOST 20000

#define EXPORT __attribute__((visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void memory_fill(void)
{
	/* Asked for once: it goes through all that is free. */
	const uintptr_t top = (uintptr_t)sbrk(0) - mallinfo2().keepcost;
	size_t size = PIECE_MOST;

	for (int i = 0; i < PIECES_MOST && size; i++) {
		void *piece = __libc_malloc(size);

		if (piece && (uintptr_t)piece < top)
			continue;
		/* It is of the top, or a mapping. A small one would not go back there. */
		if (size > PIECE_SMALL)
			free(piece);
		size -= size > PIECE_SMALL ? PIECE_SMALL : PIECE_STEP;
	}
}

static void *seen(void *memory, size_t wanted)
{
	void (*tell)(size_t);

	if (memory || !wanted)
		return memory;
	tell = atomic_exchange(&told, NULL);
	if (tell)
		tell(wanted);
	return NULL;
}

EXPORT void *malloc(size_t size)
{
	return seen(__libc_malloc(size), size);
}

EXPORT void *calloc(size_t count, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(count, size, &total))
		total = SIZE_MAX;
	return seen(allocate_zeroed(count, size, __libc_malloc, __libc_calloc), total);
}

EXPORT void *realloc(void *memory, size_t size)
{
	return seen(__libc_realloc(memory, size), size);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
	return seen(__libc_memalign(alignment, size), size);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	return seen(__libc_memalign(alignment, size), size);
}

EXPORT void *valloc(size_t size)
{
	return memalign((size_t)sysconf(_SC_PAGESIZE), size);
}

EXPORT void *pvalloc(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), total;

	if (__builtin_add_overflow(size, page - 1, &total))
		total = SIZE_MAX;
	return memalign(page, total & ~(page - 1));
}

EXPORT int posix_memalign(void **ret_memory, size_t alignment, size_t size)
{
	void *memory;

	if (alignment < sizeof(void *) || alignment & (alignment - 1))
		return EINVAL;
	memory = seen(__libc_memalign(alignment, size), size);
	if (!memory)
		return ENOMEM;
	*ret_memory = memory;
	return 0;
}

#endif
