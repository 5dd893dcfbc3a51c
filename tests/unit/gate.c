/* SPDX-License-Identifier: MIT
 *
 * The gate: limits, the schema, repairs, nulls, and what is told.
 */
#include "schema-unit.h"

#include "base/settings.h"
#include "pipeline/gate.h"

static const char summary_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"values\":{\"type\":\"array\",\"items\":{\"type\":\"number\"},\"minItems\":1},"
	"\"trim\":{\"type\":\"number\",\"minimum\":0,\"maximum\":0.5,\"default\":0.1},"
	"\"label\":{\"type\":\"string\"},"
	"\"note\":{\"type\":[\"string\",\"null\"]},"
	"\"either\":{\"anyOf\":[{\"type\":\"number\"},{\"type\":\"array\",\"items\":{\"type\":"
	"\"number\"}}]},"
	"\"flexible\":{\"type\":[\"number\",\"string\"]},"
	"\"count\":{\"type\":\"integer\"},"
	"\"flag\":{\"type\":\"boolean\"},"
	"\"options\":{\"type\":\"object\",\"properties\":{\"depth\":{\"type\":\"integer\","
	"\"default\":3}},"
	"\"additionalProperties\":false}},"
	"\"required\":[\"values\"],\"additionalProperties\":false}";

static struct registry_tool tool = { .name = "summary", .name_length = 7 };

/* One passage: what came out of it, as texts. */
static struct {
	int status;
	char arguments[4096];
	char repaired[256];
	struct error error;
} out;

static struct gate_request request; /* of the next passage, as a test likes it */
static const char *schema_text = summary_schema, *caps_text;
static bool whole_schema;

static void print_into(char *ret, size_t size, const json *value)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);

	json_print(&text, value);
	snprintf(ret, size, "%s", value ? text.data : "");
	buffer_free(&text);
}

static void pass_value(json *arguments)
{
	struct tool_spec spec = { .tool = &tool, .input = compile(schema_text) };
	struct gate_answer answer;

	spec.caps = caps_text ? parse(caps_text) : NULL;
	spec.whole_schema = whole_schema;
	request.spec = &spec;
	request.arguments = arguments;
	error_clear(&out.error);
	out.status = gate_check(&request, &answer, &out.error);
	print_into(out.arguments, sizeof(out.arguments), answer.arguments);
	print_into(out.repaired, sizeof(out.repaired), answer.repaired);
	gate_answer_free(&answer);
	json_drop(spec.caps);
	schema_free(spec.input);
}

static void pass(const char *text)
{
	json *arguments = text ? parse(text) : NULL;

	pass_value(arguments);
	json_drop(arguments);
}

static void start(bool repair)
{
	request = (struct gate_request){ .repair = repair };
	schema_text = summary_schema;
	caps_text = NULL;
	whole_schema = false;
}

/* The detail of the first problem. */
static const char *problem(const char *key)
{
	const json *first = json_peek(json_get(out.error.details, "errors"), 0);
	const char *text = json_text(json_get(first, key), NULL);

	return text ? text : "";
}

static bool told(const char *words)
{
	if (!strstr(out.error.message, words))
		fprintf(stderr, "got \"%s\", expected \"%s\"\n", out.error.message, words);
	return strstr(out.error.message, words);
}

/* ---- As it is -------------------------------------------------------------------------- */

static void test_valid(void)
{
	start(false);
	pass("{\"values\":[1,2,3],\"trim\":0.1}");
	CU_ASSERT_EQUAL(out.status, STATUS_OK);
	UNIT_TEXT(out.arguments, "{\"values\":[1,2,3],\"trim\":0.1}");
	UNIT_TEXT(out.repaired, "");
}

static void test_missing_and_unknown(void)
{
	start(false);
	pass(NULL);
	CU_ASSERT_EQUAL(out.status, STATUS_INPUT_INVALID);
	CU_ASSERT(told("the key \"values\""));
	UNIT_TEXT(problem("keyword"), "required");
	CU_ASSERT(json_text_is(json_get(out.error.details, "tool_name"), "summary"));
	pass("{\"values\":[1],\"_sessionID\":\"u\"}");
	CU_ASSERT_EQUAL(out.status, STATUS_INPUT_INVALID);
	UNIT_TEXT(problem("path"), "/_sessionID");
	UNIT_TEXT(problem("found"), "the key \"_sessionID\"");
	CU_ASSERT(told("\"values\", \"trim\", \"label\""));
	pass("{\"value\":[1]}");
	CU_ASSERT(told("did you mean \"values\"?"));
	pass("{\"values\":[1],\"options\":{\"dept\":1}}");
	UNIT_TEXT(problem("path"), "/options/dept");
	UNIT_TEXT(problem("hint"), "did you mean \"depth\"?");
	schema_text = "{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}";
	pass(NULL);
	CU_ASSERT_EQUAL(out.status, STATUS_OK);
	UNIT_TEXT(out.arguments, "{}");
}

