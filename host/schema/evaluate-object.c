/* SPDX-License-Identifier: MIT
 *
 * The keywords of objects.
 */
#include "schema/evaluate.h"

#include <string.h>

#define KEY_BYTES_A_STEP 64

/* An object and where one is in it. */
struct walk {
	const struct object_rule *rule;
	const struct place *place;
	struct seen *seen;
	size_t index;	   /* of the member */
	uint32_t guess;	   /* where its key stands in the rule, if keys come in that order */
	uint32_t required; /* keys that have to be there and were met */
};

const struct property *program_property(const struct schema *s, const struct object_rule *rule,
					const char *key, size_t length, size_t guess)
{
	const struct property *properties;
	size_t low = 0, high = rule->property_count;

	if (!high)
		return NULL;
	properties = &s->properties.items[rule->property_first];
	if (guess < high && properties[guess].length == length &&
	    !memcmp(properties[guess].key, key, length))
		return &properties[guess];
	if (rule->sorted_first == NONE) {
		for (size_t i = 0; i < high; i++)
			if (properties[i].length == length &&
			    !memcmp(properties[i].key, key, length))
				return &properties[i];
		return NULL;
	}
	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct property *property =
			&s->properties.items[s->sorted.items[rule->sorted_first + middle]];
		int order = strcmp(property->key, key);

		if (!order)
			return property;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* ---- Members --------------------------------------------------------------------------- */

static bool check_patterns(struct run *run, struct walk *walk, const char *key, size_t length,
			   const struct instance *in, const struct place *here, bool *matched)
{
	bool good = true;

	for (uint32_t i = 0; i < walk->rule->pattern_count && (good || run->problems); i++) {
		const struct pattern_property *p =
			&run->s->pattern_properties.items[walk->rule->pattern_first + i];

		switch (run_match(run, p->pattern, key, length)) {
		case PATTERN_MATCH:
			*matched = true;
			good &= evaluate(run, p->node, in, here, NULL);
			break;
		case PATTERN_LIMIT:
			return false;
		default:
			break;
		}
	}
	return good;
}

static bool check_additional(struct run *run, struct walk *walk, const char *key,
			     const struct instance *in, const struct place *here)
{
	if (run->s->nodes.items[walk->rule->additional].refuses) {
		explain_unknown_key(run, walk->rule, walk->place, "additionalProperties", key);
		return false;
	}
	return evaluate(run, walk->rule->additional, in, here, NULL);
}

static bool check_name(struct run *run, struct walk *walk, const char *key, size_t length)
{
	struct instance name = { .kind = JSON_TEXT, .text = key, .length = length };

	return evaluate(run, walk->rule->names, &name, walk->place, NULL);
}

static bool check_member(struct run *run, struct walk *walk, const struct json_member *m)
{
	const struct object_rule *rule = walk->rule;
	struct instance in = instance_of(m->value);
	struct place here = place_member(walk->place, m->key);
	size_t length = strlen(m->key);
	const struct property *property;
	bool good, matched = false;

	if (!run_charge(run, 1 + length / KEY_BYTES_A_STEP))
		return false;
	good = rule->names == NONE || check_name(run, walk, m->key, length);
	property = program_property(run->s, rule, m->key, length, walk->guess);
	if (property) {
		walk->guess =
			(uint32_t)(property - &run->s->properties.items[rule->property_first]) + 1;
		walk->required += property->required;
		matched = property->node != NONE;
		if (matched && (good || run->problems))
			good &= evaluate(run, property->node, &in, &here, NULL);
	}
	if (rule->pattern_count && (good || run->problems))
		good &= check_patterns(run, walk, m->key, length, &in, &here, &matched);
	if (!matched && rule->additional != NONE && (good || run->problems)) {
		good &= check_additional(run, walk, m->key, &in, &here);
		matched = true;
	}
	if (matched)
		seen_add(walk->seen, walk->index);
	return good;
}

/* ---- The object ------------------------------------------------------------------------ */

static void explain_required(struct run *run, const struct object_rule *rule,
			     const struct instance *in, const struct place *place)
{
	for (uint32_t i = 0; run->problems && i < rule->property_count; i++) {
		const struct property *property =
			&run->s->properties.items[rule->property_first + i];

		if (property->required && !json_has(in->value, property->key))
			explain_missing(run, place, in, "required", property->key);
	}
}

static bool check_dependency(struct run *run, const struct dependency *dependency,
			     const struct instance *in, const struct place *place,
			     struct seen *seen)
{
	bool good = true;

	if (!json_has(in->value, dependency->key))
		return true;
	if (!run_charge(run, 1 + dependency->required_count))
		return false;
	for (uint32_t i = 0; i < dependency->required_count; i++) {
		const char *key = run->s->required_keys.items[dependency->required_first + i];

		if (json_has(in->value, key))
			continue;
		explain_missing(run, place, in, dependency->keyword, key);
		good = false;
	}
	if (dependency->node != NONE && (good || run->problems))
		good &= evaluate(run, dependency->node, in, place, seen);
	return good;
}

static bool check_counts(struct run *run, const struct object_rule *rule, const struct instance *in,
			 const struct place *place)
{
	size_t count = json_count(in->value);

	if (count < rule->min_properties) {
		explain(run, place, "minProperties", in, "an object with at least %llu keys",
			(unsigned long long)rule->min_properties);
		return false;
	}
	if (count > rule->max_properties) {
		explain(run, place, "maxProperties", in, "an object with at most %llu keys",
			(unsigned long long)rule->max_properties);
		return false;
	}
	return true;
}

bool check_object(struct run *run, const struct object_rule *rule, const struct instance *in,
		  const struct place *place, struct seen *seen)
{
	struct walk walk = { .rule = rule, .place = place, .seen = seen };
	struct json_member m;
	bool good = check_counts(run, rule, in, place);

	for (bool more = json_first(in->value, &m);
	     more && (good || (run->problems && !run->bound)); more = json_next(&m), walk.index++)
		good &= check_member(run, &walk, &m);
	if (walk.required < rule->required_count && (good || run->problems)) {
		explain_required(run, rule, in, place);
		good = false;
	}
	for (uint32_t i = 0; i < rule->dependency_count && (good || run->problems); i++)
		good &= check_dependency(run,
					 &run->s->dependencies.items[rule->dependency_first + i],
					 in, place, seen);
	return good;
}

bool check_unevaluated_properties(struct run *run, uint32_t index, const struct instance *in,
				  const struct place *place, const struct seen *seen)
{
	struct json_member m;
	size_t i = 0;
	bool good = true;

	for (bool more = json_first(in->value, &m);
	     more && (good || (run->problems && !run->bound)); more = json_next(&m), i++) {
		struct instance value = instance_of(m.value);
		struct place here = place_member(place, m.key);

		if (seen_has(seen, i))
			continue;
		if (run->s->nodes.items[index].refuses) {
			explain_unknown_key(run, NULL, place, "unevaluatedProperties", m.key);
			good = false;
		} else {
			good &= evaluate(run, index, &value, &here, NULL);
		}
	}
	return good;
}
