/* SPDX-License-Identifier: MIT
 *
 * A schema without references: each local one is replaced by what it refers to.
 */
#include <config.h>

#include "command/vendor.h"

#include "base/array.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

enum {
	DEPTH_MAX = 64,	   /* references that lie in one another */
	NODES_MAX = 20000, /* subschemas written; references can double a schema at every level */
	POINTER_MAX = 256,
};

struct inliner {
	const json *root;
	const json *open[DEPTH_MAX]; /* what is being written out; the root is the first */
	size_t open_count;
	size_t lowest; /* of `open`, that a reference inside has come back to */
	size_t nodes;
	bool named;	/* names of places stay, as references to them do */
	bool kept;	/* a reference could not be replaced */
	bool exhausted; /* a bound was reached */
};

static json *write_schema(struct inliner *in, const json *schema);

/* Keywords that hold schemas by key, one schema, and a list of them. */
static const char *const map_keywords[] = { "properties",  "patternProperties", "$defs",
					    "definitions", "dependentSchemas",	"dependencies",
					    NULL };
static const char *const schema_keywords[] = { "items",
					       "additionalItems",
					       "additionalProperties",
					       "contains",
					       "propertyNames",
					       "not",
					       "if",
					       "then",
					       "else",
					       "unevaluatedItems",
					       "unevaluatedProperties",
					       "contentSchema",
					       NULL };
static const char *const list_keywords[] = {
	"allOf", "anyOf", "oneOf", "prefixItems", "items", NULL
};
/* What only references use. */
static const char *const name_keywords[] = { "$id", "$anchor", "$dynamicAnchor", NULL };

static bool one_of(const char *key, const char *const *keys)
{
	for (; *keys; keys++) {
		if (!strcmp(*keys, key))
			return true;
	}
	return false;
}

/* ---- Finding what a reference means --------------------------------------------------------- */

