/* SPDX-License-Identifier: MIT
 *
 * What is told about values that do not fit: for each keyword the place, what was expected and what
 * was found.
 */
#include "schema-unit.h"

static struct schema_problems problems;

/* The instance has to be refused with this as its first problem. `hint` NULL: any. */
static void expect(const char *schema, const char *instance, const char *path, const char *keyword,
		   const char *expected, const char *found, const char *hint)
{
	CU_ASSERT_FALSE(validate(schema, instance, &problems));
	UNIT_TEXT(problems.items[0].path, path);
	UNIT_TEXT(problems.items[0].keyword, keyword);
	UNIT_TEXT(problems.items[0].expected, expected);
	UNIT_TEXT(problems.items[0].found, found);
	if (hint)
		UNIT_TEXT(problems.items[0].hint, hint);
}

static void test_types(void)
{
	expect("{\"type\":\"number\"}", "\"5\"", "", "type", "a number", "\"5\"",
	       "send 5, not \"5\"");
	expect("{\"type\":\"number\"}", "\"five\"", "", "type", "a number", "\"five\"", "");
	expect("{\"type\":\"integer\"}", "1.5", "", "type", "an integer", "1.5", "");
	expect("{\"type\":\"integer\"}", "\"1.5\"", "", "type", "an integer", "\"1.5\"", "");
	expect("{\"type\":\"string\"}", "1", "", "type", "a string", "1", "send \"1\", not 1");
	expect("{\"type\":\"string\"}", "[1]", "", "type", "a string", "an array of 1 item", "");
	expect("{\"type\":\"boolean\"}", "\"true\"", "", "type", "true or false", "\"true\"",
	       "send true, not \"true\"");
	expect("{\"type\":\"array\"}", "\"[1,2]\"", "", "type", "an array", "\"[1,2]\"",
	       "send the array itself, not a string of it");
	expect("{\"type\":\"object\"}", "\"{}\"", "", "type", "an object", "\"{}\"",
	       "send the object itself, not a string of it");
	expect("{\"type\":[\"number\",\"null\"]}", "{\"a\":1,\"b\":2}", "", "type",
	       "a number or null", "an object with the keys \"a\", \"b\"", "");
	expect("{\"type\":[\"integer\",\"string\",\"array\"]}", "{}", "", "type",
	       "an integer, a string or an array", "an empty object", "");
}

static void test_numbers(void)
{
	expect("{\"minimum\":0}", "-1", "", "minimum", "a number of at least 0", "-1", "");
	expect("{\"maximum\":0.5}", "0.75", "", "maximum", "a number of at most 0.5", "0.75", "");
	expect("{\"exclusiveMinimum\":0}", "0", "", "exclusiveMinimum", "a number greater than 0",
	       "0", "");
	expect("{\"exclusiveMaximum\":1}", "1.0", "", "exclusiveMaximum", "a number less than 1",
	       "1", "");
	expect("{\"multipleOf\":0.01}", "0.015", "", "multipleOf",
	       "a number that is a multiple of 0.01", "0.015", "");
	expect("{\"maximum\":9007199254740992}", "9007199254740993", "", "maximum",
	       "a number of at most 9007199254740992", "9007199254740993", "");
}