static void test_underscore_keys(void)
{
	start(false);
	request.drop_underscore_keys = true;
	pass("{\"values\":[1],\"_sessionID\":\"u\"}");
	CU_ASSERT_EQUAL(out.status, STATUS_OK);
	UNIT_TEXT(out.arguments, "{\"values\":[1]}");
	UNIT_TEXT(out.repaired, "");
	pass("{\"values\":[1],\"options\":{\"_x\":1}}");
	CU_ASSERT_EQUAL(out.status, STATUS_INPUT_INVALID);
	schema_text =
		"{\"properties\":{\"_own\":{\"type\":\"number\"}},\"additionalProperties\":false}";
	pass("{\"_own\":1,\"_other\":2}");
	UNIT_TEXT(out.arguments, "{\"_own\":1}");
}

static void test_no_object(void)
{
	static const char *const wrong[] = { "[1]", "5", "true", "\"{}\"" };

	start(false);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		pass(wrong[i]);
		CU_ASSERT_EQUAL(out.status, STATUS_INPUT_INVALID);
		UNIT_TEXT(problem("expected"), "an object");
	}
	CU_ASSERT(told("send the object itself"));
}

static void test_nulls(void)
{
	start(false);
	pass("{\"values\":[1,2,3],\"trim\":null}");
	CU_ASSERT_EQUAL(out.status, STATUS_OK);
	UNIT_TEXT(out.arguments, "{\"values\":[1,2,3]}");
	pass("{\"values\":[1],\"options\":{\"depth\":null},\"note\":null}");
	UNIT_TEXT(out.arguments, "{\"values\":[1],\"options\":{},\"note\":null}");
	pass("{\"values\":[1],\"note\":null}");
	UNIT_TEXT(out.arguments, "{\"values\":[1],\"note\":null}");
	pass("{\"values\":null}");
	CU_ASSERT_EQUAL(out.status, STATUS_INPUT_INVALID);
	UNIT_TEXT(problem("path"), "/values");
	UNIT_TEXT(problem("found"), "null");
	pass("{\"values\":[1],\"unknown\":null}");
	UNIT_TEXT(problem("keyword"), "additionalProperties");
	pass("{\"values\":[1,null]}");
	UNIT_TEXT(problem("path"), "/values/1");
}

/* ---- Repairs --------------------------------------------------------------------------- */

static void test_repair_numbers(void)
{
	start(true);
	pass("{\"values\":[1,2,3],\"trim\":\"0.1\"}");
	CU_ASSERT_EQUAL(out.status, STATUS_OK);
	UNIT_TEXT(out.arguments, "{\"values\":[1,2,3],\"trim\":0.1}");
	UNIT_TEXT(out.repaired, "[\"/trim\"]");
	/* The bounds hold for what it became. */
	pass("{\"values\":[1,2,3],\"trim\":\"0.7\"}");
	CU_ASSERT_EQUAL(out.status, STATUS_INPUT_INVALID);
	UNIT_TEXT(problem("keyword"), "maximum");
	UNIT_TEXT(problem("found"), "0.7");
	pass("{\"values\":[\"1\",2,\"3.5\"],\"count\":\"7\",\"flag\":\"true\",\"options\":\"{"
	     "\\\"depth\\\":\\\"4\\\"}\"}");
	CU_ASSERT_EQUAL(out.status, STATUS_OK);
	UNIT_TEXT(out.arguments,
		  "{\"values\":[1,2,3.5],\"count\":7,\"flag\":true,\"options\":{\"depth\":4}}");
	UNIT_TEXT(out.repaired, "[\"/values/0\",\"/values/2\",\"/count\",\"/flag\",\"/options\",\"/"
				"options/depth\"]");
}

