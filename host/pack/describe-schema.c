/* SPDX-License-Identifier: MIT
 *
 * Shapes of schemas that are valid, and that clients of MCP are known to refuse or to misread all
 * the same. None of these refuses a pack: the gate enforces the whole schema in any case.
 */
#include "pack/describe.h"

#include "base/array.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define DEPTH_MOST 32u
#define STEPS_MOST 20000u /* of the search for recursive references */
#define PARAMETER_NAME_MOST 64u

/* ---- Combinators at the root -------------------------------------------------------------- */

static void warn_root(struct describer *d, const json *schema)
{
	static const char *const combinators[] = { "anyOf", "oneOf", "allOf", "not",
						   "if",    "enum",  "const" };

	for (size_t i = 0; i < ARRAY_SIZE(combinators); i++)
		if (json_has(schema, combinators[i]))
			describe_warn(d,
				      "its input schema has %s at the root, which model services "
				      "refuse: put the alternatives into a property",
				      combinators[i]);
}

/* ---- Properties --------------------------------------------------------------------------- */

/* Whether anything says what values a property takes. */
static bool says_type(const json *property)
{
	static const char *const keywords[] = {
		"type",	 "$ref",  "$dynamicRef", "enum",       "const", "anyOf",
		"oneOf", "allOf", "not",	 "properties", "items", "prefixItems",
	};

	for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
		if (json_has(property, keywords[i]))
			return true;
	return false;
}

/* Whether a schema allows arrays and says nothing of what is in them. */
static bool leaves_items_open(const json *schema)
{
	const json *type = json_get(schema, "type");
	bool is_array = json_text_is(type, "array");

	for (size_t i = 0; json_kind(type) == JSON_LIST && i < json_count(type); i++)
		is_array |= json_text_is(json_peek(type, i), "array");
	return is_array && !json_has(schema, "items") && !json_has(schema, "prefixItems") &&
	       !json_has(schema, "$ref") && !json_has(schema, "enum") && !json_has(schema, "const");
}

static bool is_parameter_name(const char *name)
{
	size_t length = strlen(name);
	static const char allowed[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

	return length >= 1 && length <= PARAMETER_NAME_MOST && strspn(name, allowed) == length;
}

/* Keywords that a slip may have been meant for. "not", "if" and the like are too short to tell. */
static const char *const known_keywords[] = {
	"$ref",
	"$defs",
	"$anchor",
	"type",
	"enum",
	"const",
	"title",
	"description",
	"default",
	"examples",
	"deprecated",
	"readOnly",
	"writeOnly",
	"minimum",
	"maximum",
	"exclusiveMinimum",
	"exclusiveMaximum",
	"multipleOf",
	"minLength",
	"maxLength",
	"pattern",
	"format",
	"contentEncoding",
	"contentMediaType",
	"contentSchema",
	"items",
	"prefixItems",
	"additionalItems",
	"unevaluatedItems",
	"minItems",
	"maxItems",
	"uniqueItems",
	"contains",
	"minContains",
	"maxContains",
	"properties",
	"patternProperties",
	"additionalProperties",
	"unevaluatedProperties",
	"propertyNames",
	"minProperties",
	"maxProperties",
	"required",
	"dependencies",
	"dependentRequired",
	"dependentSchemas",
	"allOf",
	"anyOf",
	"oneOf",
	"definitions",
	"$dynamicRef",
	"$dynamicAnchor",
	"$recursiveRef",
	"$recursiveAnchor",
};

/* What an unknown keyword was likely meant for, or NULL. JSON Schema lets anything stand there, so
 * only what looks like a slip is one. */
static const char *meant_keyword(const char *key)
{
	static const char *const slips[][2] = { { "min", "minimum" },
						{ "max", "maximum" },
						{ "regex", "pattern" } };
	static const char *const others[] = { "$comment", "$schema", "comment", "schema",
					      "example" };

	for (size_t i = 0; i < ARRAY_SIZE(slips); i++)
		if (!strcmp(key, slips[i][0]))
			return slips[i][1];
	for (size_t i = 0; i < ARRAY_SIZE(known_keywords); i++)
		if (!strcmp(key, known_keywords[i]))
			return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(key, others[i]))
			return NULL;
	return text_nearest(key, known_keywords, ARRAY_SIZE(known_keywords));
}

static void warn_keywords(struct describer *d, const json *schema, const char *path, bool is_input)
{
	struct json_member m;

	for (bool more = json_first(schema, &m); more; more = json_next(&m)) {
		const char *meant = meant_keyword(m.key);

		if (meant)
			describe_warn(d,
				      "%s \"%s\" has the keyword \"%.40s\", which JSON Schema does "
				      "not know, so that it is passed over: write \"%s\"",
				      is_input ? "parameter" : "result field", path, m.key, meant);
	}
}

static void warn_properties(struct describer *d, const json *schema, const char *path,
			    bool is_input, unsigned depth);