static void test_texts(void)
{
	expect("{\"minLength\":3}", "\"ab\"", "", "minLength", "a string of at least 3 characters",
	       "\"ab\"", "");
	expect("{\"maxLength\":1}", "\"a\xC3\xA9\"", "", "maxLength",
	       "a string of at most 1 character", "\"a\xC3\xA9\"", "");
	expect("{\"pattern\":\"^a+$\"}", "\"b\"", "", "pattern",
	       "a string that matches the pattern ^a+$", "\"b\"", "");
	expect("{\"enum\":[\"robust\",\"classical\"]}", "\"Robust\"", "", "enum",
	       "one of \"robust\", \"classical\"", "\"Robust\"", "did you mean \"robust\"?");
	/* Also where the type is another, and never a hint at what is not allowed either. */
	expect("{\"type\":\"string\",\"enum\":[\"a\",\"0\"]}", "0", "", "enum",
	       "one of \"a\", \"0\"", "0", "send \"0\", not 0");
	expect("{\"type\":\"string\",\"enum\":[\"a\",\"b\"]}", "0", "", "enum",
	       "one of \"a\", \"b\"", "0", "");
	expect("{\"type\":\"integer\",\"enum\":[1,2]}", "\"3\"", "", "enum", "one of 1, 2", "\"3\"",
	       "");
	expect("{\"type\":\"boolean\",\"const\":true}", "\"true\"", "", "const", "true", "\"true\"",
	       "send true, not \"true\"");
	expect("{\"const\":\"x\"}", "5", "", "const", "\"x\"", "5", "");
	expect("{\"enum\":[1,2,3]}", "\"2\"", "", "enum", "one of 1, 2, 3", "\"2\"",
	       "send 2, not \"2\"");
	/* Many words are searched by hash and told in the schema's order all the same. */
	expect("{\"enum\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"j\"]}", "\"z\"",
	       "", "enum",
	       "one of \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\", \"j\"",
	       "\"z\"", NULL);
}

static void test_lists(void)
{
	expect("{\"minItems\":2}", "[1]", "", "minItems", "at least 2 items", "an array of 1 item",
	       "");
	expect("{\"maxItems\":1}", "[1,2,3]", "", "maxItems", "at most 1 item",
	       "an array of 3 items", "");
	expect("{\"items\":{\"type\":\"number\"}}", "[1,\"x\"]", "/1", "type", "a number", "\"x\"",
	       "");
	expect("{\"items\":{\"minimum\":3}}", "[3,4,5,6,7,8,9,10,11,2]", "/9", "minimum",
	       "a number of at least 3", "2", "");
	expect("{\"uniqueItems\":true}", "[1,[2],1.0]", "/2", "uniqueItems",
	       "items that all differ; item 0 is the same", "1", "");
	expect("{\"prefixItems\":[{}],\"items\":false}", "[1,2]", "/1", "items", "at most 1 items",
	       "2", "");
	expect("{\"contains\":{\"const\":5}}", "[1,2]", "", "contains",
	       "an array with at least 1 items that fit the schema under \"contains\"; 0 do",
	       "an array of 2 items", "");
}

static void test_objects(void)
{
	static const char schema[] =
		"{\"properties\":{\"values\":{},\"trim\":{}},\"required\":[\"values\"],"
		"\"additionalProperties\":false}";

	expect(schema, "{}", "", "required", "the key \"values\"", "an empty object", "");
	expect(schema, "{\"values\":1,\"trin\":2}", "/trin", "additionalProperties",
	       "only the keys \"values\", \"trim\"", "the key \"trin\"", "did you mean \"trim\"?");
	expect("{\"additionalProperties\":false}", "{\"a\":1}", "/a", "additionalProperties",
	       "no keys", "the key \"a\"", "");
	expect("{\"maxProperties\":1}", "{\"a\":1,\"b\":2}", "", "maxProperties",
	       "an object with at most 1 keys", "an object with the keys \"a\", \"b\"", "");
	expect("{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}", "", "dependentRequired",
	       "the key \"b\"", "an object with the key \"a\"", "");
	expect("{\"propertyNames\":{\"maxLength\":1}}", "{\"ab\":1}", "", "maxLength",
	       "a string of at most 1 character", "\"ab\"", "");
	expect("{\"unevaluatedProperties\":false,\"properties\":{\"a\":{}}}", "{\"b\":1}", "/b",
	       "unevaluatedProperties", "no further keys", "the key \"b\"", "");
	expect("{\"properties\":{\"a/b~c\":{\"type\":\"number\"}}}", "{\"a/b~c\":null}", "/a~1b~0c",
	       "type", "a number", "null", "");
}

