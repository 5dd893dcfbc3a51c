/* SPDX-License-Identifier: MIT
 *
 * What is no JSON, where it goes wrong, and what the reader says about it.
 */
#include "base/json.h"
#include "base/status.h"
#include "base/text.h"

#include "unit.h"

#include <time.h>

struct refusal {
	const char *text;
	size_t length;
	size_t offset;
	unsigned line, column;
	const char *reason;
};

#define REFUSE(text, offset, reason)                                                               \
	{                                                                                          \
		text, sizeof(text) - 1, offset, 1, (offset) + 1, reason                            \
	}
#define REFUSE_AT(text, offset, line, column, reason)                                              \
	{                                                                                          \
		text, sizeof(text) - 1, offset, line, column, reason                               \
	}

static const struct refusal refusals[] = {
	/* nothing there */
	REFUSE("", 0, "the text is empty: write one JSON value, such as {}"),
	REFUSE_AT(" \n ", 3, 2, 2, "the text is empty: write one JSON value, such as {}"),

	/* words */
	REFUSE("NaN", 0, "NaN is no JSON value: write null"),
	REFUSE("[nan]", 1, "nan is no JSON value: write null"),
	REFUSE("[Infinity]", 1, "Infinity is no JSON value: write null"),
	REFUSE("[-Infinity]", 1, "-Infinity is no JSON value: write null"),
	REFUSE("[1,2,NaN]", 5, "NaN is no JSON value: write null"),
	REFUSE("{\"a\":True}", 5, "True is no JSON value: write true"),
	REFUSE("{\"a\":FALSE}", 5, "FALSE is no JSON value: write false"),
	REFUSE("None", 0, "None is no JSON value: write null"),
	REFUSE("[undefined]", 1, "undefined is no JSON value: write null"),
	REFUSE("[yes]", 1, "yes has no quotes: write \"yes\""),
	REFUSE("truest", 0, "truest has no quotes: write \"truest\""),
	REFUSE("[tru]", 1, "tru has no quotes: write \"tru\""),
	REFUSE("[tru", 4, "the text ends inside a value: tru"),

	/* numbers */
	REFUSE("1.", 1, "no digit behind the point: write 1.0"),
	REFUSE("[1.,2]", 2, "no digit behind the point: write 1.0"),
	REFUSE("1.e5", 1, "no digit behind the point: write 1.0"),
	REFUSE("01", 0, "01 begins with a zero: write 1"),
	REFUSE("-01.5", 0, "-01.5 begins with a zero: write -1.5"),
	REFUSE("000", 0, "000 begins with a zero: write 0"),
	REFUSE(".5", 0, "a number begins with .: write 0.5"),
	REFUSE("-.5", 0, "a number begins with .: write -0.5"),
	REFUSE("+1", 0, "a number begins with +: write 1"),
	REFUSE("-", 0, "a minus sign without a number"),
	REFUSE("[- 1]", 1, "a minus sign without a number"),
	REFUSE("1e", 0, "no digit in the exponent of 1e"),
	REFUSE("[1e+]", 1, "no digit in the exponent of 1e+"),
	REFUSE("0x10", 0, "0x10 is no number: write digits, one point and an exponent"),
	REFUSE("[1_000]", 1, "1_000 is no number: write digits, one point and an exponent"),
	REFUSE("1.2.3", 0, "1.2.3 is no number: write digits, one point and an exponent"),
	REFUSE("1e999", 0, "a number beyond a double: at most about 1.797e308"),
	REFUSE("[1,-1e309]", 3, "a number beyond a double: at most about 1.797e308"),
	REFUSE("1.7976931348623159e308", 0, "a number beyond a double: at most about 1.797e308"),

	/* commas, colons and brackets */
	REFUSE("[1,]", 3, "a comma before ]: leave the comma out"),
	REFUSE("[\"a\",]", 5, "a comma before ]: leave the comma out"),
	REFUSE("{\"a\":1,}", 7, "a comma before }: leave the comma out"),
	REFUSE("[,1]", 1, "no value before this comma"),
	REFUSE("[1,,2]", 3, "no value before this comma"),
	REFUSE("{,}", 1, "no key and value before this comma"),
	REFUSE("[1 2]", 3, "no comma between two values of a list"),
	REFUSE("[[][]]", 3, "no comma between two values of a list"),
	REFUSE("{\"a\":1 \"b\":2}", 7, "no comma between two members of an object"),
	REFUSE("[1;2]", 2, "; where a comma or ] has to stand"),
	REFUSE("{\"a\" 1}", 5, "1 where the : behind a key has to stand"),
	REFUSE("{\"a\"=1}", 4, "= where the : behind a key has to stand"),
	REFUSE("{\"a\"}", 4, "a key without a value: write : and the value"),
	REFUSE("{\"a\":}", 5, "a key without a value: write one, or null"),
	REFUSE("[1}", 2, "a list ends with }: write ]"),
	REFUSE("{\"a\":1]", 6, "an object ends with ]: write }"),
	REFUSE("[\"a\":1]", 4, "a key in a list: write { } around it"),
	REFUSE("]", 0, "] where a value has to stand"),
	REFUSE("@", 0, "@ where a value has to stand"),

	/* quotes and keys */
	REFUSE("{'a':1}", 1, "the quote ': write \""),
	REFUSE("['a']", 1, "the quote ': write \""),
	REFUSE("[\xE2\x80\x9C"
	       "a\xE2\x80\x9D]",
	       1, "a typographic quote: write \""),
	REFUSE("{a:1}", 1, "a key without quotes: write \"a\""),
	REFUSE("{1:2}", 1, "a key without quotes: write \"1\""),
	REFUSE("{\"a\":\"get(\"K\")\"}", 11,
	       "a string has ended here: write \\\" for a quote within it"),
	REFUSE("{\"a\":1,\"b\":2,\"a\":3}", 13, "a key twice in one object: \"a\""),
	REFUSE("{\"a\":{\"b\":1,\"\\u0062\":2}}", 12, "a key twice in one object: \"b\""),
	REFUSE("{\"id\":1,\"id\":1}", 8, "a key twice in one object: \"id\""),
	REFUSE("{\"a\\u0000b\":1}", 1, "a NUL in a key: leave \\u0000 out"),
	REFUSE("{\"0123456789012345678901234567890123456789\":1,"
	       "\"0123456789012345678901234567890123456789\":1}",
	       46, "a key twice in one object: \"01234567890123456789012345678901...\""),

	/* comments, blanks and marks */
	REFUSE("// x", 0, "a comment: JSON has none, leave it out"),
	REFUSE("[1, /* x */ 2]", 4, "a comment: JSON has none, leave it out"),
	REFUSE("{} # x", 3, "a comment: JSON has none, leave it out"),
	REFUSE("\xEF\xBB\xBF{}", 0, "a byte order mark: leave it out"),
	REFUSE("[1,\xC2\xA0"
	       "2]",
	       3, "a no-break space: write a blank"),
	REFUSE("[1,\f2]", 3, "the control character 0x0C: leave it out"),

	/* strings */
	REFUSE("\"a\nb\"", 2, "a line feed in a string: write \\n"),
	REFUSE("\"a\tb\"", 2, "a tab in a string: write \\t"),
	REFUSE("\"a\rb\"", 2, "a carriage return in a string: write \\r"),
	REFUSE("\"\x01\"", 1, "the control character 0x01 in a string: write \\u0001"),
	REFUSE("\"1234567890\x1F\"", 11, "the control character 0x1F in a string: write \\u001F"),
	REFUSE("\"a\0b\"", 2, "a NUL byte in a string: write \\u0000"),
	REFUSE("{}\0", 2, "a NUL byte: leave it out"),
	REFUSE("\0", 0, "a NUL byte: leave it out"),
	REFUSE("\"\\x41\"", 1, "\\x is no escape: write \\\\ for a backslash"),
	REFUSE("\"C:\\dir\"", 3, "\\d is no escape: write \\\\ for a backslash"),
	REFUSE("\"\\\0\"", 1, "\\\\u0000 is no escape: write \\\\ for a backslash"),
	REFUSE("\"\\u12G4\"", 1, "\\u needs four hexadecimal digits"),
	REFUSE("\"\\ud800\"", 1,
	       "half a surrogate pair, \\ud800: write both halves, or the character"),
	REFUSE("\"\\uDC00\"", 1,
	       "half a surrogate pair, \\uDC00: write both halves, or the character"),
	REFUSE("\"\\ud800\\u0041\"", 1,
	       "half a surrogate pair, \\ud800: write both halves, or the character"),
	REFUSE("\"\\ud800\\ud800\"", 1,
	       "half a surrogate pair, \\ud800: write both halves, or the character"),

	/* bytes that are no UTF-8 */
	REFUSE("\"\xFF\"", 1, "the byte 0xFF is not UTF-8: write the text in UTF-8"),
	REFUSE("\"\xC0\x80\"", 1, "the byte 0xC0 is not UTF-8: write the text in UTF-8"),
	REFUSE("\"ab\xED\xA0\x80\"", 3, "the byte 0xED is not UTF-8: write the text in UTF-8"),
	REFUSE("\"\xE2\x82\"", 1, "the byte 0xE2 is not UTF-8: write the text in UTF-8"),
	REFUSE("[\xE4]", 1, "the byte 0xE4 is not UTF-8: write the text in UTF-8"),

	/* cut short */
	REFUSE("[", 1, "the text ends inside a list: its ] is missing"),
	REFUSE("[1", 2, "the text ends inside a list: its ] is missing"),
	REFUSE("[1,", 3, "the text ends inside a list: its ] is missing"),
	REFUSE("{", 1, "the text ends inside an object: its } is missing"),
	REFUSE("{\"a\"", 4, "the text ends inside an object: its } is missing"),
	REFUSE("{\"a\":", 5, "the text ends inside an object: its } is missing"),
	REFUSE("{\"a\":[1,2]", 10, "the text ends inside an object: its } is missing"),
	REFUSE("\"abc", 4, "the text ends inside a string: its \" is missing"),
	REFUSE("\"abc\\", 5, "the text ends inside a string: its \" is missing"),
	REFUSE("\"abc\\u00", 8, "the text ends inside a string: its \" is missing"),

	/* too much */
	REFUSE("{} {}", 3, "more behind the value: write one value only"),
	REFUSE("{\"a\":1}{\"a\":2}", 7, "more behind the value: write one value only"),
	REFUSE("1 2", 2, "more behind the value: write one value only"),
	REFUSE("{}]", 2, "] where the end of the text has to stand"),
	REFUSE("1,", 1, ", where the end of the text has to stand"),

	/* places */
	REFUSE_AT("{\n  \"a\": 1,\n  \"b\": 01\n}", 19, 3, 8, "01 begins with a zero: write 1"),
	REFUSE_AT("[\r\n1,\r\n]", 7, 3, 1, "a comma before ]: leave the comma out"),
};

