/* SPDX-License-Identifier: MIT
 *
 * Runs the program of a schema on a value.
 *
 * First for the verdict alone, which stops at the first fault; then, where that is wanted and the
 * value is not valid, once more to tell what is wrong.
 */
#include "schema/evaluate.h"

#include "schema/number.h"

#include <stdio.h>
#include <string.h>

/* What a match costs beside its own account. */
#define STEPS_A_MATCH 16
#define BYTES_A_STEP 2
#define ANCHORS_A_STEP 8

struct instance instance_of(const json *value)
{
	struct instance in = { .value = value, .kind = json_kind(value) };

	if (in.kind == JSON_INTEGER || in.kind == JSON_NUMBER)
		in.number = json_number(value);
	else if (in.kind == JSON_TEXT)
		in.text = json_text(value, &in.length);
	return in;
}

bool run_stop(struct run *run, const char *bound)
{
	if (!run->bound)
		run->bound = bound;
	return false;
}

bool run_charge(struct run *run, uint64_t steps)
{
	if (run->bound)
		return false;
	if (run->steps < steps)
		return run_stop(run, "its work");
	run->steps -= steps;
	return true;
}

enum pattern_verdict run_match(struct run *run, uint32_t pattern, const char *text, size_t length)
{
	enum pattern_verdict verdict = PATTERN_LIMIT;

	if (run_charge(run, STEPS_A_MATCH + length / BYTES_A_STEP))
		verdict = pattern_match(run->s->patterns.items[pattern], &run->work, text, length);
	if (verdict == PATTERN_LIMIT)
		run_stop(run, "the work of regular expressions");
	return verdict;
}

/* ---- In place applicators -------------------------------------------------------------- */

/* Evaluates a branch whose failure is not the end: what it has looked at counts only if it is
 * valid. */
static bool try_branch(struct run *run, uint32_t node, const struct instance *in,
		       const struct place *place, struct seen *seen)
{
	struct schema_problems *problems = run->problems;
	struct seen own;
	bool good;

	run->problems = NULL;
	if (!seen) {
		good = evaluate(run, node, in, place, NULL);
	} else if ((good = seen_init(&own, run, in))) {
		good = evaluate(run, node, in, place, &own);
		if (good)
			seen_merge(seen, &own);
		seen_free(&own);
	}
	run->problems = problems;
	return good && !run->bound;
}

static uint32_t dynamic_target(struct run *run, const struct apply *apply)
{
	const struct schema *s = run->s;
	uint32_t found = s->links.items[apply->first];

	/* The outermost resource that has the anchor is the one that counts. */
	for (const struct scope *scope = run->scope;
	     scope && run_charge(run, s->dynamic_anchors.count / ANCHORS_A_STEP);
	     scope = scope->outer)
		for (size_t i = 0; i < s->dynamic_anchors.count; i++)
			if (s->dynamic_anchors.items[i].resource == scope->resource &&
			    s->dynamic_anchors.items[i].name == apply->anchor)
				found = s->dynamic_anchors.items[i].node;
	return found;
}

static bool check_all_of(struct run *run, const uint32_t *nodes, uint32_t count,
			 const struct instance *in, const struct place *place, struct seen *seen)
{
	bool good = true;

	for (uint32_t i = 0; i < count && (good || run->problems); i++)
		good &= evaluate(run, nodes[i], in, place, seen);
	return good;
}

static bool check_any_of(struct run *run, const struct apply *apply, const struct instance *in,
			 const struct place *place, struct seen *seen)
{
	const uint32_t *nodes = run->s->links.items + apply->first;
	bool good = false;

	/* Where it matters what was looked at, every branch that is valid counts. */
	for (uint32_t i = 0; i < apply->count && (!good || seen); i++)
		good |= try_branch(run, nodes[i], in, place, seen);
	if (!good)
		explain_branches(run, apply, "anyOf", in, place);
	return good;
}

