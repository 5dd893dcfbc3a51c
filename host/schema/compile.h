/* SPDX-License-Identifier: MIT
 *
 * What the files of the compiler share.
 */
#ifndef TOOLHOST_COMPILE_H
#define TOOLHOST_COMPILE_H

#include "schema/program.h"
#include "schema/resources.h"

#define DYNAMIC_NAMES_MOST 64

/* Where a node comes from, for messages, and what there is to compile. */
struct origin {
	const json *value;
	const struct resource *resource;
	uint32_t parent;       /* NONE: none */
	const char *keyword;   /* of the parent that it stands under */
	const char *name;      /* below that: a key, */
	size_t index;	       /* or a place in a list where `in_list` */
	const char *reference; /* that led to it; otherwise NULL */
	bool in_list;
};

/* A resource, by its index: whether it has a node, and for how many dynamic names its anchors were
 * looked up. */
struct entered {
	uint32_t names;
	bool has_node;
};

struct compiler {
	struct schema *s;
	struct resources resources;
	struct error *error;
	bool assert_formats;
	bool check_defaults;
	ARRAY(struct origin) origins; /* as long as s->nodes */
	ARRAY(struct entered) entered;
	size_t entered_nodes;  /* nodes whose resources are marked */
	struct names by_place; /* address of a value and resource, to its node */
	struct names patterns; /* text to index */
};

/* The node whose keywords are being compiled. */
struct frame {
	uint32_t node;
	const json *schema;
	const struct resource *resource;
};

/* Pushes a zeroed item: a pointer to it, which holds until the next push, or NULL. */
#define PUSH(array)                                                                                \
	array_push(&(array).items, &(array).count, &(array).capacity, sizeof(*(array).items))
void *array_push(void *items, size_t *count, size_t *capacity, size_t size);

static inline struct node *frame_node(struct compiler *c, const struct frame *f)
{
	return &c->s->nodes.items[f->node];
}

/* Fail; the message names the place of the keyword. */
int compile_refuse(struct compiler *c, const struct frame *f, const char *keyword,
		   const char *format, ...) __attribute__((format(printf, 4, 5)));
int compile_no_memory(struct compiler *c);

/* The value of a keyword where it is there and the vocabulary in use; `ret_value` NULL is the value
 * null. */
bool compile_keyword(const struct frame *f, unsigned vocabulary, const char *keyword,
		     const json **ret_value);

/* The node of a subschema, made and queued where there is none yet. `name` may be NULL. */
int compile_node(struct compiler *c, const struct frame *f, const json *value, const char *keyword,
		 const char *name, uint32_t *ret_node);
/* Under a keyword whose value is one schema; NONE where it is not there. */
int compile_single(struct compiler *c, const struct frame *f, unsigned vocabulary,
		   const char *keyword, uint32_t *ret_node);
/* Under a keyword whose value is a list of schemas: their links. */
int compile_links(struct compiler *c, const struct frame *f, const json *list, const char *keyword,
		  uint32_t *ret_first, uint32_t *ret_count);

/* compile-rules.c: keywords that say something of one kind of value, and of single values. */
int compile_rules(struct compiler *c, const struct frame *f);
/* A count such as minItems; `any` becomes true where it is there. */
int compile_count(struct compiler *c, const struct frame *f, const char *keyword,
		  uint64_t *ret_count, bool *any);
int compile_pattern(struct compiler *c, const struct frame *f, const char *keyword,
		    const char *text, size_t length, uint32_t *ret_index);

/* compile-objects.c */
int compile_objects(struct compiler *c, const struct frame *f);

/* compile-finish.c: what can be told of the whole program. */
int compile_finish(struct compiler *c);

/* "#/properties/a", with its NUL in `size` bytes. */
void compile_place(const struct compiler *c, uint32_t node, char *ret_place, size_t size);

#endif