static void every_fault_is_told(void)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const struct refusal *refusal = &refusals[i];
		/* A copy of exactly this size, so that a sanitizer sees a read behind it. */
		char *text = malloc(refusal->length ? refusal->length : 1);
		struct json_fault fault;
		json *value = (json *)&fault;

		memcpy(text, refusal->text, refusal->length);
		CU_ASSERT_EQUAL(json_read(text, refusal->length, NULL, &value, &fault),
				STATUS_INPUT_INVALID);
		CU_ASSERT_PTR_NULL(value);
		UNIT_TEXT(fault.reason, refusal->reason);
		CU_ASSERT_EQUAL(fault.offset, refusal->offset);
		CU_ASSERT_EQUAL(fault.line, refusal->line);
		CU_ASSERT_EQUAL(fault.column, refusal->column);
		if (fault.offset != refusal->offset || fault.column != refusal->column)
			fprintf(stderr, "%s: offset %zu, column %u\n", refusal->text, fault.offset,
				fault.column);
		CU_ASSERT_FALSE(fault.too_deep || fault.too_long);
		CU_ASSERT_EQUAL(json_read(text, refusal->length, NULL, &value, NULL),
				STATUS_INPUT_INVALID);
		free(text);
	}
}

/* A text of `count` times `open`, which is not closed. */
static int read_nested(const char *open, size_t count, const struct json_limits *limits,
		       struct json_fault *fault)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	json *value;
	int status;

	for (size_t i = 0; i < count; i++)
		buffer_text(&text, open);
	status = json_read(text.data, text.length, limits, &value, fault);
	buffer_free(&text);
	return status;
}

