/* SPDX-License-Identifier: MIT */
#include "schema/resources.h"

#include "base/array.h"
#include "schema/problem.h"
#include "schema/program.h"
#include "schema/uri.h"

#include <stdlib.h>
#include <string.h>

#define ARENA_MOST ((size_t)64 * 1024 * 1024)
#define DRAFT_2020 "https://json-schema.org/draft/2020-12/schema"
#define VOCABULARY_PREFIX "https://json-schema.org/draft/2020-12/vocab/"
#define VOCABULARIES_ALL (~0u & ~(unsigned)VOCABULARY_FORMAT_ASSERT)

static int scan(struct resources *r, const json *value, const struct resource *resource,
		unsigned depth);

static int no_memory(struct resources *r)
{
	return error_set(r->error, STATUS_INTERNAL, "no memory for the schema");
}

/* ---- Where subschemas stand ------------------------------------------------------------ */

enum shape { SHAPE_OTHER, SHAPE_ONE, SHAPE_LIST, SHAPE_MAP, SHAPE_ONE_OR_LIST };

static const struct keyword_shape {
	const char *keyword;
	enum shape shape;
} shapes[] = {
	{ "$defs", SHAPE_MAP },
	{ "additionalItems", SHAPE_ONE },
	{ "additionalProperties", SHAPE_ONE },
	{ "allOf", SHAPE_LIST },
	{ "anyOf", SHAPE_LIST },
	{ "contains", SHAPE_ONE },
	{ "contentSchema", SHAPE_ONE },
	{ "definitions", SHAPE_MAP },
	{ "dependencies", SHAPE_MAP },
	{ "dependentSchemas", SHAPE_MAP },
	{ "else", SHAPE_ONE },
	{ "if", SHAPE_ONE },
	{ "items", SHAPE_ONE_OR_LIST },
	{ "not", SHAPE_ONE },
	{ "oneOf", SHAPE_LIST },
	{ "patternProperties", SHAPE_MAP },
	{ "prefixItems", SHAPE_LIST },
	{ "properties", SHAPE_MAP },
	{ "propertyNames", SHAPE_ONE },
	{ "then", SHAPE_ONE },
	{ "unevaluatedItems", SHAPE_ONE },
	{ "unevaluatedProperties", SHAPE_ONE },
};

static int compare_shape(const void *keyword, const void *entry)
{
	return strcmp(keyword, ((const struct keyword_shape *)entry)->keyword);
}

static enum shape shape_of(const char *keyword)
{
	const struct keyword_shape *found =
		bsearch(keyword, shapes, ARRAY_SIZE(shapes), sizeof(shapes[0]), compare_shape);

	return found ? found->shape : SHAPE_OTHER;
}

/* ---- Registers ------------------------------------------------------------------------- */

static bool add_name(struct resources *r, struct names *names, const void *key, size_t length,
		     uint32_t value)
{
	const char *copy = arena_copy(&r->arena, key, length);

	return copy && names_add(names, copy, length, value);
}

static bool grow(void *items, size_t count, size_t *capacity)
{
	size_t wider = *capacity ? 2 * *capacity : 8;
	void *grown;

	if (count < *capacity)
		return true;
	if (!(grown = realloc(*(void **)items, wider * sizeof(void *))))
		return false;
	*(void **)items = grown;
	*capacity = wider;
	return true;
}

static struct resource *add_resource(struct resources *r, const char *uri, const json *root,
				     struct dialect dialect)
{
	struct resource *resource = arena_allocate(&r->arena, sizeof(*resource));

	if (!resource || !grow(&r->items, r->count, &r->capacity))
		return NULL;
	*resource = (struct resource){
		.uri = uri, .root = root, .dialect = dialect, .index = (uint32_t)r->count
	};
	if (!add_name(r, &r->by_uri, uri, strlen(uri), resource->index) ||
	    !add_name(r, &r->by_root, &root, sizeof(root), resource->index))
		return NULL;
	r->items[r->count++] = resource;
	return resource;
}

static const struct resource *find_resource(const struct resources *r, const char *uri)
{
	uint32_t index = names_find(&r->by_uri, uri, strlen(uri));

	return index == NAMES_NONE ? NULL : r->items[index];
}

