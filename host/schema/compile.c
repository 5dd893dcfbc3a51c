/* SPDX-License-Identifier: MIT
 *
 * From a schema to its program. Subschemas are queued and not recursed into, so that depth costs no
 * stack.
 */
#include "schema/compile.h"

#include "base/array.h"
#include "schema/place.h"
#include "schema/problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_MOST ((size_t)64 * 1024 * 1024)

void *array_push(void *items, size_t *count, size_t *capacity, size_t size)
{
	char *array, *grown;

	memcpy(&array, items, sizeof(array));
	if (*count == *capacity) {
		size_t wider = *capacity ? 2 * *capacity : 8;

		grown = *count < UINT32_MAX / 4 ? realloc(array, wider * size) : NULL;
		if (!grown)
			return NULL;
		memcpy(items, &grown, sizeof(grown));
		array = grown;
		*capacity = wider;
	}
	return memset(array + size * (*count)++, 0, size);
}

/* ---- Errors ---------------------------------------------------------------------------- */

int compile_no_memory(struct compiler *c)
{
	return error_set(c->error, STATUS_INTERNAL, "no memory for the schema");
}

static void add_part(char *place, size_t size, const char *part)
{
	char escaped[128];
	struct place root = PLACE_ROOT, here = place_member(&root, part);
	size_t length = strlen(place);

	place_print(&here, escaped, sizeof(escaped));
	snprintf(place + length, size - length, "%s", escaped);
	problem_trim(place);
}

void compile_place(const struct compiler *c, uint32_t node, char *ret_place, size_t size)
{
	const struct origin *origin = &c->origins.items[node];
	char index[24];

	if (origin->reference || origin->parent == NONE) {
		problem_copy(ret_place, size / 2, origin->reference ? origin->reference : "#");
		return;
	}
	compile_place(c, origin->parent, ret_place, size);
	add_part(ret_place, size, origin->keyword);
	if (origin->name)
		add_part(ret_place, size, origin->name);
	if (origin->in_list) {
		snprintf(index, sizeof(index), "%zu", origin->index);
		add_part(ret_place, size, index);
	}
}

int compile_refuse(struct compiler *c, const struct frame *f, const char *keyword,
		   const char *format, ...)
{
	char place[400], reason[400];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	problem_trim(reason);
	compile_place(c, f->node, place, sizeof(place));
	add_part(place, sizeof(place), keyword);
	return error_set(c->error, STATUS_INPUT_INVALID, "%s %s", place, reason);
}

/* ---- Nodes ----------------------------------------------------------------------------- */

bool compile_keyword(const struct frame *f, unsigned vocabulary, const char *keyword,
		     const json **ret_value)
{
	*ret_value = NULL;
	if (!(f->resource->dialect.vocabularies & vocabulary) || !json_has(f->schema, keyword))
		return false;
	*ret_value = json_get(f->schema, keyword);
	return true;
}

/* A node for a value of a resource, empty until it is its turn. */
static int make_node(struct compiler *c, const struct origin *origin, uint32_t *ret_node)
{
	struct node *node;
	struct origin *kept;

	*ret_node = (uint32_t)c->s->nodes.count;
	if (*ret_node >= SCHEMA_NODES_MOST)
		return error_set(c->error, STATUS_INPUT_INVALID, "more than %d subschemas",
				 SCHEMA_NODES_MOST);
	if (!(node = PUSH(c->s->nodes)) || !(kept = PUSH(c->origins)))
		return compile_no_memory(c);
	*kept = *origin;
	*node = (struct node){
		.types = KINDS_ALL,
		.kinds = KINDS_ALL,
		.resource = origin->resource->index,
		.values = NONE,
		.constant = NONE,
		.number = NONE,
		.text = NONE,
		.list = NONE,
		.object = NONE,
		.unevaluated_items = NONE,
		.unevaluated_properties = NONE,
	};
	return STATUS_OK;
}

/* The node for `origin->value`, where `outer` is the resource around it. */
static int find_node(struct compiler *c, const struct frame *f, struct origin *origin,
		     const struct resource *outer, uint32_t *ret_node)
{
	struct {
		const void *value, *resource;
	} place = { origin->value, NULL };
	char *key;
	int r;

	if (json_kind(origin->value) != JSON_OBJECT && json_kind(origin->value) != JSON_BOOLEAN)
		return compile_refuse(c, f, origin->keyword, "has to be %s",
				      origin->name || origin->in_list
					      ? "made of schemas, each an object, true or false"
					      : "a schema: an object, true or false");
	origin->resource = resources_of(&c->resources, origin->value, outer);
	place.resource = origin->resource;
	*ret_node = names_find(&c->by_place, (const char *)&place, sizeof(place));
	if (*ret_node != NAMES_NONE)
		return STATUS_OK;
	if ((r = make_node(c, origin, ret_node)) != STATUS_OK)
		return r;
	if (!(key = arena_copy(&c->resources.arena, (const char *)&place, sizeof(place))) ||
	    !names_add(&c->by_place, key, sizeof(place), *ret_node))
		return compile_no_memory(c);
	return STATUS_OK;
}