static void depth_is_bounded(void)
{
	struct json_limits limits = { .max_depth = 10 };
	struct json_fault fault;
	json *value;

	CU_ASSERT_EQUAL(read_nested("[", 1000000, NULL, &fault), STATUS_INPUT_INVALID);
	CU_ASSERT(fault.too_deep);
	CU_ASSERT_EQUAL(fault.offset, 512);
	UNIT_TEXT(fault.reason, "lists and objects lie more than 512 deep in one another");
	CU_ASSERT_EQUAL(read_nested("{\"a\":", 1000000, NULL, &fault), STATUS_INPUT_INVALID);
	CU_ASSERT(fault.too_deep);
	CU_ASSERT_EQUAL(fault.offset, 512 * 5);
	CU_ASSERT_EQUAL(read_nested("[{\"a\":", 1000, NULL, &fault), STATUS_INPUT_INVALID);
	CU_ASSERT(fault.too_deep);
	CU_ASSERT_EQUAL(read_nested("[", 11, &limits, &fault), STATUS_INPUT_INVALID);
	CU_ASSERT(fault.too_deep);
	CU_ASSERT_EQUAL(fault.offset, 10);
	/* Ten are fine, side by side too. */
	CU_ASSERT_EQUAL(read_nested("[", 10, &limits, &fault), STATUS_INPUT_INVALID);
	CU_ASSERT_FALSE(fault.too_deep);
	CU_ASSERT_EQUAL(
		json_read("[[[[[[[[[[]]]]]]]]],[[[[[[[[[]]]]]]]]]]", 39, &limits, &value, &fault),
		STATUS_OK);
	json_drop(value);
	/* Nobody can ask for more than the functions that call themselves bear. */
	limits.max_depth = 1000000;
	CU_ASSERT_EQUAL(read_nested("[", 1000000, &limits, &fault), STATUS_INPUT_INVALID);
	CU_ASSERT_EQUAL(fault.offset, 512);
}

