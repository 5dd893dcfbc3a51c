/* SPDX-License-Identifier: MIT
 *
 * What is JSON, and which values it becomes.
 */
#include "base/json.h"
#include "base/status.h"

#include "unit.h"

#include <math.h>

static json *read_text(const char *text)
{
	struct json_fault fault;
	json *value;

	if (json_read(text, strlen(text), NULL, &value, &fault) != STATUS_OK)
		fprintf(stderr, "%s: %s\n", text, fault.reason);
	return value;
}

/* What `text` becomes when it is read and printed. */
static void check_round(const char *text, const char *expected)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);
	struct json_fault fault = { .reason = "" };
	json *value;

	CU_ASSERT_EQUAL(json_read(text, strlen(text), NULL, &value, &fault), STATUS_OK);
	UNIT_TEXT(fault.reason, "");
	json_print(&b, value);
	UNIT_TEXT(b.data, expected);
	json_drop(value);
	buffer_free(&b);
}

static void every_kind_of_value(void)
{
	check_round("null", "null");
	check_round(" true ", "true");
	check_round("\t\r\n false", "false");
	check_round("0", "0");
	check_round("\"\"", "\"\"");
	check_round("[]", "[]");
	check_round("[ ]", "[]");
	check_round("{ }", "{}");
	check_round("[null , [ ] ,{ } , \"a\",1]", "[null,[],{},\"a\",1]");
	check_round("{ \"b\" : 1 , \"a\" : { \"c\" : [ ] } }", "{\"b\":1,\"a\":{\"c\":[]}}");
	check_round("{\"\":1}", "{\"\":1}");
}