static bool check_one_of(struct run *run, const struct apply *apply, const struct instance *in,
			 const struct place *place, struct seen *seen)
{
	const uint32_t *nodes = run->s->links.items + apply->first;
	uint32_t first = NONE;

	for (uint32_t i = 0; i < apply->count; i++) {
		if (!try_branch(run, nodes[i], in, place, first == NONE ? seen : NULL))
			continue;
		if (first != NONE) {
			explain(run, place, "oneOf", in,
				"a value that fits exactly one of %u alternatives; it fits number "
				"%u and number %u",
				apply->count, first + 1, i + 1);
			return false;
		}
		first = i;
	}
	if (first == NONE)
		explain_branches(run, apply, "oneOf", in, place);
	return first != NONE;
}

static bool check_if(struct run *run, const struct apply *apply, const struct instance *in,
		     const struct place *place, struct seen *seen)
{
	const uint32_t *nodes = run->s->links.items + apply->first;
	uint32_t chosen = try_branch(run, nodes[0], in, place, seen) ? nodes[1] : nodes[2];

	return chosen == NONE || evaluate(run, chosen, in, place, seen);
}

static bool check_not(struct run *run, uint32_t node, const struct instance *in,
		      const struct place *place)
{
	if (!try_branch(run, node, in, place, NULL))
		return !run->bound;
	explain(run, place, "not", in, "a value that the schema under \"not\" does not take");
	return false;
}

static bool check_apply(struct run *run, const struct apply *apply, const struct instance *in,
			const struct place *place, struct seen *seen)
{
	const uint32_t *nodes = run->s->links.items + apply->first;

	switch (apply->kind) {
	case APPLY_REF:
	case APPLY_ALL_OF:
		return check_all_of(run, nodes, apply->count, in, place, seen);
	case APPLY_DYNAMIC_REF:
		return evaluate(run, dynamic_target(run, apply), in, place, seen);
	case APPLY_ANY_OF:
		return check_any_of(run, apply, in, place, seen);
	case APPLY_ONE_OF:
		return check_one_of(run, apply, in, place, seen);
	case APPLY_NOT:
		return check_not(run, nodes[0], in, place);
	default:
		return check_if(run, apply, in, place, seen);
	}
}

/* ---- Nodes ----------------------------------------------------------------------------- */

static bool type_fits(const struct schema *s, unsigned types, const struct instance *in)
{
	if (types & KIND_BIT(in->kind))
		return true;
	/* 1.0 is an integer, and an integer is a number. */
	if (in->kind == JSON_NUMBER)
		return types & KIND_BIT(JSON_INTEGER) && number_is_whole(in->number) &&
		       !(s->refuse_beyond_64 && number_is_beyond_64(in->number));
	return in->kind == JSON_INTEGER && types & KIND_BIT(JSON_NUMBER);
}

static bool check_kind(struct run *run, const struct node *node, const struct instance *in,
		       const struct place *place, struct seen *seen)
{
	const struct schema *s = run->s;

	switch (in->kind) {
	case JSON_INTEGER:
	case JSON_NUMBER:
		return node->number == NONE ||
		       check_number(run, &s->numbers.items[node->number], in, place);
	case JSON_TEXT:
		return node->text == NONE ||
		       check_text(run, &s->texts.items[node->text], in, place);
	case JSON_LIST:
		return node->list == NONE ||
		       check_list(run, &s->lists.items[node->list], in, place, seen);
	case JSON_OBJECT:
		return node->object == NONE ||
		       check_object(run, &s->objects.items[node->object], in, place, seen);
	default:
		return true;
	}
}

/* A list of values says more than their type. */
static void explain_kind(struct run *run, const struct node *node, const struct instance *in,
			 const struct place *place)
{
	uint32_t index = node->values != NONE ? node->values : node->constant;
	const struct value_set *set = index != NONE ? &run->s->sets.items[index] : NULL;

	if (!set)
		explain_type(run, node->types, in, place);
	else if (!run->problems || run_charge(run, set->count))
		explain_set(run, set, in, place, node->values != NONE ? "enum" : "const");
}

static bool check_node(struct run *run, const struct node *node, const struct instance *in,
		       const struct place *place, struct seen *seen)
{
	bool good = true;

	if (node->refuses) {
		explain(run, place, "false", in, "nothing here");
		return false;
	}
	if (!type_fits(run->s, node->types, in)) {
		explain_kind(run, node, in, place);
		return false;
	}
	if (node->constant != NONE)
		good &= check_set(run, node->constant, in, place, "const");
	if (node->values != NONE && good)
		good &= check_set(run, node->values, in, place, "enum");
	if (good || run->problems)
		good &= check_kind(run, node, in, place, seen);
	for (uint32_t i = 0; i < node->apply_count && (good || run->problems); i++)
		good &= check_apply(run, &run->s->applies.items[node->apply_first + i], in, place,
				    seen);
	return good;
}