/* Only exact JSON counts; nothing is guessed. */
static void test_repair_refuses(void)
{
	static const char *const wrong[] = {
		"{\"values\":[1],\"trim\":\"0.1x\"}",
		"{\"values\":[1],\"trim\":\"1,5\"}",
		"{\"values\":[1],\"trim\":\"\"}",
		"{\"values\":[1],\"trim\":\"NaN\"}",
		"{\"values\":[1],\"trim\":\"+1\"}",
		"{\"values\":[1],\"count\":\"1.5\"}",
		"{\"values\":[1],\"flag\":\"True\"}",
		"{\"values\":[1],\"flag\":\"1\"}",
		"{\"values\":\"1,2,3\"}",
		"{\"values\":\"5\"}",
		"{\"values\":[1],\"trim\":\"\\\"0.1\\\"\"}",
	};

	start(true);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		pass(wrong[i]);
		CU_ASSERT_EQUAL(out.status, STATUS_INPUT_INVALID);
		UNIT_TEXT(out.repaired, "");
	}
}

/* A text stays a text wherever the schema takes texts. */
static void test_repair_leaves_texts(void)
{
	start(true);
	pass("{\"values\":[1],\"label\":\"5\",\"note\":\"null\",\"flexible\":\"7\"}");
	CU_ASSERT_EQUAL(out.status, STATUS_OK);
	UNIT_TEXT(out.arguments,
		  "{\"values\":[1],\"label\":\"5\",\"note\":\"null\",\"flexible\":\"7\"}");
	/* Also beside something that is repaired. */
	pass("{\"values\":\"[1]\",\"label\":\"5\",\"flexible\":\"7\"}");
	UNIT_TEXT(out.arguments, "{\"values\":[1],\"label\":\"5\",\"flexible\":\"7\"}");
	pass("{\"values\":[1],\"label\":1}");
	CU_ASSERT_EQUAL(out.status, STATUS_INPUT_INVALID);
	UNIT_TEXT(problem("hint"), "send \"1\", not 1");
}

static void test_repair_lists_and_alternatives(void)
{
	start(true);
	pass("{\"values\":\"[1,2,3]\"}");
	UNIT_TEXT(out.arguments, "{\"values\":[1,2,3]}");
	UNIT_TEXT(out.repaired, "[\"/values\"]");
	pass("{\"values\":[1],\"either\":\"5\"}");
	UNIT_TEXT(out.arguments, "{\"values\":[1],\"either\":5}");
	pass("{\"values\":[1],\"either\":[\"5\"]}");
	UNIT_TEXT(out.arguments, "{\"values\":[1],\"either\":[5]}");
	request.repair = false;
	pass("{\"values\":\"[1,2,3]\"}");
	CU_ASSERT_EQUAL(out.status, STATUS_INPUT_INVALID);
	UNIT_TEXT(problem("hint"), "send the array itself, not a string of it");
	pass("{\"values\":[1],\"trim\":\"0.1\"}");
	UNIT_TEXT(problem("path"), "/trim");
	UNIT_TEXT(problem("expected"), "a number");
	UNIT_TEXT(problem("found"), "\"0.1\"");
	UNIT_TEXT(problem("hint"), "send 0.1, not \"0.1\"");
}

/* What a pattern says of a key leaves no doubt either. */
static void test_repair_patterns(void)
{
	start(true);
	schema_text =
		"{\"type\":\"object\",\"properties\":{\"n_text\":{\"type\":\"string\"}},"
		"\"patternProperties\":{\"^n_\":{\"type\":[\"number\",\"string\"]},"
		"\"_1$\":{\"type\":\"number\"}},\"additionalProperties\":{\"type\":\"array\"}}";
	pass("{\"n_1\":\"5\",\"n_2\":\"5\",\"n_text\":\"5\",\"m_1\":\"6\",\"other\":\"[7]\"}");
	UNIT_TEXT(out.arguments,
		  "{\"n_1\":5,\"n_2\":\"5\",\"n_text\":\"5\",\"m_1\":6,\"other\":[7]}");
	UNIT_TEXT(out.repaired, "[\"/n_1\",\"/m_1\",\"/other\"]");
}

static void test_repair_whole(void)
{
	start(true);
	pass("\"{\\\"values\\\":[1,2],\\\"trim\\\":\\\"0.2\\\"}\"");
	CU_ASSERT_EQUAL(out.status, STATUS_OK);
	UNIT_TEXT(out.arguments, "{\"values\":[1,2],\"trim\":0.2}");
	UNIT_TEXT(out.repaired, "[\"\",\"/trim\"]");
	pass("\"[1,2]\"");
	CU_ASSERT_EQUAL(out.status, STATUS_INPUT_INVALID);
	pass("\"{\"");
	CU_ASSERT_EQUAL(out.status, STATUS_INPUT_INVALID);
}

/* ---- Limits ---------------------------------------------------------------------------- */

static const struct gate_limits small = {
	.max_cells = 12, .max_string = 20, .max_depth = 4, .max_keys = 5, .max_key_length = 10
};

