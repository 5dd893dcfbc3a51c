/* SPDX-License-Identifier: MIT
 *
 * Parameter tables to schemas.
 */
#include "schema-unit.h"

#include "schema/params.h"

struct limits_in {
	double low;
	th_maybe_number high;
};

struct tag_in {
	th_text name;
	int64_t weight;
};

struct all_in {
	double number;
	double number_or;
	th_maybe_number number_maybe;
	int64_t integer;
	int64_t integer_or;
	th_maybe_integer integer_maybe;
	int32_t boolean;
	int32_t boolean_or;
	th_maybe_boolean boolean_maybe;
	th_text text;
	th_text text_or;
	th_text text_maybe;
	int32_t choice;
	int32_t choice_or;
	th_maybe_choice choice_maybe;
	th_numbers numbers;
	th_numbers gaps;
	th_integers integers;
	th_integers integers_or;
	th_flags booleans;
	th_texts texts;
	th_flags choices;
	th_matrix matrix;
	th_matrix ragged;
	struct limits_in object;
	const struct limits_in *object_maybe;
	th_records records;
	th_table table;
	th_map map;
	th_maybe_number either_number;
	th_numbers either_numbers;
	th_json json_value;
};

/* JSON is no C. */
/* clang-format off */
static const th_param limits_table[] = {
	TH_NUMBER(struct limits_in, low, "Low.", {}),
	TH_NUMBER_MAYBE(struct limits_in, high, "High.", {"exclusiveMinimum": 0}),
	TH_END
};

static const th_param tag_table[] = {
	TH_STRING(struct tag_in, name, "Name.", {"minLength": 1}),
	TH_INTEGER_OR(struct tag_in, weight, 1, "Weight.", {}),
	TH_END
};

static const th_param map_value[] = { TH_VALUE(th_numbers, TH_KIND_NUMBERS, {"minItems": 1}), TH_END };

static const th_param arms[] = {
	TH_NUMBER_MAYBE(struct all_in, either_number, "", {"minimum": 0}),
	TH_NUMBERS_MAYBE(struct all_in, either_numbers, "", {}),
	TH_END
};

