/* SPDX-License-Identifier: MIT
 *
 * Where one is in a JSON value, as a chain on the stack; printed only when something has to be
 * told.
 */
#ifndef TOOLHOST_PLACE_H
#define TOOLHOST_PLACE_H

#include <stddef.h>

struct place {
	const struct place *parent; /* NULL: the whole value */
	const char *key;	    /* of an object; NULL: an element of a list */
	size_t index;		    /* of that element */
};

#define PLACE_ROOT ((struct place){ 0 })

static inline struct place place_member(const struct place *parent, const char *key)
{
	return (struct place){ .parent = parent, .key = key };
}

static inline struct place place_item(const struct place *parent, size_t index)
{
	return (struct place){ .parent = parent, .index = index };
}

/* The JSON Pointer (RFC 6901), with its NUL in at most `size` bytes. One that is longer ends in
 * "...". */
void place_print(const struct place *place, char *ret_pointer, size_t size);

#endif