int compile_node(struct compiler *c, const struct frame *f, const json *value, const char *keyword,
		 const char *name, uint32_t *ret_node)
{
	struct origin origin = {
		.value = value, .parent = f->node, .keyword = keyword, .name = name
	};

	return find_node(c, f, &origin, f->resource, ret_node);
}

static int compile_item_node(struct compiler *c, const struct frame *f, const json *value,
			     const char *keyword, size_t index, uint32_t *ret_node)
{
	struct origin origin = { .value = value,
				 .parent = f->node,
				 .keyword = keyword,
				 .index = index,
				 .in_list = true };

	return find_node(c, f, &origin, f->resource, ret_node);
}

int compile_single(struct compiler *c, const struct frame *f, unsigned vocabulary,
		   const char *keyword, uint32_t *ret_node)
{
	const json *value;

	*ret_node = NONE;
	if (!compile_keyword(f, vocabulary, keyword, &value))
		return STATUS_OK;
	return compile_node(c, f, value, keyword, NULL, ret_node);
}

int compile_links(struct compiler *c, const struct frame *f, const json *list, const char *keyword,
		  uint32_t *ret_first, uint32_t *ret_count)
{
	size_t count = json_count(list);
	uint32_t node;
	int r;

	if (json_kind(list) != JSON_LIST || json_packed(list, NULL))
		return compile_refuse(c, f, keyword, "has to be a list of schemas");
	*ret_first = (uint32_t)c->s->links.count;
	*ret_count = (uint32_t)count;
	for (size_t i = 0; i < count; i++) {
		uint32_t *link;

		if ((r = compile_item_node(c, f, json_peek(list, i), keyword, i, &node)) !=
		    STATUS_OK)
			return r;
		if (!(link = PUSH(c->s->links)))
			return compile_no_memory(c);
		*link = node;
	}
	return STATUS_OK;
}

/* ---- Keywords that apply schemas to the same value ------------------------------------- */

static int add_apply(struct compiler *c, enum apply_kind kind, uint32_t first, uint32_t count,
		     uint32_t anchor)
{
	struct apply *apply = PUSH(c->s->applies);

	if (!apply)
		return compile_no_memory(c);
	*apply = (struct apply){ .kind = kind, .first = first, .count = count, .anchor = anchor };
	return STATUS_OK;
}

static int add_single(struct compiler *c, enum apply_kind kind, uint32_t node, uint32_t anchor)
{
	uint32_t *link = PUSH(c->s->links);

	if (!link)
		return compile_no_memory(c);
	*link = node;
	return add_apply(c, kind, (uint32_t)c->s->links.count - 1, 1, anchor);
}

/* The number of a name that a $dynamicRef asks for. */
static int dynamic_name(struct compiler *c, const struct frame *f, const char *name,
			uint32_t *ret_index)
{
	const char **kept;

	for (*ret_index = 0; *ret_index < c->s->dynamic_names.count; ++*ret_index)
		if (!strcmp(c->s->dynamic_names.items[*ret_index], name))
			return STATUS_OK;
	if (*ret_index >= DYNAMIC_NAMES_MOST)
		return compile_refuse(c, f, "$dynamicRef", "is one of more than %d names",
				      DYNAMIC_NAMES_MOST);
	if (!(kept = PUSH(c->s->dynamic_names)) ||
	    !(*kept = arena_copy(&c->s->arena, name, strlen(name))))
		return compile_no_memory(c);
	return STATUS_OK;
}