static const struct {
	th_param table[2];
	const char *property; /* the schema that it makes of its one entry */
	const char *required; /* "1": it is */
} single[] = {
	{ { TH_NUMBER(struct all_in, number, "N.", {"minimum": 0, "maximum": 0.5}), TH_END },
	  "{\"type\":\"number\",\"description\":\"N.\",\"minimum\":0,\"maximum\":0.5}", "1" },
	{ { TH_NUMBER_OR(struct all_in, number_or, 0.1, "N.", {}), TH_END },
	  "{\"type\":\"number\",\"description\":\"N.\",\"default\":0.1}", "" },
	{ { TH_NUMBER_MAYBE(struct all_in, number_maybe, "N.", {}), TH_END },
	  "{\"type\":\"number\",\"description\":\"N.\"}", "" },
	{ { TH_INTEGER_OR(struct all_in, integer_or, -7, "I.", {}), TH_END },
	  "{\"type\":\"integer\",\"description\":\"I.\",\"default\":-7}", "" },
	{ { TH_BOOLEAN_OR(struct all_in, boolean_or, 1, "B.", {}), TH_END },
	  "{\"type\":\"boolean\",\"description\":\"B.\",\"default\":true}", "" },
	{ { TH_STRING_OR(struct all_in, text_or, "a\"b", "T.", {}), TH_END },
	  "{\"type\":\"string\",\"description\":\"T.\",\"default\":\"a\\\"b\"}", "" },
	{ { TH_CHOICE_OR(struct all_in, choice_or, "robust", "C.", ["robust", "classical"]), TH_END },
	  "{\"type\":\"string\",\"enum\":[\"robust\",\"classical\"],\"description\":\"C.\",\"default\":\"robust\"}", "" },
	{ { TH_NUMBERS(struct all_in, numbers, "L.", {"minItems": 2, "items": {"minimum": 0}}), TH_END },
	  "{\"type\":\"array\",\"items\":{\"type\":\"number\",\"minimum\":0},\"description\":\"L.\",\"minItems\":2}", "1" },
	{ { TH_NUMBERS_GAPS(struct all_in, gaps, "L.", {}), TH_END },
	  "{\"type\":\"array\",\"items\":{\"type\":[\"number\",\"null\"]},\"description\":\"L.\"}", "1" },
	{ { TH_NUMBERS(struct all_in, numbers, "L.", {"items": {"type": "integer"}}), TH_END },
	  "{\"type\":\"array\",\"items\":{\"type\":\"integer\"},\"description\":\"L.\"}", "1" },
	{ { TH_LIST_OR(struct all_in, integers_or, th_integers, TH_KIND_INTEGERS, "[4, 8]", "L.", {}), TH_END },
	  "{\"type\":\"array\",\"items\":{\"type\":\"integer\"},\"description\":\"L.\",\"default\":[4,8]}", "" },
	{ { TH_BOOLEANS(struct all_in, booleans, "L.", {}), TH_END },
	  "{\"type\":\"array\",\"items\":{\"type\":\"boolean\"},\"description\":\"L.\"}", "1" },
	{ { TH_STRINGS(struct all_in, texts, "L.", {}), TH_END },
	  "{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":\"L.\"}", "1" },
	{ { TH_CHOICES_MAYBE(struct all_in, choices, "L.", ["a", "b"]), TH_END },
	  "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"a\",\"b\"]},\"description\":\"L.\"}", "" },
	{ { TH_MATRIX(struct all_in, matrix, "M.", {"minItems": 1}), TH_END },
	  "{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}},\"description\":\"M.\",\"minItems\":1}", "1" },
	{ { TH_MATRIX_RAGGED(struct all_in, ragged, "M.", {}), TH_END },
	  "{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"type\":[\"number\",\"null\"]}},\"description\":\"M.\"}", "1" },
	{ { TH_OBJECT(struct all_in, object, struct limits_in, limits_table, "O.", {}), TH_END },
	  "{\"type\":\"object\",\"properties\":{\"low\":{\"type\":\"number\",\"description\":\"Low.\"},"
	  "\"high\":{\"type\":\"number\",\"description\":\"High.\",\"exclusiveMinimum\":0}},"
	  "\"required\":[\"low\"],\"additionalProperties\":false,\"description\":\"O.\"}", "1" },
	{ { TH_RECORDS(struct all_in, records, struct tag_in, tag_table, "R.", {"maxItems": 9}), TH_END },
	  "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\","
	  "\"description\":\"Name.\",\"minLength\":1},\"weight\":{\"type\":\"integer\",\"description\":\"Weight.\","
	  "\"default\":1}},\"required\":[\"name\"],\"additionalProperties\":false},\"description\":\"R.\",\"maxItems\":9}", "1" },
	{ { TH_TABLE(struct all_in, table, "T.", {"minItems": 1}), TH_END },
	  "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"additionalProperties\":{\"type\":[\"number\",\"string\","
	  "\"boolean\",\"null\"]}},\"description\":\"T.\",\"minItems\":1}", "1" },
	{ { TH_MAP(struct all_in, map, map_value, "M.", {"maxProperties": 3}), TH_END },
	  "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"array\",\"items\":{\"type\":\"number\"},\"minItems\":1},"
	  "\"description\":\"M.\",\"maxProperties\":3}", "1" },
	{ { TH_EITHER(either, arms, "E.", {}), TH_END },
	  "{\"anyOf\":[{\"type\":\"number\",\"minimum\":0},{\"type\":\"array\",\"items\":{\"type\":\"number\"}}],"
	  "\"description\":\"E.\"}", "1" },
	{ { TH_JSON_MAYBE(struct all_in, json_value, "J.", {"type": ["object", "array"]}), TH_END },
	  "{\"description\":\"J.\",\"type\":[\"object\",\"array\"]}", "" },
};
/* clang-format on */

static void expect_schema(const th_param *table, bool results, const char *expected)
{
	json *schema = params_schema(table, sizeof(th_param), results);
	struct buffer text = BUFFER_INIT(65536);
	struct schema *compiled = NULL;
	struct error error = ERROR_INIT;

	json_print(&text, schema);
	UNIT_TEXT(text.data, expected);
	CU_ASSERT_EQUAL(schema_compile(schema, NULL, &compiled, &error), STATUS_OK);
	schema_free(compiled);
	error_clear(&error);
	buffer_free(&text);
	json_drop(schema);
}