static int64_t detail(const char *key)
{
	const json *value = json_get(out.error.details, key);

	return json_kind(value) == JSON_INTEGER ? json_integer(value) : -1;
}

static void expect_too_large(const char *text, const char *words, int64_t limit, int64_t observed)
{
	pass(text);
	CU_ASSERT_EQUAL(out.status, STATUS_INPUT_TOO_LARGE);
	CU_ASSERT(told(words));
	CU_ASSERT_EQUAL(detail("limit"), limit);
	CU_ASSERT_EQUAL(detail("observed"), observed);
	CU_ASSERT(json_text_is(json_get(out.error.details, "tool_name"), "summary"));
}

static void test_limits(void)
{
	start(false);
	request.limits = &small;
	schema_text = "{}";
	pass("{\"a\":[1,2,3,4,5,6,7,8,9,10],\"b\":true,\"c\":1}");
	CU_ASSERT_EQUAL(out.status, STATUS_OK);
	expect_too_large("{\"a\":[1,2,3,4,5,6,7,8,9,10],\"b\":true,\"c\":1,\"d\":false}",
			 "max_cells", 12, 13);
	expect_too_large("{\"a\":[1,2,3,4,5,6,7,8,9,10,\"x\",11,12,13]}", "max_cells", 12, 13);
	pass("{\"a\":[null,null,null,null,null,null,null,null,null,null,null,null,null,\"\",{},[]]"
	     "}");
	CU_ASSERT_EQUAL(out.status, STATUS_OK);
	/* Code points, not bytes. */
	pass("{\"a\":"
	     "\"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
	     "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\"}");
	CU_ASSERT_EQUAL(out.status, STATUS_OK);
	expect_too_large("{\"a\":[\"123456789012345678901\"]}",
			 "the string at /a/0 has 21 characters", 20, 21);
	expect_too_large("{\"12345678901\":1}", "max_key_length", 10, 11);
	expect_too_large("{\"a\":1,\"b\":{\"c\":1,\"d\":1,\"e\":1,\"f\":1}}", "max_keys", 5, 6);
}

/* The arguments are depth 0, a value at max_depth passes: the numbers of the reference, with its
 * limit of 10. */
static void test_depth(void)
{
	static const struct gate_limits ten = { .max_cells = 100,
						.max_string = 100,
						.max_depth = 10,
						.max_keys = 100,
						.max_key_length = 100 };

	start(false);
	request.limits = &ten;
	schema_text = "{}";
	pass("{\"a\":[[[[[[[[[1]]]]]]]]]}");
	CU_ASSERT_EQUAL(out.status, STATUS_OK);
	expect_too_large("{\"a\":[[[[[[[[[[1]]]]]]]]]]}", "max_depth", 10, -1);
	expect_too_large("{\"a\":[[[[[[[[[[1,2,3,4,5,6,7,8,9,10]]]]]]]]]]}", "max_depth", 10, -1);
	pass("{\"a\":[[[[[[[[[[]]]]]]]]]]}");
	CU_ASSERT_EQUAL(out.status, STATUS_OK);
	expect_too_large("{\"a\":[[[[[[[[[[[]]]]]]]]]]]}", "max_depth", 10, -1);
}

/* A cap wins over a text, a text over the cells. */
static void test_order(void)
{
	start(false);
	request.limits = &small;
	schema_text = "{}";
	caps_text = "{\"n\":10}";
	expect_too_large("{\"s\":\"123456789012345678901\",\"n\":11}",
			 "n is 11; at most 10 is allowed", 10, 11);
	CU_ASSERT(json_text_is(json_get(out.error.details, "key"), "n"));
	expect_too_large("{\"a\":[1,2,3,4,5,6,7,8,9,10,11,12,13],\"s\":\"123456789012345678901\"}",
			 "max_string", 20, 21);
	/* Limits come before the schema. */
	schema_text = "false";
	expect_too_large("{\"a\":[1,2,3,4,5,6,7,8,9,10,11,12,13]}", "max_cells", 12, 13);
}

static void test_caps(void)
{
	start(false);
	schema_text = "{\"properties\":{\"n\":{\"type\":\"number\"}}}";
	caps_text = "{\"n\":10}";
	pass("{\"n\":10}");
	CU_ASSERT_EQUAL(out.status, STATUS_OK);
	pass("{\"n\":-5,\"deeper\":{\"n\":99}}");
	CU_ASSERT_EQUAL(out.status, STATUS_OK);
	expect_too_large("{\"n\":11}", "n is 11", 10, 11);
	/* What a text becomes is held to the cap too. */
	request.repair = true;
	expect_too_large("{\"n\":\"11\"}", "n is 11", 10, 11);
	pass("{\"n\":true}");
	CU_ASSERT_EQUAL(out.status, STATUS_INPUT_INVALID);
}

