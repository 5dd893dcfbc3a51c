/* SPDX-License-Identifier: MIT
 *
 * The accessors, for both forms of a list, and new values.
 */
#include "base/json.h"
#include "base/status.h"

#include "unit.h"

#include <math.h>

static json *read_text(const char *text)
{
	json *value = NULL;

	CU_ASSERT_EQUAL(json_read(text, strlen(text), NULL, &value, NULL), STATUS_OK);
	return value;
}

static void check_printed(const json *value, const char *expected)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);

	json_print(&b, value);
	UNIT_TEXT(b.data, expected);
	buffer_free(&b);
}

static void kinds_have_the_names_of_json_schema(void)
{
	UNIT_TEXT(json_kind_name(JSON_NULL), "null");
	UNIT_TEXT(json_kind_name(JSON_BOOLEAN), "boolean");
	UNIT_TEXT(json_kind_name(JSON_INTEGER), "integer");
	UNIT_TEXT(json_kind_name(JSON_NUMBER), "number");
	UNIT_TEXT(json_kind_name(JSON_TEXT), "string");
	UNIT_TEXT(json_kind_name(JSON_LIST), "array");
	UNIT_TEXT(json_kind_name(JSON_OBJECT), "object");
}

static void null_is_a_value(void)
{
	json *value = read_text("{\"a\":null}");

	CU_ASSERT_EQUAL(json_kind(NULL), JSON_NULL);
	CU_ASSERT_PTR_NULL(json_get(value, "a"));
	CU_ASSERT(json_has(value, "a"));
	CU_ASSERT_PTR_NULL(json_get(value, "b"));
	CU_ASSERT_FALSE(json_has(value, "b"));
	CU_ASSERT_FALSE(json_has(NULL, "a"));
	CU_ASSERT_PTR_NULL(json_get(NULL, "a"));
	CU_ASSERT_EQUAL(json_count(NULL), 0);
	CU_ASSERT_PTR_NULL(json_hold(NULL));
	json_drop(NULL);
	json_drop(value);
}

static void texts_are_told_apart(void)
{
	json *value = json_new_text_n("a\0b", 3), *number = json_new_integer(1);
	size_t length = 99;

	CU_ASSERT_FALSE(json_text_is(value, "a"));
	CU_ASSERT_FALSE(json_text_is(number, "1"));
	CU_ASSERT_FALSE(json_text_is(NULL, "null"));
	CU_ASSERT_PTR_NULL(json_text(number, &length));
	CU_ASSERT_EQUAL(length, 0);
	CU_ASSERT_PTR_NULL(json_text(NULL, NULL));
	json_drop(value);
	value = json_new_text("a");
	CU_ASSERT(json_text_is(value, "a"));
	CU_ASSERT_FALSE(json_text_is(value, "ab"));
	json_drop(value);
	json_drop(number);
}