static void test_every_kind(void)
{
	char expected[2048], required[128];

	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++) {
		const th_param *table = single[i].table;
		struct error error = ERROR_INIT;

		if (params_check(table, sizeof(th_param), sizeof(struct all_in), "parameter",
				 &error) != STATUS_OK)
			fprintf(stderr, "%s\n", error.message);
		CU_ASSERT_EQUAL(error.status, STATUS_OK);
		error_clear(&error);
		snprintf(required, sizeof(required), "\"required\":[\"%s\"],", table->name.data);
		snprintf(expected, sizeof(expected),
			 "{\"type\":\"object\",\"properties\":{\"%s\":%s},%s%s}", table->name.data,
			 single[i].property, *single[i].required ? required : "",
			 "\"additionalProperties\":false");
		expect_schema(table, false, expected);
	}
}

static void test_empty(void)
{
	static const th_param empty[] = { TH_END };

	expect_schema(empty, false,
		      "{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}");
	expect_schema(empty, true, "{\"type\":\"object\",\"properties\":{}}");
}

static void test_results(void)
{
	/* JSON is no C. */
	/* clang-format off */
	static const th_param point[] = {
		TH_GIVES_NUMBER(x, "X.", {}),
		TH_GIVES(label, TH_KIND_TEXT, TH_OPTIONAL, "Label.", {}),
		TH_END
	};
	static const th_param table[] = {
		TH_GIVES_NUMBER_OR_NULL(mean, "Mean.", {}),
		TH_GIVES_INTEGER(count, "Count.", {"minimum": 0}),
		TH_GIVES_FIELDS(points, TH_KIND_RECORDS, 0, point, "Points.", {}),
		TH_GIVES_JSON(rest, "Rest.", {"type": "object"}),
		TH_GIVES(warning, TH_KIND_TEXT, TH_OPTIONAL | TH_NULLABLE, "Warning.", {}),
		TH_END
	};
	/* clang-format on */
	struct error error = ERROR_INIT;

	CU_ASSERT_EQUAL(params_check(table, sizeof(th_param), 0, "result field", &error),
			STATUS_OK);
	error_clear(&error);
	expect_schema(
		table, true,
		"{\"type\":\"object\",\"properties\":{"
		"\"mean\":{\"type\":[\"number\",\"null\"],\"description\":\"Mean.\"},"
		"\"count\":{\"type\":\"integer\",\"description\":\"Count.\",\"minimum\":0},"
		"\"points\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
		"\"x\":{\"type\":\"number\",\"description\":\"X.\"},"
		"\"label\":{\"type\":\"string\",\"description\":\"Label.\"}},\"required\":[\"x\"]},"
		"\"description\":\"Points.\"},"
		"\"rest\":{\"description\":\"Rest.\",\"type\":\"object\"},"
		"\"warning\":{\"type\":[\"string\",\"null\"],\"description\":\"Warning.\"}},"
		"\"required\":[\"mean\",\"count\",\"points\",\"rest\"]}");
}

/* No derived schema may hold what model services refuse: references, or a combinator at its root.
 */
static void test_shapes_that_clients_take(void)
{
	static const char *const refused[] = { "anyOf", "oneOf", "allOf", "not", "enum", "$ref" };

	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++) {
		json *schema = params_schema(single[i].table, sizeof(th_param), false);
		struct buffer text = BUFFER_INIT(65536);

		json_print(&text, schema);
		CU_ASSERT(json_text_is(json_get(schema, "type"), "object"));
		CU_ASSERT_PTR_NULL(strstr(text.data, "$ref"));
		for (size_t j = 0; j < sizeof(refused) / sizeof(refused[0]); j++)
			CU_ASSERT_FALSE(json_has(schema, refused[j]));
		buffer_free(&text);
		json_drop(schema);
	}
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_every_kind),
	UNIT_TEST(test_empty),
	UNIT_TEST(test_results),
	UNIT_TEST(test_shapes_that_clients_take),
};

UNIT_MAIN("params-schema", tests)
