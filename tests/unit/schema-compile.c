/* SPDX-License-Identifier: MIT
 *
 * Schemas that are none, and what their author is told; references, dialects, documents.
 */
#include "schema-unit.h"

static void refused(const char *text, const char *words)
{
	struct error error = ERROR_INIT;
	struct schema *schema = compile_with(text, NULL, &error);

	CU_ASSERT_PTR_NULL(schema);
	CU_ASSERT_EQUAL(error.status, STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, words));
	if (!strstr(error.message, words))
		fprintf(stderr, "%s\n\tgot      \"%s\"\n\texpected \"%s\"\n", text, error.message,
			words);
	schema_free(schema);
	error_clear(&error);
}

static void test_keywords(void)
{
	refused("5", "# has to be a schema");
	refused("null", "# has to be a schema");
	refused("[]", "# has to be a schema");
	refused("{\"type\":\"float\"}", "#/type has to name null, boolean");
	refused("{\"type\":null}", "#/type has to name");
	refused("{\"type\":[]}", "#/type has to name");
	refused("{\"minimum\":\"0\"}", "#/minimum has to be a number");
	refused("{\"multipleOf\":0}", "#/multipleOf has to be greater than 0");
	refused("{\"minLength\":-1}", "#/minLength has to be a whole number");
	refused("{\"maxItems\":1.5}", "#/maxItems has to be a whole number");
	refused("{\"required\":\"a\"}", "#/required has to be a list of keys");
	refused("{\"required\":[1]}", "#/required has to be a list of keys");
	refused("{\"enum\":\"a\"}", "#/enum has to be a list of values");
	refused("{\"pattern\":5}", "#/pattern has to be a text");
	refused("{\"pattern\":\"a(\"}", "#/pattern holds a regular expression that cannot "
					"be used: a group is not closed");
	refused("{\"uniqueItems\":1}", "#/uniqueItems has to be true or false");
	refused("{\"allOf\":[]}", "#/allOf has to name at least one schema");
	refused("{\"anyOf\":{}}", "#/anyOf has to be a list of schemas");
	refused("{\"not\":1}", "#/not has to be a schema");
	refused("{\"items\":[{}]}", "#/items has to be a schema");
	refused("{\"dependentRequired\":{\"a\":{}}}",
		"#/dependentRequired has to hold lists of keys");
	refused("{\"format\":1}", "#/format has to be a text");
	/* The place of a fault, escaped as a JSON Pointer is. */
	refused("{\"properties\":{\"a/b\":{\"items\":{\"anyOf\":[{},{\"type\":5}]}}}}",
		"#/properties/a~1b/items/anyOf/1/type has to name");
	refused("{\"$defs\":{\"x\":{\"maximum\":[]}},\"$ref\":\"#/$defs/x\"}",
		"#/$defs/x/maximum has to be a number");
}

static void test_references(void)
{
	refused("{\"$ref\":\"#/$defs/x\"}",
		"#/$ref leads nowhere: there is nothing at \"#/$defs/x\"");
	refused("{\"$ref\":\"#x\"}", "leads nowhere: there is no anchor \"x\"");
	refused("{\"$ref\":\"https://example.com/x\"}", "references are never fetched");
	refused("{\"$ref\":5}", "#/$ref has to be a text");
	refused("{\"$ref\":\"#/a~2\"}", "leads nowhere");
	refused("{\"$ref\":\"#%zz\"}", "no URI reference");
	refused("{\"$id\":5}", "\"$id\" has to be a text");
	refused("{\"$id\":\"a#b\"}", "use \"$anchor\"");
	refused("{\"$defs\":{\"a\":{\"$id\":\"x\"},\"b\":{\"$id\":\"x\"}}}", "is there twice");
	refused("{\"$defs\":{\"a\":{\"$anchor\":\"x\"},\"b\":{\"$anchor\":\"x\"}}}",
		"is there twice");
	CU_ASSERT_TRUE(
		validate("{\"$ref\":\"#/$defs/a%25b\",\"$defs\":{\"a%b\":{\"type\":\"number\"}}}",
			 "1", NULL));
	CU_ASSERT_FALSE(
		validate("{\"$ref\":\"#/$defs/a~1b\",\"$defs\":{\"a/b\":{\"type\":\"number\"}}}",
			 "\"x\"", NULL));
	/* References that come back go into the value, and end with it. */
	CU_ASSERT_TRUE(
		validate("{\"properties\":{\"next\":{\"$ref\":\"#\"},\"v\":{\"type\":\"number\"}}}",
			 "{\"v\":1,\"next\":{\"v\":2,\"next\":{\"v\":3}}}", NULL));
	CU_ASSERT_FALSE(
		validate("{\"properties\":{\"next\":{\"$ref\":\"#\"},\"v\":{\"type\":\"number\"}}}",
			 "{\"v\":1,\"next\":{\"v\":2,\"next\":{\"v\":\"3\"}}}", NULL));
}