static void length_is_bounded(void)
{
	struct json_limits limits = { .max_bytes = 10 };
	struct json_fault fault;
	json *value;

	CU_ASSERT_EQUAL(json_read("[1,2,3,4]   ", 11, &limits, &value, &fault),
			STATUS_INPUT_INVALID);
	CU_ASSERT(fault.too_long);
	UNIT_TEXT(fault.reason, "the text has 11 bytes, and at most 10 are taken");
	CU_ASSERT_EQUAL(json_read("[1,2,3,4]   ", 10, &limits, &value, &fault), STATUS_OK);
	json_drop(value);
}

/* An object with many keys takes time in proportion to them, and a key twice is seen however far
 * apart. */
static void many_keys_are_read_at_once(void)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	struct json_fault fault;
	clock_t began = clock();
	json *value;

	buffer_byte(&text, '{');
	for (int i = 0; i < 100000; i++)
		buffer_format(&text, "%s\"k%d\":%d", i ? "," : "", i, i);
	buffer_byte(&text, '}');
	CU_ASSERT_EQUAL(json_read(text.data, text.length, NULL, &value, &fault), STATUS_OK);
	CU_ASSERT_EQUAL(json_count(value), 100000);
	CU_ASSERT_EQUAL(json_integer(json_get(value, "k98765")), 98765);
	json_drop(value);

	text.length--;
	buffer_text(&text, ",\"k0\":0}");
	CU_ASSERT_EQUAL(json_read(text.data, text.length, NULL, &value, &fault),
			STATUS_INPUT_INVALID);
	UNIT_TEXT(fault.reason, "a key twice in one object: \"k0\"");
	buffer_free(&text);
	/* Comparing each key with each would take longer. */
	CU_ASSERT((clock() - began) / CLOCKS_PER_SEC < 20);
}

static bool fault_is_sound(const struct json_fault *fault, const char *text, size_t length)
{
	unsigned line = 1, column = 1;

	for (size_t i = 0; i < fault->offset && i < length; i++) {
		column = text[i] == '\n' ? 1 : column + 1;
		line += text[i] == '\n';
	}
	return fault->offset <= length && fault->line == line && fault->column == column &&
	       fault->reason[0] && memchr(fault->reason, '\0', sizeof(fault->reason)) &&
	       text_is_utf8(fault->reason, strlen(fault->reason));
}