const struct resource *resources_of(const struct resources *r, const json *schema,
				    const struct resource *outer)
{
	uint32_t index = names_find(&r->by_root, (const char *)&schema, sizeof(schema));

	return index == NAMES_NONE ? outer : r->items[index];
}

static const char *anchor_key(struct resources *r, const struct resource *resource,
			      const char *name)
{
	size_t length = strlen(resource->uri);
	char *key = arena_allocate(&r->arena, length + strlen(name) + 2);

	if (key) {
		memcpy(key, resource->uri, length);
		key[length] = '#';
		strcpy(key + length + 1, name);
	}
	return key;
}

static const struct anchor *find_anchor(struct resources *r, const struct resource *resource,
					const char *name)
{
	const char *key = anchor_key(r, resource, name);
	uint32_t index = key ? names_find(&r->by_anchor, key, strlen(key)) : NAMES_NONE;

	return index == NAMES_NONE ? NULL : r->anchors[index];
}

static int add_anchor(struct resources *r, const struct resource *resource, const char *name,
		      const json *value, bool dynamic)
{
	const char *key = anchor_key(r, resource, name);
	struct anchor *anchor = arena_allocate(&r->arena, sizeof(*anchor));
	uint32_t index;

	if (!key || !anchor || !grow(&r->anchors, r->anchor_count, &r->anchor_capacity))
		return no_memory(r);
	index = names_find(&r->by_anchor, key, strlen(key));
	if (index != NAMES_NONE && r->anchors[index]->value != value)
		return error_set(r->error, STATUS_INPUT_INVALID,
				 "the anchor \"%.*s\" is there twice", PROBLEM_HEAD(name, 200));
	if (index != NAMES_NONE) {
		r->anchors[index]->dynamic |= dynamic;
		return STATUS_OK;
	}
	*anchor = (struct anchor){ resource, key + strlen(resource->uri) + 1, value, dynamic };
	if (!names_add(&r->by_anchor, key, strlen(key), (uint32_t)r->anchor_count))
		return no_memory(r);
	r->anchors[r->anchor_count++] = anchor;
	return STATUS_OK;
}

const struct anchor *resources_dynamic_anchor(struct resources *r, const struct resource *resource,
					      const char *name)
{
	const struct anchor *anchor = find_anchor(r, resource, name);

	return anchor && anchor->dynamic ? anchor : NULL;
}

/* ---- Documents and dialects ------------------------------------------------------------ */

static const json *read_metaschema(struct resources *r, const char *text)
{
	json *value = NULL;

	for (size_t i = 0; i < r->metaschema_count; i++)
		if (r->metaschemas[i].text == text)
			return r->metaschemas[i].value;
	if (r->metaschema_count == METASCHEMAS_MOST ||
	    json_read(text, strlen(text), NULL, &value, NULL) != STATUS_OK)
		return NULL;
	r->metaschemas[r->metaschema_count].text = text;
	r->metaschemas[r->metaschema_count++].value = value;
	return value;
}

/* The document of that URI, among the caller's and the metaschemas; NULL: none. */
static const json *find_document(struct resources *r, const char *uri)
{
	size_t length = strlen(uri), count = r->options ? r->options->document_count : 0;
	const char *text;

	for (size_t i = 0; i < count; i++) {
		const struct schema_document *document = &r->options->documents[i];

		if (!strncmp(document->uri, uri, length) &&
		    (!document->uri[length] || !strcmp(document->uri + length, "#")))
			return document->value;
	}
	text = metaschema_find(uri);
	return text ? read_metaschema(r, text) : NULL;
}

static bool add_vocabularies(const json *metaschema, struct dialect *dialect)
{
	static const struct {
		const char *name;
		unsigned bits;
	} known[] = {
		{ "core", VOCABULARY_REST },
		{ "applicator", VOCABULARY_APPLICATOR },
		{ "unevaluated", VOCABULARY_UNEVALUATED },
		{ "validation", VOCABULARY_VALIDATION },
		{ "meta-data", VOCABULARY_REST },
		{ "format-annotation", VOCABULARY_FORMAT },
		{ "format-assertion", VOCABULARY_FORMAT | VOCABULARY_FORMAT_ASSERT },
		{ "content", VOCABULARY_REST },
	};
	const size_t prefix = strlen(VOCABULARY_PREFIX);
	const json *vocabulary = json_get(metaschema, "$vocabulary");
	struct json_member m;

	if (json_kind(vocabulary) != JSON_OBJECT)
		return true;
	dialect->vocabularies = VOCABULARY_REST;
	for (bool more = json_first(vocabulary, &m); more; more = json_next(&m)) {
		bool found = false,
		     needed = json_kind(m.value) != JSON_BOOLEAN || json_boolean(m.value);

		for (size_t i = 0; i < ARRAY_SIZE(known) && !found; i++)
			if (!strncmp(m.key, VOCABULARY_PREFIX, prefix) &&
			    !strcmp(m.key + prefix, known[i].name)) {
				dialect->vocabularies |= known[i].bits;
				found = true;
			}
		if (!found && needed)
			return false;
	}
	return true;
}

