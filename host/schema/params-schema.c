/* SPDX-License-Identifier: MIT
 *
 * From a parameter table to its JSON Schema: inline, without references, an object at the top.
 */
#include "base/array.h"
#include "schema/params.h"

#include "schema/params-read.h"

static json *new_type(const char *type)
{
	json *schema = json_new_object();

	json_set_text(schema, "type", type);
	return schema;
}

static json *new_list_of(json *items)
{
	json *schema = new_type("array");

	json_set(schema, "items", items);
	return schema;
}

/* Adds null to what a derived or merged schema takes. */
static void allow_null(json *schema)
{
	const json *type = json_get(schema, "type"), *words = json_get(schema, "enum");
	const json *arms = json_get(schema, "anyOf");
	json *list;

	if (json_kind(type) == JSON_TEXT) {
		list = json_new_list();
		json_append(list, json_copy(type));
		json_append(list, json_new_text("null"));
		json_set(schema, "type", list);
	} else if (json_kind(type) == JSON_LIST) {
		list = json_copy(type);
		json_append(list, json_new_text("null"));
		json_set(schema, "type", list);
	}
	if (json_kind(words) == JSON_LIST) {
		list = json_copy(words);
		json_append(list, NULL);
		json_set(schema, "enum", list);
	}
	if (json_kind(arms) == JSON_LIST) {
		list = json_copy(arms);
		json_append(list, new_type("null"));
		json_set(schema, "anyOf", list);
	}
}

static json *new_number(const th_param *param)
{
	json *schema = new_type("number");

	if (param->flags & TH_GAPS)
		allow_null(schema);
	return schema;
}

static json *new_choice(const th_param *param)
{
	json *schema = new_type("string"), *words = NULL;

	if (json_read(param->words.data, param->words.length, NULL, &words, NULL) == STATUS_OK)
		json_set(schema, "enum", words);
	return schema;
}

static json *new_object(const th_param *table, uint64_t stride, bool results)
{
	json *schema = new_type("object"), *properties = json_new_object();
	json *required = json_new_list();
	th_param param;

	for (size_t i = 0; param_read(table, stride, i, &param); i++) {
		json_set(properties, param.name.data, params_property(&param, stride, results));
		if (!(param.flags & TH_OPTIONAL))
			json_append(required, json_new_text(param.name.data));
	}
	json_set(schema, "properties", properties);
	if (json_count(required))
		json_set(schema, "required", required);
	else
		json_drop(required);
	/* A caller has to learn of a key that it spelled wrong; a result may grow with the next
	 * release. */
	if (!results)
		json_set_boolean(schema, "additionalProperties", false);
	return schema;
}

/* Rows whose keys are the data's own. */
static json *new_table(void)
{
	static const char *const cells[] = { "number", "string", "boolean", "null" };
	json *row = new_type("object"), *cell = json_new_object(), *types = json_new_list();

	for (size_t i = 0; i < ARRAY_SIZE(cells); i++)
		json_append(types, json_new_text(cells[i]));
	json_set(cell, "type", types);
	json_set(row, "additionalProperties", cell);
	return new_list_of(row);
}

static json *new_map(const th_param *param, uint64_t stride, bool results)
{
	json *schema = new_type("object");
	th_param value;

	param_read(param->fields, stride, 0, &value);
	json_set(schema, "additionalProperties", params_property(&value, stride, results));
	return schema;
}

static json *new_either(const th_param *param, uint64_t stride, bool results)
{
	json *schema = json_new_object(), *arms = json_new_list();
	th_param arm;

	for (size_t i = 0; param_read(param->fields, stride, i, &arm); i++)
		json_append(arms, params_property(&arm, stride, results));
	json_set(schema, "anyOf", arms);
	return schema;
}

