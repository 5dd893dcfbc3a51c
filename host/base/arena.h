/* SPDX-License-Identifier: MIT
 *
 * Memory with one lifetime: everything taken from an arena goes with the arena. One thread at a
 * time.
 */
#ifndef TOOLHOST_ARENA_H
#define TOOLHOST_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena_block;

struct arena {
	struct arena_block *block; /* the newest; owned */
	size_t used;		   /* bytes handed out, over all blocks */
	size_t maximum;		   /* bytes that `used` never passes */
};

void arena_init(struct arena *a, size_t maximum);
void arena_free(struct arena *a);
void arena_reset(struct arena *a); /* frees all but one small block, for the next use */

/* Zeroed memory aligned to 16, or NULL. _array refuses an overflow of count times size. */
void *arena_allocate(struct arena *a, size_t size);
void *arena_array(struct arena *a, size_t count, size_t size);
/* `alignment` is a power of two up to 4096; the memory is not zeroed. */
void *arena_allocate_raw(struct arena *a, size_t size, size_t alignment);
/* A copy of `length` bytes with a NUL behind it. */
char *arena_copy(struct arena *a, const char *text, size_t length);

#endif