static void both_forms_of_a_list(void)
{
	json *packed = read_text("[1,2.5,-0,9007199254740992,1e300,6,7,8]");
	json *plain = read_text("[1,2.5,null]");
	json *item;
	size_t count;

	CU_ASSERT_PTR_NOT_NULL(json_packed(packed, &count));
	CU_ASSERT_EQUAL(count, 8);
	CU_ASSERT_EQUAL(json_count(packed), 8);
	CU_ASSERT_EQUAL(json_item_kind(packed, 0), JSON_INTEGER);
	CU_ASSERT_EQUAL(json_item_kind(packed, 1), JSON_NUMBER);
	CU_ASSERT_EQUAL(json_item_kind(packed, 2), JSON_NUMBER);
	CU_ASSERT_EQUAL(json_item_kind(packed, 3), JSON_INTEGER);
	CU_ASSERT_EQUAL(json_item_kind(packed, 4), JSON_NUMBER);
	CU_ASSERT_EQUAL(json_item_kind(packed, 8), JSON_NULL);
	CU_ASSERT_EQUAL(json_item_number(packed, 1), 2.5);
	CU_ASSERT_PTR_NULL(json_peek(packed, 0));
	CU_ASSERT_PTR_NULL(json_item(packed, 8));
	item = json_item(packed, 0);
	CU_ASSERT_EQUAL(json_kind(item), JSON_INTEGER);
	CU_ASSERT_EQUAL(json_integer(item), 1);
	json_drop(item);
	item = json_item(packed, 4);
	CU_ASSERT_EQUAL(json_number(item), 1e300);
	json_drop(item);

	CU_ASSERT_PTR_NULL(json_packed(plain, &count));
	CU_ASSERT_EQUAL(count, 0);
	CU_ASSERT_EQUAL(json_count(plain), 3);
	CU_ASSERT_EQUAL(json_item_kind(plain, 0), JSON_INTEGER);
	CU_ASSERT_EQUAL(json_item_kind(plain, 2), JSON_NULL);
	CU_ASSERT_EQUAL(json_item_kind(plain, 3), JSON_NULL);
	CU_ASSERT_EQUAL(json_item_number(plain, 0), 1);
	CU_ASSERT_EQUAL(json_item_number(plain, 1), 2.5);
	CU_ASSERT_EQUAL(json_number(json_peek(plain, 1)), 2.5);
	CU_ASSERT_PTR_NULL(json_peek(plain, 3));
	item = json_item(plain, 1);
	json_drop(plain);
	CU_ASSERT_EQUAL(json_number(item), 2.5); /* it outlives its list */
	json_drop(item);
	json_drop(packed);

	/* What is no list has no elements. */
	item = json_new_text("no list");
	CU_ASSERT_PTR_NULL(json_packed(item, &count));
	CU_ASSERT_PTR_NULL(json_peek(item, 0));
	CU_ASSERT_EQUAL(json_count(item), 0);
	json_drop(item);
}

static void members_keep_their_order(void)
{
	json *value = read_text("{\"z\":1,\"a\":null,\"m\":[2]}");
	struct json_member m;
	struct buffer seen = BUFFER_INIT(SIZE_MAX);

	for (bool more = json_first(value, &m); more; more = json_next(&m)) {
		buffer_text(&seen, m.key);
		json_print(&seen, m.value);
	}
	UNIT_TEXT(seen.data, "z1anullm[2]");
	CU_ASSERT_EQUAL(json_count(value), 3);
	buffer_free(&seen);
	json_drop(value);
	value = json_new_object();
	CU_ASSERT_FALSE(json_first(value, &m));
	json_drop(value);
	CU_ASSERT_FALSE(json_first(NULL, &m));
}

static void check_equal(const char *a_text, const char *b_text, bool expected)
{
	json *a = read_text(a_text), *b = read_text(b_text);

	CU_ASSERT_EQUAL(json_equal(a, b), expected);
	CU_ASSERT_EQUAL(json_equal(b, a), expected);
	if (json_equal(a, b) != expected)
		fprintf(stderr, "%s and %s\n", a_text, b_text);
	json_drop(a);
	json_drop(b);
}

static void equality_of_json_schema(void)
{
	check_equal("null", "null", true);
	check_equal("null", "false", false);
	check_equal("null", "0", false);
	check_equal("true", "true", true);
	check_equal("true", "1", false);
	check_equal("1", "1.0", true);
	check_equal("0", "-0.0", true);
	check_equal("1", "1.5", false);
	check_equal("9007199254740993", "9007199254740992.0", false);
	check_equal("9007199254740992", "9007199254740992.0", true);
	check_equal("9223372036854775807", "9223372036854775808", false);
	check_equal("-9223372036854775808", "-9223372036854775808.0", true);
	check_equal("1", "1e300", false);
	check_equal("\"a\"", "\"a\"", true);
	check_equal("\"a\"", "\"a\\u0000\"", false);
	check_equal("\"1\"", "1", false);
	check_equal("[]", "{}", false);
	check_equal("[1,2]", "[1.0,2.0]", true);
	check_equal("[1,2]", "[2,1]", false);
	check_equal("[1,2]", "[1,2,3]", false);
	check_equal("[1,2,3,4,5,6,7,8]", "[1,2,3,4,5,6,7,8.0]", true);
	check_equal("[1,2,3,4,5,6,7,8]", "[1,2,3,4,5,6,7,9]", false);
	check_equal("[1,2,3,4,5,6,7,8]", "[1,2,3,4,5,6,7,null]", false);
	check_equal("{\"a\":1,\"b\":[2]}", "{\"b\":[2],\"a\":1}", true);
	check_equal("{\"a\":1}", "{\"b\":1}", false);
	check_equal("{\"a\":null}", "{\"b\":null}", false);
	check_equal("{\"a\":1}", "{\"a\":1,\"b\":1}", false);
}