static int hex_digit(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

/* One token of a JSON Pointer in a URI fragment (RFC 6901, section 6), without its escapes. */
static bool read_token(const char **at, char ret_token[POINTER_MAX])
{
	size_t length = 0;

	while (**at && **at != '/') {
		char byte = *(*at)++;

		if (length == POINTER_MAX - 1)
			return false;
		if (byte == '%') {
			int high = hex_digit((*at)[0]);
			int low = high >= 0 ? hex_digit((*at)[1]) : -1;

			if (low < 0)
				return false;
			byte = (char)(high << 4 | low);
			*at += 2;
		}
		if (byte == '1' && length && ret_token[length - 1] == '~')
			ret_token[length - 1] = '/';
		else if (byte == '0' && length && ret_token[length - 1] == '~')
			ret_token[length - 1] = '~';
		else
			ret_token[length++] = byte;
	}
	ret_token[length] = '\0';
	return true;
}

static const json *step(const json *value, const char *token)
{
	char *end;
	unsigned long index;

	if (json_kind(value) == JSON_OBJECT)
		return json_get(value, token);
	if (json_kind(value) != JSON_LIST)
		return NULL;
	index = strtoul(token, &end, 10);
	return *token && !*end && index < json_count(value) ? json_peek(value, index) : NULL;
}

/* Whether references below are to another document. In draft-07 an "$id" may be an anchor. */
static bool is_document(const json *schema)
{
	const json *id = json_get(schema, "$id");

	return id && (json_kind(id) != JSON_TEXT || *json_text(id, NULL) != '#');
}

static bool is_anchor(const json *schema, const char *reference)
{
	return json_text_is(json_get(schema, "$anchor"), reference + 1) ||
	       json_text_is(json_get(schema, "$dynamicAnchor"), reference + 1) ||
	       json_text_is(json_get(schema, "$id"), reference);
}

static const json *find_anchor(const json *schema, const char *reference, unsigned depth);

static const json *find_anchor_within(const json *list, const char *reference, unsigned depth)
{
	const json *found = NULL;
	struct json_member m;

	if (json_kind(list) == JSON_OBJECT)
		for (bool more = json_first(list, &m); more && !found; more = json_next(&m))
			found = find_anchor(m.value, reference, depth);
	else if (json_kind(list) == JSON_LIST)
		for (size_t i = 0; i < json_count(list) && !found; i++)
			found = find_anchor(json_peek(list, i), reference, depth);
	return found;
}

/* The schema of this document that bears the name of a reference "#name". */
static const json *find_anchor(const json *schema, const char *reference, unsigned depth)
{
	const json *found = NULL;
	struct json_member m;

	if (json_kind(schema) != JSON_OBJECT || depth > DEPTH_MAX)
		return NULL;
	if (is_anchor(schema, reference))
		return schema;
	if (depth && is_document(schema))
		return NULL;
	for (bool more = json_first(schema, &m); more && !found; more = json_next(&m)) {
		if (one_of(m.key, map_keywords) || one_of(m.key, list_keywords))
			found = find_anchor_within(m.value, reference, depth + 1);
		if (!found && one_of(m.key, schema_keywords))
			found = find_anchor(m.value, reference, depth + 1);
	}
	return found;
}

/* What a reference of the form "#/..." or "#name" points at; NULL for others, which are to other
 * documents. */
static const json *find_target(const json *root, const char *reference)
{
	const char *at = reference + 1;
	const json *value = root;
	char token[POINTER_MAX];

	if (reference[0] != '#')
		return NULL;
	if (*at && *at != '/')
		return find_anchor(root, reference, 0);
	while (value && *at == '/') {
		at++;
		if (!read_token(&at, token))
			return NULL;
		value = step(value, token);
	}
	return json_kind(value) == JSON_OBJECT || json_kind(value) == JSON_BOOLEAN ? value : NULL;
}

/* ---- Writing the schema anew ---------------------------------------------------------------- */

static json *write_map(struct inliner *in, const json *map)
{
	json *copy = json_new_object();
	struct json_member m;

	for (bool more = json_first(map, &m); more; more = json_next(&m))
		json_set(copy, m.key, write_schema(in, m.value));
	return copy;
}

static json *write_list(struct inliner *in, const json *list)
{
	json *copy = json_new_list();

	for (size_t i = 0; i < json_count(list); i++)
		json_append(copy, write_schema(in, json_peek(list, i)));
	return copy;
}

/* The value of one keyword: only where it holds schemas may something be replaced; a "$ref" in an
 * enum is data. */
static json *write_value(struct inliner *in, const char *key, json *value)
{
	if (json_kind(value) == JSON_OBJECT && one_of(key, map_keywords))
		return write_map(in, value);
	if (json_kind(value) == JSON_OBJECT && one_of(key, schema_keywords))
		return write_schema(in, value);
	if (json_kind(value) == JSON_LIST && one_of(key, list_keywords))
		return write_list(in, value);
	return json_hold(value);
}

static json *write_members(struct inliner *in, const json *schema, const char *without)
{
	json *copy = json_new_object();
	struct json_member m;

	for (bool more = json_first(schema, &m); more; more = json_next(&m)) {
		if ((!without || strcmp(m.key, without) != 0) &&
		    (in->named || !one_of(m.key, name_keywords)))
			json_set(copy, m.key, write_value(in, m.key, m.value));
	}
	return copy;
}

/* What stands beside a "$ref" holds as well: texts about the value take the place of the target's
 * own, other keywords are joined where the target has none of that name, and by allOf where it has.
 */
static json *join(json *target, json *beside)
{
	static const char *const texts[] = { "title",	 "description", "default",
					     "examples", "deprecated",	NULL };
	struct json_member m;
	bool clash = json_kind(target) != JSON_OBJECT;
	json *both;

	for (bool more = json_first(beside, &m); more && !clash; more = json_next(&m))
		clash = json_has(target, m.key) && !one_of(m.key, texts) &&
			!json_equal(json_get(target, m.key), m.value);
	if (clash) {
		json *arms = json_new_list();

		json_append(arms, target);
		json_set(beside, "allOf", arms);
		return beside;
	}
	both = json_new_object();
	for (bool more = json_first(target, &m); more; more = json_next(&m))
		json_set(both, m.key, json_hold(m.value));
	for (bool more = json_first(beside, &m); more; more = json_next(&m))
		json_set(both, m.key, json_hold(m.value));
	json_drop(target);
	json_drop(beside);
	return both;
}

static json *keep_reference(struct inliner *in, const json *schema)
{
	in->kept = true;
	return write_members(in, schema, NULL);
}

/* A target is recursive where something inside comes back to it, or to what is open around it. */
static json *write_reference(struct inliner *in, const json *schema, const char *keyword,
			     const json *target)
{
	size_t place = in->open_count;
	size_t lowest_outside = in->lowest;
	json *written;

	for (size_t i = 0; i < in->open_count; i++) {
		if (in->open[i] == target) {
			if (i < in->lowest)
				in->lowest = i;
			return keep_reference(in, schema);
		}
	}
	if (place == DEPTH_MAX) {
		in->exhausted = true;
		return keep_reference(in, schema);
	}
	in->lowest = SIZE_MAX;
	in->open[in->open_count++] = target;
	written = write_schema(in, target);
	in->open_count--;

	if (in->lowest <= place) {
		/* Coming back to the target alone says nothing of what is around it. */
		if (in->lowest == place || in->lowest > lowest_outside)
			in->lowest = lowest_outside;
		json_drop(written);
		return keep_reference(in, schema);
	}
	in->lowest = lowest_outside;
	if (json_count(schema) == 1)
		return written;
	return join(written, write_members(in, schema, keyword));
}

static json *write_schema(struct inliner *in, const json *schema)
{
	/* A "$dynamicRef" may mean another place only where there are several documents. */
	const char *keyword = json_has(schema, "$ref") ? "$ref" : "$dynamicRef";
	const json *reference = json_get(schema, keyword);
	const json *target;

	if (json_kind(schema) != JSON_OBJECT)
		return json_kind(schema) == JSON_BOOLEAN ? json_new_boolean(json_boolean(schema))
							 : NULL;
	if (in->nodes++ > NODES_MAX)
		in->exhausted = true;
	/* Below an "$id" of its own, a reference is to that document. */
	if (in->exhausted || (schema != in->root && is_document(schema)))
		return keep_reference(in, schema);
	if (json_kind(reference) != JSON_TEXT)
		return write_members(in, schema, NULL);
	target = find_target(in->root, json_text(reference, NULL));
	return target ? write_reference(in, schema, keyword, target) : keep_reference(in, schema);
}

/* ---- The root ------------------------------------------------------------------------------- */

/* The arguments that an arm of a root combinator names are still worth showing to a model. */
static void adopt_arms(json *properties, const json *schema, unsigned depth)
{
	static const char *const keywords[] = { "allOf", "anyOf", "oneOf", "then", "else" };
	struct json_member m;
	const json *own = json_get(schema, "properties");

	if (depth && json_kind(own) == JSON_OBJECT) {
		for (bool more = json_first(own, &m); more; more = json_next(&m)) {
			if (!json_has(properties, m.key))
				json_set(properties, m.key, json_hold(m.value));
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(keywords) && depth < DEPTH_MAX; i++) {
		const json *arms = json_get(schema, keywords[i]);

		if (json_kind(arms) == JSON_OBJECT)
			adopt_arms(properties, arms, depth + 1);
		for (size_t j = 0; json_kind(arms) == JSON_LIST && j < json_count(arms); j++)
			if (json_kind(json_peek(arms, j)) == JSON_OBJECT)
				adopt_arms(properties, json_peek(arms, j), depth + 1);
	}
}

static bool contains(const json *list, const json *value)
{
	for (size_t i = 0; i < json_count(list); i++)
		if (json_equal(json_peek(list, i), value))
			return true;
	return false;
}

/* What all arms of allOf require is required. */
static void adopt_required(json *required, const json *schema, unsigned depth)
{
	const json *own = json_get(schema, "required"), *arms = json_get(schema, "allOf");

	for (size_t i = 0; json_kind(own) == JSON_LIST && i < json_count(own); i++)
		if (!contains(required, json_peek(own, i)))
			json_append(required, json_hold(json_peek(own, i)));
	for (size_t i = 0;
	     json_kind(arms) == JSON_LIST && depth < DEPTH_MAX && i < json_count(arms); i++)
		if (json_kind(json_peek(arms, i)) == JSON_OBJECT)
			adopt_required(required, json_peek(arms, i), depth + 1);
}

static json *settle_root(json *schema, bool schema_key)
{
	static const char *const combinators[] = { "allOf", "anyOf", "oneOf", "not", "if",
						   "then",  "else",  "enum",  NULL };
	json *root = json_new_object();
	json *properties = json_new_object(), *required = json_new_list();
	struct json_member m;

	if (schema_key) {
		const json *dialect = json_get(schema, "$schema");

		json_set_text(root, "$schema",
			      json_kind(dialect) == JSON_TEXT
				      ? json_text(dialect, NULL)
				      : "https://json-schema.org/draft/2020-12/schema");
	}
	json_set_text(root, "type", "object");
	if (json_kind(json_get(schema, "properties")) == JSON_OBJECT) {
		for (bool more = json_first(json_get(schema, "properties"), &m); more;
		     more = json_next(&m))
			json_set(properties, m.key, json_hold(m.value));
	}
	json_set(root, "properties", properties);
	if (json_kind(schema) == JSON_OBJECT) {
		for (bool more = json_first(schema, &m); more; more = json_next(&m)) {
			if (!json_has(root, m.key) && !one_of(m.key, combinators) &&
			    strcmp(m.key, "$schema") != 0 && strcmp(m.key, "required") != 0)
				json_set(root, m.key, json_hold(m.value));
		}
		if (!json_has(root, "additionalProperties"))
			adopt_arms(properties, schema, 0);
		adopt_required(required, schema, 0);
	}
	if (json_count(required))
		json_set(root, "required", required);
	else
		json_drop(required);
	json_drop(schema);
	return root;
}

static json *inline_all(struct inliner *in, const json *schema, bool named)
{
	*in = (struct inliner){ .root = schema,
				.open = { schema },
				.open_count = 1,
				.lowest = SIZE_MAX,
				.named = named };
	return write_schema(in, schema);
}

json *vendor_schema(const json *schema, bool schema_key, bool *ret_kept)
{
	struct inliner in;
	json *written = inline_all(&in, schema, false);

	if (in.kept) {
		json_drop(written);
		written = inline_all(&in, schema, true);
	}
	if (in.exhausted) {
		json_drop(written);
		written = json_copy(schema);
	}
	if (!in.kept && json_kind(written) == JSON_OBJECT) {
		json_remove(written, "$defs");
		json_remove(written, "definitions");
	}
	*ret_kept = in.kept;
	return settle_root(written, schema_key);
}
