/* SPDX-License-Identifier: MIT
 *
 * Where references lead: the resources, anchors and places of a schema and of the documents beside
 * it.
 */
#ifndef TOOLHOST_RESOURCES_H
#define TOOLHOST_RESOURCES_H

#include "base/arena.h"
#include "schema/hash.h"
#include "schema/schema.h"

enum vocabulary {
	VOCABULARY_APPLICATOR = 1u << 0,
	VOCABULARY_UNEVALUATED = 1u << 1,
	VOCABULARY_VALIDATION = 1u << 2,
	VOCABULARY_FORMAT = 1u << 3, /* as an annotation */
	VOCABULARY_FORMAT_ASSERT = 1u << 4,
	VOCABULARY_REST = 1u << 5, /* core, meta-data, content: nothing here asserts */
};

/* A schema as its $schema says. */
struct dialect {
	bool draft7; /* otherwise 2020-12 */
	unsigned vocabularies;
};

/* A schema with an identifier of its own, or a whole document. */
struct resource {
	const char *uri; /* absolute where it can be; without a fragment */
	const json *root;
	struct dialect dialect;
	uint32_t index;
};

struct anchor {
	const struct resource *resource;
	const char *name;
	const json *value;
	bool dynamic;
};

#define METASCHEMAS_MOST 16 /* that one compilation reads */

struct resources {
	const struct schema_options *options;
	struct arena arena;
	struct error *error;
	struct resource **items;
	size_t count, capacity;
	struct anchor **anchors;
	size_t anchor_count, anchor_capacity;
	struct {
		const char *text; /* as compiled in */
		json *value;	  /* owned */
	} metaschemas[METASCHEMAS_MOST];
	size_t metaschema_count;
	struct names by_uri;	/* to a resource */
	struct names by_root;	/* the address of a resource's root, to the resource */
	struct names by_anchor; /* "uri#name", to an anchor */
	size_t subschemas;	/* seen so far, against the bound */
};

/* A place that a reference leads to. */
struct target {
	const json *value;
	const struct resource *resource;
	const struct anchor *anchor; /* that led there; NULL: none */
};

/* Looks through `schema`, which has to outlive the resources, and finds its resources and anchors;
 * the first one is the schema itself. On errors, which are told in `error`, resources_free() is
 * still needed. */
int resources_init(struct resources *r, const json *schema, const struct schema_options *options,
		   struct error *error);
void resources_free(struct resources *r);

/* Where `reference` leads from within `from`. STATUS_INPUT_INVALID: nowhere; `error` holds the
 * reason alone. */
int resources_resolve(struct resources *r, const struct resource *from, const char *reference,
		      struct target *ret_target);

/* The resource that begins at `schema`, or `outer` where none does. */
const struct resource *resources_of(const struct resources *r, const json *schema,
				    const struct resource *outer);

/* The dynamic anchor of that name in a resource, or NULL. */
const struct anchor *resources_dynamic_anchor(struct resources *r, const struct resource *resource,
					      const char *name);

/* metaschemas.c: the text of a metaschema by its URI without fragment, or NULL. */
const char *metaschema_find(const char *uri);

#endif