static void a_packed_list_equals_a_plain_one(void)
{
	json *packed = read_text("[1,2,3,4,5,6,7,8.5]"), *plain = json_new_list();

	for (int i = 1; i < 8; i++)
		json_append(plain, json_new_integer(i));
	json_append(plain, json_new_number(8.5));
	CU_ASSERT_PTR_NULL(json_packed(plain, NULL));
	CU_ASSERT(json_equal(packed, plain));
	CU_ASSERT(json_equal(plain, packed));
	json_drop(packed);
	json_drop(plain);
}

static void objects_are_made(void)
{
	json *object = json_new_object();

	json_set_text(object, "text", "t");
	json_set_integer(object, "integer", -5);
	json_set_number(object, "number", 0.5);
	json_set_boolean(object, "boolean", true);
	json_set(object, "null", NULL);
	check_printed(
		object,
		"{\"text\":\"t\",\"integer\":-5,\"number\":0.5,\"boolean\":true,\"null\":null}");
	json_set_text(object, "integer", "replaced");
	json_remove(object, "text");
	json_remove(object, "not there");
	check_printed(object,
		      "{\"integer\":\"replaced\",\"number\":0.5,\"boolean\":true,\"null\":null}");
	json_drop(object);
}

static void what_cannot_be_added_is_dropped(void)
{
	json *list = json_new_packed((double[]){ 1, 2 }, 2), *text = json_new_text("x");

	json_set(NULL, "a", json_new_text("dropped"));
	json_set(text, "a", json_new_text("dropped"));
	json_append(NULL, json_new_text("dropped"));
	json_append(list, json_new_text("dropped"));
	json_append(text, json_new_text("dropped"));
	json_remove(NULL, "a");
	json_remove(list, "a");
	check_printed(list, "[1,2]");
	json_drop(list);
	json_drop(text);
}

static void packed_lists_are_made(void)
{
	double values[] = { 1, 0.1, -0.0, NAN, 1e300 };
	json *list = json_new_packed(values, 5);

	values[0] = 7; /* the list has its own */
	check_printed(list, "[1,0.1,-0.0,null,1e+300]");
	json_drop(list);
	list = json_new_packed(NULL, 0);
	CU_ASSERT_EQUAL(json_count(list), 0);
	check_printed(list, "[]");
	json_drop(list);
}

static void copies_are_deep(void)
{
	json *value = read_text(
		"{\"a\":[1,{\"b\":\"x\\u0000y\"}],\"c\":[1,2,3,4,5,6,7,8],\"d\":[null,true,0.5]}");
	json *copy = json_copy(value);
	struct buffer text = BUFFER_INIT(SIZE_MAX);

	json_print(&text, value);
	json_set_integer(json_peek(json_get(value, "a"), 1), "b", 1);
	CU_ASSERT_FALSE(json_equal(value, copy));
	check_printed(copy, text.data);
	CU_ASSERT_PTR_NOT_NULL(json_packed(json_get(copy, "c"), NULL));
	json_drop(value);
	check_printed(copy, text.data);
	json_drop(copy);
	CU_ASSERT_PTR_NULL(json_copy(NULL));
	buffer_free(&text);
}

static const struct unit_test tests[] = {
	UNIT_TEST(kinds_have_the_names_of_json_schema),
	UNIT_TEST(null_is_a_value),
	UNIT_TEST(texts_are_told_apart),
	UNIT_TEST(both_forms_of_a_list),
	UNIT_TEST(members_keep_their_order),
	UNIT_TEST(equality_of_json_schema),
	UNIT_TEST(a_packed_list_equals_a_plain_one),
	UNIT_TEST(objects_are_made),
	UNIT_TEST(what_cannot_be_added_is_dropped),
	UNIT_TEST(packed_lists_are_made),
	UNIT_TEST(copies_are_deep),
};

UNIT_MAIN("json-values", tests)
