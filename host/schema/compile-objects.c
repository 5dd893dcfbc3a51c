/* SPDX-License-Identifier: MIT
 *
 * Keywords that say something of objects.
 */
#include "schema/compile.h"

#include <stdlib.h>
#include <string.h>

/* Rules of more properties than this are searched by key. */
#define FEW 8

static const char *keep_key(struct compiler *c, const char *key)
{
	return arena_copy(&c->s->arena, key, strlen(key));
}

static int add_property(struct compiler *c, struct object_rule *rule, struct names *keys,
			const char *key, struct property **ret_property)
{
	uint32_t index = names_find(keys, key, strlen(key));
	struct property *property;
	const char *kept;

	if (index != NAMES_NONE) {
		*ret_property = &c->s->properties.items[rule->property_first + index];
		return STATUS_OK;
	}
	if (!(kept = keep_key(c, key)) || !(property = PUSH(c->s->properties)) ||
	    !names_add(keys, kept, strlen(kept), rule->property_count))
		return compile_no_memory(c);
	rule->property_count++;
	*property =
		(struct property){ .key = kept, .length = (uint32_t)strlen(kept), .node = NONE };
	*ret_property = property;
	return STATUS_OK;
}

static int compile_required(struct compiler *c, const struct frame *f, struct object_rule *rule,
			    struct names *keys)
{
	struct property *property;
	const json *value;
	int r;

	if (!compile_keyword(f, VOCABULARY_VALIDATION, "required", &value))
		return STATUS_OK;
	if (json_kind(value) != JSON_LIST)
		return compile_refuse(c, f, "required", "has to be a list of keys");
	for (size_t i = 0; i < json_count(value); i++) {
		const json *key = json_peek(value, i);

		if (json_kind(key) != JSON_TEXT)
			return compile_refuse(c, f, "required",
					      "has to be a list of keys, which are texts");
		if ((r = add_property(c, rule, keys, json_text(key, NULL), &property)) != STATUS_OK)
			return r;
		rule->required_count += !property->required;
		property->required = true;
	}
	return STATUS_OK;
}

static int compile_properties(struct compiler *c, const struct frame *f, struct object_rule *rule,
			      struct names *keys)
{
	struct property *property;
	struct json_member m;
	const json *value;
	uint32_t node;
	int r;

	if (!compile_keyword(f, VOCABULARY_APPLICATOR, "properties", &value))
		return STATUS_OK;
	if (json_kind(value) != JSON_OBJECT)
		return compile_refuse(c, f, "properties", "has to be an object of schemas");
	for (bool more = json_first(value, &m); more; more = json_next(&m)) {
		if ((r = compile_node(c, f, m.value, "properties", m.key, &node)) != STATUS_OK ||
		    (r = add_property(c, rule, keys, m.key, &property)) != STATUS_OK)
			return r;
		property->node = node;
	}
	return STATUS_OK;
}

static int compile_patterns(struct compiler *c, const struct frame *f, struct object_rule *rule)
{
	struct pattern_property *kept;
	struct json_member m;
	const json *value;
	uint32_t node, pattern;
	int r;

	if (!compile_keyword(f, VOCABULARY_APPLICATOR, "patternProperties", &value))
		return STATUS_OK;
	if (json_kind(value) != JSON_OBJECT)
		return compile_refuse(c, f, "patternProperties", "has to be an object of schemas");
	for (bool more = json_first(value, &m); more; more = json_next(&m)) {
		if ((r = compile_node(c, f, m.value, "patternProperties", m.key, &node)) !=
			    STATUS_OK ||
		    (r = compile_pattern(c, f, "patternProperties", m.key, strlen(m.key),
					 &pattern)) != STATUS_OK)
			return r;
		if (!(kept = PUSH(c->s->pattern_properties)))
			return compile_no_memory(c);
		*kept = (struct pattern_property){ .pattern = pattern, .node = node };
		rule->pattern_count++;
	}
	return STATUS_OK;
}

static int add_required_keys(struct compiler *c, const struct frame *f, const char *keyword,
			     const json *list, struct dependency *dependency)
{
	dependency->required_first = (uint32_t)c->s->required_keys.count;
	for (size_t i = 0; i < json_count(list); i++) {
		const json *key = json_peek(list, i);
		const char **kept;

		if (json_kind(key) != JSON_TEXT)
			return compile_refuse(c, f, keyword,
					      "has to hold lists of keys, which are texts");
		if (!(kept = PUSH(c->s->required_keys)) ||
		    !(*kept = keep_key(c, json_text(key, NULL))))
			return compile_no_memory(c);
		dependency->required_count++;
	}
	return STATUS_OK;
}

