/* SPDX-License-Identifier: MIT
 *
 * Hashes that an opponent cannot steer, and a map from texts to numbers that is made of them.
 */
#ifndef TOOLHOST_HASH_H
#define TOOLHOST_HASH_H

#include "base/json.h"

/* Made of the random bytes that the kernel hands to each program; the same throughout a process. */
struct hash_key {
	uint64_t a, b;
};

struct hash_key hash_key(void);

uint64_t hash_bytes(struct hash_key key, const void *data, size_t length);

/* Equal values (json_equal) have equal hashes, whichever form a list has. `work` goes down by one
 * for each value; from 0 on, no more values are looked at, and the hash means nothing. */
uint64_t hash_number(struct hash_key key, double number);
uint64_t hash_json(struct hash_key key, const json *value, uint64_t *work);

#define NAMES_NONE UINT32_MAX

struct names_entry {
	uint64_t hash;
	const char *name; /* borrowed */
	uint32_t length;
	uint32_t value;
};

/* All zero is an empty map. */
struct names {
	struct names_entry *entries; /* owned; a power of two of slots, name NULL where free */
	size_t capacity;
	size_t count;
	struct hash_key key;
};

void names_free(struct names *names); /* leaves an empty map */
uint32_t names_find(const struct names *names, const char *name,
		    size_t length); /* NAMES_NONE: not there */
/* Adds a name that is not there yet, which has to live as long as the map. False: no memory. */
bool names_add(struct names *names, const char *name, size_t length, uint32_t value);

#endif