static void warn_property(struct describer *d, const json *property, const char *path,
			  bool is_input, unsigned depth)
{
	/* `true` takes anything, and says so; an object that says nothing was likely meant to say
	 * more. */
	if (json_kind(property) != JSON_OBJECT)
		return;
	if (!says_type(property))
		describe_warn(
			d, "%s \"%s\" says no type, without which model services refuse or guess",
			is_input ? "parameter" : "result field", path);
	for (; json_kind(property) == JSON_OBJECT && depth <= DEPTH_MOST;
	     property = json_get(property, "items"), depth++) {
		if (is_input && leaves_items_open(property))
			describe_warn(d,
				      "parameter \"%s\" is an array without \"items\", which model "
				      "services refuse",
				      path);
		warn_keywords(d, property, path, is_input);
		warn_properties(d, property, path, is_input, depth + 1);
	}
}

static void warn_properties(struct describer *d, const json *schema, const char *path,
			    bool is_input, unsigned depth)
{
	const json *properties = json_get(schema, "properties");
	struct json_member m;
	char inner[256];

	if (json_kind(properties) != JSON_OBJECT || depth > DEPTH_MOST)
		return;
	for (bool more = json_first(properties, &m); more; more = json_next(&m)) {
		snprintf(inner, sizeof(inner), "%s%s%s", path, *path ? "." : "", m.key);
		inner[text_head(inner, strlen(inner), 200)] = '\0';
		if (is_input && !is_parameter_name(m.key))
			describe_warn(d,
				      "parameter \"%s\" has a name that model services refuse: "
				      "they allow [A-Za-z0-9_.-]{1,64}",
				      inner);
		warn_property(d, m.value, inner, is_input, depth);
	}
}

/* ---- References that come back to themselves ---------------------------------------------- */

struct search {
	const json *root;
	const json *open[DEPTH_MOST]; /* the schemas that are being looked at, outermost first */
	size_t depth;
	size_t steps;
	bool found;
};

static bool holds_values(const char *keyword)
{
	static const char *const keywords[] = { "enum", "const", "default", "examples" };

	for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
		if (!strcmp(keyword, keywords[i]))
			return true;
	return false;
}

/* The schema that bears a name, as "#name" refers to it. */
static const json *find_named(const json *schema, const char *name, unsigned depth)
{
	const json *found = NULL;
	struct json_member m;

	if (depth > DEPTH_MOST)
		return NULL;
	for (size_t i = 0; json_kind(schema) == JSON_LIST && i < json_count(schema) && !found; i++)
		found = find_named(json_peek(schema, i), name, depth + 1);
	if (json_kind(schema) != JSON_OBJECT)
		return found;
	if (json_text_is(json_get(schema, "$anchor"), name) ||
	    json_text_is(json_get(schema, "$dynamicAnchor"), name))
		return schema;
	for (bool more = json_first(schema, &m); more && !found; more = json_next(&m))
		if (!holds_values(m.key))
			found = find_named(m.value, name, depth + 1);
	return found;
}

/* The target of a reference into the schema itself; NULL where it is another. */
static const json *resolve(const json *root, const char *reference)
{
	const json *at = root;

	if (reference[0] != '#')
		return NULL;
	if (reference[1] && reference[1] != '/')
		return find_named(root, reference + 1, 0);
	for (reference++; *reference == '/' && at;) {
		char key[256];
		size_t length = 0;

		for (reference++; *reference && *reference != '/' && length < sizeof(key) - 1;
		     reference++) {
			char c = *reference;

			if (c == '~' && (reference[1] == '0' || reference[1] == '1'))
				c = *++reference == '0' ? '~' : '/';
			key[length++] = c;
		}
		key[length] = '\0';
		at = json_kind(at) == JSON_OBJECT ? json_get(at, key) : NULL;
	}
	return *reference ? NULL : at;
}

static void search_recursion(struct search *s, const json *schema)
{
	struct json_member m;

	if (s->found || ++s->steps > STEPS_MOST)
		return;
	if (json_kind(schema) == JSON_LIST) {
		for (size_t i = 0; i < json_count(schema); i++)
			search_recursion(s, json_peek(schema, i));
		return;
	}
	if (json_kind(schema) != JSON_OBJECT || s->depth == DEPTH_MOST)
		return;
	for (size_t i = 0; i < s->depth; i++)
		if (s->open[i] == schema) {
			s->found = true;
			return;
		}
	s->open[s->depth++] = schema;
	for (bool more = json_first(schema, &m); more; more = json_next(&m)) {
		if ((!strcmp(m.key, "$ref") || !strcmp(m.key, "$dynamicRef")) &&
		    json_kind(m.value) == JSON_TEXT)
			search_recursion(s, resolve(s->root, json_text(m.value, NULL)));
		else if (!holds_values(m.key))
			search_recursion(s, m.value);
	}
	s->depth--;
}

void describe_warn_schema(struct describer *d, const json *schema, bool is_input)
{
	struct search search = { .root = schema };

	if (is_input)
		warn_root(d, schema);
	warn_properties(d, schema, "", is_input, 0);
	search_recursion(&search, schema);
	if (search.found || json_has(schema, "$recursiveRef"))
		describe_warn(d,
			      "its %s schema refers to itself, which model services refuse: they "
			      "want schemas of a fixed depth",
			      is_input ? "input" : "output");
}
