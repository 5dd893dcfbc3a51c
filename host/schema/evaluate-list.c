/* SPDX-License-Identifier: MIT
 *
 * The keywords of lists, in either form that a list has.
 */
#include "base/array.h"
#include "schema/evaluate.h"

#include <stdlib.h>
#include <string.h>

#define NUMBERS_A_STEP 16

/* A list: packed numbers, or values. */
struct list {
	const json *value;
	const double *packed; /* NULL: not packed */
	size_t count;
};

static struct list list_of(const struct instance *in)
{
	struct list list = { .value = in->value, .count = json_count(in->value) };

	list.packed = json_packed(in->value, NULL);
	return list;
}

static struct instance item_of(const struct list *list, size_t index)
{
	return list->packed ? instance_of_number(list->packed[index])
			    : instance_of(json_peek(list->value, index));
}

static bool check_item(struct run *run, uint32_t node, const struct list *list, size_t index,
		       const struct place *place)
{
	struct instance item = item_of(list, index);
	struct place here = place_item(place, index);

	return evaluate(run, node, &item, &here, NULL);
}

/* ---- uniqueItems ----------------------------------------------------------------------- */

struct slot {
	uint64_t hash;
	size_t index; /* of the element, plus 1; 0: free */
};

static bool items_equal(const struct list *list, size_t a, size_t b)
{
	return list->packed ? list->packed[a] == list->packed[b]
			    : json_equal(json_peek(list->value, a), json_peek(list->value, b));
}

/* The first element that equals an earlier one; false: there is none. A hash of all elements, so
 * that the work grows with the list and not with its square. */
static bool find_double(struct run *run, const struct list *list, struct slot *slots, size_t mask,
			size_t *ret_first, size_t *ret_second)
{
	for (size_t i = 0; i < list->count && !run->bound; i++) {
		uint64_t hash = list->packed ? hash_number(run->s->key, list->packed[i])
					     : hash_json(run->s->key, json_peek(list->value, i),
							 &run->steps);
		size_t slot = hash & mask;

		if (!run->steps)
			run_charge(run, 1);
		for (; slots[slot].index; slot = (slot + 1) & mask) {
			if (slots[slot].hash == hash &&
			    items_equal(list, slots[slot].index - 1, i)) {
				*ret_first = slots[slot].index - 1;
				*ret_second = i;
				return true;
			}
		}
		slots[slot] = (struct slot){ hash, i + 1 };
	}
	return false;
}

static bool check_unique(struct run *run, const struct list *list, const struct place *place)
{
	size_t capacity = 16, first, second;
	struct slot few[16] = { { 0 } }, *slots = few;
	bool found;

	while (capacity < 2 * list->count)
		capacity *= 2;
	if (!run_charge(run, list->count))
		return false;
	if (capacity > ARRAY_SIZE(few) && !(slots = calloc(capacity, sizeof(*slots))))
		return run_stop(run, "memory");
	found = find_double(run, list, slots, capacity - 1, &first, &second);
	if (slots != few)
		free(slots);
	if (found) {
		struct instance item = item_of(list, second);
		struct place here = place_item(place, second);

		explain(run, &here, "uniqueItems", &item,
			"items that all differ; item %zu is the same", first);
	}
	return !found && !run->bound;
}

/* ---- Elements -------------------------------------------------------------------------- */

static bool check_prefix(struct run *run, const struct list_rule *rule, const struct list *list,
			 const struct place *place, struct seen *seen)
{
	bool good = true;

	for (size_t i = 0; i < rule->prefix_count && i < list->count && (good || run->problems);
	     i++) {
		good &= check_item(run, run->s->links.items[rule->prefix_first + i], list, i,
				   place);
		seen_add(seen, i);
	}
	return good;
}