static void test_limits_after_repair(void)
{
	start(true);
	request.limits = &(struct gate_limits){
		.max_cells = 3, .max_string = 40, .max_depth = 3, .max_keys = 9, .max_key_length = 9
	};
	expect_too_large("{\"values\":\"[1,2,3,4]\"}", "max_cells", 3, 4);
	/* The text itself is held to the limit on texts. */
	expect_too_large("\"{\\\"values\\\":[1,2,3],    \\\"trim\\\":         0.1}\"", "max_string",
			 40, 42);
	schema_text = "{\"properties\":{\"o\":{\"type\":\"object\"}}}";
	expect_too_large("{\"o\":\"{\\\"a\\\":[[1]]}\"}", "max_depth", 3, -1);
}

/* A caller may ask for less than the operator allows, never for more. */
static void test_overrides(void)
{
	struct gate_limits vast = { INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX };
	struct buffer text = BUFFER_INIT(1 << 20);

	start(false);
	schema_text = "{}";
	request.limits = &vast;
	buffer_text(&text, "{\"a\":\"");
	for (int i = 0; i < 100001; i++)
		buffer_byte(&text, 'x');
	buffer_text(&text, "\"}");
	expect_too_large(text.data, "max_string", 100000, 100001);
	buffer_free(&text);
}

/* ---- Defaults of whole schemas --------------------------------------------------------- */

static void test_defaults(void)
{
	start(false);
	pass("{\"values\":[1],\"options\":{}}");
	UNIT_TEXT(out.arguments, "{\"values\":[1],\"options\":{}}");
	whole_schema = true;
	pass("{\"values\":[1],\"options\":{}}");
	UNIT_TEXT(out.arguments, "{\"values\":[1],\"options\":{\"depth\":3},\"trim\":0.1}");
	pass("{\"values\":[1],\"trim\":0.3}");
	UNIT_TEXT(out.arguments, "{\"values\":[1],\"trim\":0.3}");
	schema_text = "{\"$defs\":{\"t\":{\"default\":[1,2]}},\"properties\":{\"a\":{\"$ref\":\"#/"
		      "$defs/t\"},"
		      "\"b\":{\"type\":\"string\",\"default\":\"x\"}}}";
	pass("{\"b\":null}");
	UNIT_TEXT(out.arguments, "{\"a\":[1,2],\"b\":\"x\"}");
}

/* ---- Many problems --------------------------------------------------------------------- */

/* Twenty thousand wrong elements make an error of bounded size that counts them. */
static void test_bounded_error(void)
{
	struct buffer text = BUFFER_INIT(1 << 20), printed = BUFFER_INIT(1 << 20);

	start(true);
	buffer_text(&text, "{\"values\":[");
	for (int i = 0; i < 20000; i++)
		buffer_text(&text, i ? ",\"x\"" : "\"x\"");
	buffer_text(&text, "]}");
	pass(text.data);
	CU_ASSERT_EQUAL(out.status, STATUS_INPUT_INVALID);
	CU_ASSERT_EQUAL(json_count(json_get(out.error.details, "errors")), SCHEMA_PROBLEMS);
	CU_ASSERT_EQUAL(detail("more"), 20000 - SCHEMA_PROBLEMS);
	error_print(&printed, &out.error);
	CU_ASSERT(printed.length < 8192);
	buffer_free(&text);
	buffer_free(&printed);
	error_clear(&out.error);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_valid),
	UNIT_TEST(test_missing_and_unknown),
	UNIT_TEST(test_underscore_keys),
	UNIT_TEST(test_no_object),
	UNIT_TEST(test_nulls),
	UNIT_TEST(test_repair_numbers),
	UNIT_TEST(test_repair_refuses),
	UNIT_TEST(test_repair_leaves_texts),
	UNIT_TEST(test_repair_lists_and_alternatives),
	UNIT_TEST(test_repair_patterns),
	UNIT_TEST(test_repair_whole),
	UNIT_TEST(test_limits),
	UNIT_TEST(test_depth),
	UNIT_TEST(test_order),
	UNIT_TEST(test_caps),
	UNIT_TEST(test_limits_after_repair),
	UNIT_TEST(test_overrides),
	UNIT_TEST(test_defaults),
	UNIT_TEST(test_bounded_error),
};

UNIT_MAIN("gate", tests)
