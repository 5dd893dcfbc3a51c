/* SPDX-License-Identifier: MIT
 *
 * Values at the edges of what numbers, packed lists and equality mean.
 */
#include "schema-unit.h"

static void valid(const char *schema, const char *instance)
{
	bool good = validate(schema, instance, NULL);

	if (!good)
		fprintf(stderr, "%s refuses %s\n", schema, instance);
	CU_ASSERT_TRUE(good);
}

static void invalid(const char *schema, const char *instance)
{
	struct schema_problems problems;
	bool good = validate(schema, instance, &problems);

	if (good)
		fprintf(stderr, "%s takes %s\n", schema, instance);
	CU_ASSERT_FALSE(good);
	CU_ASSERT(problems.count > 0);
}

static void test_integers(void)
{
	valid("{\"type\":\"integer\"}", "1.0");
	valid("{\"type\":\"integer\"}", "-0.0");
	valid("{\"type\":\"integer\"}", "1e20");
	valid("{\"type\":\"integer\"}", "12345678901234567890123");
	invalid("{\"type\":\"integer\"}", "1e-1");
	valid("{\"type\":\"number\"}", "1");
	/* Beyond 2^53 neighbours differ. */
	valid("{\"const\":9007199254740993}", "9007199254740993");
	invalid("{\"const\":9007199254740993}", "9007199254740992");
	invalid("{\"minimum\":9007199254740993}", "9007199254740992");
	valid("{\"maximum\":9223372036854775807}", "9223372036854775807");
	invalid("{\"exclusiveMaximum\":9223372036854775807}", "9223372036854775807");
	invalid("{\"maximum\":9223372036854775807}", "9223372036854775808");
	valid("{\"maximum\":1e19}", "9223372036854775807");
	invalid("{\"minimum\":0.5}", "0");
	valid("{\"minimum\":-0.5}", "0");
	valid("{\"exclusiveMinimum\":-1e300}", "-9223372036854775808");
}

static void test_multiples(void)
{
	valid("{\"multipleOf\":0.0001}", "0.0075");
	invalid("{\"multipleOf\":0.0001}", "0.00751");
	valid("{\"multipleOf\":0.1}", "0.3");
	valid("{\"multipleOf\":0.01}", "19.99");
	valid("{\"multipleOf\":1e-8}", "12391239123");
	valid("{\"multipleOf\":0.1}", "1e300");
	invalid("{\"multipleOf\":7}", "1e300");
	valid("{\"multipleOf\":1e300}", "2e300");
	invalid("{\"multipleOf\":1e300}", "1");
	valid("{\"multipleOf\":1e300}", "0");
	valid("{\"multipleOf\":3}", "-9");
	invalid("{\"multipleOf\":2}", "9007199254740993");
	valid("{\"multipleOf\":3}", "9007199254740993");
	valid("{\"multipleOf\":1.5}", "-4.5");
	invalid("{\"multipleOf\":0.3}", "1");
	valid("{\"multipleOf\":0.5}", "1e308");
	valid("{\"multipleOf\":5e-324}", "1e-320");
}

/* A packed list of one number. */
#define WITH(n) "[" n "," n "," n "," n "," n "," n "," n "," n "," n "]"