/* What $schema says; *ret_dialect stays where it says nothing. */
static int read_dialect(struct resources *r, const json *schema, struct dialect *ret_dialect)
{
	const json *value = json_get(schema, "$schema"), *metaschema;
	const char *text = json_text(value, NULL), *uri, *fragment;
	struct dialect dialect = { .vocabularies = VOCABULARIES_ALL };

	if (!value)
		return STATUS_OK;
	if (json_kind(value) != JSON_TEXT || !uri_is_absolute(text) ||
	    !(uri = uri_resolve(&r->arena, "", text, &fragment)))
		return error_set(r->error, STATUS_INPUT_INVALID,
				 "\"$schema\" has to be an absolute URI");
	if (!strcmp(uri, DRAFT_2020)) {
		*ret_dialect = dialect;
		return STATUS_OK;
	}
	dialect.draft7 = !strcmp(uri, "http://json-schema.org/draft-07/schema") ||
			 !strcmp(uri, "https://json-schema.org/draft-07/schema");
	if (dialect.draft7) {
		*ret_dialect = dialect;
		return STATUS_OK;
	}
	if (!(metaschema = find_document(r, uri)) || metaschema == schema ||
	    !json_text_is(json_get(metaschema, "$schema"), DRAFT_2020))
		return error_set(
			r->error, STATUS_INPUT_INVALID,
			"\"$schema\" names %.*s; this host reads 2020-12 (%s) and draft-07 "
			"(http://json-schema.org/draft-07/schema#)",
			PROBLEM_HEAD(uri, 200), DRAFT_2020);
	if (!add_vocabularies(metaschema, &dialect))
		return error_set(
			r->error, STATUS_INPUT_INVALID,
			"the metaschema %.*s needs a vocabulary that this host does not know",
			PROBLEM_HEAD(uri, 200));
	*ret_dialect = dialect;
	return STATUS_OK;
}

static int load_document(struct resources *r, const char *uri, struct dialect dialect,
			 const struct resource **ret_resource)
{
	const json *value = find_document(r, uri);
	struct resource *resource;
	int status;

	if (!value)
		return error_set(
			r->error, STATUS_INPUT_INVALID,
			"nothing is known of \"%.*s\"; references are never fetched, so put it "
			"into the schema under \"$defs\"",
			PROBLEM_HEAD(uri, 200));
	if ((status = read_dialect(r, value, &dialect)) != STATUS_OK)
		return status;
	if (!(resource = add_resource(r, uri, value, dialect)))
		return no_memory(r);
	*ret_resource = resource;
	return scan(r, value, resource, 0);
}

/* ---- Looking through ------------------------------------------------------------------- */

