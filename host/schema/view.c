/* SPDX-License-Identifier: MIT */
#include "schema/view.h"

#include "schema/evaluate.h"
#include "schema/number.h"

#include <string.h>

#define BRANCHES_MOST 64 /* of which one is looked for, at every place of a value */
#define KEYS_MOST 64	 /* of an object that are looked at to see whether it is known */

static void add_node(struct schema_view *view, uint32_t node)
{
	for (size_t i = 0; i < view->count; i++)
		if (view->nodes[i] == node)
			return;
	/* Of more than there is room for, the rest is not known, which leaves all as it is. */
	if (view->count < VIEW_NODES)
		view->nodes[view->count++] = node;
}

/* The one branch that takes one of the kinds; NONE: there are none or several. */
static uint32_t only_branch(const struct schema *s, const struct apply *apply, unsigned kinds)
{
	uint32_t found = NONE;

	if (apply->count > BRANCHES_MOST)
		return NONE;
	for (uint32_t i = 0; i < apply->count; i++) {
		uint32_t link = s->links.items[apply->first + i];

		if (!(s->nodes.items[link].kinds & kinds))
			continue;
		if (found != NONE)
			return NONE;
		found = link;
	}
	return found;
}

/* Adds what else holds for a value of one of the kinds where the nodes of the view hold. */
static void expand(struct schema_view *view, unsigned kinds)
{
	const struct schema *s = view->schema;

	for (size_t i = 0; i < view->count; i++) {
		const struct node *node = &s->nodes.items[view->nodes[i]];

		for (uint32_t j = 0; j < node->apply_count; j++) {
			const struct apply *apply = &s->applies.items[node->apply_first + j];
			uint32_t branch;

			if (apply->kind == APPLY_REF || apply->kind == APPLY_ALL_OF)
				for (uint32_t k = 0; k < apply->count; k++)
					add_node(view, s->links.items[apply->first + k]);
			if (apply->kind != APPLY_ANY_OF && apply->kind != APPLY_ONE_OF)
				continue;
			if ((branch = only_branch(s, apply, kinds)) != NONE)
				add_node(view, branch);
		}
	}
}

/* The kinds of all nodes that hold here. */
static void find_kinds(struct schema_view *view)
{
	view->kinds = KINDS_ALL;
	for (size_t i = 0; i < view->count; i++)
		view->kinds &= view->schema->nodes.items[view->nodes[i]].kinds;
}

void schema_view(const struct schema *schema, struct pattern_work *work,
		 struct schema_view *ret_view)
{
	*ret_view = (struct schema_view){ .schema = schema, .work = work, .count = 1 };
	find_kinds(ret_view);
}

/* Adds what patterns say of a key. True where one matches, or where that cannot be told. */
static bool add_patterns(struct schema_view *view, const struct object_rule *rule, const char *key)
{
	const struct schema *s = view->schema;
	bool matched = false;

	for (uint32_t i = 0; i < rule->pattern_count; i++) {
		const struct pattern_property *p =
			&s->pattern_properties.items[rule->pattern_first + i];
		enum pattern_verdict verdict = PATTERN_LIMIT;

		if (view->work)
			verdict = pattern_match(s->patterns.items[p->pattern], view->work, key,
						strlen(key));
		if (verdict == PATTERN_MATCH)
			add_node(view, p->node);
		matched |= verdict != PATTERN_NO_MATCH;
	}
	return matched;
}

void schema_view_member(const struct schema_view *view, const char *key,
			struct schema_view *ret_view)
{
	const struct schema *s = view->schema;
	struct schema_view here = *view;

	*ret_view = (struct schema_view){ .schema = s, .work = view->work };
	expand(&here, KIND_BIT(JSON_OBJECT));
	for (size_t i = 0; i < here.count; i++) {
		const struct node *node = &s->nodes.items[here.nodes[i]];
		const struct object_rule *rule;
		const struct property *property;
		bool matched;

		if (node->object == NONE)
			continue;
		rule = &s->objects.items[node->object];
		property = program_property(s, rule, key, strlen(key), 0);
		ret_view->required |= property && property->required;
		matched = add_patterns(ret_view, rule, key);
		if (property && property->node != NONE) {
			add_node(ret_view, property->node);
			ret_view->declared = true;
		} else if (rule->additional != NONE && !matched) {
			add_node(ret_view, rule->additional);
		}
	}
	find_kinds(ret_view);
}

void schema_view_item(const struct schema_view *view, size_t index, struct schema_view *ret_view)
{
	const struct schema *s = view->schema;
	struct schema_view here = *view;

	*ret_view = (struct schema_view){ .schema = s, .work = view->work };
	expand(&here, KIND_BIT(JSON_LIST));
	for (size_t i = 0; i < here.count; i++) {
		const struct node *node = &s->nodes.items[here.nodes[i]];
		const struct list_rule *rule;

		if (node->list == NONE)
			continue;
		rule = &s->lists.items[node->list];
		if (index < rule->prefix_count)
			add_node(ret_view, s->links.items[rule->prefix_first + index]);
		else if (rule->rest != NONE)
			add_node(ret_view, rule->rest);
	}
	find_kinds(ret_view);
}

bool schema_view_takes(const struct schema_view *view, const json *value)
{
	enum json_kind kind = json_kind(value);

	if (kind == JSON_NUMBER && !(view->kinds & KIND_BIT(JSON_NUMBER)))
		return view->kinds & KIND_BIT(JSON_INTEGER) && number_is_whole(json_number(value));
	return view->kinds & KIND_BIT(kind);
}

const json *schema_view_default(const struct schema_view *view)
{
	struct schema_view here = *view;

	/* A $ref may lead to it; there is no value yet, so of several branches none is meant. */
	expand(&here, 0);
	for (size_t i = 0; i < here.count; i++)
		if (view->schema->nodes.items[here.nodes[i]].fallback)
			return view->schema->nodes.items[here.nodes[i]].fallback;
	return NULL;
}

bool schema_view_knows(const struct schema_view *view, const json *object)
{
	const struct schema *s = view->schema;
	struct schema_view here = *view;
	bool names_any = false;

	expand(&here, KIND_BIT(JSON_OBJECT));
	for (size_t i = 0; i < here.count; i++) {
		const struct node *node = &s->nodes.items[here.nodes[i]];
		const struct object_rule *rule =
			node->object == NONE ? NULL : &s->objects.items[node->object];
		struct json_member m;
		size_t looked_at = 0;

		if (!rule)
			continue;
		if (rule->pattern_count)
			return true;
		names_any |= rule->property_count > 0;
		for (bool more = json_first(object, &m); more && looked_at++ < KEYS_MOST;
		     more = json_next(&m))
			if (program_property(s, rule, m.key, strlen(m.key), 0))
				return true;
	}
	return !names_any;
}

void schema_view_keys(const struct schema_view *view, void (*visit)(void *context, const char *key),
		      void *context)
{
	const struct schema *s = view->schema;
	struct schema_view here = *view;

	expand(&here, KIND_BIT(JSON_OBJECT));
	for (size_t i = 0; i < here.count; i++) {
		const struct node *node = &s->nodes.items[here.nodes[i]];
		const struct object_rule *rule =
			node->object == NONE ? NULL : &s->objects.items[node->object];

		for (uint32_t j = 0; rule && j < rule->property_count; j++)
			if (s->properties.items[rule->property_first + j].node != NONE)
				visit(context, s->properties.items[rule->property_first + j].key);
	}
}