/* Each of these is packed, and goes through a loop of its own. */
static void test_packed(void)
{
	valid("{\"items\":{\"type\":\"number\"}}", "[1,2,3,4,5,6,7,8,9.5]");
	invalid("{\"items\":{\"type\":\"integer\"}}", "[1,2,3,4,5,6,7,8,9.5]");
	valid("{\"items\":{\"type\":\"integer\"}}", "[1,2,3,4,5,6,7,8,1e30]");
	invalid("{\"items\":{\"type\":\"string\"}}", "[1,2,3,4,5,6,7,8,9]");
	invalid("{\"items\":false}", "[1,2,3,4,5,6,7,8,9]");
	valid("{\"items\":{\"minimum\":1,\"maximum\":9}}", "[1,2,3,4,5,6,7,8,9]");
	invalid("{\"items\":{\"minimum\":1,\"exclusiveMaximum\":9}}", "[1,2,3,4,5,6,7,8,9]");
	invalid("{\"items\":{\"exclusiveMinimum\":1}}", "[1,2,3,4,5,6,7,8,9]");
	valid("{\"items\":{\"exclusiveMinimum\":0.5,\"exclusiveMaximum\":9.5}}",
	      "[1,2,3,4,5,6,7,8,9]");
	/* A bound that no double holds: 2^53 lies below it, 2^53 + 2 above. */
	invalid("{\"items\":{\"minimum\":9007199254740993}}", WITH("9007199254740992"));
	valid("{\"items\":{\"minimum\":9007199254740993}}", WITH("9007199254740994"));
	invalid("{\"items\":{\"exclusiveMinimum\":9007199254740993}}", WITH("9007199254740992"));
	valid("{\"items\":{\"exclusiveMinimum\":9007199254740993}}", WITH("9007199254740994"));
	valid("{\"items\":{\"exclusiveMinimum\":9007199254740995}}", WITH("9007199254740996"));
	valid("{\"items\":{\"maximum\":-9007199254740993}}", WITH("-9007199254740994"));
	invalid("{\"items\":{\"maximum\":-9007199254740993}}", WITH("-9007199254740992"));
	valid("{\"items\":{\"exclusiveMaximum\":-9007199254740995}}", WITH("-9007199254740996"));
	invalid("{\"items\":{\"exclusiveMaximum\":-9007199254740993}}", WITH("-9007199254740992"));
	valid("{\"items\":{\"multipleOf\":0.5}}", "[1,2,3,4,5,6,7,8,9.5]");
	invalid("{\"items\":{\"multipleOf\":0.5}}", "[1,2,3,4,5,6,7,8,9.75]");
	valid("{\"uniqueItems\":true}", "[1,2,3,4,5,6,7,8,9]");
	invalid("{\"uniqueItems\":true}", "[1,2,3,4,5,6,7,8,9,10,1.0]");
	invalid("{\"uniqueItems\":true}", "[0.0,2,3,4,5,6,7,8,9,-0.0]");
	valid("{\"contains\":{\"const\":9}}", "[1,2,3,4,5,6,7,8,9]");
	invalid("{\"contains\":{\"const\":10}}", "[1,2,3,4,5,6,7,8,9]");
	invalid("{\"contains\":{\"minimum\":5},\"maxContains\":4}", "[1,2,3,4,5,6,7,8,9]");
	valid("{\"prefixItems\":[{\"const\":1}],\"items\":{\"minimum\":2}}", "[1,2,3,4,5,6,7,8,9]");
	invalid("{\"prefixItems\":[{\"const\":2}],\"items\":{\"minimum\":2}}",
		"[1,2,3,4,5,6,7,8,9]");
	valid("{\"items\":{\"enum\":[1,2,3,4,5,6,7,8,9,10,11]}}", "[1,2,3,4,5,6,7,8,9]");
	invalid("{\"items\":{\"enum\":[1,2,3,4,5,6,7,8,10,11,12]}}", "[1,2,3,4,5,6,7,8,9]");
	valid("{\"items\":{\"anyOf\":[{\"maximum\":5},{\"minimum\":6}]}}", "[1,2,3,4,5,6,7,8,9]");
	valid("{\"const\":[1,2,3,4,5,6,7,8,9]}", "[1.0,2,3,4,5,6,7,8,9]");
	invalid("{\"const\":[1,2,3,4,5,6,7,8,9]}", "[1,2,3,4,5,6,7,8,10]");
	/* One of these is packed and the other is not. */
	invalid("{\"uniqueItems\":true}", "[[1,2,3,4,5,6,7,8],[1,2,3,4,5,6,7,8.0]]");
	valid("{\"enum\":[[1,2,3,4,5,6,7,8,9007199254740993],1,2,3,4,5,6,7,8]}",
	      "[1,2,3,4,5,6,7,8,9007199254740993]");
	valid("{\"prefixItems\":[true,true,true,true,true,true,true,true],\"unevaluatedItems\":{"
	      "\"minimum\":9}}",
	      "[1,2,3,4,5,6,7,8,9]");
	invalid("{\"prefixItems\":[true,true,true,true,true,true,true],\"unevaluatedItems\":false}",
		"[1,2,3,4,5,6,7,8]");
}

