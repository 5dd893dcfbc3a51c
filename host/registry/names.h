/* SPDX-License-Identifier: MIT
 *
 * A table from names to numbers. Names are borrowed.
 */
#ifndef TOOLHOST_NAMES_H
#define TOOLHOST_NAMES_H

#include <stddef.h>
#include <stdint.h>

#define NAMES_NONE UINT32_MAX

struct names_slot {
	const char *name; /* NULL: free */
	uint32_t length;
	uint32_t hash;
	uint32_t number;
	uint32_t reserved;
};

struct names {
	struct names_slot *slots; /* owned */
	size_t capacity;	  /* 0 or a power of two */
	size_t count;
};

/* Room for `count` names in all, so that adding them makes no more. STATUS_INTERNAL: no memory. */
int names_reserve(struct names *names, size_t count);

/* Adds a name that is not there yet. STATUS_INTERNAL: no memory. */
int names_add(struct names *names, const char *name, size_t length, uint32_t number);

/* The number of a name, or NAMES_NONE. */
uint32_t names_find(const struct names *names, const char *name, size_t length);

void names_free(struct names *names);

#endif