/* A resource of its own, or, in draft-07, an anchor: "$id": "#name". */
static int scan_id(struct resources *r, const json *schema, const char *id,
		   const struct resource **resource)
{
	const char *fragment, *uri = uri_resolve(&r->arena, (*resource)->uri, id, &fragment);
	struct dialect dialect = (*resource)->dialect;
	const struct resource *known;
	struct resource *made;
	int status;

	if (!uri)
		return error_set(r->error, STATUS_INPUT_INVALID, "\"$id\": \"%.*s\" is no URI",
				 PROBLEM_HEAD(id, 200));
	if (fragment && *fragment && !dialect.draft7)
		return error_set(r->error, STATUS_INPUT_INVALID,
				 "\"$id\": \"%.*s\" has a fragment; use \"$anchor\"",
				 PROBLEM_HEAD(id, 200));
	if (*id != '#') {
		known = find_resource(r, uri);
		if (known && known->root != schema)
			return error_set(r->error, STATUS_INPUT_INVALID,
					 "\"$id\": \"%.*s\" is there twice",
					 PROBLEM_HEAD(uri, 200));
		if (!known && (status = read_dialect(r, schema, &dialect)) != STATUS_OK)
			return status;
		if (!known &&
		    (*resource)->root ==
			    schema) { /* a document's second name, which is the one it goes by */
			r->items[(*resource)->index]->uri = uri;
			if (!add_name(r, &r->by_uri, uri, strlen(uri), (*resource)->index))
				return no_memory(r);
		} else if (!known) {
			if (!(made = add_resource(r, uri, schema, dialect)))
				return no_memory(r);
			*resource = made;
		}
	}
	return fragment && *fragment ? add_anchor(r, *resource, fragment, schema, false)
				     : STATUS_OK;
}

