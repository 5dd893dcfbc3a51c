/* SPDX-License-Identifier: MIT */
#include "schema/hash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define MULTIPLIER_A 0x9E3779B97F4A7C15u
#define MULTIPLIER_B 0xC2B2AE3D27D4EB4Fu

struct hash_key hash_key(void)
{
	const void *random = (const void *)(uintptr_t)getauxval(AT_RANDOM);
	struct hash_key key = { MULTIPLIER_A, MULTIPLIER_B };

	if (random)
		memcpy(&key, random, sizeof(key));
	return key;
}

/* The 128-bit product of both, folded: every bit of either reaches every bit of the result. */
static uint64_t mix(uint64_t a, uint64_t b)
{
	__uint128_t product = (__uint128_t)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t hash_bytes(struct hash_key key, const void *data, size_t length)
{
	const unsigned char *bytes = data;
	uint64_t hash = key.a ^ length, word;

	for (; length >= sizeof(word); length -= sizeof(word), bytes += sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		hash = mix(hash ^ word, key.b ^ MULTIPLIER_A);
	}
	word = 0;
	memcpy(&word, bytes, length);
	return mix(hash ^ word, key.b ^ MULTIPLIER_B);
}

uint64_t hash_number(struct hash_key key, double number)
{
	uint64_t bits = 0;

	number += 0.0; /* minus zero equals zero */
	memcpy(&bits, &number, sizeof(bits));
	return mix(bits ^ key.a, key.b ^ MULTIPLIER_A);
}

/* Integers that a double cannot hold equal no double, so they may hash by their own bits. */
static uint64_t hash_integer(struct hash_key key, int64_t integer)
{
	double number = (double)integer;

	if (number < 0x1p63 && (int64_t)number == integer)
		return hash_number(key, number);
	return mix((uint64_t)integer ^ key.a, key.b ^ MULTIPLIER_B);
}

static uint64_t hash_list(struct hash_key key, const json *list, uint64_t *work)
{
	size_t count = json_count(list);
	const double *packed = json_packed(list, NULL);
	uint64_t hash = key.a ^ MULTIPLIER_B;

	if (packed)
		*work -= count < *work ? count : *work;
	for (size_t i = 0; i < count; i++)
		hash = mix(hash ^ (packed ? hash_number(key, packed[i])
					  : hash_json(key, json_peek(list, i), work)),
			   key.b ^ MULTIPLIER_A);
	return hash;
}

/* A sum, since the order of the members does not matter. */
static uint64_t hash_object(struct hash_key key, const json *object, uint64_t *work)
{
	struct json_member m;
	uint64_t hash = key.b;

	for (bool more = json_first(object, &m); more; more = json_next(&m))
		hash += mix(hash_bytes(key, m.key, strlen(m.key)),
			    hash_json(key, m.value, work) ^ key.a);
	return hash;
}

uint64_t hash_json(struct hash_key key, const json *value, uint64_t *work)
{
	size_t length;
	const char *text;

	if (!*work)
		return 0;
	--*work;
	switch (json_kind(value)) {
	case JSON_BOOLEAN:
		return mix(key.a + 1 + json_boolean(value), key.b);
	case JSON_INTEGER:
		return hash_integer(key, json_integer(value));
	case JSON_NUMBER:
		return hash_number(key, json_number(value));
	case JSON_TEXT:
		text = json_text(value, &length);
		return hash_bytes(key, text, length);
	case JSON_LIST:
		return hash_list(key, value, work);
	case JSON_OBJECT:
		return hash_object(key, value, work);
	default:
		return mix(key.a, key.b);
	}
}

/* ---- Names ----------------------------------------------------------------------------- */

void names_free(struct names *names)
{
	free(names->entries);
	*names = (struct names){ 0 };
}

/* The slot of that name, or the free one where it belongs. */
static struct names_entry *find_slot(const struct names *names, uint64_t hash, const char *name,
				     size_t length)
{
	size_t slot = hash & (names->capacity - 1);

	while (names->entries[slot].name) {
		const struct names_entry *entry = &names->entries[slot];

		if (entry->hash == hash && entry->length == length &&
		    !memcmp(entry->name, name, length))
			break;
		slot = (slot + 1) & (names->capacity - 1);
	}
	return &names->entries[slot];
}

uint32_t names_find(const struct names *names, const char *name, size_t length)
{
	const struct names_entry *entry;

	if (!names->count)
		return NAMES_NONE;
	entry = find_slot(names, hash_bytes(names->key, name, length), name, length);
	return entry->name ? entry->value : NAMES_NONE;
}

static bool grow(struct names *names)
{
	struct names wider = { .capacity = names->capacity ? 2 * names->capacity : 16 };

	if (!(wider.entries = calloc(wider.capacity, sizeof(*wider.entries))))
		return false;
	for (size_t i = 0; i < names->capacity; i++) {
		const struct names_entry *entry = &names->entries[i];

		if (entry->name)
			*find_slot(&wider, entry->hash, entry->name, entry->length) = *entry;
	}
	wider.count = names->count;
	wider.key = hash_key();
	free(names->entries);
	*names = wider;
	return true;
}

bool names_add(struct names *names, const char *name, size_t length, uint32_t value)
{
	uint64_t hash;

	if (length > UINT32_MAX || (2 * names->count >= names->capacity && !grow(names)))
		return false;
	hash = hash_bytes(names->key, name, length);
	*find_slot(names, hash, name, length) = (struct names_entry){
		.hash = hash, .name = name, .length = (uint32_t)length, .value = value
	};
	names->count++;
	return true;
}
