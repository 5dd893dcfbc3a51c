/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry/names.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY_LEAST ((size_t)16)

/* FNV-1a: names are short, and few. */
static uint32_t hash_name(const char *name, size_t length)
{
	uint32_t hash = UINT32_C(2166136261);

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)name[i]) * UINT32_C(16777619);
	return hash;
}

/* The slot that holds the name, or the free one where it would go. */
static struct names_slot *find_slot(const struct names *names, const char *name, size_t length,
				    uint32_t hash)
{
	size_t at = hash & (names->capacity - 1);

	for (;;) {
		struct names_slot *slot = &names->slots[at];

		if (!slot->name || (slot->hash == hash && slot->length == length &&
				    !memcmp(slot->name, name, length)))
			return slot;
		at = (at + 1) & (names->capacity - 1);
	}
}

int names_reserve(struct names *names, size_t count)
{
	struct names larger = { .capacity = CAPACITY_LEAST, .count = names->count };

	while (larger.capacity / 2 < count)
		larger.capacity *= 2;
	if (larger.capacity <= names->capacity)
		return STATUS_OK;
	larger.slots = calloc(larger.capacity, sizeof(*larger.slots));
	if (!larger.slots)
		return STATUS_INTERNAL;
	for (size_t i = 0; i < names->capacity; i++) {
		const struct names_slot *slot = &names->slots[i];

		if (slot->name)
			*find_slot(&larger, slot->name, slot->length, slot->hash) = *slot;
	}
	free(names->slots);
	*names = larger;
	return STATUS_OK;
}

int names_add(struct names *names, const char *name, size_t length, uint32_t number)
{
	uint32_t hash = hash_name(name, length);

	if (names->count + 1 > names->capacity / 2 && names_reserve(names, names->count + 1))
		return STATUS_INTERNAL;
	*find_slot(names, name, length, hash) = (struct names_slot){
		.name = name, .length = (uint32_t)length, .hash = hash, .number = number
	};
	names->count++;
	return STATUS_OK;
}

uint32_t names_find(const struct names *names, const char *name, size_t length)
{
	const struct names_slot *slot;

	if (!names->capacity)
		return NAMES_NONE;
	slot = find_slot(names, name, length, hash_name(name, length));
	return slot->name ? slot->number : NAMES_NONE;
}

void names_free(struct names *names)
{
	free(names->slots);
	*names = (struct names){ .slots = NULL };
}