/* Whatever is read can be read again from what is printed. */
static bool value_is_sound(const json *value)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	json *again = NULL;
	bool sound;

	json_print(&text, value);
	sound = text.fault == BUFFER_GOOD &&
		json_read(text.data, text.length, NULL, &again, NULL) == STATUS_OK &&
		json_equal(value, again);
	json_drop(again);
	buffer_free(&text);
	return sound;
}

static bool outcome_is_sound(const char *text, size_t length)
{
	/* Exactly this size, so that a sanitizer sees a read behind it. */
	char *copy = malloc(length ? length : 1);
	struct json_fault fault;
	json *value;
	bool sound;

	memcpy(copy, text, length);
	if (json_read(copy, length, NULL, &value, &fault) == STATUS_OK)
		sound = value_is_sound(value);
	else
		sound = fault_is_sound(&fault, copy, length);
	json_drop(value);
	if (json_salvage_id(copy, length, &value))
		sound = sound &&
			(json_kind(value) == JSON_TEXT || json_kind(value) == JSON_INTEGER);
	json_drop(value);
	free(copy);
	return sound;
}

/* Every head of a text, and every text with one byte changed, has a sound outcome. */
static void broken_texts_have_sound_outcomes(void)
{
	static const char sample[] =
		"{\"id\":1,\n\"k\\u00e9\":[1,-2.5e+3,0.1,4,5,6,7,8,9,10],\"t\":\"a\\n\\ud83d\\ude00"
		"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\",\"n\":[null,true,false,{}],\"x\":{\"y\":[[]"
		"]}}";
	static const char bytes[] =
		"\0\x01\n\"'\\/{}[],:#+-.0159eEntfuNdDx_ \x7F\x80\xBF\xC3\xE2\xED\xF0\xFF";
	const size_t length = sizeof(sample) - 1;
	char text[sizeof(sample)];
	unsigned unsound = 0;

	for (size_t i = 0; i <= length; i++)
		unsound += !outcome_is_sound(sample, i);
	for (size_t i = 0; i < length; i++) {
		for (size_t j = 0; j < sizeof(bytes) - 1; j++) {
			memcpy(text, sample, length);
			text[i] = bytes[j];
			unsound += !outcome_is_sound(text, length);
		}
	}
	CU_ASSERT_EQUAL(unsound, 0);
}

/* What more text could have made JSON, and what it could not. */
static void a_cut_is_told_from_a_fault(void)
{
	static const struct {
		const char *text;
		bool ended;
	} texts[] = {
		{ "", true },
		{ "{\"a", true },
		{ "{\"a\": [1, ", true },
		{ "[1", true },
		{ "[tru", true },
		{ "[-", true },
		{ "[1.", true },
		{ "[1.5e", true },
		{ "[1e+", true },
		{ "\"\\", true },
		{ "\"\\u12", true },
		{ "\"\\ud83d", true },
		{ "\"\\ud83d\\", true },
		{ "\"\\ud83d\\ud", true },
		{ "\"\xE2\x96", true },
		{ "{\"a\" x", false },
		{ "[01", false },
		{ "[1.5.", false },
		{ "\"\\ud83dx", false },
		{ "\"\\udc00", false },
		{ "\"\xFF", false },
		{ "[1,]", false },
		{ "\"\\u1x", false },
		{ "{} {", false },
		{ "[-x", false },
		{ "\"a\n", false },
	};
	struct json_fault fault;
	json *value;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		CU_ASSERT_EQUAL(
			json_read(texts[i].text, strlen(texts[i].text), NULL, &value, &fault),
			STATUS_INPUT_INVALID);
		if (fault.ended != texts[i].ended)
			fprintf(stderr, "%s: ended is %d\n", texts[i].text, fault.ended);
		CU_ASSERT_EQUAL(fault.ended, texts[i].ended);
	}
}

static const struct unit_test tests[] = {
	UNIT_TEST(every_fault_is_told),	       UNIT_TEST(a_cut_is_told_from_a_fault),
	UNIT_TEST(depth_is_bounded),	       UNIT_TEST(length_is_bounded),
	UNIT_TEST(many_keys_are_read_at_once), UNIT_TEST(broken_texts_have_sound_outcomes),
};

UNIT_MAIN("json-refuse", tests)