/* Of alternatives, only the nearest is told. */
static void test_alternatives(void)
{
	static const char number_or_list[] = "{\"anyOf\":[{\"type\":\"number\"},{\"type\":"
					     "\"array\",\"items\":{\"type\":\"number\"}}]}";
	static const char shapes[] =
		"{\"oneOf\":[{\"properties\":{\"kind\":{\"const\":\"circle\"},\"radius\":{\"type\":"
		"\"number\"}},"
		"\"required\":[\"kind\",\"radius\"]},{\"properties\":{\"kind\":{\"const\":\"box\"},"
		"\"width\":{\"type\":\"number\"},\"height\":{\"type\":\"number\"}},"
		"\"required\":[\"kind\",\"width\",\"height\"]}]}";

	static const char keys[] =
		"{\"anyOf\":[{\"properties\":{\"a\":{\"type\":\"number\"}},\"required\":[\"a\"]},"
		"{\"properties\":{\"b\":{\"type\":\"array\"}},\"required\":[\"b\"]}]}";

	expect(number_or_list, "\"x\"", "", "anyOf", "a number or an array", "\"x\"", "");
	expect(number_or_list, "\"5\"", "", "anyOf", "a number or an array", "\"5\"",
	       "send 5, not \"5\"");
	expect(number_or_list, "[1,\"x\",\"y\"]", "/1", "type", "a number", "\"x\"", "");
	CU_ASSERT_EQUAL(problems.count, 2);
	expect(shapes, "{\"kind\":\"box\",\"width\":1}", "", "required", "the key \"height\"",
	       "an object with the keys \"kind\", \"width\"", "");
	CU_ASSERT_EQUAL(problems.count, 1);
	/* A branch that names what was sent is nearer than one that names none of it. */
	expect(keys, "{\"a\":\"1\"}", "/a", "type", "a number", "\"1\"", "send 1, not \"1\"");
	expect(keys, "{\"b\":\"[1]\"}", "/b", "type", "an array", "\"[1]\"",
	       "send the array itself, not a string of it");
	expect(keys, "{\"c\":1}", "", "required", "the key \"a\"", "an object with the key \"c\"",
	       "");
	expect("{\"oneOf\":[{\"minimum\":0},{\"maximum\":9}]}", "5", "", "oneOf",
	       "a value that fits exactly one of 2 alternatives; it fits number 1 and number 2",
	       "5", "");
	expect("{\"not\":{\"type\":\"string\"}}", "\"x\"", "", "not",
	       "a value that the schema under \"not\" does not take", "\"x\"", "");
	expect("{\"if\":{\"required\":[\"a\"]},\"then\":{\"required\":[\"b\"]}}", "{\"a\":1}", "",
	       "required", "the key \"b\"", "an object with the key \"a\"", "");
	expect("{\"properties\":{\"a\":false}}", "{\"a\":1}", "/a", "false", "nothing here", "1",
	       "");
	/* Alternatives in alternatives. */
	expect("{\"anyOf\":[{\"anyOf\":[{\"type\":\"number\"},{\"type\":\"null\"}]},{\"type\":"
	       "\"object\"}]}",
	       "\"x\"", "", "anyOf", "a number or null or an object", "\"x\"", "");
}

/* Several ways to the same rule are one problem. */
static void test_told_once(void)
{
	static const char twice[] =
		"{\"properties\":{\"a\":{\"allOf\":[{\"$ref\":\"#/$defs/n\"},{\"$ref\":\"#/$defs/"
		"n\"},"
		"{\"$ref\":\"#/$defs/m\"}]}},\"$defs\":{\"n\":{\"type\":\"number\"},"
		"\"m\":{\"type\":\"integer\"}}}";

	expect(twice, "{\"a\":\"x\"}", "/a", "type", "a number", "\"x\"", "");
	CU_ASSERT_EQUAL(problems.count, 2);
	CU_ASSERT_EQUAL(problems.more, 0);
	expect("{\"patternProperties\":{\"^n\":{}},\"additionalProperties\":false}", "{\"m\":1}",
	       "/m", "additionalProperties", "a key that a pattern of the schema matches",
	       "the key \"m\"", "");
}

