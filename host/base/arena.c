/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* Blocks double from the first to the largest size; what is larger gets a block of its own. */
#define BLOCK_LEAST ((size_t)4096)
#define BLOCK_MOST ((size_t)1 << 20)
#define ALIGNMENT 16
#define ALIGNMENT_MOST 4096

struct arena_block {
	struct arena_block *older;
	size_t size; /* of `data` */
	size_t used;
	_Alignas(ALIGNMENT) char data[];
};

void arena_init(struct arena *a, size_t maximum)
{
	*a = (struct arena){ .maximum = maximum };
}

static void blocks_free(struct arena_block *block)
{
	while (block) {
		struct arena_block *older = block->older;

		free(block);
		block = older;
	}
}

void arena_free(struct arena *a)
{
	blocks_free(a->block);
	arena_init(a, a->maximum);
}

void arena_reset(struct arena *a)
{
	struct arena_block *kept = NULL;

	/* The oldest block is the smallest one. */
	while (a->block) {
		struct arena_block *block = a->block;

		a->block = block->older;
		if (!block->older && block->size <= BLOCK_LEAST)
			kept = block;
		else
			free(block);
	}
	if (kept)
		kept->used = 0;
	a->block = kept;
	a->used = 0;
}

static struct arena_block *block_new(struct arena *a, size_t size)
{
	struct arena_block *block;
	size_t block_size = a->block ? a->block->size * 2 : BLOCK_LEAST;

	if (block_size > BLOCK_MOST)
		block_size = BLOCK_MOST;
	if (block_size < size)
		block_size = size;
	if (block_size > SIZE_MAX - sizeof(*block))
		return NULL;
	block = malloc(sizeof(*block) + block_size);
	if (!block)
		return NULL;
	block->size = block_size;
	block->used = 0;
	block->older = a->block;
	a->block = block;
	return block;
}

/* The bytes to leave out so that the next one of the block has the alignment. */
static size_t block_padding(const struct arena_block *block, size_t alignment)
{
	return -(uintptr_t)(block->data + block->used) & (alignment - 1);
}

void *arena_allocate_raw(struct arena *a, size_t size, size_t alignment)
{
	struct arena_block *block = a->block;
	void *memory;
	size_t padding = 0;

	if (alignment < ALIGNMENT)
		alignment = ALIGNMENT;
	if (alignment > ALIGNMENT_MOST || size > a->maximum - a->used)
		return NULL;
	if (block)
		padding = block_padding(block, alignment);
	if (!block || padding > block->size - block->used ||
	    size > block->size - block->used - padding) {
		if (size > SIZE_MAX - alignment)
			return NULL;
		block = block_new(a, size + alignment - ALIGNMENT);
		if (!block)
			return NULL;
		padding = block_padding(block, alignment);
	}
	memory = block->data + block->used + padding;
	block->used += padding + size;
	a->used += size;
	return memory;
}

void *arena_allocate(struct arena *a, size_t size)
{
	void *memory = arena_allocate_raw(a, size, ALIGNMENT);

	return memory ? memset(memory, 0, size) : NULL;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		return NULL;
	return arena_allocate(a, count * size);
}

char *arena_copy(struct arena *a, const char *text, size_t length)
{
	char *copy;

	if (length == SIZE_MAX)
		return NULL;
	copy = arena_allocate_raw(a, length + 1, 1);
	if (!copy)
		return NULL;
	if (length)
		memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}
