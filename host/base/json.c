/* SPDX-License-Identifier: MIT
 *
 * Values: what they are, what is in them, and new ones.
 */
#include "base/json-number.h"
#include "base/json-value.h"

#include <json-c/json_object.h>
#include <json-c/linkhash.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW_MEMBERS 4

/* json-c's accessors take values that they do not change without a const. */
static json *unconst(const json *value)
{
	return (json *)(uintptr_t)value;
}

/* ---- Packed lists -------------------------------------------------------------------------- */

static const struct json_packed *packed_of(const json *list)
{
	return json_object_get_userdata(unconst(list));
}

static void packed_delete(json *list, void *packed)
{
	(void)list;
	free(packed);
}

struct json_packed *json_packed_resize(struct json_packed *old, size_t count)
{
	struct json_packed *packed;

	if (count > (SIZE_MAX - sizeof(*packed)) / sizeof(packed->values[0]))
		return NULL;
	packed = realloc(old, sizeof(*packed) + count * sizeof(packed->values[0]));
	if (packed && !old)
		packed->count = 0;
	return packed;
}

json *json_take_packed(struct json_packed *packed)
{
	json *list = json_object_new_array_ext(1);

	if (list)
		json_object_set_userdata(list, packed, packed_delete);
	else
		free(packed);
	return list;
}

json *json_new_packed(const double *values, size_t count)
{
	struct json_packed *packed = json_packed_resize(NULL, count);

	if (!packed)
		return NULL;
	packed->count = count;
	if (count)
		memcpy(packed->values, values, count * sizeof(values[0]));
	return json_take_packed(packed);
}

enum json_kind json_packed_kind(double value)
{
	if (fabs(value) <= (double)JSON_EXACT_MOST && value == (double)(int64_t)value &&
	    !(value == 0 && signbit(value)))
		return JSON_INTEGER;
	return JSON_NUMBER;
}

static json *packed_item(double value)
{
	return json_packed_kind(value) == JSON_INTEGER ? json_new_integer((int64_t)value)
						       : json_new_number(value);
}

/* ---- Looking ------------------------------------------------------------------------------- */

enum json_kind json_kind(const json *value)
{
	static const enum json_kind kinds[] = {
		[json_type_null] = JSON_NULL,	  [json_type_boolean] = JSON_BOOLEAN,
		[json_type_double] = JSON_NUMBER, [json_type_int] = JSON_INTEGER,
		[json_type_object] = JSON_OBJECT, [json_type_array] = JSON_LIST,
		[json_type_string] = JSON_TEXT,
	};

	return kinds[json_object_get_type(value)];
}

const char *json_kind_name(enum json_kind kind)
{
	static const char *const names[] = {
		[JSON_NULL] = "null",	  [JSON_BOOLEAN] = "boolean", [JSON_INTEGER] = "integer",
		[JSON_NUMBER] = "number", [JSON_TEXT] = "string",     [JSON_LIST] = "array",
		[JSON_OBJECT] = "object",
	};

	return names[kind];
}

static bool is_number(enum json_kind kind)
{
	return kind == JSON_INTEGER || kind == JSON_NUMBER;
}

bool json_is_number(const json *value)
{
	return is_number(json_kind(value));
}

bool json_boolean(const json *value)
{
	return json_object_get_boolean(value);
}

int64_t json_integer(const json *value)
{
	return json_object_get_int64(value);
}

double json_number(const json *value)
{
	return json_object_get_double(value);
}

const char *json_text(const json *value, size_t *ret_length)
{
	bool text = json_object_is_type(value, json_type_string);

	if (ret_length)
		*ret_length = text ? (size_t)json_object_get_string_len(value) : 0;
	return text ? json_object_get_string(unconst(value)) : NULL;
}

bool json_text_is(const json *value, const char *text)
{
	size_t length;
	const char *own = json_text(value, &length);

	return own && length == strlen(text) && !memcmp(own, text, length);
}

size_t json_count(const json *list)
{
	const struct json_packed *packed;

	if (json_object_is_type(list, json_type_object))
		return (size_t)json_object_object_length(list);
	if (!json_object_is_type(list, json_type_array))
		return 0;
	packed = packed_of(list);
	return packed ? packed->count : json_object_array_length(list);
}

