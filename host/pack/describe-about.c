/* SPDX-License-Identifier: MIT
 *
 * What a tool says about itself as JSON, the last argument of TH_TOOL: every key is known, and
 * agrees with the schemas.
 */
#include "pack/describe.h"

#include "base/array.h"
#include "base/text.h"
#include "schema/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EXAMPLES_MOST 64u
#define TIMEOUT_MOST 86400.0
#define MEMORY_MB_MOST 1048576
/* 2^53: beyond it, JavaScript cannot tell neighbours apart. */
#define EXACT_INTEGER (INT64_C(1) << 53)

struct about_key {
	const char *name;
	enum json_kind kind;
	int (*check)(struct describer *d, const struct tool_parts *parts, const json *value);
};

/* ---- Words and wishes --------------------------------------------------------------------- */

static int check_word(struct describer *d, const char *key, const json *value,
		      const char *const *words, size_t count)
{
	const char *text = json_text(value, NULL), *near;
	char allowed[128] = "";
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		if (!strcmp(text, words[i]))
			return STATUS_OK;
		used += (size_t)snprintf(allowed + used, sizeof(allowed) - used, "%s\"%s\"",
					 i ? ", " : "", words[i]);
	}
	near = text_nearest(text, words, count);
	return describe_refuse(d, "its %s is \"%.40s\", and may be %s%s%s%s", key, text, allowed,
			       near ? "; did you mean \"" : "", near ? near : "",
			       near ? "\"?" : "");
}

static int check_threads(struct describer *d, const struct tool_parts *parts, const json *value)
{
	static const char *const words[] = { "serial", "parallel" };

	(void)parts;
	return check_word(d, "threads", value, words, ARRAY_SIZE(words));
}

static int check_isolation(struct describer *d, const struct tool_parts *parts, const json *value)
{
	static const char *const words[] = { "in-process", "isolated", "sandboxed" };

	(void)parts;
	return check_word(d, "isolation", value, words, ARRAY_SIZE(words));
}

static int check_timeout(struct describer *d, const struct tool_parts *parts, const json *value)
{
	double seconds = json_number(value);

	(void)parts;
	if (seconds > 0 && seconds <= TIMEOUT_MOST)
		return STATUS_OK;
	return describe_refuse(d, "its timeout has to be above 0 and at most %g seconds",
			       TIMEOUT_MOST);
}

static int check_memory(struct describer *d, const struct tool_parts *parts, const json *value)
{
	int64_t mebibytes = json_integer(value);

	(void)parts;
	if (mebibytes >= 1 && mebibytes <= MEMORY_MB_MOST)
		return STATUS_OK;
	return describe_refuse(d, "its memory_mb has to be between 1 and %d", MEMORY_MB_MOST);
}

static int check_annotations(struct describer *d, const struct tool_parts *parts, const json *value)
{
	static const char *const keys[] = { "readOnlyHint", "destructiveHint", "idempotentHint",
					    "openWorldHint" };
	int r = describe_check_keys(d, value, "annotations", keys, ARRAY_SIZE(keys));

	(void)parts;
	for (size_t i = 0; i < ARRAY_SIZE(keys) && !r; i++)
		r = describe_check_kind(d, value, "annotations", keys[i], JSON_BOOLEAN);
	return r;
}

static int check_paths(struct describer *d, const json *needs, const char *key)
{
	const json *paths = json_get(needs, key);
	int r = describe_check_kind(d, needs, "needs", key, JSON_LIST);

	for (size_t i = 0; !r && i < json_count(paths); i++)
		if (json_item_kind(paths, i) != JSON_TEXT ||
		    json_text(json_peek(paths, i), NULL)[0] != '/')
			r = describe_refuse(d, "%s of its needs has to be a list of absolute paths",
					    key);
	return r;
}

static int check_needs(struct describer *d, const struct tool_parts *parts, const json *value)
{
	static const char *const keys[] = { "network", "subprocess", "read", "write" };
	int r = describe_check_keys(d, value, "needs", keys, ARRAY_SIZE(keys));

	(void)parts;
	if (!r)
		r = describe_check_kind(d, value, "needs", "network", JSON_BOOLEAN);
	if (!r)
		r = describe_check_kind(d, value, "needs", "subprocess", JSON_BOOLEAN);
	if (!r)
		r = check_paths(d, value, "read");
	return r ? r : check_paths(d, value, "write");
}

/* ---- What agrees with the schema ---------------------------------------------------------- */

