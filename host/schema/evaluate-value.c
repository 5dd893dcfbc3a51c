/* SPDX-License-Identifier: MIT
 *
 * Single values: equality with those of a schema, numbers, texts; and packed numbers in one loop.
 */
#include "schema/evaluate.h"

#include "base/text.h"
#include "schema/number.h"

#include <math.h>
#include <string.h>

#define TEXT_BYTES_A_STEP 64

/* ---- enum and const -------------------------------------------------------------------- */

static bool value_equals(const struct instance *in, const json *value)
{
	const char *text;
	size_t length;

	if (in->value || in->kind == JSON_NULL)
		return json_equal(in->value, value);
	if (in->kind == JSON_TEXT) {
		if (json_kind(value) != JSON_TEXT)
			return false;
		text = json_text(value, &length);
		return length == in->length && !memcmp(text, in->text, length);
	}
	return json_is_number(value) && json_number(value) == in->number;
}

static uint64_t hash_instance(struct run *run, const struct instance *in)
{
	if (in->value || in->kind == JSON_NULL)
		return hash_json(run->s->key, in->value, &run->steps);
	if (in->kind == JSON_TEXT)
		return hash_bytes(run->s->key, in->text, in->length);
	return hash_number(run->s->key, in->number);
}

static bool find_sorted(struct run *run, const struct value_set *set, const struct instance *in)
{
	const struct set_value *values = &run->s->values.items[set->first];
	uint64_t hash = hash_instance(run, in);
	size_t low = 0, high = set->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (values[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < set->count && values[low].hash == hash; low++)
		if (value_equals(in, values[low].value))
			return true;
	return false;
}

bool check_set(struct run *run, uint32_t index, const struct instance *in,
	       const struct place *place, const char *keyword)
{
	const struct value_set *set = &run->s->sets.items[index];
	bool found = false;

	if (!run_charge(run,
			in->kind == JSON_TEXT ? 1 + in->length / TEXT_BYTES_A_STEP : set->size))
		return false;
	if (set->sorted)
		found = find_sorted(run, set, in);
	else
		for (uint32_t i = 0; i < set->count && !found; i++)
			found = value_equals(in, run->s->values.items[set->first + i].value);
	if (!found)
		explain_set(run, set, in, place, keyword);
	return found;
}

/* ---- Numbers --------------------------------------------------------------------------- */

static void explain_bound(struct run *run, const struct place *place, const struct instance *in,
			  const char *keyword, const char *phrase, const struct bound *bound)
{
	struct buffer printed = BUFFER_INIT(64);

	if (!run->problems)
		return;
	if (bound->whole)
		json_print_integer(&printed, bound->integer);
	else
		json_print_number(&printed, bound->number);
	explain(run, place, keyword, in, "a number %s %s", phrase,
		printed.data ? printed.data : "");
	buffer_free(&printed);
}

bool check_number(struct run *run, const struct number_rule *rule, const struct instance *in,
		  const struct place *place)
{
	bool good = true;

	if (rule->minimum.present && number_compare(in, &rule->minimum) < 0) {
		explain_bound(run, place, in, "minimum", "of at least", &rule->minimum);
		good = false;
	}
	if (rule->maximum.present && number_compare(in, &rule->maximum) > 0) {
		explain_bound(run, place, in, "maximum", "of at most", &rule->maximum);
		good = false;
	}
	if (rule->exclusive_minimum.present && number_compare(in, &rule->exclusive_minimum) <= 0) {
		explain_bound(run, place, in, "exclusiveMinimum", "greater than",
			      &rule->exclusive_minimum);
		good = false;
	}
	if (rule->exclusive_maximum.present && number_compare(in, &rule->exclusive_maximum) >= 0) {
		explain_bound(run, place, in, "exclusiveMaximum", "less than",
			      &rule->exclusive_maximum);
		good = false;
	}
	if (rule->multiple_of.present && !number_is_multiple(in, &rule->multiple_of)) {
		explain_bound(run, place, in, "multipleOf", "that is a multiple of",
			      &rule->multiple_of);
		good = false;
	}
	return good;
}

/* The double nearest to a bound on the side that it takes, which ends at `far`; a bound that is not
 * there takes all of that. As a double, a whole bound may have been rounded to the other side. */
static double nearest_taken(const struct bound *bound, bool exclusive, double far)
{
	struct instance rounded = instance_of_number(bound->number);
	int side;

	if (!bound->present)
		return -far;
	side = number_compare(&rounded, bound);
	if (side ? (side > 0) == (far > 0) : !exclusive)
		return bound->number;
	return nextafter(bound->number, far);
}

/* The bounds of a rule as one interval, both ends in it. */
static void find_interval(const struct number_rule *rule, double *ret_low, double *ret_high)
{
	*ret_low = fmax(nearest_taken(&rule->minimum, false, INFINITY),
			nearest_taken(&rule->exclusive_minimum, true, INFINITY));
	*ret_high = fmin(nearest_taken(&rule->maximum, false, -INFINITY),
			 nearest_taken(&rule->exclusive_maximum, true, -INFINITY));
}

static bool are_integers(const struct schema *s, const double *values, size_t count)
{
	size_t whole = 0;

	/* What is beyond an int64_t is whole, as all doubles of that size are. */
	for (size_t i = 0; i < count; i++)
		whole += fabs(values[i]) < 0x1p62
				 ? (double)(int64_t)values[i] == values[i]
				 : isfinite(values[i]) &&
					   !(s->refuse_beyond_64 && number_is_beyond_64(values[i]));
	return whole == count;
}

bool check_packed(const struct schema *s, const struct node *node, const double *values,
		  size_t count)
{
	const struct number_rule *rule = node->number == NONE ? NULL
							      : &s->numbers.items[node->number];
	double low, high;
	size_t within = 0;

	if (!(node->types & KIND_BIT(JSON_NUMBER)) &&
	    (!(node->types & KIND_BIT(JSON_INTEGER)) || !are_integers(s, values, count)))
		return !count;
	if (!rule)
		return true;
	find_interval(rule, &low, &high);
	for (size_t i = 0; i < count; i++)
		within += values[i] >= low && values[i] <= high;
	if (within != count)
		return false;
	for (size_t i = 0; rule->multiple_of.present && i < count; i++) {
		struct instance in = instance_of_number(values[i]);

		if (!number_is_multiple(&in, &rule->multiple_of))
			return false;
	}
	return true;
}

/* ---- Texts ----------------------------------------------------------------------------- */

static bool check_length(struct run *run, const struct text_rule *rule, const struct instance *in,
			 const struct place *place)
{
	uint64_t points;

	/* A code point has one to four bytes, so most texts need not be counted. */
	if (in->length <= rule->max_length && in->length / 4 >= rule->min_length)
		return true;
	if (!run_charge(run, in->length / TEXT_BYTES_A_STEP))
		return false;
	points = text_points(in->text, in->length);
	if (points < rule->min_length) {
		explain_text_length(run, place, in, "minLength", "at least", rule->min_length);
		return false;
	}
	if (points > rule->max_length) {
		explain_text_length(run, place, in, "maxLength", "at most", rule->max_length);
		return false;
	}
	return true;
}

static bool check_pattern(struct run *run, uint32_t index, const struct instance *in,
			  const struct place *place)
{
	enum pattern_verdict verdict = run_match(run, index, in->text, in->length);

	if (verdict == PATTERN_NO_MATCH)
		explain(run, place, "pattern", in, "a string that matches the pattern %s",
			pattern_text(run->s->patterns.items[index]));
	return verdict == PATTERN_MATCH;
}

bool check_text(struct run *run, const struct text_rule *rule, const struct instance *in,
		const struct place *place)
{
	bool good = check_length(run, rule, in, place);

	if (rule->format != FORMAT_NONE && (good || run->problems) &&
	    !format_check(rule->format, in->text, in->length)) {
		explain(run, place, "format", in, "%s", format_expected(rule->format));
		good = false;
	}
	if (rule->pattern != NONE && (good || run->problems))
		good &= check_pattern(run, rule->pattern, in, place);
	return good;
}
