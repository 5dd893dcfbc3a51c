/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "base/json.h"
#include "command/vendor.h"

static json *read(const char *text)
{
	json *value = NULL;

	CU_ASSERT_FATAL(json_read(text, strlen(text), NULL, &value, NULL) == STATUS_OK);
	return value;
}

static void check_printed(json *value, const char *expected)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);

	json_print(&out, value);
	UNIT_TEXT(out.data, expected);
	buffer_free(&out);
	json_drop(value);
}

/* The vendor's form of a schema, and whether a reference was kept. */
static void check_schema(const char *schema, bool schema_key, const char *expected,
			 bool expected_kept)
{
	json *value = read(schema);
	bool kept = !expected_kept;

	check_printed(vendor_schema(value, schema_key, &kept), expected);
	CU_ASSERT(kept == expected_kept);
	json_drop(value);
}

static void check_name(const char *name, const char *expected)
{
	char spelled[VENDOR_NAME_MAX + 1];

	vendor_name(name, spelled);
	UNIT_TEXT(spelled, expected);
}

/* ---- Names --------------------------------------------------------------------------------------
 */

static void plain_names_stay(void)
{
	check_name("add", "add");
	check_name("a__b-c", "a__b-c");
	check_name("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789ab",
		   "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789ab");
}

static void dots_are_spelled(void)
{
	check_name("stats.mean", "stats_-_mean");
	check_name("a.b.c", "a_-_b_-_c");
}

/* Each of these pairs would be one word, were the ambiguous one not marked. */
static void no_two_names_are_spelled_alike(void)
{
	static const char *const names[] = { "a.b",  "a_-_b", "a_-.b", "a.-_b",
					     "a_.b", "a._b",  "a.b.",  ".a.b" };
	char spelled[2][VENDOR_NAME_MAX + 1];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (size_t j = 0; j < i; j++) {
			vendor_name(names[i], spelled[0]);
			vendor_name(names[j], spelled[1]);
			if (!strcmp(spelled[0], spelled[1]))
				fprintf(stderr, "%s and %s are both %s\n", names[i], names[j],
					spelled[0]);
			CU_ASSERT(strcmp(spelled[0], spelled[1]) != 0);
		}
	}
}

static void long_names_are_cut(void)
{
	static const char server[] = "a-remote-server-of-thirty-byte.";
	char name[2][128], spelled[2][VENDOR_NAME_MAX + 1];

	for (int i = 0; i < 2; i++) {
		snprintf(name[i], sizeof(name[i]),
			 "%sthe_tool_whose_name_has_fifty_bytes_and_ends_in_%d", server, i);
		vendor_name(name[i], spelled[i]);
		CU_ASSERT(strlen(spelled[i]) == VENDOR_NAME_MAX);
		CU_ASSERT(strspn(spelled[i], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0"
					     "123456789_-") == VENDOR_NAME_MAX);
	}
	CU_ASSERT(strcmp(spelled[0], spelled[1]) != 0);
}

/* ---- Schemas ------------------------------------------------------------------------------------
 */

static void root_is_an_object(void)
{
	check_schema("{}", false, "{\"type\":\"object\",\"properties\":{}}", false);
	check_schema("{\"additionalProperties\":false,\"properties\":{\"a\":{\"type\":\"number\"}},"
		     "\"required\":[\"a\"]}",
		     false,
		     "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"}},"
		     "\"additionalProperties\":false,\"required\":[\"a\"]}",
		     false);
}

static void dialect_only_when_asked_for(void)
{
	static const char draft7[] =
		"{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"type\":\"object\"}";

	check_schema(draft7, false, "{\"type\":\"object\",\"properties\":{}}", false);
	check_schema(draft7, true,
		     "{\"$schema\":\"http://json-schema.org/draft-07/"
		     "schema#\",\"type\":\"object\",\"properties\":{}}",
		     false);
	check_schema(
		"{}", true,
		"{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\","
		"\"properties\":{}}",
		false);
}

