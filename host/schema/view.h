/* SPDX-License-Identifier: MIT
 *
 * A schema beside a value: what it says of each place, as far as it says one thing.
 *
 * For those who change values before they are validated. Where a schema leaves a choice (anyOf with
 * several branches that could be meant, if, not, a $dynamicRef) nothing is said, and nobody should
 * change anything.
 */
#ifndef TOOLHOST_VIEW_H
#define TOOLHOST_VIEW_H

#include "schema/pattern.h"
#include "schema/schema.h"

#define VIEW_NODES 16

struct schema_view {
	const struct schema *schema;
	struct pattern_work *work;  /* borrowed; NULL: what patterns of keys say is not known */
	uint32_t nodes[VIEW_NODES]; /* that hold for the value here */
	size_t count;
	unsigned kinds; /* bits 1 << enum json_kind: kinds that can be valid. An integer alone takes
			   whole doubles too */
	bool declared;	/* a key that the schema lists */
	bool required;
};

/* The view of the whole value. `schema` and `work` outlive it, and all that are made from it. */
void schema_view(const struct schema *schema, struct pattern_work *work,
		 struct schema_view *ret_view);

/* The views of a member and of an element of the value that `view` is for. */
void schema_view_member(const struct schema_view *view, const char *key,
			struct schema_view *ret_view);
void schema_view_item(const struct schema_view *view, size_t index, struct schema_view *ret_view);

/* Whether a value of that kind could be valid here. */
bool schema_view_takes(const struct schema_view *view, const json *value);

/* The `default` of this place, borrowed; NULL: none. */
const json *schema_view_default(const struct schema_view *view);

/* Whether the schema names one of the object's keys; also true where it names none at all. */
bool schema_view_knows(const struct schema_view *view, const json *object);

/* Calls `visit` for each key that the schema lists for the object here. */
void schema_view_keys(const struct schema_view *view, void (*visit)(void *context, const char *key),
		      void *context);

#endif