/* dependentRequired and dependentSchemas, and dependencies, whose entries are one or the other. */
static int compile_dependencies(struct compiler *c, const struct frame *f, struct object_rule *rule,
				unsigned vocabulary, const char *keyword)
{
	struct json_member m;
	const json *value;
	int r;

	if (!compile_keyword(f, vocabulary, keyword, &value))
		return STATUS_OK;
	if (json_kind(value) != JSON_OBJECT)
		return compile_refuse(c, f, keyword, "has to be an object");
	for (bool more = json_first(value, &m); more; more = json_next(&m)) {
		struct dependency dependency = { .keyword = keyword, .node = NONE }, *kept;
		bool list = json_kind(m.value) == JSON_LIST;

		if (!(dependency.key = keep_key(c, m.key)))
			return compile_no_memory(c);
		if (list ? !strcmp(keyword, "dependentSchemas")
			 : !strcmp(keyword, "dependentRequired"))
			return compile_refuse(c, f, keyword, "has to hold %s",
					      list ? "schemas" : "lists of keys");
		r = list ? add_required_keys(c, f, keyword, m.value, &dependency)
			 : compile_node(c, f, m.value, keyword, m.key, &dependency.node);
		if (r != STATUS_OK)
			return r;
		if (!(kept = PUSH(c->s->dependencies)))
			return compile_no_memory(c);
		*kept = dependency;
		rule->dependency_count++;
	}
	return STATUS_OK;
}

/* For qsort(), which takes no context. */
struct sort_entry {
	const char *key;
	uint32_t index;
};

static int compare_key(const void *a, const void *b)
{
	return strcmp(((const struct sort_entry *)a)->key, ((const struct sort_entry *)b)->key);
}

static int sort_properties(struct compiler *c, struct object_rule *rule)
{
	struct sort_entry *entries;
	uint32_t *sorted = NULL;

	rule->sorted_first = NONE;
	if (rule->property_count <= FEW)
		return STATUS_OK;
	if (!(entries = calloc(rule->property_count, sizeof(*entries))))
		return compile_no_memory(c);
	for (uint32_t i = 0; i < rule->property_count; i++) {
		entries[i].key = c->s->properties.items[rule->property_first + i].key;
		entries[i].index = rule->property_first + i;
	}
	qsort(entries, rule->property_count, sizeof(*entries), compare_key);
	rule->sorted_first = (uint32_t)c->s->sorted.count;
	for (uint32_t i = 0; i < rule->property_count; i++) {
		if (!(sorted = PUSH(c->s->sorted)))
			break;
		*sorted = entries[i].index;
	}
	free(entries);
	return sorted ? STATUS_OK : compile_no_memory(c);
}

static int compile_object_parts(struct compiler *c, const struct frame *f, struct object_rule *rule,
				struct names *keys)
{
	bool draft7 = f->resource->dialect.draft7;
	int r;

	if ((r = compile_properties(c, f, rule, keys)) != STATUS_OK ||
	    (r = compile_required(c, f, rule, keys)) != STATUS_OK ||
	    (r = sort_properties(c, rule)) != STATUS_OK ||
	    (r = compile_patterns(c, f, rule)) != STATUS_OK ||
	    (r = compile_single(c, f, VOCABULARY_APPLICATOR, "additionalProperties",
				&rule->additional)) != STATUS_OK ||
	    (r = compile_single(c, f, VOCABULARY_APPLICATOR, "propertyNames", &rule->names)) !=
		    STATUS_OK ||
	    (r = compile_dependencies(c, f, rule, VOCABULARY_APPLICATOR, "dependencies")) !=
		    STATUS_OK ||
	    draft7)
		return r;
	if ((r = compile_dependencies(c, f, rule, VOCABULARY_VALIDATION, "dependentRequired")) !=
	    STATUS_OK)
		return r;
	return compile_dependencies(c, f, rule, VOCABULARY_APPLICATOR, "dependentSchemas");
}

int compile_objects(struct compiler *c, const struct frame *f)
{
	struct object_rule rule = {
		.max_properties = UINT64_MAX,
		.additional = NONE,
		.names = NONE,
		.property_first = (uint32_t)c->s->properties.count,
		.pattern_first = (uint32_t)c->s->pattern_properties.count,
		.dependency_first = (uint32_t)c->s->dependencies.count,
	};
	struct object_rule *kept;
	struct names keys = { 0 };
	bool any = false;
	int r;

	r = compile_object_parts(c, f, &rule, &keys);
	names_free(&keys);
	if (r != STATUS_OK ||
	    (r = compile_count(c, f, "minProperties", &rule.min_properties, &any)) != STATUS_OK ||
	    (r = compile_count(c, f, "maxProperties", &rule.max_properties, &any)) != STATUS_OK)
		return r;
	if (!any && !rule.property_count && !rule.pattern_count && !rule.dependency_count &&
	    rule.additional == NONE && rule.names == NONE)
		return STATUS_OK;
	frame_node(c, f)->object = (uint32_t)c->s->objects.count;
	if (!(kept = PUSH(c->s->objects)))
		return compile_no_memory(c);
	*kept = rule;
	return STATUS_OK;
}