/* References that never go into the value have no end. */
static void test_circles(void)
{
	refused("{\"$ref\":\"#\"}", "leads back to itself");
	refused("{\"allOf\":[{\"$ref\":\"#\"}]}", "leads back to itself");
	refused("{\"anyOf\":[{\"type\":\"string\"},{\"$ref\":\"#\"}]}", "leads back to itself");
	refused("{\"not\":{\"$ref\":\"#\"}}", "leads back to itself");
	refused("{\"if\":{\"$ref\":\"#\"},\"then\":{}}", "leads back to itself");
	refused("{\"dependentSchemas\":{\"a\":{\"$ref\":\"#\"}}}", "leads back to itself");
	refused("{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/"
		"b\"},\"b\":{\"allOf\":[{\"$ref\":\"#/$defs/a\"}]}}}",
		"leads back to itself");
	/* A $dynamicRef is only known when it runs; there the depth ends it. */
	{
		struct schema_problems problems;

		CU_ASSERT_FALSE(
			validate("{\"$dynamicAnchor\":\"x\",\"allOf\":[{\"$dynamicRef\":\"#x\"}]}",
				 "1", &problems));
		CU_ASSERT_TRUE(problems.exhausted);
		UNIT_TEXT(problems.items[0].expected,
			  "a value that can be validated within the limit on the depth of schemas "
			  "in one another");
	}
}

static void test_dialects(void)
{
	static const char draft7[] = "\"$schema\":\"http://json-schema.org/draft-07/schema#\"";
	char text[512];

	refused("{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\"}",
		"this host reads 2020-12");
	refused("{\"$schema\":\"http://json-schema.org/draft-04/schema#\"}",
		"this host reads 2020-12");
	refused("{\"$schema\":\"schema\"}", "has to be an absolute URI");
	/* In draft-07 a list under items, additionalItems, and a $ref that stands alone. */
	snprintf(text, sizeof(text),
		 "{%s,\"items\":[{\"type\":\"number\"}],\"additionalItems\":false}", draft7);
	CU_ASSERT_TRUE(validate(text, "[1]", NULL));
	CU_ASSERT_FALSE(validate(text, "[1,2]", NULL));
	snprintf(text, sizeof(text),
		 "{%s,\"properties\":{\"a\":{\"$ref\":\"#/definitions/n\",\"maximum\":1}},"
		 "\"definitions\":{\"n\":{\"type\":\"number\"}}}",
		 draft7);
	CU_ASSERT_TRUE(validate(text, "{\"a\":5}", NULL));
	CU_ASSERT_FALSE(validate("{\"properties\":{\"a\":{\"$ref\":\"#/$defs/"
				 "n\",\"maximum\":1}},\"$defs\":{\"n\":{}}}",
				 "{\"a\":5}", NULL));
}

static void test_documents(void)
{
	json *value = parse("{\"$defs\":{\"n\":{\"type\":\"number\"}}}");
	struct schema_document document = { "https://example.com/base", value };
	struct schema_options options = { .documents = &document, .document_count = 1 };
	struct schema *schema =
		compile_with("{\"$ref\":\"https://example.com/base#/$defs/n\"}", &options, NULL);
	json *one = parse("1"), *text = parse("\"x\"");

	/* The program outlives what it was made from. */
	json_drop(value);
	CU_ASSERT_PTR_NOT_NULL_FATAL(schema);
	CU_ASSERT_TRUE(schema_validate(schema, one, NULL));
	CU_ASSERT_FALSE(schema_validate(schema, text, NULL));
	schema_free(schema);
	json_drop(one);
	json_drop(text);
}

/* A schema against its metaschema, which is compiled in. */
static void test_metaschemas(void)
{
	static const char *const uris[] = { "https://json-schema.org/draft/2020-12/schema",
					    "http://json-schema.org/draft-07/schema#" };
	char text[200];

	for (size_t i = 0; i < 2; i++) {
		snprintf(text, sizeof(text), "{\"$ref\":\"%s\"}", uris[i]);
		CU_ASSERT_TRUE(validate(
			text, "{\"type\":\"object\",\"properties\":{\"a\":{\"minLength\":1}}}",
			NULL));
		CU_ASSERT_FALSE(
			validate(text, "{\"properties\":{\"a\":{\"minLength\":-1}}}", NULL));
		CU_ASSERT_FALSE(validate(text, "{\"type\":\"float\"}", NULL));
	}
}