/* A node with unevaluated keywords keeps its own account, since it asks what was looked at within
 * itself only. */
static bool check_tracking_node(struct run *run, const struct node *node, const struct instance *in,
				const struct place *place, struct seen *seen)
{
	struct seen own;
	bool good;

	if (!seen_init(&own, run, in))
		return false;
	good = check_node(run, node, in, place, &own);
	if (good || run->problems) {
		if (in->kind == JSON_LIST && node->unevaluated_items != NONE) {
			good &= check_unevaluated_items(run, node->unevaluated_items, in, place,
							&own);
			seen_add_all(&own);
		}
		if (in->kind == JSON_OBJECT && node->unevaluated_properties != NONE) {
			good &= check_unevaluated_properties(run, node->unevaluated_properties, in,
							     place, &own);
			seen_add_all(&own);
		}
	}
	if (good && seen)
		seen_merge(seen, &own);
	seen_free(&own);
	return good;
}

static bool evaluate_within(struct run *run, const struct node *node, const struct instance *in,
			    const struct place *place, struct seen *seen)
{
	bool has_parts = in->kind == JSON_LIST || in->kind == JSON_OBJECT;

	if (node->tracks && has_parts)
		return check_tracking_node(run, node, in, place, seen);
	return check_node(run, node, in, place, has_parts ? seen : NULL);
}

bool evaluate(struct run *run, uint32_t index, const struct instance *in, const struct place *place,
	      struct seen *seen)
{
	const struct node *node = &run->s->nodes.items[index];
	struct scope entered;
	bool good;

	if (!run_charge(run, 1))
		return false;
	if (run->depth >= SCHEMA_DEPTH_MOST)
		return run_stop(run, "the depth of schemas in one another");
	run->depth++;
	if (run->s->dynamic_names.count && run->scope->resource != node->resource) {
		entered = (struct scope){ run->scope, node->resource };
		run->scope = &entered;
		good = evaluate_within(run, node, in, place, seen);
		run->scope = entered.outer;
	} else {
		good = evaluate_within(run, node, in, place, seen);
	}
	run->depth--;
	return good && !run->bound;
}

/* ---- The whole ------------------------------------------------------------------------- */

static bool run_once(const struct schema *schema, uint32_t node, const json *instance,
		     struct schema_problems *problems, const char **ret_bound)
{
	struct scope root = { .resource = schema->nodes.items[node].resource };
	struct run run = {
		.s = schema, .problems = problems, .scope = &root, .steps = SCHEMA_STEPS_MOST
	};
	struct instance in = instance_of(instance);
	struct place place = PLACE_ROOT;
	bool good;

	pattern_work_init(&run.work);
	good = evaluate(&run, node, &in, &place, NULL);
	pattern_work_free(&run.work);
	*ret_bound = run.bound;
	return good;
}

static void add_bound(struct schema_problems *problems, const char *bound)
{
	struct schema_problem *last;

	if (problems->count < SCHEMA_PROBLEMS)
		problems->count++;
	else
		problems->more++;
	last = &problems->items[problems->count - 1];
	*last = (struct schema_problem){ .keyword = "limit", .found = "a value that takes more" };
	snprintf(last->expected, sizeof(last->expected),
		 "a value that can be validated within the limit on %s", bound);
	problems->exhausted = true;
}

bool program_validate(const struct schema *schema, uint32_t node, const json *instance,
		      struct schema_problems *problems)
{
	const char *bound;

	if (problems)
		problems->count = problems->more = problems->exhausted = 0;
	if (run_once(schema, node, instance, NULL, &bound))
		return true;
	if (problems && !bound)
		run_once(schema, node, instance, problems, &bound);
	if (problems && bound)
		add_bound(problems, bound);
	return false;
}

bool schema_validate(const struct schema *schema, const json *instance,
		     struct schema_problems *problems)
{
	return program_validate(schema, 0, instance, problems);
}