static void test_equality(void)
{
	invalid("{\"uniqueItems\":true}", "[{\"a\":1,\"b\":[2]},{\"b\":[2.0],\"a\":1}]");
	valid("{\"uniqueItems\":true}", "[{\"a\":1,\"b\":2},{\"a\":2,\"b\":1}]");
	valid("{\"uniqueItems\":true}", "[1,\"1\",true,null,[1],{\"1\":1},0,false,\"\",[],{}]");
	invalid("{\"uniqueItems\":true}", "[null,1,null]");
	valid("{\"const\":null}", "null");
	invalid("{\"const\":false}", "0");
	invalid("{\"const\":[false]}", "[0]");
	valid("{\"enum\":[null,1,2,3,4,5,6,7,8,9]}", "null");
	valid("{\"enum\":[{\"a\":1},1,2,3,4,5,6,7,8,9]}", "{\"a\":1.0}");
	valid("{\"enum\":[\"a\\u0000b\"]}", "\"a\\u0000b\"");
	invalid("{\"enum\":[\"a\\u0000b\"]}", "\"a\\u0000c\"");
	valid("{\"propertyNames\":{\"enum\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\"]"
	      "}}",
	      "{\"i\":1}");
	invalid("{\"propertyNames\":{\"enum\":[\"a\",1]}}", "{\"1\":1}");
}

/* Rules of many properties are searched in another way than those of few. */
static void test_many_properties(void)
{
	static const char schema[] = "{\"properties\":{\"k\":{\"const\":1},\"a\":{\"const\":2},"
				     "\"j\":{\"const\":3},\"b\":{\"const\":4},"
				     "\"i\":{\"const\":5},\"c\":{\"const\":6},\"h\":{\"const\":7},"
				     "\"d\":{\"const\":8},\"g\":{\"const\":9},"
				     "\"e\":{\"const\":10}},\"required\":[\"a\",\"z\"],"
				     "\"additionalProperties\":{\"const\":0}}";

	valid(schema, "{\"a\":2,\"b\":4,\"c\":6,\"d\":8,\"e\":10,\"g\":9,\"h\":7,\"i\":5,\"j\":3,"
		      "\"k\":1,\"z\":0,\"y\":0}");
	invalid(schema, "{\"a\":2,\"b\":4,\"c\":6,\"d\":8,\"e\":11,\"z\":0}");
	invalid(schema, "{\"a\":2,\"y\":0}");
	invalid(schema, "{\"a\":2,\"z\":1}");
}

static void test_lengths(void)
{
	valid("{\"maxLength\":2}", "\"\xF0\x9F\x90\xB2\xF0\x9F\x90\xB2\"");
	invalid("{\"maxLength\":1}", "\"\xF0\x9F\x90\xB2\xF0\x9F\x90\xB2\"");
	invalid("{\"minLength\":3}", "\"\xF0\x9F\x90\xB2\xF0\x9F\x90\xB2\"");
	valid("{\"minLength\":1}", "\"\\u0000\"");
	valid("{\"maxLength\":3.0}", "\"abc\"");
	valid("{\"maxItems\":1e300}", "[1]");
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_integers), UNIT_TEST(test_multiples),	   UNIT_TEST(test_packed),
	UNIT_TEST(test_equality), UNIT_TEST(test_many_properties), UNIT_TEST(test_lengths),
};

UNIT_MAIN("schema-values", tests)