static void test_beyond_64_bits(void)
{
	struct schema_options options = { .refuse_beyond_64 = true };
	struct schema *exact = compile_with("{\"type\":\"integer\"}", &options, NULL);
	struct schema *list = compile_with("{\"items\":{\"type\":\"integer\"}}", &options, NULL);
	json *beyond = parse("18446744073709551616"), *within = parse("-9223372036854775808");
	json *packed = parse("[1,2,3,4,5,6,7,8,9223372036854775808]");
	struct schema_problems problems;

	CU_ASSERT_FALSE(schema_validate(exact, beyond, &problems));
	UNIT_TEXT(problems.items[0].expected, "an integer of at most 64 bits");
	CU_ASSERT_TRUE(schema_validate(exact, within, NULL));
	CU_ASSERT_FALSE(schema_validate(list, packed, NULL));
	CU_ASSERT_TRUE(validate("{\"type\":\"integer\"}", "18446744073709551616", NULL));
	schema_free(exact);
	schema_free(list);
	json_drop(beyond);
	json_drop(within);
	json_drop(packed);
}

static void test_defaults(void)
{
	struct schema_options options = { .check_defaults = true };
	struct error error = ERROR_INIT;
	struct schema *schema =
		compile_with("{\"properties\":{\"a\":{\"default\":[1],\"items\":{\"type\":"
			     "\"number\"}},\"b\":{\"default\":null,\"type\":\"string\"}}}",
			     &options, &error);

	CU_ASSERT_PTR_NOT_NULL(schema);
	schema_free(schema);
	schema = compile_with(
		"{\"properties\":{\"a\":{\"items\":{\"type\":\"number\"},\"default\":[\"x\"]}}}",
		&options, &error);
	CU_ASSERT_PTR_NULL(schema);
	UNIT_TEXT(error.message,
		  "#/properties/a/default does not fit its own schema: /0: expected a number, "
		  "found \"x\"");
	error_clear(&error);
	/* Who only validates does not mind. */
	schema_free(compile("{\"type\":\"number\",\"default\":\"x\"}"));
}

static void test_formats(void)
{
	struct schema_options asserted = { .assert_formats = true };
	struct schema *annotation = compile("{\"format\":\"date\"}");
	struct schema *assertion = compile_with("{\"format\":\"date\"}", &asserted, NULL);
	struct schema *unknown = compile_with("{\"format\":\"no such\"}", &asserted, NULL);
	json *good = parse("\"2024-02-29\""), *bad = parse("\"2023-02-29\"");
	struct schema_problems problems;

	CU_ASSERT_TRUE(schema_validate(annotation, bad, NULL));
	CU_ASSERT_TRUE(schema_validate(assertion, good, NULL));
	CU_ASSERT_FALSE(schema_validate(assertion, bad, &problems));
	UNIT_TEXT(problems.items[0].expected, "a date such as 2024-01-31");
	CU_ASSERT_TRUE(schema_validate(unknown, bad, NULL));
	schema_free(annotation);
	schema_free(assertion);
	schema_free(unknown);
	json_drop(good);
	json_drop(bad);
}

/* The part before the @ may stand in quotes, within which a backslash takes the next character. */
static void test_quoted_addresses(void)
{
	static const struct {
		const char *text;
		bool good;
	} cases[] = {
		{ "\"a b\"@example.com", true },       { "\"a\\\"b\"@example.com", true },
		{ "\"a\\\\b\"@example.com", true },    { "\"a\"b\"@example.com", false },
		{ "\"a\\\\\"b\"@example.com", false }, { "\"ab\\\"@example.com", false },
	};
	const struct schema_options asserted = { .assert_formats = true };
	struct schema *schema = compile_with("{\"format\":\"email\"}", &asserted, NULL);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json *address = json_new_text(cases[i].text);
		bool good = schema_validate(schema, address, NULL);

		if (good != cases[i].good)
			fprintf(stderr, "%s\n", cases[i].text);
		CU_ASSERT_EQUAL(good, cases[i].good);
		json_drop(address);
	}
	schema_free(schema);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_keywords),  UNIT_TEST(test_references),
	UNIT_TEST(test_circles),   UNIT_TEST(test_dialects),
	UNIT_TEST(test_documents), UNIT_TEST(test_metaschemas),
	UNIT_TEST(test_defaults),  UNIT_TEST(test_beyond_64_bits),
	UNIT_TEST(test_formats),   UNIT_TEST(test_quoted_addresses),
};

UNIT_MAIN("schema-compile", tests)