static int compile_reference(struct compiler *c, const struct frame *f, const char *keyword,
			     bool dynamic)
{
	const json *value = json_get(f->schema, keyword);
	struct origin origin = { .parent = f->node, .keyword = keyword };
	struct error reason = ERROR_INIT;
	struct target target;
	uint32_t node, anchor = NONE;
	int r;

	if (!json_has(f->schema, keyword))
		return STATUS_OK;
	if (json_kind(value) != JSON_TEXT)
		return compile_refuse(c, f, keyword, "has to be a text");
	c->resources.error = &reason;
	r = resources_resolve(&c->resources, f->resource, json_text(value, NULL), &target);
	c->resources.error = c->error;
	if (r != STATUS_OK) {
		r = r == STATUS_INPUT_INVALID
			    ? compile_refuse(c, f, keyword, "leads nowhere: %s", reason.message)
			    : error_set(c->error, r, "%s", reason.message);
		error_clear(&reason);
		return r;
	}
	origin.value = target.value;
	origin.reference = json_text(value, NULL);
	if ((r = find_node(c, f, &origin, target.resource, &node)) != STATUS_OK)
		return r;
	if (dynamic && target.anchor && target.anchor->dynamic &&
	    (r = dynamic_name(c, f, target.anchor->name, &anchor)) != STATUS_OK)
		return r;
	return add_single(c, anchor == NONE ? APPLY_REF : APPLY_DYNAMIC_REF, node, anchor);
}

static int compile_list_applicators(struct compiler *c, const struct frame *f)
{
	static const struct {
		const char *keyword;
		enum apply_kind kind;
	} lists[] = { { "allOf", APPLY_ALL_OF },
		      { "anyOf", APPLY_ANY_OF },
		      { "oneOf", APPLY_ONE_OF } };
	uint32_t first, count;
	const json *value;
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		if (!compile_keyword(f, VOCABULARY_APPLICATOR, lists[i].keyword, &value))
			continue;
		if ((r = compile_links(c, f, value, lists[i].keyword, &first, &count)) != STATUS_OK)
			return r;
		if (!count)
			return compile_refuse(c, f, lists[i].keyword,
					      "has to name at least one schema");
		if ((r = add_apply(c, lists[i].kind, first, count, NONE)) != STATUS_OK)
			return r;
	}
	return STATUS_OK;
}

static int compile_if(struct compiler *c, const struct frame *f)
{
	static const char *const keywords[] = { "if", "then", "else" };
	uint32_t first = (uint32_t)c->s->links.count, nodes[3], *link;
	int r;

	for (size_t i = 0; i < 3; i++)
		if ((r = compile_single(c, f, VOCABULARY_APPLICATOR, keywords[i], &nodes[i])) !=
		    STATUS_OK)
			return r;
	if (nodes[0] == NONE)
		return STATUS_OK;
	for (size_t i = 0; i < 3; i++) {
		if (!(link = PUSH(c->s->links)))
			return compile_no_memory(c);
		*link = nodes[i];
	}
	return add_apply(c, APPLY_IF, first, 3, NONE);
}

static int compile_applicators(struct compiler *c, const struct frame *f)
{
	bool draft7 = f->resource->dialect.draft7;
	uint32_t node;
	int r;

	frame_node(c, f)->apply_first = (uint32_t)c->s->applies.count;
	if ((r = compile_reference(c, f, "$ref", false)) != STATUS_OK ||
	    (!draft7 && (r = compile_reference(c, f, "$dynamicRef", true)) != STATUS_OK))
		return r;
	if (!draft7 || !json_has(f->schema, "$ref")) {
		if ((r = compile_list_applicators(c, f)) != STATUS_OK ||
		    (r = compile_single(c, f, VOCABULARY_APPLICATOR, "not", &node)) != STATUS_OK ||
		    (node != NONE && (r = add_single(c, APPLY_NOT, node, NONE)) != STATUS_OK) ||
		    (r = compile_if(c, f)) != STATUS_OK)
			return r;
	}
	frame_node(c, f)->apply_count = (uint32_t)c->s->applies.count -
					frame_node(c, f)->apply_first;
	return STATUS_OK;
}

/* ---- The queue ------------------------------------------------------------------------- */

static int compile_subschema(struct compiler *c, uint32_t index)
{
	const struct origin *origin = &c->origins.items[index];
	struct frame f = { .node = index, .schema = origin->value, .resource = origin->resource };
	int r;

	if (json_kind(f.schema) == JSON_BOOLEAN) {
		frame_node(c, &f)->refuses = !json_boolean(f.schema);
		return STATUS_OK;
	}
	if ((r = compile_applicators(c, &f)) != STATUS_OK)
		return r;
	/* In draft-07 a $ref stands alone. */
	if (f.resource->dialect.draft7 && json_has(f.schema, "$ref"))
		return STATUS_OK;
	return compile_rules(c, &f);
}