static void root_combinators_go(void)
{
	check_schema(
		"{\"type\":\"object\",\"anyOf\":[{\"properties\":{\"a\":{\"type\":\"number\"}}},"
		"{\"properties\":{\"b\":{\"type\":\"string\"}},\"required\":[\"b\"]}]}",
		false,
		"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"},\"b\":{\"type\":"
		"\"string\"}}}",
		false);
	check_schema("{\"type\":\"object\",\"if\":{\"required\":[\"a\"]},\"then\":{\"properties\":"
		     "{\"b\":{\"type\":\"number\"}},\"required\":[\"b\"]},"
		     "\"else\":{\"allOf\":[{\"properties\":{\"c\":{}}}]}}",
		     false,
		     "{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"number\"},\"c\":{}}}",
		     false);
	/* What all have in common holds: arms of allOf, and what a reference at the root leads to. */
	check_schema(
		"{\"type\":\"object\",\"required\":[\"a\"],\"allOf\":[{\"properties\":{\"b\":{}},"
		"\"required\":[\"b\",\"a\"]}]}",
		false, "{\"type\":\"object\",\"properties\":{\"b\":{}},\"required\":[\"a\",\"b\"]}",
		false);
	check_schema(
		"{\"type\":\"object\",\"$ref\":\"#/$defs/r\",\"$defs\":{\"r\":{\"type\":\"object\","
		"\"properties\":{\"a\":{}},\"required\":[\"a\"]}}}",
		false, "{\"type\":\"object\",\"properties\":{\"a\":{}},\"required\":[\"a\"]}",
		false);
	/* What the root forbids is not made up for. */
	check_schema(
		"{\"additionalProperties\":false,\"oneOf\":[{\"properties\":{\"a\":{}}}]}", false,
		"{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}", false);
	/* Below the root they stay. */
	check_schema(
		"{\"properties\":{\"a\":{\"anyOf\":[{\"type\":\"number\"},{\"type\":\"null\"}]}}}",
		false,
		"{\"type\":\"object\",\"properties\":{\"a\":{\"anyOf\":[{\"type\":\"number\"},{"
		"\"type\":\"null\"}]}}}",
		false);
}

static void references_are_replaced(void)
{
	check_schema(
		"{\"properties\":{\"a\":{\"$ref\":\"#/$defs/n\"},\"b\":{\"items\":{\"$ref\":\"#/"
		"$defs/n\"}}},"
		"\"$defs\":{\"n\":{\"$ref\":\"#/$defs/m~1~0%20\"},\"m/~ \":{\"type\":\"number\"}}}",
		false,
		"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"},"
		"\"b\":{\"items\":{\"type\":\"number\"}}}}",
		false);
	check_schema("{\"$ref\":\"#/definitions/"
		     "all\",\"definitions\":{\"all\":{\"properties\":{\"a\":true}}}}",
		     false, "{\"type\":\"object\",\"properties\":{\"a\":true}}", false);
}

static void what_stands_beside_a_reference_holds(void)
{
	check_schema("{\"properties\":{\"a\":{\"description\":\"Mine.\",\"$ref\":\"#/$defs/"
		     "n\",\"maximum\":3}},"
		     "\"$defs\":{\"n\":{\"type\":\"number\",\"description\":\"Its own.\"}}}",
		     false,
		     "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\","
		     "\"description\":\"Mine.\","
		     "\"maximum\":3}}}",
		     false);
	check_schema("{\"properties\":{\"a\":{\"$ref\":\"#/$defs/n\",\"maximum\":3}},"
		     "\"$defs\":{\"n\":{\"maximum\":5}}}",
		     false,
		     "{\"type\":\"object\",\"properties\":{\"a\":{\"maximum\":3,\"allOf\":[{"
		     "\"maximum\":5}]}}}",
		     false);
}