static void strings(void)
{
	size_t length;
	json *value;

	check_round("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\"");
	check_round("\"\\u0041\\u00e9\\u20AC\\uD83D\\uDE00\"",
		    "\"A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"");
	check_round("\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"",
		    "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"");
	check_round("\"a long text, in which nothing has to be looked at twice\"",
		    "\"a long text, in which nothing has to be looked at twice\"");
	check_round("\"1234567\\n1234567\\n12345678\\n\"", "\"1234567\\n1234567\\n12345678\\n\"");
	check_round("\"\x7F\"", "\"\x7F\"");
	check_round("\"\\u2028\xE2\x80\xA9\"", "\"\\u2028\\u2029\"");

	value = read_text("\"a\\u0000b\"");
	CU_ASSERT(!memcmp(json_text(value, &length), "a\0b", 4));
	CU_ASSERT_EQUAL(length, 3);
	json_drop(value);
	check_round("\"a\\u0000b\"", "\"a\\u0000b\"");
}

static void keys(void)
{
	json *value =
		read_text("{\"a\\n\":1,\"\\ud83d\\ude00\":2,\"jsonrpc\":3,\"id\":4,\"method\":5}");

	CU_ASSERT_EQUAL(json_integer(json_get(value, "a\n")), 1);
	CU_ASSERT_EQUAL(json_integer(json_get(value, "\xF0\x9F\x98\x80")), 2);
	CU_ASSERT_EQUAL(json_integer(json_get(value, "jsonrpc")), 3);
	CU_ASSERT_EQUAL(json_integer(json_get(value, "id")), 4);
	CU_ASSERT_EQUAL(json_integer(json_get(value, "method")), 5);
	json_drop(value);

	/* The same key in two objects is no key twice. */
	check_round("{\"a\":{\"a\":1},\"b\":{\"a\":1}}", "{\"a\":{\"a\":1},\"b\":{\"a\":1}}");
	check_round("{\"a\":1,\"A\":2,\"a \":3}", "{\"a\":1,\"A\":2,\"a \":3}");
}

static void check_number(const char *text, enum json_kind kind, double number)
{
	json *value = read_text(text);

	CU_ASSERT_EQUAL(json_kind(value), kind);
	CU_ASSERT_EQUAL(json_number(value), number);
	CU_ASSERT_EQUAL(!!signbit(json_number(value)), !!signbit(number));
	json_drop(value);
}

static void numbers_keep_their_kind(void)
{
	json *value;

	check_number("0", JSON_INTEGER, 0);
	check_number("-0", JSON_NUMBER, -0.0);
	check_number("-0.0", JSON_NUMBER, -0.0);
	check_number("0e5", JSON_NUMBER, 0);
	check_number("3", JSON_INTEGER, 3);
	check_number("3.0", JSON_NUMBER, 3);
	check_number("3e0", JSON_NUMBER, 3);
	check_number("1E+2", JSON_NUMBER, 100);
	check_number("-1.5e-1", JSON_NUMBER, -0.15);
	check_number("9223372036854775808", JSON_NUMBER, 0x1p63);
	check_number("-9223372036854775809", JSON_NUMBER, -0x1p63);
	check_number("18446744073709551616", JSON_NUMBER, 0x1p64);
	check_number("100000000000000000000", JSON_NUMBER, 1e20);
	check_number("1e-400", JSON_NUMBER, 0);
	check_number("1.7976931348623157e308", JSON_NUMBER, 1.7976931348623157e308);

	value = read_text("9007199254740993");
	CU_ASSERT_EQUAL(json_kind(value), JSON_INTEGER);
	CU_ASSERT_EQUAL(json_integer(value), 9007199254740993);
	json_drop(value);
	check_round("9223372036854775807", "9223372036854775807");
	check_round("-9223372036854775808", "-9223372036854775808");
	check_round("1915883588174806058", "1915883588174806058");
}

static void check_packed(const char *text, bool packed, const char *expected)
{
	json *value = read_text(text);

	CU_ASSERT_EQUAL(json_packed(value, NULL) != NULL, packed);
	json_drop(value);
	check_round(text, expected);
}

static void lists_of_numbers_are_packed(void)
{
	check_packed("[1,2,3,4,5,6,7]", false, "[1,2,3,4,5,6,7]");
	check_packed("[1,2,3,4,5,6,7,8]", true, "[1,2,3,4,5,6,7,8]");
	check_packed("[ 1 , 2.5 , -3e2 , 0.1 , 5 , 6 , 7 , 8 ]", true, "[1,2.5,-300,0.1,5,6,7,8]");
	check_packed("[1,2,3,4,5,6,7,-0]", true, "[1,2,3,4,5,6,7,-0.0]");
	/* 2^53 is exact and the first one not to be so is 2^53 + 1. */
	check_packed("[1,2,3,4,5,6,7,9007199254740992]", true, "[1,2,3,4,5,6,7,9007199254740992]");
	check_packed("[1,2,3,4,5,6,7,-9007199254740992]", true,
		     "[1,2,3,4,5,6,7,-9007199254740992]");
	check_packed("[1,2,3,4,5,6,7,9007199254740993]", false, "[1,2,3,4,5,6,7,9007199254740993]");
	check_packed("[9007199254740993,1,2,3,4,5,6,7]", false, "[9007199254740993,1,2,3,4,5,6,7]");
	check_packed("[-9223372036854775808,1,2,3,4,5,6,7]", false,
		     "[-9223372036854775808,1,2,3,4,5,6,7]");
	/* Beyond 64 bits a number is a double in any list. */
	check_packed("[1,2,3,4,5,6,7,100000000000000000000]", true, "[1,2,3,4,5,6,7,1e+20]");
	/* One thing that is no number, wherever it stands. */
	check_packed("[1,2,3,4,5,6,7,8,null]", false, "[1,2,3,4,5,6,7,8,null]");
	check_packed("[1,2,3,4,5,null,6,7,8,9]", false, "[1,2,3,4,5,null,6,7,8,9]");
	check_packed("[null,1,2,3,4,5,6,7,8]", false, "[null,1,2,3,4,5,6,7,8]");
	check_packed("[1,2,3,4,5,6,7,8,[9]]", false, "[1,2,3,4,5,6,7,8,[9]]");
	check_packed("[1,2,3,4,5,6,7,8,\"9\"]", false, "[1,2,3,4,5,6,7,8,\"9\"]");
}

/* A list that turns out not to be packed has its elements as they were written. */
static void unpacked_lists_keep_kinds(void)
{
	json *value = read_text("[3.0,3,1e2,-0,5,6,7,8,9,10,null,3.0,3]");
	static const enum json_kind kinds[] = {
		JSON_NUMBER,  JSON_INTEGER, JSON_NUMBER,  JSON_NUMBER,	JSON_INTEGER,
		JSON_INTEGER, JSON_INTEGER, JSON_INTEGER, JSON_INTEGER, JSON_INTEGER,
		JSON_NULL,    JSON_NUMBER,  JSON_INTEGER,
	};

	CU_ASSERT_EQUAL_FATAL(json_count(value), 13);
	for (size_t i = 0; i < 13; i++)
		CU_ASSERT_EQUAL(json_item_kind(value, i), kinds[i]);
	json_drop(value);
}

static void long_lists_are_whole(void)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);

	for (size_t count = 8; count < 200000; count = count * 3 + 1) {
		const double *values;
		size_t found;
		bool equal = true;
		json *value;

		buffer_reset(&text);
		for (size_t i = 0; i < count; i++)
			buffer_format(&text, "%s%zu.25", i ? "," : "[", i);
		buffer_byte(&text, ']');
		CU_ASSERT_EQUAL(json_read(text.data, text.length, NULL, &value, NULL), STATUS_OK);
		values = json_packed(value, &found);
		CU_ASSERT_PTR_NOT_NULL_FATAL(values);
		CU_ASSERT_EQUAL_FATAL(found, count);
		for (size_t i = 0; i < count; i++)
			equal = equal && values[i] == (double)i + 0.25;
		CU_ASSERT(equal);
		json_drop(value);

		/* The same with one text at its end, so that every number is an object. */
		text.length--;
		buffer_text(&text, ",\"x\"]");
		CU_ASSERT_EQUAL(json_read(text.data, text.length, NULL, &value, NULL), STATUS_OK);
		CU_ASSERT_PTR_NULL(json_packed(value, NULL));
		CU_ASSERT_EQUAL(json_count(value), count + 1);
		CU_ASSERT_EQUAL(json_item_number(value, count - 1), (double)count - 0.75);
		json_drop(value);
	}
	buffer_free(&text);
}

