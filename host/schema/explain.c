/* SPDX-License-Identifier: MIT
 *
 * Says what is wrong with a value, for a model that is to send a better one.
 */
#include "schema/evaluate.h"

#include "base/array.h"
#include "base/text.h"
#include "schema/number.h"
#include "schema/problem.h"
#include "schema/view.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MOST 256	/* that a close one is looked for among */
#define HINT_BYTES 4096 /* of a text that may hold the value that was meant */
#define TOLD_MOST 200	/* problems that are put into words; the rest is counted */

static void instance_view(const struct instance *in, char *ret, size_t size)
{
	if (in->value || in->kind == JSON_NULL)
		problem_view(in->value, ret, size);
	else if (in->kind == JSON_TEXT)
		problem_view_text(in->text, in->length, ret, size);
	else
		problem_view_number(in->number, ret, size);
}

/* Whether a keyword says that another kind of value is meant, or another of several. */
static bool is_choice(const char *keyword)
{
	static const char *const choices[] = { "type", "const", "enum", "false", "anyOf", "oneOf" };

	for (size_t i = 0; i < ARRAY_SIZE(choices); i++)
		if (!strcmp(keyword, choices[i]))
			return true;
	return false;
}

/* Several ways through a schema may lead to the same rule. */
static bool is_told(const struct schema_problems *problems, const struct schema_problem *problem)
{
	for (size_t i = 0; i < problems->count; i++) {
		const struct schema_problem *other = &problems->items[i];

		if (!strcmp(other->path, problem->path) &&
		    !strcmp(other->keyword, problem->keyword) &&
		    !strcmp(other->expected, problem->expected))
			return true;
	}
	return false;
}

void explain(struct run *run, const struct place *place, const char *keyword,
	     const struct instance *in, const char *format, ...)
{
	struct schema_problems *problems = run->problems;
	struct schema_problem *problem;
	char expected[1024];
	va_list arguments;

	if (!problems)
		return;
	run->distance += is_choice(keyword) ? DISTANCE_OTHER : DISTANCE_PART;
	run->far |= place == run->branch && is_choice(keyword);
	run->last = NULL;
	if (problems->count == SCHEMA_PROBLEMS || (problems->count && run->told++ >= TOLD_MOST)) {
		problems->more++;
		return;
	}
	problem = &problems->items[problems->count];
	*problem = (struct schema_problem){ 0 };
	va_start(arguments, format);
	vsnprintf(expected, sizeof(expected), format, arguments);
	va_end(arguments);
	place_print(place, problem->path, sizeof(problem->path));
	problem_copy(problem->keyword, sizeof(problem->keyword), keyword);
	problem_copy(problem->expected, sizeof(problem->expected), expected);
	if (is_told(problems, problem))
		return;
	if (in)
		instance_view(in, problem->found, sizeof(problem->found));
	problems->count++;
	run->last = problem;
}

/* ---- type ------------------------------------------------------------------------------ */

/* "a number, a string or null" */
static void list_types(unsigned types, char *ret, size_t size)
{
	static const struct {
		unsigned bits;
		const char *phrase;
	} phrases[] = {
		{ KINDS_NUMBER, "a number" },	     { KIND_BIT(JSON_INTEGER), "an integer" },
		{ KIND_BIT(JSON_TEXT), "a string" }, { KIND_BIT(JSON_BOOLEAN), "true or false" },
		{ KIND_BIT(JSON_LIST), "an array" }, { KIND_BIT(JSON_OBJECT), "an object" },
		{ KIND_BIT(JSON_NULL), "null" },
	};
	size_t length = 0;

	*ret = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(phrases); i++) {
		if ((types & phrases[i].bits) != phrases[i].bits)
			continue;
		types &= ~phrases[i].bits;
		length += (size_t)snprintf(ret + length, size - length, "%s%s",
					   !length ? ""
					   : types ? ", "
						   : " or ",
					   phrases[i].phrase);
	}
}