static void data_is_no_reference(void)
{
	check_schema("{\"properties\":{\"$ref\":{\"enum\":[{\"$ref\":\"#/$defs/n\"}]},"
		     "\"a\":{\"default\":{\"$ref\":\"#/$defs/"
		     "n\"}}},\"$defs\":{\"n\":{\"type\":\"number\"}}}",
		     false,
		     "{\"type\":\"object\",\"properties\":{\"$ref\":{\"enum\":[{\"$ref\":\"#/$defs/"
		     "n\"}]},"
		     "\"a\":{\"default\":{\"$ref\":\"#/$defs/n\"}}}}",
		     false);
}

static void recursive_references_stay(void)
{
	check_schema("{\"properties\":{\"tree\":{\"$ref\":\"#/$defs/node\"},\"n\":{\"$ref\":\"#/"
		     "$defs/n\"}},"
		     "\"$defs\":{\"n\":{\"type\":\"number\"},"
		     "\"node\":{\"properties\":{\"value\":{\"$ref\":\"#/$defs/"
		     "n\"},\"next\":{\"$ref\":\"#/$defs/node\"}}}}}",
		     false,
		     "{\"type\":\"object\",\"properties\":{\"tree\":{\"$ref\":\"#/$defs/"
		     "node\"},\"n\":{\"type\":\"number\"}},"
		     "\"$defs\":{\"n\":{\"type\":\"number\"},"
		     "\"node\":{\"properties\":{\"value\":{\"type\":\"number\"},\"next\":{\"$ref\":"
		     "\"#/$defs/node\"}}}}}",
		     true);
	/* By way of another, and to the root. */
	check_schema("{\"properties\":{\"a\":{\"$ref\":\"#/$defs/x\"}},"
		     "\"$defs\":{\"x\":{\"items\":{\"$ref\":\"#/$defs/"
		     "y\"}},\"y\":{\"not\":{\"$ref\":\"#/$defs/x\"}}}}",
		     false,
		     "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/x\"}},"
		     "\"$defs\":{\"x\":{\"items\":{\"$ref\":\"#/$defs/"
		     "y\"}},\"y\":{\"not\":{\"$ref\":\"#/$defs/x\"}}}}",
		     true);
	check_schema("{\"properties\":{\"a\":{\"$ref\":\"#\"}}}", false,
		     "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#\"}}}", true);
}

static void foreign_references_stay(void)
{
	check_schema(
		"{\"properties\":{\"a\":{\"$ref\":\"https://example.org/x\"},\"b\":{\"$ref\":\"#/"
		"$defs/none\"}}}",
		false,
		"{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"https://example.org/x\"},"
		"\"b\":{\"$ref\":\"#/$defs/none\"}}}",
		true);
}

/* A place may be referred to by a name of its own, which goes with the references. */
static void names_of_places_are_references(void)
{
	static const char *const schemas[] = {
		"{\"$id\":\"https://x.example/s\",\"properties\":{\"a\":{\"$ref\":\"#n\"}},"
		"\"$defs\":{\"x\":{\"$anchor\":\"n\",\"type\":\"number\"}}}",
		"{\"properties\":{\"a\":{\"$dynamicRef\":\"#n\"}},"
		"\"$defs\":{\"x\":{\"$dynamicAnchor\":\"n\",\"type\":\"number\"}}}",
		"{\"properties\":{\"a\":{\"$ref\":\"#n\"}},"
		"\"definitions\":{\"x\":{\"$id\":\"#n\",\"type\":\"number\"}}}",
	};

	for (size_t i = 0; i < sizeof(schemas) / sizeof(schemas[0]); i++)
		check_schema(schemas[i], false,
			     "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"}}}",
			     false);
	/* Of another document, or in data, it is another name. */
	check_schema(
		"{\"properties\":{\"a\":{\"$ref\":\"#n\"},\"b\":{\"const\":{\"$anchor\":\"n\"}}},"
		"\"$defs\":{\"x\":{\"$id\":\"y\",\"items\":{\"$anchor\":\"n\"}}}}",
		false,
		"{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#n\"},\"b\":{\"const\":"
		"{\"$anchor\":\"n\"}}},\"$defs\":{\"x\":{\"$id\":\"y\",\"items\":{\"$anchor\":"
		"\"n\"}}}}",
		true);
}