const double *json_packed(const json *list, size_t *ret_count)
{
	const struct json_packed *packed = NULL;

	if (json_object_is_type(list, json_type_array))
		packed = packed_of(list);
	if (ret_count)
		*ret_count = packed ? packed->count : 0;
	return packed ? packed->values : NULL;
}

json *json_peek(const json *list, size_t index)
{
	if (!json_object_is_type(list, json_type_array))
		return NULL;
	return json_object_array_get_idx(list, index);
}

enum json_kind json_item_kind(const json *list, size_t index)
{
	size_t count;
	const double *values = json_packed(list, &count);

	if (!values)
		return json_kind(json_peek(list, index));
	return index < count ? json_packed_kind(values[index]) : JSON_NULL;
}

double json_item_number(const json *list, size_t index)
{
	size_t count;
	const double *values = json_packed(list, &count);

	if (!values)
		return json_number(json_peek(list, index));
	return index < count ? values[index] : 0;
}

json *json_item(const json *list, size_t index)
{
	size_t count;
	const double *values = json_packed(list, &count);

	if (!values)
		return json_hold(json_peek(list, index));
	return index < count ? packed_item(values[index]) : NULL;
}

/* In a small object it takes less to look at each key than to compute a hash. */
static bool find_member(const json *object, const char *key, json **ret_value)
{
	struct lh_table *members = json_object_get_object(object);

	if (!members || lh_table_length(members) > FEW_MEMBERS)
		return json_object_object_get_ex(object, key, ret_value);
	for (const struct lh_entry *e = lh_table_head(members); e; e = lh_entry_next(e)) {
		if (strcmp(lh_entry_k(e), key) != 0)
			continue;
		*ret_value = lh_entry_v(e);
		return true;
	}
	return false;
}

json *json_get(const json *object, const char *key)
{
	json *value = NULL;

	return find_member(object, key, &value) ? value : NULL;
}

bool json_has(const json *object, const char *key)
{
	json *value;

	return find_member(object, key, &value);
}

static bool member_set(struct json_member *m, const struct lh_entry *entry)
{
	if (!entry)
		return false;
	m->key = lh_entry_k(entry);
	m->value = lh_entry_v(entry);
	m->next = lh_entry_next(entry);
	return true;
}

bool json_first(const json *object, struct json_member *m)
{
	struct lh_table *members = json_object_get_object(object);

	return member_set(m, members ? lh_table_head(members) : NULL);
}

bool json_next(struct json_member *m)
{
	return member_set(m, m->next);
}

/* ---- Comparing ----------------------------------------------------------------------------- */

static bool integer_equals(int64_t integer, double number)
{
	/* 2^63 itself is no int64_t, while every whole double below it is one. */
	static const double bound = 9223372036854775808.0;

	return number >= -bound && number < bound && number == trunc(number) &&
	       (int64_t)number == integer;
}

static bool numbers_equal(const json *a, const json *b)
{
	if (json_kind(a) == JSON_NUMBER)
		return json_kind(b) == JSON_NUMBER
			       ? json_number(a) == json_number(b)
			       : integer_equals(json_integer(b), json_number(a));
	return json_kind(b) == JSON_INTEGER ? json_integer(a) == json_integer(b)
					    : integer_equals(json_integer(a), json_number(b));
}

static bool texts_equal(const json *a, const json *b)
{
	size_t a_length, b_length;
	const char *a_text = json_text(a, &a_length), *b_text = json_text(b, &b_length);

	return a_length == b_length && !memcmp(a_text, b_text, a_length);
}

static bool lists_equal(const json *a, const json *b)
{
	size_t count = json_count(a);
	const double *a_values = json_packed(a, NULL), *b_values = json_packed(b, NULL);
	bool equal = count == json_count(b);

	if (a_values && b_values) {
		for (size_t i = 0; i < count && equal; i++)
			equal = a_values[i] == b_values[i];
		return equal;
	}
	for (size_t i = 0; i < count && equal; i++) {
		json *a_item = json_item(a, i), *b_item = json_item(b, i);

		equal = json_equal(a_item, b_item);
		json_drop(a_item);
		json_drop(b_item);
	}
	return equal;
}

