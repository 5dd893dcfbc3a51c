/* SPDX-License-Identifier: MIT
 *
 * Keywords that say something of one kind of value, and those that name values.
 */
#include "base/array.h"
#include "schema/compile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets of more values than this are searched by hash. */
#define FEW 8

/* ---- type, enum, const, default -------------------------------------------------------- */

static unsigned type_bits(const char *name)
{
	static const struct {
		const char *name;
		unsigned bits;
	} types[] = {
		{ "null", KIND_BIT(JSON_NULL) },       { "boolean", KIND_BIT(JSON_BOOLEAN) },
		{ "integer", KIND_BIT(JSON_INTEGER) }, { "number", KINDS_NUMBER },
		{ "string", KIND_BIT(JSON_TEXT) },     { "array", KIND_BIT(JSON_LIST) },
		{ "object", KIND_BIT(JSON_OBJECT) },
	};

	for (size_t i = 0; name && i < ARRAY_SIZE(types); i++)
		if (!strcmp(types[i].name, name))
			return types[i].bits;
	return 0;
}

static int compile_type(struct compiler *c, const struct frame *f)
{
	static const char allowed[] = "null, boolean, integer, number, string, array or object";
	const json *value;
	unsigned all = 0, bits;

	if (!compile_keyword(f, VOCABULARY_VALIDATION, "type", &value))
		return STATUS_OK;
	if (json_kind(value) == JSON_TEXT) {
		all = type_bits(json_text(value, NULL));
	} else if (json_kind(value) == JSON_LIST) {
		for (size_t i = 0; i < json_count(value); i++) {
			const json *item = json_peek(value, i);

			bits = json_kind(item) == JSON_TEXT ? type_bits(json_text(item, NULL)) : 0;
			if (!bits)
				return compile_refuse(c, f, "type", "has to name %s", allowed);
			all |= bits;
		}
	}
	if (!all)
		return compile_refuse(c, f, "type", "has to name %s, or list some of these",
				      allowed);
	frame_node(c, f)->types = (uint16_t)all;
	return STATUS_OK;
}

/* Values in a value, itself counted: what it costs to compare it. */
static uint64_t weigh(const json *value)
{
	struct json_member m;
	uint64_t weight = 1;

	if (json_packed(value, NULL)) {
		weight += json_count(value);
	} else if (json_kind(value) == JSON_LIST) {
		for (size_t i = 0; i < json_count(value); i++)
			weight += weigh(json_peek(value, i));
	} else if (json_kind(value) == JSON_OBJECT) {
		for (bool more = json_first(value, &m); more; more = json_next(&m))
			weight += weigh(m.value);
	}
	return weight;
}

static int add_value(struct compiler *c, struct value_set *set, json *value)
{
	uint64_t work = UINT64_MAX;
	struct set_value *kept = PUSH(c->s->values);

	if (!kept) {
		json_drop(value);
		return compile_no_memory(c);
	}
	*kept = (struct set_value){ .hash = hash_json(c->s->key, value, &work),
				    .value = value,
				    .order = set->count++ };
	set->size += weigh(value);
	return STATUS_OK;
}