static const json *find_parameter(const struct tool_parts *parts, const char *name)
{
	const json *parameter = json_get(json_get(parts->input, "properties"), name);

	return json_kind(parameter) == JSON_OBJECT ? parameter : NULL;
}

/* Whether a parameter may be of that type, alone or beside others. */
static bool has_type(const json *parameter, const char *type)
{
	const json *types = json_get(parameter, "type"), *arms = json_get(parameter, "anyOf");

	if (json_text_is(types, type))
		return true;
	if (json_kind(types) == JSON_LIST)
		for (size_t i = 0; i < json_count(types); i++)
			if (json_text_is(json_peek(types, i), type))
				return true;
	if (json_kind(arms) == JSON_LIST)
		for (size_t i = 0; i < json_count(arms); i++)
			if (json_text_is(json_get(json_peek(arms, i), "type"), type))
				return true;
	return false;
}

static int check_caps(struct describer *d, const struct tool_parts *parts, const json *value)
{
	struct json_member m;

	for (bool more = json_first(value, &m); more; more = json_next(&m)) {
		const json *parameter = find_parameter(parts, m.key);

		if (!json_is_number(m.value))
			return describe_refuse(d, "the cap of \"%.60s\" has to be a number", m.key);
		if (!parameter)
			return describe_refuse(d, "its caps name \"%.60s\", which is no parameter",
					       m.key);
		if (!has_type(parameter, "number") && !has_type(parameter, "integer"))
			return describe_refuse(d, "its caps name \"%.60s\", which is no number",
					       m.key);
	}
	return STATUS_OK;
}

static int check_seed(struct describer *d, const struct tool_parts *parts, const json *rng)
{
	const char *name = json_text(json_get(rng, "seed_param"), NULL);
	const json *parameter = find_parameter(parts, name);
	const json *ours = json_get(rng, "default_seed"), *theirs = json_get(parameter, "default");

	if (!parameter)
		return describe_refuse(
			d, "seed_param of its rng names \"%.60s\", which is no parameter", name);
	if (!has_type(parameter, "integer"))
		return describe_refuse(
			d, "seed_param of its rng names \"%.60s\", which is no integer", name);
	if (!json_equal(ours, theirs))
		return describe_refuse(d, "default_seed of its rng is not the default of \"%.60s\"",
				       name);
	return STATUS_OK;
}

static int check_rng(struct describer *d, const struct tool_parts *parts, const json *value)
{
	static const char *const keys[] = { "uses_rng", "seed_param", "default_seed", "note" };
	int r = describe_check_keys(d, value, "rng", keys, ARRAY_SIZE(keys));

	if (!r && json_kind(json_get(value, "uses_rng")) != JSON_BOOLEAN)
		r = describe_refuse(d, "its rng has to say uses_rng, true or false");
	if (!r)
		r = describe_check_kind(d, value, "rng", "seed_param", JSON_TEXT);
	if (!r)
		r = describe_check_kind(d, value, "rng", "default_seed", JSON_INTEGER);
	if (!r)
		r = describe_check_kind(d, value, "rng", "note", JSON_TEXT);
	if (r)
		return r;
	if (!json_boolean(json_get(value, "uses_rng")) &&
	    (json_get(value, "seed_param") || json_get(value, "default_seed")))
		return describe_refuse(d, "its rng uses no random numbers, and yet has a seed");
	if (json_get(value, "seed_param"))
		return check_seed(d, parts, value);
	if (json_get(value, "default_seed"))
		return describe_refuse(d, "default_seed of its rng needs seed_param beside it");
	return STATUS_OK;
}

/* ---- Examples ----------------------------------------------------------------------------- */

static bool has_inexact_integer(const json *value);

/* What is packed is exact as a double, and may be beyond all the same. */
static bool list_has_inexact_integer(const json *list)
{
	size_t count = json_count(list);

	for (size_t i = 0; i < count; i++) {
		const json *item = json_peek(list, i);

		if (item ? has_inexact_integer(item)
			 : json_item_kind(list, i) == JSON_INTEGER &&
				    fabs(json_item_number(list, i)) > EXACT_INTEGER)
			return true;
	}
	return false;
}

static bool has_inexact_integer(const json *value)
{
	struct json_member m;

	switch (json_kind(value)) {
	case JSON_INTEGER:
		return json_integer(value) > EXACT_INTEGER || json_integer(value) < -EXACT_INTEGER;
	case JSON_LIST:
		return list_has_inexact_integer(value);
	case JSON_OBJECT:
		for (bool more = json_first(value, &m); more; more = json_next(&m))
			if (has_inexact_integer(m.value))
				return true;
		return false;
	default:
		return false;
	}
}