static bool objects_equal(const json *a, const json *b)
{
	struct json_member m;

	if (json_count(a) != json_count(b))
		return false;
	for (bool more = json_first(a, &m); more; more = json_next(&m))
		if (!json_has(b, m.key) || !json_equal(m.value, json_get(b, m.key)))
			return false;
	return true;
}

bool json_equal(const json *a, const json *b)
{
	enum json_kind kind = json_kind(a);

	if (is_number(kind) && json_is_number(b))
		return numbers_equal(a, b);
	if (kind != json_kind(b))
		return false;
	switch (kind) {
	case JSON_BOOLEAN:
		return json_boolean(a) == json_boolean(b);
	case JSON_TEXT:
		return texts_equal(a, b);
	case JSON_LIST:
		return lists_equal(a, b);
	case JSON_OBJECT:
		return objects_equal(a, b);
	default:
		return true;
	}
}

/* ---- Making -------------------------------------------------------------------------------- */

json *json_hold(json *value)
{
	return json_object_get(value);
}

void json_drop_held(json *value)
{
	json_object_put(value);
}

json *json_new_boolean(bool value)
{
	return json_object_new_boolean(value);
}

json *json_new_integer(int64_t value)
{
	return json_object_new_int64(value);
}

json *json_new_number(double value)
{
	return json_object_new_double(value);
}

json *json_new_text(const char *text)
{
	return json_new_text_n(text, strlen(text));
}

json *json_new_text_n(const char *text, size_t length)
{
	return length <= INT_MAX ? json_object_new_string_len(text, (int)length) : NULL;
}

json *json_new_list(void)
{
	return json_object_new_array();
}

json *json_new_object(void)
{
	return json_object_new_object();
}

void json_set(json *object, const char *key, json *value)
{
	if (!json_object_is_type(object, json_type_object) ||
	    json_object_object_add(object, key, value))
		json_drop(value);
}

void json_set_text(json *object, const char *key, const char *text)
{
	json_set(object, key, json_new_text(text));
}

void json_set_integer(json *object, const char *key, int64_t value)
{
	json_set(object, key, json_new_integer(value));
}

void json_set_number(json *object, const char *key, double value)
{
	json_set(object, key, json_new_number(value));
}

void json_set_boolean(json *object, const char *key, bool value)
{
	json_set(object, key, json_new_boolean(value));
}

void json_append(json *list, json *value)
{
	if (!json_object_is_type(list, json_type_array) || packed_of(list) ||
	    json_object_array_add(list, value))
		json_drop(value);
}

void json_remove(json *object, const char *key)
{
	if (json_object_is_type(object, json_type_object))
		json_object_object_del(object, key);
}

static json *copy_list(const json *list)
{
	size_t count;
	const double *values = json_packed(list, &count);
	json *copy;

	if (values)
		return json_new_packed(values, count);
	copy = json_new_list();
	count = json_count(list);
	for (size_t i = 0; i < count; i++)
		json_append(copy, json_copy(json_peek(list, i)));
	return copy;
}

static json *copy_object(const json *object)
{
	json *copy = json_new_object();
	struct json_member m;

	for (bool more = json_first(object, &m); more; more = json_next(&m))
		json_set(copy, m.key, json_copy(m.value));
	return copy;
}

json *json_copy(const json *value)
{
	size_t length;
	const char *text;

	switch (json_kind(value)) {
	case JSON_BOOLEAN:
		return json_new_boolean(json_boolean(value));
	case JSON_INTEGER:
		return json_new_integer(json_integer(value));
	case JSON_NUMBER:
		return json_new_number(json_number(value));
	case JSON_TEXT:
		text = json_text(value, &length);
		return json_new_text_n(text, length);
	case JSON_LIST:
		return copy_list(value);
	case JSON_OBJECT:
		return copy_object(value);
	case JSON_NULL:
		break;
	}
	return NULL;
}