static int compare_hash(const void *a, const void *b)
{
	const struct set_value *x = a, *y = b;

	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static int compile_values(struct compiler *c, const struct frame *f)
{
	const json *value;
	struct value_set *set;
	int r;

	if (compile_keyword(f, VOCABULARY_VALIDATION, "const", &value)) {
		frame_node(c, f)->constant = (uint32_t)c->s->sets.count;
		if (!(set = PUSH(c->s->sets)))
			return compile_no_memory(c);
		set->first = (uint32_t)c->s->values.count;
		if ((r = add_value(c, set, json_copy(value))) != STATUS_OK)
			return r;
	}
	if (!compile_keyword(f, VOCABULARY_VALIDATION, "enum", &value))
		return STATUS_OK;
	if (json_kind(value) != JSON_LIST)
		return compile_refuse(c, f, "enum", "has to be a list of values");
	frame_node(c, f)->values = (uint32_t)c->s->sets.count;
	if (!(set = PUSH(c->s->sets)))
		return compile_no_memory(c);
	set->first = (uint32_t)c->s->values.count;
	for (size_t i = 0; i < json_count(value); i++) {
		json *item = json_item(value, i), *copy = json_copy(item);

		json_drop(item);
		if ((r = add_value(c, set, copy)) != STATUS_OK)
			return r;
	}
	set->sorted = set->count > FEW;
	if (set->sorted)
		qsort(&c->s->values.items[set->first], set->count, sizeof(struct set_value),
		      compare_hash);
	return STATUS_OK;
}

static int compile_default(struct compiler *c, const struct frame *f)
{
	const json *value = json_get(f->schema, "default");

	if (value && !(frame_node(c, f)->fallback = json_copy(value)))
		return compile_no_memory(c);
	return STATUS_OK;
}

/* ---- Numbers --------------------------------------------------------------------------- */

static int take_bound(struct compiler *c, const struct frame *f, const char *keyword,
		      struct bound *ret_bound, bool *any)
{
	const json *value;

	if (!compile_keyword(f, VOCABULARY_VALIDATION, keyword, &value))
		return STATUS_OK;
	if (!json_is_number(value))
		return compile_refuse(c, f, keyword, "has to be a number");
	*ret_bound = (struct bound){ .number = json_number(value), .present = true };
	ret_bound->whole = json_kind(value) == JSON_INTEGER;
	if (ret_bound->whole)
		ret_bound->integer = json_integer(value);
	*any = true;
	return STATUS_OK;
}

static int compile_numbers(struct compiler *c, const struct frame *f)
{
	struct number_rule rule = { 0 }, *kept;
	bool any = false;
	int r;

	if ((r = take_bound(c, f, "minimum", &rule.minimum, &any)) != STATUS_OK ||
	    (r = take_bound(c, f, "maximum", &rule.maximum, &any)) != STATUS_OK ||
	    (r = take_bound(c, f, "exclusiveMinimum", &rule.exclusive_minimum, &any)) !=
		    STATUS_OK ||
	    (r = take_bound(c, f, "exclusiveMaximum", &rule.exclusive_maximum, &any)) !=
		    STATUS_OK ||
	    (r = take_bound(c, f, "multipleOf", &rule.multiple_of, &any)) != STATUS_OK)
		return r;
	if (rule.multiple_of.present && rule.multiple_of.number <= 0)
		return compile_refuse(c, f, "multipleOf", "has to be greater than 0");
	if (!any)
		return STATUS_OK;
	frame_node(c, f)->number = (uint32_t)c->s->numbers.count;
	if (!(kept = PUSH(c->s->numbers)))
		return compile_no_memory(c);
	*kept = rule;
	return STATUS_OK;
}

int compile_count(struct compiler *c, const struct frame *f, const char *keyword,
		  uint64_t *ret_count, bool *any)
{
	const json *value;
	double number;

	if (!compile_keyword(f, VOCABULARY_VALIDATION, keyword, &value))
		return STATUS_OK;
	number = json_is_number(value) ? json_number(value) : -1;
	if (number < 0 || number != floor(number))
		return compile_refuse(c, f, keyword, "has to be a whole number, 0 or more");
	*ret_count = number >= 0x1p63 ? UINT64_MAX : (uint64_t)number;
	*any = true;
	return STATUS_OK;
}

/* ---- Texts ----------------------------------------------------------------------------- */

int compile_pattern(struct compiler *c, const struct frame *f, const char *keyword,
		    const char *text, size_t length, uint32_t *ret_index)
{
	struct pattern **kept, *pattern;
	char reason[160];

	*ret_index = names_find(&c->patterns, text, length);
	if (*ret_index != NAMES_NONE)
		return STATUS_OK;
	*ret_index = (uint32_t)c->s->patterns.count;
	if (*ret_index >= SCHEMA_PATTERNS_MOST)
		return compile_refuse(c, f, keyword, "is one of more than %d regular expressions",
				      SCHEMA_PATTERNS_MOST);
	if (!(pattern = pattern_compile(text, length, reason, sizeof(reason))))
		return compile_refuse(c, f, keyword,
				      "holds a regular expression that cannot be used: %s", reason);
	if (!(kept = PUSH(c->s->patterns))) {
		pattern_free(pattern);
		return compile_no_memory(c);
	}
	*kept = pattern;
	return names_add(&c->patterns, text, length, *ret_index) ? STATUS_OK : compile_no_memory(c);
}

static int compile_format(struct compiler *c, const struct frame *f, struct text_rule *rule,
			  bool *any)
{
	bool asserted = c->assert_formats ||
			(f->resource->dialect.vocabularies & VOCABULARY_FORMAT_ASSERT &&
			 !f->resource->dialect.draft7);
	const json *value;

	if (!compile_keyword(f, VOCABULARY_FORMAT, "format", &value))
		return STATUS_OK;
	if (json_kind(value) != JSON_TEXT)
		return compile_refuse(c, f, "format", "has to be a text");
	if (asserted && (rule->format = format_find(json_text(value, NULL))) != FORMAT_NONE)
		*any = true;
	return STATUS_OK;
}

static int compile_texts(struct compiler *c, const struct frame *f)
{
	struct text_rule rule = { .max_length = UINT64_MAX, .pattern = NONE }, *kept;
	const json *value;
	const char *text;
	size_t length;
	bool any = false;
	int r;

	if ((r = compile_count(c, f, "minLength", &rule.min_length, &any)) != STATUS_OK ||
	    (r = compile_count(c, f, "maxLength", &rule.max_length, &any)) != STATUS_OK ||
	    (r = compile_format(c, f, &rule, &any)) != STATUS_OK)
		return r;
	if (compile_keyword(f, VOCABULARY_VALIDATION, "pattern", &value)) {
		if (json_kind(value) != JSON_TEXT)
			return compile_refuse(c, f, "pattern", "has to be a text");
		text = json_text(value, &length);
		if ((r = compile_pattern(c, f, "pattern", text, length, &rule.pattern)) !=
		    STATUS_OK)
			return r;
		any = true;
	}
	if (!any)
		return STATUS_OK;
	frame_node(c, f)->text = (uint32_t)c->s->texts.count;
	if (!(kept = PUSH(c->s->texts)))
		return compile_no_memory(c);
	*kept = rule;
	return STATUS_OK;
}

/* ---- Lists ----------------------------------------------------------------------------- */

/* items and prefixItems of 2020-12; items and additionalItems of draft-07. */
static int compile_items(struct compiler *c, const struct frame *f, struct list_rule *rule)
{
	bool draft7 = f->resource->dialect.draft7;
	const char *prefix = draft7 ? "items" : "prefixItems";
	const json *value;
	int r;

	rule->rest_keyword = "items";
	if (compile_keyword(f, VOCABULARY_APPLICATOR, prefix, &value) &&
	    (!draft7 || json_kind(value) == JSON_LIST)) {
		r = compile_links(c, f, value, prefix, &rule->prefix_first, &rule->prefix_count);
		if (r != STATUS_OK)
			return r;
		if (draft7) {
			rule->rest_keyword = "additionalItems";
			return compile_single(c, f, VOCABULARY_APPLICATOR, "additionalItems",
					      &rule->rest);
		}
	}
	return compile_single(c, f, VOCABULARY_APPLICATOR, "items", &rule->rest);
}

static int compile_contains(struct compiler *c, const struct frame *f, struct list_rule *rule)
{
	bool any;
	int r;

	if ((r = compile_single(c, f, VOCABULARY_APPLICATOR, "contains", &rule->contains)) !=
		    STATUS_OK ||
	    f->resource->dialect.draft7)
		return r;
	if ((r = compile_count(c, f, "minContains", &rule->min_contains, &any)) != STATUS_OK)
		return r;
	return compile_count(c, f, "maxContains", &rule->max_contains, &any);
}

static int compile_lists(struct compiler *c, const struct frame *f)
{
	struct list_rule rule = {
		.max_items = UINT64_MAX,
		.min_contains = 1,
		.max_contains = UINT64_MAX,
		.rest = NONE,
		.contains = NONE,
	};
	struct list_rule *kept;
	const json *value;
	bool any = false;
	int r;

	if ((r = compile_count(c, f, "minItems", &rule.min_items, &any)) != STATUS_OK ||
	    (r = compile_count(c, f, "maxItems", &rule.max_items, &any)) != STATUS_OK ||
	    (r = compile_items(c, f, &rule)) != STATUS_OK ||
	    (r = compile_contains(c, f, &rule)) != STATUS_OK)
		return r;
	if (compile_keyword(f, VOCABULARY_VALIDATION, "uniqueItems", &value)) {
		if (json_kind(value) != JSON_BOOLEAN)
			return compile_refuse(c, f, "uniqueItems", "has to be true or false");
		rule.unique = json_boolean(value);
	}
	if (!any && !rule.unique && !rule.prefix_count && rule.rest == NONE &&
	    rule.contains == NONE)
		return STATUS_OK;
	frame_node(c, f)->list = (uint32_t)c->s->lists.count;
	if (!(kept = PUSH(c->s->lists)))
		return compile_no_memory(c);
	*kept = rule;
	return STATUS_OK;
}

/* ---- All of them ----------------------------------------------------------------------------- */

static int compile_unevaluated(struct compiler *c, const struct frame *f)
{
	uint32_t items, properties;
	int r;

	if (f->resource->dialect.draft7)
		return STATUS_OK;
	if ((r = compile_single(c, f, VOCABULARY_UNEVALUATED, "unevaluatedItems", &items)) !=
		    STATUS_OK ||
	    (r = compile_single(c, f, VOCABULARY_UNEVALUATED, "unevaluatedProperties",
				&properties)) != STATUS_OK)
		return r;
	frame_node(c, f)->unevaluated_items = items;
	frame_node(c, f)->unevaluated_properties = properties;
	frame_node(c, f)->tracks = items != NONE || properties != NONE;
	return STATUS_OK;
}

int compile_rules(struct compiler *c, const struct frame *f)
{
	int r;

	if ((r = compile_type(c, f)) != STATUS_OK || (r = compile_values(c, f)) != STATUS_OK ||
	    (r = compile_default(c, f)) != STATUS_OK || (r = compile_numbers(c, f)) != STATUS_OK ||
	    (r = compile_texts(c, f)) != STATUS_OK || (r = compile_lists(c, f)) != STATUS_OK ||
	    (r = compile_objects(c, f)) != STATUS_OK)
		return r;
	return compile_unevaluated(c, f);
}