static json *new_kind(const th_param *param, uint64_t stride, bool results)
{
	switch (param->kind) {
	case TH_KIND_NUMBER:
		return new_type("number");
	case TH_KIND_INTEGER:
		return new_type("integer");
	case TH_KIND_BOOLEAN:
		return new_type("boolean");
	case TH_KIND_TEXT:
		return new_type("string");
	case TH_KIND_CHOICE:
		return new_choice(param);
	case TH_KIND_NUMBERS:
		return new_list_of(new_number(param));
	case TH_KIND_INTEGERS:
		return new_list_of(new_type("integer"));
	case TH_KIND_BOOLEANS:
		return new_list_of(new_type("boolean"));
	case TH_KIND_TEXTS:
		return new_list_of(new_type("string"));
	case TH_KIND_CHOICES:
		return new_list_of(new_choice(param));
	case TH_KIND_MATRIX:
		return new_list_of(new_list_of(new_number(param)));
	case TH_KIND_OBJECT:
		return new_object(param->fields, stride, results);
	case TH_KIND_RECORDS:
		return new_list_of(new_object(param->fields, stride, results));
	case TH_KIND_TABLE:
		return new_table();
	case TH_KIND_MAP:
		return new_map(param, stride, results);
	case TH_KIND_EITHER:
		return new_either(param, stride, results);
	default:
		return json_new_object(); /* TH_KIND_JSON: the author's keywords say all */
	}
}

json *params_default(const th_param *param)
{
	json *value = NULL;

	switch (param->kind) {
	case TH_KIND_NUMBER:
		return json_new_number(param->number);
	case TH_KIND_INTEGER:
		return json_new_integer(param->integer);
	case TH_KIND_BOOLEAN:
		return json_new_boolean(param->integer != 0);
	default:
		if (!param->otherwise.data ||
		    json_read(param->otherwise.data, param->otherwise.length, NULL, &value, NULL) !=
			    STATUS_OK)
			return NULL;
		return value;
	}
}

json *params_derived(const th_param *param, uint64_t stride, bool results)
{
	json *schema = new_kind(param, stride, results);

	if (param_has_text(param->description))
		json_set(schema, "description",
			 json_new_text_n(param->description.data, param->description.length));
	if (param->flags & TH_DEFAULT)
		json_set(schema, "default", params_default(param));
	return schema;
}

json *params_property(const th_param *param, uint64_t stride, bool results)
{
	json *schema = params_derived(param, stride, results), *fragment = NULL;

	if (param_has_text(param->schema) &&
	    json_read(param->schema.data, param->schema.length, NULL, &fragment, NULL) == STATUS_OK)
		params_merge(schema, fragment, NULL);
	json_drop(fragment);
	if (param->flags & TH_NULLABLE)
		allow_null(schema);
	return schema;
}

json *params_schema(const th_param *table, uint64_t stride, bool results)
{
	return new_object(table, stride, results);
}

/* ---- The author's own keywords --------------------------------------------------------- */

static bool is_type_in(const json *types, const char *type)
{
	bool found = false;

	if (json_kind(types) == JSON_TEXT)
		return json_text_is(types, type);
	for (size_t i = 0; i < json_count(types) && !found; i++)
		found = json_text_is(json_peek(types, i), type);
	return found;
}

static bool is_narrower_type(const json *type, const json *than)
{
	const char *name = json_text(type, NULL);

	return is_type_in(than, name) || (!strcmp(name, "integer") && is_type_in(than, "number"));
}

/* True when everything that `type` takes is taken by `than` too. */
static bool is_narrower(const json *type, const json *than)
{
	if (json_kind(type) == JSON_TEXT)
		return is_narrower_type(type, than);
	if (json_kind(type) != JSON_LIST)
		return false;
	for (size_t i = 0; i < json_count(type); i++)
		if (json_kind(json_peek(type, i)) != JSON_TEXT ||
		    !is_narrower_type(json_peek(type, i), than))
			return false;
	return true;
}

bool params_merge(json *schema, const json *fragment, const char **ret_keyword)
{
	struct json_member m;

	for (bool more = json_first(fragment, &m); more; more = json_next(&m)) {
		json *derived = json_get(schema, m.key);

		if (!json_has(schema, m.key) ||
		    (!strcmp(m.key, "type") && is_narrower(m.value, derived))) {
			json_set(schema, m.key, json_copy(m.value));
		} else if (json_kind(derived) == JSON_OBJECT && json_kind(m.value) == JSON_OBJECT) {
			if (!params_merge(derived, m.value, ret_keyword))
				return false;
		} else if (!json_equal(derived, m.value)) {
			if (ret_keyword)
				*ret_keyword = m.key;
			return false;
		}
	}
	return true;
}
