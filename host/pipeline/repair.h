/* SPDX-License-Identifier: MIT
 *
 * Arguments as models send them, made into what they mean where the schema leaves no doubt.
 */
#ifndef TOOLHOST_REPAIR_H
#define TOOLHOST_REPAIR_H

#include "schema/schema.h"

struct repair_options {
	bool texts;	      /* text that holds exactly the JSON of what is wanted */
	bool nulls;	      /* null for an optional key that takes no null is an absent key */
	bool underscore_keys; /* keys at the top that begin with _ and that the schema does not list
				 are dropped */
	unsigned max_depth;   /* of what a text may hold */
};

/* The repaired arguments, the caller's: another reference to `arguments` where nothing was changed.
 * Places whose text was read are appended to *ret_repaired, which is made at the first one.
 * STATUS_OK or STATUS_INTERNAL: no memory. */
int repair_arguments(const struct schema *schema, const struct repair_options *options,
		     json *arguments, json **ret_arguments, json **ret_repaired);

/* The same with the defaults of the schema in the place of keys that are absent, at every level
 * that is there. */
int repair_fill_defaults(const struct schema *schema, json *arguments, json **ret_arguments);

#endif
