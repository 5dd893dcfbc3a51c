/* SPDX-License-Identifier: MIT
 *
 * The keys of the objects that a result has open, to find one that is given twice.
 *
 * Keys are remembered by their place in the result's text, and forgotten in the reverse order when
 * their object ends: a hash table that only ever loses its newest entry needs no marks for lost
 * ones.
 */
#ifndef TOOLHOST_KEYS_H
#define TOOLHOST_KEYS_H

#include <stddef.h>
#include <stdint.h>

struct keys_entry {
	size_t offset;	 /* of the key in the text */
	uint32_t length; /* 0: a free entry */
	uint32_t hash;
};

struct keys {
	struct keys_entry *entries; /* owned; `capacity` of them, a power of two */
	uint32_t *order;	    /* owned; the entries in use, oldest first */
	uint32_t capacity;
	uint32_t count;
	uint64_t seed; /* of the hash; set once, by whoever made the struct */
};

enum keys_answer { KEYS_NEW, KEYS_KNOWN, KEYS_NO_MEMORY };

/* Adds the key at text[offset..offset+length), unless one with the same bytes stands at
 * `object_start` or behind it. `length` is at least 1. */
enum keys_answer keys_add(struct keys *keys, const char *text, size_t object_start, size_t offset,
			  size_t length);

/* Forgets the keys at `offset` and behind it. */
void keys_forget(struct keys *keys, size_t offset);

void keys_reset(struct keys *keys); /* forgets all, and the memory where it is large */
void keys_free(struct keys *keys);  /* leaves an empty set with the same seed */

#endif