/* The anchor of a resource that a $dynamicRef to `name` may find at run time, where it has one. */
static int queue_dynamic_anchor(struct compiler *c, const struct resource *resource, uint32_t name)
{
	struct origin origin = { .parent = NONE, .reference = c->s->dynamic_names.items[name] };
	struct frame f = { .resource = resource };
	const struct anchor *anchor =
		resources_dynamic_anchor(&c->resources, resource, origin.reference);
	struct dynamic_anchor *kept;
	uint32_t node;
	int r;

	if (!anchor)
		return STATUS_OK;
	origin.value = anchor->value;
	if ((r = find_node(c, &f, &origin, resource, &node)) != STATUS_OK)
		return r;
	if (!(kept = PUSH(c->s->dynamic_anchors)))
		return compile_no_memory(c);
	*kept = (struct dynamic_anchor){ resource->index, name, node };
	return STATUS_OK;
}

/* The same for every name and every resource that has a node, each pair once. */
static int queue_dynamic_anchors(struct compiler *c)
{
	int r = STATUS_OK;

	for (; c->entered_nodes < c->s->nodes.count; c->entered_nodes++) {
		uint32_t index = c->s->nodes.items[c->entered_nodes].resource;

		while (c->entered.count <= index)
			if (!PUSH(c->entered))
				return compile_no_memory(c);
		c->entered.items[index].has_node = true;
	}
	for (size_t i = 0; i < c->entered.count; i++)
		while (r == STATUS_OK && c->entered.items[i].has_node &&
		       c->entered.items[i].names < c->s->dynamic_names.count)
			r = queue_dynamic_anchor(c, c->resources.items[i],
						 c->entered.items[i].names++);
	return r;
}

static int compile_all(struct compiler *c, const json *schema)
{
	struct origin root = { .value = schema, .parent = NONE };
	struct frame f = { .node = 0 };
	uint32_t node;
	int r;

	root.resource = c->resources.items[0];
	if (json_kind(schema) != JSON_OBJECT && json_kind(schema) != JSON_BOOLEAN)
		return error_set(c->error, STATUS_INPUT_INVALID,
				 "# has to be a schema: an object, true or false");
	r = find_node(c, &f, &root, root.resource, &node);
	for (size_t next = 0; r == STATUS_OK && next < c->s->nodes.count;) {
		r = compile_subschema(c, (uint32_t)next++);
		if (r == STATUS_OK && next == c->s->nodes.count)
			r = queue_dynamic_anchors(c);
	}
	return r == STATUS_OK ? compile_finish(c) : r;
}

int schema_compile(const json *schema, const struct schema_options *options,
		   struct schema **ret_schema, struct error *error)
{
	struct compiler c = {
		.error = error,
		.assert_formats = options && options->assert_formats,
		.check_defaults = options && options->check_defaults,
	};
	int r;

	*ret_schema = NULL;
	if (!(c.s = calloc(1, sizeof(*c.s))))
		return compile_no_memory(&c);
	arena_init(&c.s->arena, KEYS_MOST);
	c.s->key = hash_key();
	c.s->refuse_beyond_64 = options && options->refuse_beyond_64;
	if ((r = resources_init(&c.resources, schema, options, error)) == STATUS_OK)
		r = compile_all(&c, schema);
	if (r == STATUS_OK)
		*ret_schema = c.s;
	else
		schema_free(c.s);
	resources_free(&c.resources);
	names_free(&c.by_place);
	names_free(&c.patterns);
	free(c.origins.items);
	free(c.entered.items);
	return r;
}

void schema_free(struct schema *schema)
{
	if (!schema)
		return;
	for (size_t i = 0; i < schema->values.count; i++)
		json_drop(schema->values.items[i].value);
	for (size_t i = 0; i < schema->patterns.count; i++)
		pattern_free(schema->patterns.items[i]);
	for (size_t i = 0; i < schema->nodes.count; i++)
		json_drop(schema->nodes.items[i].fallback);
	free(schema->nodes.items);
	free(schema->numbers.items);
	free(schema->texts.items);
	free(schema->lists.items);
	free(schema->objects.items);
	free(schema->properties.items);
	free(schema->sorted.items);
	free(schema->pattern_properties.items);
	free(schema->dependencies.items);
	free(schema->required_keys.items);
	free(schema->applies.items);
	free(schema->links.items);
	free(schema->sets.items);
	free(schema->values.items);
	free(schema->patterns.items);
	free(schema->dynamic_names.items);
	free(schema->dynamic_anchors.items);
	arena_free(&schema->arena);
	free(schema);
}
