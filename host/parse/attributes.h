/* SPDX-License-Identifier: MIT
 *
 * The attributes of the start tag of a call. Private to parse.
 */
#ifndef TOOLHOST_PARSE_ATTRIBUTES_H
#define TOOLHOST_PARSE_ATTRIBUTES_H

#include "parse/parser.h"

struct attributes {
	json *name, *id, *namespace; /* texts; owned */
	json *arguments;	     /* any JSON; NULL also for null; owned */
	bool known;		     /* an attribute that calls have was begun at least */
	bool has_arguments;
	bool arguments_bad; /* they are no JSON, for `reason` */
	bool repeated;	    /* an attribute is there twice */
	bool closed;	    /* the tag ends with "/>" */
	size_t end;	    /* behind the tag; NOT_FOUND: it is cut */
	size_t stop;	    /* where reading has ended then */
	char reason[160];
};

/* Reads from behind the element's name. attributes_free() in any case. `next_tag` looks for the next
 * start tag of a call. */
void attributes_read(const struct source *source, struct finder *next_tag, size_t at,
		     struct attributes *ret);
void attributes_free(struct attributes *attributes);

#endif
