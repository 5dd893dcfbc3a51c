/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include "unit.h"

#include <math.h>

static void check_text(const char *text, size_t length, const char *expected)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);

	json_print_text(&b, text, length);
	UNIT_TEXT(b.data, expected);
	buffer_free(&b);
}

#define CHECK_TEXT(text, expected) check_text(text, sizeof(text) - 1, expected)

static void strings_are_escaped(void)
{
	CHECK_TEXT("", "\"\"");
	CHECK_TEXT("plain / text", "\"plain / text\"");
	CHECK_TEXT("\"\\\b\f\n\r\t", "\"\\\"\\\\\\b\\f\\n\\r\\t\"");
	CHECK_TEXT("\0\x01\x1F\x7F", "\"\\u0000\\u0001\\u001f\x7F\"");
	CHECK_TEXT("a\xE2\x80\xA8"
		   "b\xE2\x80\xA9\xC2\x85",
		   "\"a\\u2028b\\u2029\xC2\x85\"");
	CHECK_TEXT("\xE2\x80\xA7\xE2\x80\xAA",
		   "\"\xE2\x80\xA7\xE2\x80\xAA\""); /* their neighbours */
	CHECK_TEXT("gr\xC3\xBC\xC3\x9F"
		   "e \xF0\x9F\x98\x80, as long as it takes",
		   "\"gr\xC3\xBC\xC3\x9F"
		   "e \xF0\x9F\x98\x80, as long as it takes\"");
}

/* One U+FFFD for each longest part that could have become a character. */
static void bad_bytes_are_replaced(void)
{
	CHECK_TEXT("\xFF", "\"\xEF\xBF\xBD\"");
	CHECK_TEXT("a\x80z", "\"a\xEF\xBF\xBDz\"");
	CHECK_TEXT("\xC0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
	CHECK_TEXT("\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
	CHECK_TEXT("\xE2\x82", "\"\xEF\xBF\xBD\"");
	CHECK_TEXT("\xF0\x9F\x98x", "\"\xEF\xBF\xBDx\"");
	CHECK_TEXT("\xE2\x82\xE2\x82\xAC", "\"\xEF\xBF\xBD\xE2\x82\xAC\"");
	CHECK_TEXT("\xE2\x80", "\"\xEF\xBF\xBD\"");
}

static void every_byte_becomes_valid_json(void)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);

	for (unsigned i = 0; i < 0x10000; i++) {
		char pair[3] = { 'x', (char)(i >> 8), (char)i };

		buffer_reset(&b);
		json_print_text(&b, pair, sizeof(pair));
		if (!json_print_checked(&(struct buffer){ .maximum = 0 }, b.data, b.length, 0)) {
			CU_FAIL("a string was printed that is no JSON");
			break;
		}
	}
	buffer_free(&b);
}

static void parts_have_no_quotes(void)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);

	json_print_text_part(&b, "a\"", 2);
	json_print_text_part(&b, "", 0);
	json_print_text_part(&b, "\n", 1);
	UNIT_TEXT(b.data, "a\\\"\\n");
	buffer_free(&b);
}

static void check_number(double value, const char *expected)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);

	json_print_number(&b, value);
	UNIT_TEXT(b.data, expected);
	buffer_free(&b);
}

static void numbers_are_short(void)
{
	check_number(0, "0");
	check_number(-0.0, "-0.0");
	check_number(1, "1");
	check_number(-1, "-1");
	check_number(0.1, "0.1");
	check_number(-0.25, "-0.25");
	check_number(100, "100");
	check_number(123456789.5, "123456789.5");
	check_number(4.666666666666667, "4.666666666666667");
	check_number(1e15, "1000000000000000");
	check_number(0x1p53, "9007199254740992");
	check_number(-0x1p53, "-9007199254740992");
	check_number(0x1p53 + 2, "9.007199254740994e+15");
	check_number(1e16, "1e+16");
	check_number(1e21, "1e+21");
	check_number(1.5e300, "1.5e+300");
	check_number(0.000001, "0.000001");
	check_number(0.00000123, "0.00000123");
	check_number(0.0000001, "1e-7");
	check_number(-1.5e-7, "-1.5e-7");
	check_number(5e-324, "5e-324");
	check_number(2.2250738585072014e-308, "2.2250738585072014e-308");
	check_number(1.7976931348623157e308, "1.7976931348623157e+308");
	check_number(NAN, "null");
	check_number(INFINITY, "null");
	check_number(-INFINITY, "null");
}

static void integers_and_lists(void)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);

	json_print_integer(&b, INT64_MAX);
	buffer_byte(&b, ' ');
	json_print_integer(&b, INT64_MIN);
	buffer_byte(&b, ' ');
	json_print_integer(&b, 0);
	buffer_byte(&b, ' ');
	json_print_numbers(&b, (double[]){ 1, 2.5, NAN, -0.0 }, 4);
	json_print_numbers(&b, NULL, 0);
	UNIT_TEXT(b.data, "9223372036854775807 -9223372036854775808 0 [1,2.5,null,-0.0][]");
	buffer_free(&b);
}