/* Where a text holds what was wanted, or what was wanted is the text of a value, there is no doubt
 * what to send. */
static void hint_quotes(struct run *run, unsigned types, const struct instance *in)
{
	char view[64];
	json *meant = NULL;
	enum json_kind kind;

	if (!run->last)
		return;
	if (types & KIND_BIT(JSON_TEXT) &&
	    (in->kind == JSON_INTEGER || in->kind == JSON_NUMBER || in->kind == JSON_BOOLEAN)) {
		instance_view(in, view, sizeof(view));
		snprintf(run->last->hint, sizeof(run->last->hint), "send \"%s\", not %s", view,
			 view);
		return;
	}
	if (in->kind != JSON_TEXT || in->length > HINT_BYTES ||
	    json_read(in->text, in->length, NULL, &meant, NULL) != STATUS_OK)
		return;
	kind = json_kind(meant);
	if (!(types & KIND_BIT(kind)))
		;
	else if (kind == JSON_LIST || kind == JSON_OBJECT)
		snprintf(run->last->hint, sizeof(run->last->hint),
			 "send the %s itself, not a string of it",
			 kind == JSON_LIST ? "array" : "object");
	else if (kind != JSON_TEXT) {
		problem_view(meant, view, sizeof(view));
		snprintf(run->last->hint, sizeof(run->last->hint), "send %s, not \"%s\"", view,
			 view);
	}
	json_drop(meant);
}

void explain_type(struct run *run, unsigned types, const struct instance *in,
		  const struct place *place)
{
	char expected[128];

	if (!run->problems)
		return;
	list_types(types, expected, sizeof(expected));
	explain(run, place, "type", in,
		in->kind == JSON_NUMBER && number_is_whole(in->number) &&
				types & KIND_BIT(JSON_INTEGER)
			? "%s of at most 64 bits"
			: "%s",
		expected);
	hint_quotes(run, types, in);
}

/* ---- enum and const -------------------------------------------------------------------- */

static int compare_order(const void *a, const void *b)
{
	const struct set_value *x = *(const struct set_value *const *)a,
			       *y = *(const struct set_value *const *)b;

	return x->order < y->order ? -1 : x->order > y->order;
}

/* The values as the schema lists them, which a set that is searched by hash no longer does. The
 * caller frees. */
static const struct set_value **in_order(const struct schema *s, const struct value_set *set)
{
	const struct set_value **values =
		calloc(set->count ? set->count : 1, sizeof(const struct set_value *));

	for (uint32_t i = 0; values && i < set->count; i++)
		values[i] = &s->values.items[set->first + i];
	if (values && set->sorted)
		qsort(values, set->count, sizeof(*values), compare_order);
	return values;
}

static void add_view(char *list, size_t size, const json *value, bool first)
{
	size_t length = strlen(list);
	char view[128];

	problem_view(value, view, sizeof(view));
	snprintf(list + length, size - length, "%s%s", first ? "" : ", ", view);
	problem_trim(list);
}

static void hint_word(struct run *run, const struct set_value *const *values, uint32_t count,
		      const struct instance *in)
{
	const char *words[NAMES_MOST], *nearest;
	size_t word_count = 0;

	if (!run->last || in->kind != JSON_TEXT || memchr(in->text, '\0', in->length))
		return;
	for (uint32_t i = 0; i < count && word_count < NAMES_MOST; i++)
		if (json_kind(values[i]->value) == JSON_TEXT)
			words[word_count++] = json_text(values[i]->value, NULL);
	if (in->length <= sizeof(run->last->hint) &&
	    (nearest = text_nearest(in->text, words, word_count)))
		snprintf(run->last->hint, sizeof(run->last->hint), "did you mean \"%.*s\"?",
			 PROBLEM_HEAD(nearest, 100));
}

