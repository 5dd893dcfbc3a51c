/* SPDX-License-Identifier: MIT */
#include "pack/keys.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_LEAST 32u
#define CAPACITY_KEEP 4096u
#define CAPACITY_MOST (1u << 30)

/* The folded product of Wang Yi's wyhash (2019). The seed keeps data that somebody else chose from
 * being made to collide. */
static uint64_t mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint32_t hash_of(const char *text, size_t length, uint64_t seed)
{
	uint64_t hash = seed ^ length, word;

	for (; length >= sizeof(word); text += sizeof(word), length -= sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		hash = mix(hash ^ word, 0xa0761d6478bd642fu);
	}
	word = 0;
	memcpy(&word, text, length);
	hash = mix(hash ^ word, 0xe7037ed1a0b428dbu);
	return (uint32_t)(hash ^ hash >> 32);
}

static void insert(struct keys *keys, const struct keys_entry *entry)
{
	uint32_t mask = keys->capacity - 1, at = entry->hash & mask;

	while (keys->entries[at].length)
		at = (at + 1) & mask;
	keys->entries[at] = *entry;
	keys->order[keys->count++] = at;
}

/* Entries move in the order in which they came, so that the newest can still be taken out first. */
static bool grow(struct keys *keys)
{
	struct keys larger = {
		.capacity = keys->capacity ? keys->capacity * 2 : CAPACITY_LEAST,
		.seed = keys->seed,
	};

	if (larger.capacity > CAPACITY_MOST)
		return false;
	larger.entries = calloc(larger.capacity, sizeof(*larger.entries));
	larger.order = malloc(larger.capacity / 2 * sizeof(*larger.order));
	if (!larger.entries || !larger.order) {
		keys_free(&larger);
		return false;
	}
	for (uint32_t i = 0; i < keys->count; i++)
		insert(&larger, &keys->entries[keys->order[i]]);
	keys_free(keys);
	*keys = larger;
	return true;
}

enum keys_answer keys_add(struct keys *keys, const char *text, size_t object_start, size_t offset,
			  size_t length)
{
	struct keys_entry entry = { offset, (uint32_t)length,
				    hash_of(text + offset, length, keys->seed) };
	uint32_t mask, at;

	/* Half of the entries stay free, so that a search is short. */
	if (keys->count >= keys->capacity / 2 && !grow(keys))
		return KEYS_NO_MEMORY;
	mask = keys->capacity - 1;
	for (at = entry.hash & mask; keys->entries[at].length; at = (at + 1) & mask) {
		const struct keys_entry *other = &keys->entries[at];

		if (other->hash == entry.hash && other->length == entry.length &&
		    other->offset >= object_start &&
		    !memcmp(text + other->offset, text + offset, length))
			return KEYS_KNOWN;
	}
	keys->entries[at] = entry;
	keys->order[keys->count++] = at;
	return KEYS_NEW;
}

void keys_forget(struct keys *keys, size_t offset)
{
	while (keys->count) {
		struct keys_entry *newest = &keys->entries[keys->order[keys->count - 1]];

		if (newest->offset < offset)
			return;
		newest->length = 0;
		keys->count--;
	}
}

void keys_reset(struct keys *keys)
{
	if (keys->capacity > CAPACITY_KEEP)
		keys_free(keys);
	else
		keys_forget(keys, 0);
}

void keys_free(struct keys *keys)
{
	free(keys->entries);
	free(keys->order);
	*keys = (struct keys){ .seed = keys->seed };
}