static void the_maximum_is_exact(void)
{
	struct buffer b = BUFFER_INIT(5);

	json_print_numbers(&b, (double[]){ 1, 2 }, 2);
	CU_ASSERT_EQUAL(b.fault, BUFFER_GOOD);
	UNIT_TEXT(b.data, "[1,2]");
	buffer_reset(&b);
	json_print_numbers(&b, (double[]){ 1, 22 }, 2);
	CU_ASSERT_EQUAL(b.fault, BUFFER_FULL);
	CU_ASSERT_EQUAL(b.wanted, 6);
	buffer_free(&b);
}

/* Plain bytes, quotes and backslashes, which go another way than the rest, in every length around the
 * pieces that they are printed in, and with maxima that cut them anywhere. */
static void long_texts_have_every_escape(void)
{
	static const char bytes[] = "ab\"cdefghij\\kl\"\"mnopqrstuvw\\\"xyz0123456789 ";
	char text[1200], expected[2 * sizeof(text) + 3];
	size_t length, printed = 1;

	expected[0] = '"';
	for (length = 0; length < sizeof(text); length++) {
		struct buffer whole = BUFFER_INIT(SIZE_MAX), cut;
		char c = bytes[length * 7 % (sizeof(bytes) - 1)];

		text[length] = c;
		if (c == '"' || c == '\\')
			expected[printed++] = '\\';
		expected[printed++] = c;
		expected[printed] = '"';
		json_print_text(&whole, text, length + 1);
		CU_ASSERT_EQUAL_FATAL(whole.length, printed + 1);
		CU_ASSERT_FALSE(memcmp(whole.data, expected, whole.length));
		buffer_init(&cut, printed + 1);
		json_print_text(&cut, text, length + 1);
		CU_ASSERT_EQUAL(cut.fault, BUFFER_GOOD);
		CU_ASSERT_EQUAL(cut.length, printed + 1);
		buffer_free(&cut);
		buffer_init(&cut, printed);
		json_print_text(&cut, text, length + 1);
		CU_ASSERT_EQUAL(cut.fault, BUFFER_FULL);
		CU_ASSERT_EQUAL(cut.wanted, printed + 1);
		buffer_free(&cut);
		buffer_free(&whole);
	}
}

static void check_pretty(const char *text, const char *expected)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);
	json *value;

	CU_ASSERT_EQUAL(json_read(text, strlen(text), NULL, &value, NULL), 0);
	json_print_pretty(&b, value);
	UNIT_TEXT(b.data, expected);
	json_drop(value);
	buffer_free(&b);
}

static void pretty_is_for_people(void)
{
	check_pretty("1", "1");
	check_pretty("[]", "[]");
	check_pretty("{}", "{}");
	check_pretty("[1,2.5,null]", "[1, 2.5, null]");
	check_pretty("{\"a\":[],\"b\":{\"c\":[\"x\",\"y\"]}}",
		     "{\n  \"a\": [],\n  \"b\": {\n    \"c\": [\n      \"x\",\n      \"y\"\n    "
		     "]\n  }\n}");
	check_pretty("[[1,2],[3,4]]", "[\n  [1, 2],\n  [3, 4]\n]");
	check_pretty("[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]",
		     "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]");
	check_pretty("[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]",
		     "[\n  1,\n  2,\n  3,\n  4,\n  5,\n  6,\n  7,\n  8,\n  9,\n  10,\n  11,\n  "
		     "12,\n  13,\n"
		     "  14,\n  15,\n  16,\n  17\n]");
}

static void checked_text_is_compacted(void)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);

	buffer_text(&b, "before ");
	CU_ASSERT_FALSE(json_print_checked(&b, "{\"a\":1,}", 8, 0));
	CU_ASSERT_FALSE(json_print_checked(&b, "[[1]]", 5, 1));
	UNIT_TEXT(b.data, "before ");
	CU_ASSERT(json_print_checked(&b, " { \"a\" : [ 1.0 ] } ", 19, 2));
	UNIT_TEXT(b.data, "before {\"a\":[1]}");
	buffer_free(&b);
}

static const struct unit_test tests[] = {
	UNIT_TEST(strings_are_escaped),
	UNIT_TEST(bad_bytes_are_replaced),
	UNIT_TEST(every_byte_becomes_valid_json),
	UNIT_TEST(parts_have_no_quotes),
	UNIT_TEST(numbers_are_short),
	UNIT_TEST(integers_and_lists),
	UNIT_TEST(the_maximum_is_exact),
	UNIT_TEST(pretty_is_for_people),
	UNIT_TEST(long_texts_have_every_escape),
	UNIT_TEST(checked_text_is_compacted),
};

UNIT_MAIN("json-print", tests)