static bool is_among(const struct set_value *const *values, uint32_t count, const json *value)
{
	for (uint32_t i = 0; i < count; i++)
		if (json_equal(values[i]->value, value))
			return true;
	return false;
}

/* Where the value is one of the set but for its quotes, that is what to send. False: it is not. */
static bool hint_quoted(struct run *run, const struct set_value *const *values, uint32_t count,
			const struct instance *in)
{
	char view[64];
	json *meant = NULL;
	bool found;

	if (!run->last)
		return false;
	if (in->kind == JSON_TEXT) {
		if (in->length > HINT_BYTES ||
		    json_read(in->text, in->length, NULL, &meant, NULL) != STATUS_OK)
			return false;
		problem_view(meant, view, sizeof(view));
	} else if (in->kind == JSON_INTEGER || in->kind == JSON_NUMBER ||
		   in->kind == JSON_BOOLEAN) {
		instance_view(in, view, sizeof(view));
		meant = json_new_text(view);
	} else {
		return false;
	}
	found = json_kind(meant) != in->kind && is_among(values, count, meant);
	if (found)
		snprintf(run->last->hint, sizeof(run->last->hint),
			 in->kind == JSON_TEXT ? "send %s, not \"%s\"" : "send \"%s\", not %s",
			 view, view);
	json_drop(meant);
	return found;
}

void explain_set(struct run *run, const struct value_set *set, const struct instance *in,
		 const struct place *place, const char *keyword)
{
	const struct set_value **values;
	char list[240] = "";

	if (!run->problems || !(values = in_order(run->s, set)))
		return;
	for (uint32_t i = 0; i < set->count && strlen(list) < sizeof(list) - 1; i++)
		add_view(list, sizeof(list), values[i]->value, !i);
	explain(run, place, keyword, in,
		set->count == 1 ? "%s"
		: set->count	? "one of %s"
				: "nothing",
		list);
	if (!hint_quoted(run, values, set->count, in))
		hint_word(run, values, set->count, in);
	free(values);
}

/* ---- Keys ------------------------------------------------------------------------------ */

void explain_missing(struct run *run, const struct place *place, const struct instance *in,
		     const char *keyword, const char *key)
{
	char word[160] = "";

	if (!run->problems)
		return;
	problem_add_word(word, sizeof(word), key, true);
	explain(run, place, keyword, in, "the key %s", word);
}

/* Keys that the rule allows, into a text and into a list of at most NAMES_MOST. */
static size_t list_keys(struct run *run, const struct object_rule *rule, char *ret_text,
			size_t size, const char **ret_keys)
{
	size_t count = 0;
	bool room = true;

	for (uint32_t i = 0; i < rule->property_count && count < NAMES_MOST; i++) {
		const struct property *p = &run->s->properties.items[rule->property_first + i];

		if (p->node == NONE || run->s->nodes.items[p->node].refuses)
			continue;
		room = room && problem_add_word(ret_text, size, p->key, !count);
		ret_keys[count++] = p->key;
	}
	return count;
}

void explain_unknown_key(struct run *run, const struct object_rule *rule, const struct place *place,
			 const char *keyword, const char *key)
{
	struct place here = place_member(place, key);
	const char *keys[NAMES_MOST], *nearest;
	char list[240] = "";
	size_t count = 0;

	if (!run->problems)
		return;
	if (rule)
		count = list_keys(run, rule, list, sizeof(list), keys);
	if (rule && rule->pattern_count)
		explain(run, &here, keyword, NULL, "%s%sa key that a pattern of the schema matches",
			list, count ? " or " : "");
	else if (count)
		explain(run, &here, keyword, NULL,
			count == 1 ? "only the key %s" : "only the keys %s", list);
	else
		explain(run, &here, keyword, NULL, rule ? "no keys" : "no further keys");
	if (!run->last)
		return;
	strcpy(run->last->found, "the key ");
	problem_add_word(run->last->found, sizeof(run->last->found), key, true);
	if (strlen(key) <= sizeof(run->last->hint) && (nearest = text_nearest(key, keys, count)))
		snprintf(run->last->hint, sizeof(run->last->hint), "did you mean \"%.*s\"?",
			 PROBLEM_HEAD(nearest, 100));
}

