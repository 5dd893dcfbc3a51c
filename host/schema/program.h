/* SPDX-License-Identifier: MIT
 *
 * The compiled form of a schema: arrays of nodes and rules that name one another by index.
 *
 * A node is one subschema. What holds for one kind of value only stands in a rule of that kind, so
 * that a number costs nothing of what is said about objects. Nothing here changes once it is
 * compiled.
 */
#ifndef TOOLHOST_PROGRAM_H
#define TOOLHOST_PROGRAM_H

#include "base/arena.h"
#include "schema/format.h"
#include "schema/hash.h"
#include "schema/pattern.h"
#include "schema/schema.h"

#define NONE UINT32_MAX /* no node, rule or set */

/* Bounds. A schema that passes one is refused when it is compiled, an instance when it is
 * validated. */
#define SCHEMA_NODES_MOST 20000	  /* subschemas */
#define SCHEMA_PATTERNS_MOST 1000 /* regular expressions */
#define SCHEMA_NESTING_MOST 500	  /* of a schema's own JSON */
#define SCHEMA_DEPTH_MOST 1000	  /* subschemas that are being evaluated in one another */
/* Of one validation: subschemas, members, elements and comparisons. */
#define SCHEMA_STEPS_MOST 20000000

/* Sets of kinds: bits 1 << enum json_kind. */
#define KINDS_ALL ((1u << (JSON_OBJECT + 1)) - 1)
#define KIND_BIT(kind) (1u << (kind))
#define KINDS_NUMBER (KIND_BIT(JSON_INTEGER) | KIND_BIT(JSON_NUMBER))

enum apply_kind {
	APPLY_REF,
	APPLY_DYNAMIC_REF,
	APPLY_ALL_OF,
	APPLY_ANY_OF,
	APPLY_ONE_OF,
	APPLY_NOT,
	APPLY_IF
};

/* Subschemas that apply to the same value. */
struct apply {
	uint32_t kind;	/* enum apply_kind */
	uint32_t first; /* in links. IF: if, then, else, of which the last two may be NONE */
	uint32_t count;
	uint32_t anchor; /* DYNAMIC_REF: the name in dynamic_names; NONE: as a REF */
};

struct node {
	uint16_t types;	   /* kinds that `type` allows; INTEGER alone takes whole doubles too */
	uint16_t kinds;	   /* kinds that can be valid at all, as far as known */
	bool refuses;	   /* false: nothing is valid */
	bool plain;	   /* of a number no more is asked than its type and its rule */
	bool tracks;	   /* has unevaluatedItems or unevaluatedProperties */
	uint32_t resource; /* that it lies in */
	uint32_t values;   /* a set: enum, */
	uint32_t constant; /* and const */
	uint32_t number, text, list, object; /* rules */
	uint32_t apply_first, apply_count;
	uint32_t unevaluated_items, unevaluated_properties; /* nodes */
	json *fallback;					    /* `default`, or NULL; owned */
};

/* A bound as written: whole ones are compared as such, so that 2^53 + 1 is not 2^53. */
struct bound {
	double number;
	int64_t integer;
	bool present;
	bool whole;
};

struct number_rule {
	struct bound minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of;
};

struct text_rule {
	uint64_t min_length, max_length; /* code points */
	uint32_t pattern;
	uint32_t format; /* enum format; FORMAT_NONE: not asserted */
};

struct list_rule {
	uint64_t min_items, max_items;
	uint64_t min_contains, max_contains;
	uint32_t prefix_first, prefix_count; /* in links */
	uint32_t rest;			     /* the node of elements behind those; NONE: any */
	uint32_t contains;
	bool unique;
	const char *rest_keyword; /* items or additionalItems */
};

struct property {
	const char *key;
	uint32_t length;
	uint32_t node; /* NONE: only required */
	bool required;
};

struct pattern_property {
	uint32_t pattern;
	uint32_t node;
};

/* When `key` is there: keys that have to be there too, and a node for the whole object. */
struct dependency {
	const char *key;
	uint32_t node;				 /* NONE: none */
	uint32_t required_first, required_count; /* in required_keys */
	const char *keyword;
};

struct object_rule {
	uint64_t min_properties, max_properties;
	uint32_t property_first, property_count; /* as the schema lists them */
	uint32_t sorted_first; /* the same by key, in `sorted`; NONE: too few to search */
	uint32_t required_count;
	uint32_t pattern_first, pattern_count;
	uint32_t dependency_first, dependency_count;
	uint32_t additional; /* NONE: any */
	uint32_t names;
};

/* Values of enum or const, by hash where they are many. */
struct value_set {
	uint32_t first, count; /* in values */
	bool sorted;
	uint64_t size; /* values in the values */
};

struct set_value {
	uint64_t hash;
	json *value;	/* owned */
	uint32_t order; /* as the schema lists them */
};

struct dynamic_anchor {
	uint32_t resource;
	uint32_t name; /* index of a name that a $dynamicRef asks for */
	uint32_t node;
};

/* A growing array. `items` are of the type that the field below says. */
#define ARRAY(type)                                                                                \
	struct {                                                                                   \
		type *items;                                                                       \
		size_t count;                                                                      \
		size_t capacity;                                                                   \
	}

struct schema {
	ARRAY(struct node) nodes; /* the first is the root */
	ARRAY(struct number_rule) numbers;
	ARRAY(struct text_rule) texts;
	ARRAY(struct list_rule) lists;
	ARRAY(struct object_rule) objects;
	ARRAY(struct property) properties;
	ARRAY(uint32_t) sorted; /* properties of large rules, by key */
	ARRAY(struct pattern_property) pattern_properties;
	ARRAY(struct dependency) dependencies;
	ARRAY(const char *) required_keys;
	ARRAY(struct apply) applies;
	ARRAY(uint32_t) links; /* nodes */
	ARRAY(struct value_set) sets;
	ARRAY(struct set_value) values;
	ARRAY(struct pattern *) patterns;
	ARRAY(const char *) dynamic_names;
	ARRAY(struct dynamic_anchor) dynamic_anchors;
	struct arena arena; /* keys, and defaults' holders */
	struct hash_key key;
	bool refuse_beyond_64;
};

/* schema_validate() against one node, as if the schema began there. */
bool program_validate(const struct schema *s, uint32_t node, const json *instance,
		      struct schema_problems *problems);

/* The property of that key in a rule, or NULL. `guess` is where it stands if keys come in the
 * schema's order. */
const struct property *program_property(const struct schema *s, const struct object_rule *rule,
					const char *key, size_t length, size_t guess);

#endif