/* Each level refers twice to the next: written out, the schema would have 2^40 parts. */
static void doubling_references_are_bounded(void)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	json *schema, *written;
	bool kept = false;

	buffer_text(&text, "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/d0\"}},\"$defs\":{");
	for (int i = 0; i < 40; i++)
		buffer_format(&text,
			      "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/"
			      "d%d\"}]},",
			      i, i + 1, i + 1);
	buffer_text(&text, "\"d40\":{\"type\":\"number\"}}}");
	schema = read(text.data);
	written = vendor_schema(schema, false, &kept);
	CU_ASSERT(kept);
	CU_ASSERT(json_equal(json_get(written, "$defs"), json_get(schema, "$defs")));
	json_drop(written);
	json_drop(schema);
	buffer_free(&text);
}

/* ---- Tools --------------------------------------------------------------------------------------
 */

static const char tool[] =
	"{\"name\":\"x.add\",\"title\":\"Add\",\"description\":\"Adds.\",\"category\":\"c\","
	"\"inputSchema\":{\"type\":\"object\",\"properties\":{}},\"rng\":{\"uses_rng\":false},"
	"\"examples\":[{\"title\":\"Two\",\"arguments\":{\"a\":1},\"result\":{\"sum\":3}},"
	"{\"arguments\":{}}]}";

static const char described[] =
	"\"description\":\"Adds.\\n\\nExamples\\n--------\\nTwo:\\nx_-_add({\\\"a\\\":1}) -> "
	"{\\\"sum\\\":3}\\n\\nx_-_add({})\"";

static void anthropic_form(void)
{
	json *manifest = read(tool);
	char expected[1024];

	snprintf(
		expected, sizeof(expected),
		"{\"name\":\"x_-_add\",%s,\"input_schema\":{\"type\":\"object\",\"properties\":{}},"
		"\"category\":\"c\",\"rng\":{\"uses_rng\":false}}",
		described);
	check_printed(vendor_anthropic(manifest, false), expected);
	json_drop(manifest);
}

static void openai_form(void)
{
	json *manifest = read(tool);
	char expected[1024];

	snprintf(expected, sizeof(expected),
		 "{\"type\":\"function\",\"function\":{\"name\":\"x_-_add\",%s,"
		 "\"parameters\":{\"type\":\"object\",\"properties\":{}}}}",
		 described);
	check_printed(vendor_openai(manifest, false), expected);
	json_drop(manifest);
}

/* A tool without examples keeps its description as it is; no category and no rng, no such keys. */
static void bare_tool(void)
{
	json *manifest = read(
		"{\"name\":\"a\",\"description\":\"D.\",\"inputSchema\":{\"type\":\"object\"}}");

	check_printed(vendor_anthropic(manifest, false),
		      "{\"name\":\"a\",\"description\":\"D.\",\"input_schema\":{\"type\":"
		      "\"object\",\"properties\":{}}}");
	json_drop(manifest);
}

static const struct unit_test tests[] = {
	UNIT_TEST(plain_names_stay),
	UNIT_TEST(dots_are_spelled),
	UNIT_TEST(no_two_names_are_spelled_alike),
	UNIT_TEST(long_names_are_cut),
	UNIT_TEST(root_is_an_object),
	UNIT_TEST(dialect_only_when_asked_for),
	UNIT_TEST(root_combinators_go),
	UNIT_TEST(references_are_replaced),
	UNIT_TEST(what_stands_beside_a_reference_holds),
	UNIT_TEST(data_is_no_reference),
	UNIT_TEST(recursive_references_stay),
	UNIT_TEST(foreign_references_stay),
	UNIT_TEST(names_of_places_are_references),
	UNIT_TEST(doubling_references_are_bounded),
	UNIT_TEST(anthropic_form),
	UNIT_TEST(openai_form),
	UNIT_TEST(bare_tool),
};

UNIT_MAIN("command-vendor", tests)