void explain_text_length(struct run *run, const struct place *place, const struct instance *in,
			 const char *keyword, const char *which, uint64_t bound)
{
	if (!run->problems)
		return;
	explain(run, place, keyword, in, "a string of %s %llu %s", which, (unsigned long long)bound,
		bound == 1 ? "character" : "characters");
}

/* ---- anyOf and oneOf ------------------------------------------------------------------- */

struct branch {
	struct schema_problems problems;
	uint64_t distance;
	bool far;
	bool strange; /* it names none of the keys that were sent */
};

static void explore(struct run *run, uint32_t node, const struct instance *in,
		    const struct place *place, struct branch *ret_branch)
{
	struct schema_problems *problems = run->problems;
	const struct place *outer = run->branch;
	uint64_t distance = run->distance;
	bool far = run->far;
	const struct schema_view view = { .schema = run->s, .nodes = { node }, .count = 1 };

	ret_branch->strange = in->kind == JSON_OBJECT && json_count(in->value) &&
			      !schema_view_knows(&view, in->value);
	ret_branch->problems.count = ret_branch->problems.more = 0;
	run->problems = &ret_branch->problems;
	run->branch = place;
	run->distance = 0;
	run->far = false;
	evaluate(run, node, in, place, NULL);
	ret_branch->distance = run->distance;
	ret_branch->far = run->far;
	run->problems = problems;
	run->branch = outer;
	run->distance = distance;
	run->far = far;
	run->last = NULL;
}

static bool is_nearer(const struct branch *a, const struct branch *b)
{
	if (a->far != b->far)
		return b->far;
	if (a->strange != b->strange)
		return b->strange;
	return a->distance < b->distance;
}

/* Adds what a branch wanted to the alternatives, each once. */
static void add_alternative(char *list, size_t size, const struct branch *branch)
{
	const char *expected = branch->problems.count ? branch->problems.items[0].expected : "";
	size_t length = strlen(list);

	if (*expected && !strstr(list, expected))
		snprintf(list + length, size - length, "%s%s", length ? " or " : "", expected);
}

/* Takes the problems of the branch as if there were no other. */
static void adopt(struct run *run, const struct branch *branch)
{
	struct schema_problems *to = run->problems;

	for (size_t i = 0; i < branch->problems.count; i++) {
		if (to->count < SCHEMA_PROBLEMS)
			to->items[to->count++] = branch->problems.items[i];
		else
			to->more++;
	}
	to->more += branch->problems.more;
	run->distance += branch->distance;
}

void explain_branches(struct run *run, const struct apply *apply, const char *keyword,
		      const struct instance *in, const struct place *place)
{
	const uint32_t *nodes = run->s->links.items + apply->first;
	struct branch *branches, *best, *other;
	char list[512] = "";

	if (!run->problems || run->bound)
		return;
	if (!(branches = malloc(2 * sizeof(*branches)))) {
		run_stop(run, "memory");
		return;
	}
	best = &branches[0];
	other = &branches[1];
	for (uint32_t i = 0; i < apply->count && !run->bound; i++) {
		struct branch *current = i ? other : best;

		explore(run, nodes[i], in, place, current);
		add_alternative(list, sizeof(list), current);
		if (i && is_nearer(current, best)) {
			other = best;
			best = current;
		}
	}
	if (best->far) {
		explain(run, place, keyword, in, "%s", list);
		if (run->last)
			memcpy(run->last->hint, best->problems.items[0].hint,
			       sizeof(run->last->hint));
	} else {
		adopt(run, best);
	}
	free(branches);
}