static int scan_identifiers(struct resources *r, const json *schema,
			    const struct resource **resource)
{
	static const char *const anchors[] = { "$anchor", "$dynamicAnchor" };
	const json *id = json_get(schema, "$id"), *anchor;
	int status;

	/* In draft-07 a $ref hides what stands beside it. */
	if ((*resource)->dialect.draft7 && json_has(schema, "$ref"))
		return STATUS_OK;
	if (id && json_kind(id) != JSON_TEXT)
		return error_set(r->error, STATUS_INPUT_INVALID, "\"$id\" has to be a text");
	if (id && (status = scan_id(r, schema, json_text(id, NULL), resource)) != STATUS_OK)
		return status;
	for (size_t i = 0; !(*resource)->dialect.draft7 && i < 2; i++) {
		if (!(anchor = json_get(schema, anchors[i])))
			continue;
		if (json_kind(anchor) != JSON_TEXT)
			return error_set(r->error, STATUS_INPUT_INVALID, "\"%s\" has to be a text",
					 anchors[i]);
		if ((status = add_anchor(r, *resource, json_text(anchor, NULL), schema, i == 1)) !=
		    STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

static int scan_parts(struct resources *r, const json *value, const struct resource *resource,
		      unsigned depth)
{
	struct json_member m;
	int status = STATUS_OK;

	if (json_kind(value) == JSON_LIST)
		for (size_t i = 0; i < json_count(value) && status == STATUS_OK; i++)
			status = scan(r, json_peek(value, i), resource, depth);
	else if (json_kind(value) == JSON_OBJECT)
		for (bool more = json_first(value, &m); more && status == STATUS_OK;
		     more = json_next(&m))
			status = scan(r, m.value, resource, depth);
	return status;
}

static int scan(struct resources *r, const json *value, const struct resource *resource,
		unsigned depth)
{
	struct json_member m;
	int status;

	if (json_kind(value) != JSON_OBJECT)
		return STATUS_OK;
	if (depth > SCHEMA_NESTING_MOST)
		return error_set(r->error, STATUS_INPUT_INVALID,
				 "subschemas lie more than %d deep in one another",
				 SCHEMA_NESTING_MOST);
	if (r->subschemas++ >= SCHEMA_NODES_MOST)
		return error_set(r->error, STATUS_INPUT_INVALID, "more than %d subschemas",
				 SCHEMA_NODES_MOST);
	if ((status = scan_identifiers(r, value, &resource)) != STATUS_OK)
		return status;
	for (bool more = json_first(value, &m); more && status == STATUS_OK; more = json_next(&m)) {
		enum shape shape = shape_of(m.key);

		if (shape == SHAPE_ONE ||
		    (shape == SHAPE_ONE_OR_LIST && json_kind(m.value) == JSON_OBJECT))
			status = scan(r, m.value, resource, depth + 1);
		else if (shape != SHAPE_OTHER)
			status = scan_parts(r, m.value, resource, depth + 1);
	}
	return status;
}

/* ---- References ------------------------------------------------------------------------ */

/* Takes the next token of a JSON Pointer, unescaped, into a buffer as long as the pointer. False:
 * wrongly escaped. */
static bool take_token(const char **pointer, char *ret_token)
{
	const char *in = *pointer + 1;

	for (; *in && *in != '/'; in++) {
		if (*in == '~' && in[1] != '0' && in[1] != '1')
			return false;
		*ret_token++ = *in != '~' ? *in : *++in == '0' ? '~' : '/';
	}
	*ret_token = '\0';
	*pointer = in;
	return true;
}

static const json *step_into(const json *value, const char *token)
{
	char *end;
	size_t index;

	if (json_kind(value) == JSON_OBJECT)
		return json_get(value, token);
	if (json_kind(value) != JSON_LIST || *token < '0' || *token > '9' ||
	    (*token == '0' && token[1]))
		return NULL;
	index = strtoul(token, &end, 10);
	return *end || index >= json_count(value) ? NULL : json_peek(value, index);
}

/* Where a walk along a pointer stands, as far as keywords tell. */
enum walk { AT_SCHEMA, AT_PARTS, AT_NEITHER };

static enum walk walk_on(enum walk at, const char *token, const json *value)
{
	if (at != AT_SCHEMA)
		return at == AT_PARTS ? AT_SCHEMA : AT_NEITHER;
	switch (shape_of(token)) {
	case SHAPE_OTHER:
		return AT_NEITHER;
	case SHAPE_ONE:
		return AT_SCHEMA;
	case SHAPE_ONE_OR_LIST:
		return json_kind(value) == JSON_LIST ? AT_PARTS : AT_SCHEMA;
	default:
		return AT_PARTS;
	}
}

static int follow_pointer(struct resources *r, const char *pointer, struct target *target)
{
	enum walk at = AT_SCHEMA;
	char *token = arena_allocate(&r->arena, strlen(pointer) + 1);

	if (!token)
		return no_memory(r);
	for (const char *rest = pointer; *rest;) {
		if (!take_token(&rest, token) || !(target->value = step_into(target->value, token)))
			return error_set(r->error, STATUS_INPUT_INVALID,
					 "there is nothing at \"#%.*s\"",
					 PROBLEM_HEAD(pointer, 200));
		at = walk_on(at, token, target->value);
		if (at == AT_SCHEMA)
			target->resource = resources_of(r, target->value, target->resource);
	}
	/* Below a keyword that nobody knows, nobody has looked for identifiers yet. */
	return at == AT_SCHEMA ? STATUS_OK : scan(r, target->value, target->resource, 0);
}

int resources_resolve(struct resources *r, const struct resource *from, const char *reference,
		      struct target *ret_target)
{
	const char *fragment, *uri = uri_resolve(&r->arena, from->uri, reference, &fragment);
	const struct resource *resource;
	int status;

	*ret_target = (struct target){ 0 };
	if (!uri)
		return error_set(r->error, STATUS_INPUT_INVALID, "\"%.*s\" is no URI reference",
				 PROBLEM_HEAD(reference, 200));
	if (!(resource = find_resource(r, uri)) &&
	    (status = load_document(r, uri, from->dialect, &resource)) != STATUS_OK)
		return status;
	ret_target->resource = resource;
	ret_target->value = resource->root;
	if (!fragment || !*fragment)
		return STATUS_OK;
	if (*fragment == '/')
		return follow_pointer(r, fragment, ret_target);
	if (!(ret_target->anchor = find_anchor(r, resource, fragment)))
		return error_set(r->error, STATUS_INPUT_INVALID, "there is no anchor \"%.*s\"",
				 PROBLEM_HEAD(fragment, 200));
	ret_target->value = ret_target->anchor->value;
	return STATUS_OK;
}

int resources_init(struct resources *r, const json *schema, const struct schema_options *options,
		   struct error *error)
{
	struct dialect dialect = { .vocabularies = VOCABULARIES_ALL };
	const struct resource *root;
	int status;

	*r = (struct resources){ .options = options, .error = error };
	arena_init(&r->arena, ARENA_MOST);
	if ((status = read_dialect(r, schema, &dialect)) != STATUS_OK)
		return status;
	if (!(root = add_resource(r, "", schema, dialect)))
		return no_memory(r);
	return scan(r, schema, root, 0);
}

void resources_free(struct resources *r)
{
	for (size_t i = 0; i < r->metaschema_count; i++)
		json_drop(r->metaschemas[i].value);
	names_free(&r->by_uri);
	names_free(&r->by_root);
	names_free(&r->by_anchor);
	free(r->items);
	free(r->anchors);
	arena_free(&r->arena);
}