static void several_lists_in_one_text(void)
{
	json *value = read_text(
		"{\"a\":[1,2,3,4,5,6,7,8],\"b\":[[1,2],[9,8,7,6,5,4,3,2,1]],\"c\":[0.5]}");
	json *list;

	CU_ASSERT_PTR_NOT_NULL(json_packed(json_get(value, "a"), NULL));
	list = json_get(value, "b");
	CU_ASSERT_PTR_NULL(json_packed(json_peek(list, 0), NULL));
	CU_ASSERT_EQUAL(json_count(json_peek(list, 0)), 2);
	CU_ASSERT_EQUAL(json_packed(json_peek(list, 1), NULL)[0], 9);
	CU_ASSERT_EQUAL(json_item_number(json_get(value, "c"), 0), 0.5);
	json_drop(value);
}

/* 512 deep is read, printed, compared, copied and freed. */
static void deep_values(void)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX), out = BUFFER_INIT(SIZE_MAX);
	json *value, *copy;

	for (int i = 0; i < 256; i++)
		buffer_text(&text, "[{\"a\":");
	buffer_text(&text, "1");
	for (int i = 0; i < 256; i++)
		buffer_text(&text, "}]");
	CU_ASSERT_EQUAL(json_read(text.data, text.length, NULL, &value, NULL), STATUS_OK);
	json_print(&out, value);
	UNIT_TEXT(out.data, text.data);
	copy = json_copy(value);
	CU_ASSERT(json_equal(value, copy));
	json_drop(copy);
	json_drop(value);
	buffer_free(&text);
	buffer_free(&out);
}

static void parse_number_takes_numbers_only(void)
{
	double value = 7;

	CU_ASSERT(json_parse_number("-12.5e1", 7, &value));
	CU_ASSERT_EQUAL(value, -125);
	CU_ASSERT(json_parse_number("1234", 2, &value));
	CU_ASSERT_EQUAL(value, 12);
	CU_ASSERT_FALSE(json_parse_number("", 0, &value));
	CU_ASSERT_FALSE(json_parse_number("1 ", 2, &value));
	CU_ASSERT_FALSE(json_parse_number(" 1", 2, &value));
	CU_ASSERT_FALSE(json_parse_number("1e999", 5, &value));
	CU_ASSERT_FALSE(json_parse_number("0x1", 3, &value));
	CU_ASSERT_FALSE(json_parse_number("1,5", 3, &value));
	CU_ASSERT_FALSE(json_parse_number("nan", 3, &value));
	CU_ASSERT_EQUAL(value, 12);
}

static void the_first_of_several_values_is_read(void)
{
	static const char text[] = " {\"a\":1} [2]";
	struct json_fault fault;
	size_t used;
	json *value;

	CU_ASSERT_EQUAL(json_read_first(text, sizeof(text) - 1, NULL, &value, &used, &fault),
			STATUS_OK);
	CU_ASSERT_EQUAL(json_integer(json_get(value, "a")), 1);
	CU_ASSERT_EQUAL(used, 8);
	json_drop(value);
	CU_ASSERT_EQUAL(json_read_first("tru", 3, NULL, &value, &used, &fault),
			STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NULL(value);
	CU_ASSERT_EQUAL(fault.offset, 3);
}

static const struct unit_test tests[] = {
	UNIT_TEST(the_first_of_several_values_is_read),
	UNIT_TEST(every_kind_of_value),
	UNIT_TEST(strings),
	UNIT_TEST(keys),
	UNIT_TEST(numbers_keep_their_kind),
	UNIT_TEST(lists_of_numbers_are_packed),
	UNIT_TEST(unpacked_lists_keep_kinds),
	UNIT_TEST(long_lists_are_whole),
	UNIT_TEST(several_lists_in_one_text),
	UNIT_TEST(deep_values),
	UNIT_TEST(parse_number_takes_numbers_only),
};

UNIT_MAIN("json-read", tests)