static void test_bounds_of_texts(void)
{
	struct buffer schema = BUFFER_INIT(SIZE_MAX), instance = BUFFER_INIT(SIZE_MAX);
	struct schema_problem *p = &problems.items[0];

	/* A place, words, a key and a value that are longer than what is told of them. */
	buffer_text(&schema, "{\"properties\":{\"");
	buffer_text(&instance, "{\"");
	for (int i = 0; i < 300; i++) {
		buffer_text(&schema, "\xC3\xA9");
		buffer_text(&instance, "\xC3\xA9");
	}
	buffer_text(&schema, "\":{\"enum\":[");
	for (int i = 0; i < 100; i++)
		buffer_format(&schema, "%s\"word number %d\"", i ? "," : "", i);
	buffer_text(&schema, "]}},\"additionalProperties\":false}");
	buffer_text(&instance, "\":\"");
	for (int i = 0; i < 5000; i++)
		buffer_text(&instance, "\\u0001");
	buffer_text(&instance, "\"}");
	CU_ASSERT_FALSE(validate(schema.data, instance.data, &problems));
	CU_ASSERT(!strcmp(p->path + strlen(p->path) - 3, "..."));
	CU_ASSERT(!strcmp(p->expected + strlen(p->expected) - 3, "...") ||
		  strlen(p->expected) > 200);
	CU_ASSERT(strlen(p->found) < sizeof(p->found));

	buffer_reset(&instance);
	buffer_text(&instance, "{\"");
	for (int i = 0; i < 5000; i++)
		buffer_text(&instance, "x");
	buffer_text(&instance, "\":1}");
	CU_ASSERT_FALSE(validate(schema.data, instance.data, &problems));
	UNIT_TEXT(p->found, "the key ...");
	buffer_free(&schema);
	buffer_free(&instance);
}

static void test_counts(void)
{
	CU_ASSERT_FALSE(validate("{\"items\":{\"type\":\"string\"}}",
				 "[1,2,3,4,5,6,7,8,9,10,11,12,13]", &problems));
	CU_ASSERT_EQUAL(problems.count, SCHEMA_PROBLEMS);
	CU_ASSERT_EQUAL(problems.more, 3);
	CU_ASSERT_FALSE(problems.exhausted);
	CU_ASSERT(validate("{\"items\":{\"type\":\"number\"}}", "[1,2,3,4,5,6,7,8,9,10,11,12,13]",
			   &problems));
	CU_ASSERT_EQUAL(problems.count, 0);
}

static void test_error(void)
{
	struct error error = ERROR_INIT;

	validate("{\"properties\":{\"trim\":{\"type\":\"number\"}},\"required\":[\"values\"]}",
		 "{\"trim\":\"0.1\"}", &problems);
	CU_ASSERT_EQUAL(schema_problems_to_error(&problems, "summary", &error),
			STATUS_INPUT_INVALID);
	UNIT_TEXT(error.message,
		  "the arguments of summary do not fit: /trim: expected a number, found \"0.1\" "
		  "(send 0.1, not \"0.1\"); "
		  "expected the key \"values\", found an object with the key \"trim\"");
	CU_ASSERT(json_text_is(json_get(error.details, "tool_name"), "summary"));
	CU_ASSERT_EQUAL(json_integer(json_get(error.details, "more")), 0);
	CU_ASSERT_EQUAL(json_count(json_get(error.details, "errors")), 2);
	error_clear(&error);
	CU_ASSERT_EQUAL(schema_problems_to_error(&problems, NULL, NULL), STATUS_INPUT_INVALID);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_types),	   UNIT_TEST(test_numbers),	    UNIT_TEST(test_texts),
	UNIT_TEST(test_lists),	   UNIT_TEST(test_objects),	    UNIT_TEST(test_alternatives),
	UNIT_TEST(test_told_once), UNIT_TEST(test_bounds_of_texts), UNIT_TEST(test_counts),
	UNIT_TEST(test_error),
};

UNIT_MAIN("schema-problems", tests)
