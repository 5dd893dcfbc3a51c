/* SPDX-License-Identifier: MIT
 *
 * What can be told of the whole program: that no value is met by a node again without end, and
 * which kinds of values each node can take.
 */
#include "schema/compile.h"

#include <stdlib.h>

/* The k-th node that node `n` applies to the value that it is given itself; false: there are no
 * more. *ret_node may be NONE. What a $dynamicRef leads to is not known yet; that one is stopped by
 * the bound on depth. */
static bool successor(const struct schema *s, uint32_t n, uint32_t k, uint32_t *ret_node)
{
	const struct node *node = &s->nodes.items[n];
	const struct object_rule *rule;

	for (uint32_t i = 0; i < node->apply_count; i++) {
		const struct apply *apply = &s->applies.items[node->apply_first + i];

		if (apply->kind == APPLY_DYNAMIC_REF)
			continue;
		if (k < apply->count) {
			*ret_node = s->links.items[apply->first + k];
			return true;
		}
		k -= apply->count;
	}
	if (node->object == NONE)
		return false;
	rule = &s->objects.items[node->object];
	if (k >= rule->dependency_count)
		return false;
	*ret_node = s->dependencies.items[rule->dependency_first + k].node;
	return true;
}

/* ---- Kinds ----------------------------------------------------------------------------- */

static unsigned set_kinds(const struct schema *s, uint32_t set)
{
	unsigned kinds = 0;

	for (uint32_t i = 0; i < s->sets.items[set].count; i++)
		kinds |= KIND_BIT(json_kind(s->values.items[s->sets.items[set].first + i].value));
	/* 1 equals 1.0. */
	return kinds & KINDS_NUMBER ? kinds | KINDS_NUMBER : kinds;
}

static unsigned apply_kinds(const struct schema *s, const struct apply *apply)
{
	unsigned all = KINDS_ALL, some = 0;

	for (uint32_t i = 0; i < apply->count; i++) {
		uint32_t link = s->links.items[apply->first + i];
		unsigned kinds = link == NONE ? KINDS_ALL : s->nodes.items[link].kinds;

		all &= kinds;
		some |= kinds;
	}
	switch (apply->kind) {
	case APPLY_REF:
	case APPLY_ALL_OF:
		return all;
	case APPLY_ANY_OF:
	case APPLY_ONE_OF:
		return some;
	default:
		return KINDS_ALL;
	}
}

/* Once those of its successors are known. */
static void find_kinds(struct schema *s, uint32_t n)
{
	struct node *node = &s->nodes.items[n];
	unsigned kinds = node->refuses ? 0 : node->types;

	if (node->values != NONE)
		kinds &= set_kinds(s, node->values);
	if (node->constant != NONE)
		kinds &= set_kinds(s, node->constant);
	for (uint32_t i = 0; i < node->apply_count; i++)
		kinds &= apply_kinds(s, &s->applies.items[node->apply_first + i]);
	node->kinds = (uint16_t)kinds;
	node->plain = !node->refuses && node->values == NONE && node->constant == NONE &&
		      !node->apply_count;
}

/* ---- Circles --------------------------------------------------------------------------- */

enum mark { MARK_NEW, MARK_OPEN, MARK_DONE };

struct walk {
	uint32_t node;
	uint32_t next; /* successor to look at */
};

static int refuse_circle(struct compiler *c, uint32_t node)
{
	char place[400];

	compile_place(c, node, place, sizeof(place));
	return error_set(
		c->error, STATUS_INPUT_INVALID,
		"%s leads back to itself without going into the value: its references have no end",
		place);
}

/* Depth first from one node, with a stack of its own since chains may be as long as there are
 * nodes. */
static int walk_from(struct compiler *c, uint32_t start, unsigned char *marks, struct walk *stack)
{
	size_t depth = 0;

	stack[depth++] = (struct walk){ start, 0 };
	marks[start] = MARK_OPEN;
	while (depth) {
		struct walk *top = &stack[depth - 1];
		uint32_t next;

		if (!successor(c->s, top->node, top->next++, &next)) {
			find_kinds(c->s, top->node);
			marks[top->node] = MARK_DONE;
			depth--;
		} else if (next != NONE && marks[next] == MARK_OPEN) {
			return refuse_circle(c, next);
		} else if (next != NONE && marks[next] == MARK_NEW) {
			marks[next] = MARK_OPEN;
			stack[depth++] = (struct walk){ next, 0 };
		}
	}
	return STATUS_OK;
}

/* ---- Defaults -------------------------------------------------------------------------- */

static int check_default(struct compiler *c, uint32_t n)
{
	const json *fallback = c->s->nodes.items[n].fallback;
	struct frame f = { .node = n };
	struct schema_problems problems;

	if (!fallback || program_validate(c->s, n, fallback, &problems))
		return STATUS_OK;
	return compile_refuse(c, &f, "default",
			      "does not fit its own schema: %s%sexpected %s, found %s",
			      problems.items[0].path, *problems.items[0].path ? ": " : "",
			      problems.items[0].expected, problems.items[0].found);
}

int compile_finish(struct compiler *c)
{
	size_t count = c->s->nodes.count;
	unsigned char *marks = calloc(count, 1);
	struct walk *stack = calloc(count, sizeof(*stack));
	int r = marks && stack ? STATUS_OK : compile_no_memory(c);

	for (uint32_t n = 0; n < count && r == STATUS_OK; n++)
		if (marks[n] == MARK_NEW)
			r = walk_from(c, n, marks, stack);
	for (uint32_t n = 0; n < count && r == STATUS_OK && c->check_defaults; n++)
		r = check_default(c, n);
	free(marks);
	free(stack);
	return r;
}