static int check_fits(struct describer *d, const struct schema *schema, const json *value,
		      size_t number, const char *what)
{
	struct schema_problems problems;
	const struct schema_problem *first = &problems.items[0];

	if (!schema || schema_validate(schema, value, &problems))
		return STATUS_OK;
	return describe_refuse(
		d, "%s of example %zu do%s not fit the schema: at \"%s\" expected %s, found %s%s%s",
		what, number, !strcmp(what, "arguments") ? "" : "es", first->path, first->expected,
		first->found, first->hint[0] ? "; " : "", first->hint);
}

static int check_example(struct describer *d, const struct tool_parts *parts, const json *example,
			 size_t number)
{
	static const char *const keys[] = { "title", "arguments", "result" };
	int r;

	if (json_kind(example) != JSON_OBJECT)
		return describe_refuse(d, "example %zu has to be an object", number);
	r = describe_check_keys(d, example, "example", keys, ARRAY_SIZE(keys));
	if (!r)
		r = describe_check_kind(d, example, "example", "title", JSON_TEXT);
	if (r)
		return r;
	if (json_kind(json_get(example, "arguments")) != JSON_OBJECT)
		return describe_refuse(d, "example %zu has no arguments, an object", number);
	r = check_fits(d, parts->compiled_input, json_get(example, "arguments"), number,
		       "arguments");
	if (r || !json_has(example, "result"))
		return r;
	r = check_fits(d, parts->compiled_output, json_get(example, "result"), number, "result");
	if (!r && has_inexact_integer(json_get(example, "result")))
		describe_warn(d,
			      "the result of example %zu has an integer beyond 2^53, which clients "
			      "in JavaScript change: send such numbers as text",
			      number);
	return r;
}

static int check_examples(struct describer *d, const struct tool_parts *parts, const json *value)
{
	size_t count = json_count(value);
	int r = STATUS_OK;

	if (count > EXAMPLES_MOST)
		return describe_refuse(d, "it has %zu examples, more than %u", count,
				       EXAMPLES_MOST);
	for (size_t i = 0; i < count && !r; i++)
		r = check_example(d, parts, json_peek(value, i), i + 1);
	return r;
}

/* ---- All of it ---------------------------------------------------------------------------- */

static const struct about_key about_keys[] = {
	{ "category", JSON_TEXT, NULL },
	{ "annotations", JSON_OBJECT, check_annotations },
	{ "examples", JSON_LIST, check_examples },
	{ "rng", JSON_OBJECT, check_rng },
	{ "caps", JSON_OBJECT, check_caps },
	{ "cacheable", JSON_BOOLEAN, NULL },
	{ "threads", JSON_TEXT, check_threads },
	{ "isolation", JSON_TEXT, check_isolation },
	{ "needs", JSON_OBJECT, check_needs },
	{ "timeout", JSON_NUMBER, check_timeout },
	{ "memory_mb", JSON_INTEGER, check_memory },
};

static int take_key(struct describer *d, const struct tool_parts *parts,
		    const struct about_key *key, json *object)
{
	json *value = json_get(parts->about, key->name);
	int r;

	if (!value)
		return STATUS_OK;
	r = describe_check_kind(d, parts->about, "about", key->name, key->kind);
	if (!r && key->check)
		r = key->check(d, parts, value);
	if (!r)
		json_set(object, key->name, json_hold(value));
	return r;
}

int describe_about(struct describer *d, const struct tool_parts *parts, json *object)
{
	const char *names[ARRAY_SIZE(about_keys)];
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(about_keys); i++)
		names[i] = about_keys[i].name;
	r = describe_check_keys(d, parts->about, "about", names, ARRAY_SIZE(names));
	/* The category stands before the schemas, so that whoever reads a manifest sees the short
	 * parts first. */
	if (!r)
		r = take_key(d, parts, &about_keys[0], object);
	if (r)
		return r;
	json_set(object, "inputSchema", json_hold(parts->input));
	/* The host fills in defaults of such a schema; those of a table are filled with the struct.
	 */
	if (!parts->tool->params)
		json_set_boolean(object, "wholeSchema", true);
	if (parts->output)
		json_set(object, "outputSchema", json_hold(parts->output));
	for (size_t i = 1; i < ARRAY_SIZE(about_keys) && !r; i++)
		r = take_key(d, parts, &about_keys[i], object);
	return r;
}