static bool check_rest(struct run *run, const struct list_rule *rule, const struct list *list,
		       const struct place *place)
{
	const struct node *node = &run->s->nodes.items[rule->rest];
	size_t first = rule->prefix_count;
	bool good = true;

	if (first >= list->count)
		return true;
	if (node->refuses) {
		struct instance in = item_of(list, first);
		struct place here = place_item(place, first);

		explain(run, &here, rule->rest_keyword, &in, "at most %zu items", first);
		return false;
	}
	if (list->packed && node->plain) {
		if (!run_charge(run, list->count / NUMBERS_A_STEP))
			return false;
		if (check_packed(run->s, node, list->packed + first, list->count - first))
			return true;
	}
	for (size_t i = first; i < list->count && (good || (run->problems && !run->bound)); i++)
		good &= check_item(run, rule->rest, list, i, place);
	return good;
}

static bool check_contains(struct run *run, const struct list_rule *rule, const struct list *list,
			   const struct instance *in, const struct place *place, struct seen *seen)
{
	struct schema_problems *problems = run->problems;
	uint64_t count = 0;

	run->problems = NULL;
	for (size_t i = 0; i < list->count && !run->bound; i++) {
		if (check_item(run, rule->contains, list, i, place)) {
			count++;
			seen_add(seen, i);
		}
		/* Whoever asks what was looked at needs all of them. */
		if (!seen && count >= rule->min_contains && rule->max_contains == UINT64_MAX)
			break;
	}
	run->problems = problems;
	if (run->bound)
		return false;
	if (count < rule->min_contains) {
		explain(run, place, rule->min_contains == 1 ? "contains" : "minContains", in,
			"an array with at least %llu items that fit the schema under \"contains\"; "
			"%llu do",
			(unsigned long long)rule->min_contains, (unsigned long long)count);
		return false;
	}
	if (count > rule->max_contains) {
		explain(run, place, "maxContains", in,
			"an array with at most %llu items that fit the schema under \"contains\"; "
			"%llu do",
			(unsigned long long)rule->max_contains, (unsigned long long)count);
		return false;
	}
	return true;
}

static bool check_count(struct run *run, const struct list_rule *rule, const struct list *list,
			const struct instance *in, const struct place *place)
{
	if (list->count < rule->min_items) {
		explain(run, place, "minItems", in, "at least %llu %s",
			(unsigned long long)rule->min_items,
			rule->min_items == 1 ? "item" : "items");
		return false;
	}
	if (list->count > rule->max_items) {
		explain(run, place, "maxItems", in, "at most %llu %s",
			(unsigned long long)rule->max_items,
			rule->max_items == 1 ? "item" : "items");
		return false;
	}
	return true;
}

bool check_list(struct run *run, const struct list_rule *rule, const struct instance *in,
		const struct place *place, struct seen *seen)
{
	struct list list = list_of(in);
	bool good = check_count(run, rule, &list, in, place);

	if (rule->prefix_count && (good || run->problems))
		good &= check_prefix(run, rule, &list, place, seen);
	if (rule->rest != NONE && (good || run->problems)) {
		good &= check_rest(run, rule, &list, place);
		seen_add_all(seen);
	}
	if (rule->contains != NONE && (good || run->problems))
		good &= check_contains(run, rule, &list, in, place, seen);
	if (rule->unique && (good || run->problems))
		good &= check_unique(run, &list, place);
	return good;
}

bool check_unevaluated_items(struct run *run, uint32_t index, const struct instance *in,
			     const struct place *place, const struct seen *seen)
{
	struct list list = list_of(in);
	bool good = true;

	for (size_t i = 0; i < list.count && (good || (run->problems && !run->bound)); i++) {
		struct instance item = item_of(&list, i);
		struct place here = place_item(place, i);

		if (seen_has(seen, i))
			continue;
		if (run->s->nodes.items[index].refuses) {
			explain(run, &here, "unevaluatedItems", &item, "no item here");
			good = false;
		} else {
			good &= evaluate(run, index, &item, &here, NULL);
		}
	}
	return good;
}
