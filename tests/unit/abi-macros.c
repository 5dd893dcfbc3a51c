/* SPDX-License-Identifier: MIT
 *
 * Every macro of the plugin header once, in the language that C99 and C++11 share: abi-compile.sh
 * compiles this as each of them. With WRONG_TYPE defined, one more entry takes the field `wrong`
 * for a double.
 */
#include <toolhost/plugin.h>
#include <toolhost/settings.h>

struct point {
	double x;
	int64_t weight;
};

/* clang-format off */
static const th_param point_params[] = {
	TH_NUMBER(struct point, x, "Where.", {}),
	TH_INTEGER_OR(struct point, weight, 1, "How much.", {"minimum": 0}),
	TH_END
};

static const th_param number_value[] = { TH_VALUE(double, TH_KIND_NUMBER, {}), TH_END };
static const th_param point_value[] = {
	TH_VALUE_OF(struct point, TH_KIND_OBJECT, point_params, sizeof(struct point), {}), TH_END
};
/* clang-format on */

struct every_in {
	double number, number_or;
	th_maybe_number number_maybe;
	int64_t integer, integer_or;
	th_maybe_integer integer_maybe;
	int32_t boolean, boolean_or;
	th_maybe_boolean boolean_maybe;
	th_text string, string_or, string_maybe;
	int32_t choice, choice_or;
	th_maybe_choice choice_maybe;
	th_numbers numbers, numbers_maybe, numbers_gaps;
	th_integers integers, integers_maybe, list_or;
	th_flags booleans, choices_maybe;
	th_texts strings, strings_maybe;
	th_matrix matrix, matrix_maybe, matrix_gaps, matrix_ragged;
	struct point object;
	const struct point *object_maybe;
	th_records records, records_maybe;
	th_table table, table_maybe;
	th_map map, map_maybe;
	th_numbers either_list;
	th_maybe_number either_number;
	th_json json, json_maybe;
#ifdef WRONG_TYPE
	WRONG_TYPE wrong;
#endif
};

/* clang-format off */
static const th_param arms[] = {
	TH_NUMBERS_MAYBE(struct every_in, either_list, "Several.", {}),
	TH_NUMBER_MAYBE(struct every_in, either_number, "One.", {}),
	TH_END
};

static const th_param every_params[] = {
	TH_NUMBER(struct every_in, number, "D.", {}),
	TH_NUMBER_OR(struct every_in, number_or, 0.5, "D.", {"minimum": 0, "maximum": 1}),
	TH_NUMBER_MAYBE(struct every_in, number_maybe, "D.", {}),
	TH_INTEGER(struct every_in, integer, "D.", {}),
	TH_INTEGER_OR(struct every_in, integer_or, 3, "D.", {}),
	TH_INTEGER_MAYBE(struct every_in, integer_maybe, "D.", {}),
	TH_BOOLEAN(struct every_in, boolean, "D.", {}),
	TH_BOOLEAN_OR(struct every_in, boolean_or, 1, "D.", {}),
	TH_BOOLEAN_MAYBE(struct every_in, boolean_maybe, "D.", {}),
	TH_STRING(struct every_in, string, "D.", {"maxLength": 10}),
	TH_STRING_OR(struct every_in, string_or, "x", "D.", {}),
	TH_STRING_MAYBE(struct every_in, string_maybe, "D.", {}),
	TH_CHOICE(struct every_in, choice, "D.", ["a", "b"]),
	TH_CHOICE_OR(struct every_in, choice_or, "b", "D.", ["a", "b"]),
	TH_CHOICE_MAYBE(struct every_in, choice_maybe, "D.", ["a", "b"]),
	TH_NUMBERS(struct every_in, numbers, "D.", {"minItems": 2, "items": {"minimum": 0}}),
	TH_NUMBERS_MAYBE(struct every_in, numbers_maybe, "D.", {}),
	TH_NUMBERS_GAPS(struct every_in, numbers_gaps, "D.", {}),
	TH_INTEGERS(struct every_in, integers, "D.", {}),
	TH_INTEGERS_MAYBE(struct every_in, integers_maybe, "D.", {}),
	TH_LIST_OR(struct every_in, list_or, th_integers, TH_KIND_INTEGERS, "[4, 8]", "D.", {}),
	TH_BOOLEANS(struct every_in, booleans, "D.", {}),
	TH_CHOICES_MAYBE(struct every_in, choices_maybe, "D.", ["a", "b"]),
	TH_STRINGS(struct every_in, strings, "D.", {}),
	TH_STRINGS_MAYBE(struct every_in, strings_maybe, "D.", {}),
	TH_MATRIX(struct every_in, matrix, "D.", {}),
	TH_MATRIX_MAYBE(struct every_in, matrix_maybe, "D.", {}),
	TH_MATRIX_GAPS(struct every_in, matrix_gaps, "D.", {}),
	TH_MATRIX_RAGGED(struct every_in, matrix_ragged, "D.", {}),
	TH_OBJECT(struct every_in, object, struct point, point_params, "D.", {}),
	TH_OBJECT_MAYBE(struct every_in, object_maybe, struct point, point_params, "D.", {}),
	TH_RECORDS(struct every_in, records, struct point, point_params, "D.", {}),
	TH_RECORDS_MAYBE(struct every_in, records_maybe, struct point, point_params, "D.", {}),
	TH_TABLE(struct every_in, table, "D.", {}),
	TH_TABLE_MAYBE(struct every_in, table_maybe, "D.", {}),
	TH_MAP(struct every_in, map, number_value, "D.", {}),
	TH_MAP_MAYBE(struct every_in, map_maybe, point_value, "D.", {}),
	TH_EITHER(either, arms, "D.", {}),
	TH_JSON(struct every_in, json, "D.", {"type": "object"}),
	TH_JSON_MAYBE(struct every_in, json_maybe, "D.", {"type": "object"}),
#ifdef WRONG_TYPE
	TH_NUMBER(struct every_in, wrong, "D.", {}),
#endif
	TH_END
};

static const th_param either_params[] = { TH_EITHER_MAYBE(either, arms, "D.", {}), TH_END };

static const th_param every_results[] = {
	TH_GIVES(rows, TH_KIND_RECORDS, TH_OPTIONAL, "D.", {}),
	TH_GIVES_FIELDS(points, TH_KIND_RECORDS, 0, point_params, "D.", {}),
	TH_GIVES_NUMBER(number, "D.", {}),
	TH_GIVES_NUMBER_OR_NULL(number_or_null, "D.", {}),
	TH_GIVES_INTEGER(integer, "D.", {}),
	TH_GIVES_INTEGER_OR_NULL(integer_or_null, "D.", {}),
	TH_GIVES_BOOLEAN(boolean, "D.", {}),
	TH_GIVES_STRING(string, "D.", {}),
	TH_GIVES_NUMBERS(numbers, "D.", {}),
	TH_GIVES_INTEGERS(integers, "D.", {}),
	TH_GIVES_STRINGS(strings, "D.", {}),
	TH_GIVES_JSON(json, "D.", {"type": "object"}),
	TH_END
};
/* clang-format on */

static int32_t every(th_call *call, const void *input)
{
	const struct every_in *in = (const struct every_in *)input;
	const th_column *column = th_table_find(&in->table, "x", 1);
	th_content content = { sizeof(th_content), TH_CONTENT_TEXT, 0,		0,
			       TH_TEXT("text"),	   TH_NO_TEXT,	    TH_NO_TEXT, TH_NO_TEXT };
	th_text answer;
	double numbers[2] = { 1, 2 };
	int64_t integers[2] = { 1, 2 };

	if (th_cancelled(call) || th_time_left(call) < 10)
		return TH_CANCELLED;
	th_log(call, TH_LOG_INFO, "%s", "a line");
	th_warn(call, "category", "%d of %d", 1, 2);
	th_progress(call, 1, 2, NULL);
	th_begin_object(call, "object");
	th_put_null(call, "null");
	th_put_boolean(call, "boolean", 1);
	th_put_integer(call, "integer", 1 + (int64_t)(th_random(call) & 1));
	th_put_number(call, "number", th_uniform(call));
	th_put_string(call, "string", "x");
	th_put_text(call, "text", in->string);
	th_put_json(call, "json", "{}", 2);
	th_put_numbers(call, "numbers", numbers, 2);
	th_put_integers(call, "integers", integers, 2);
	th_begin_list(call, "list");
	th_end(call);
	th_end(call);
	th_put_content(call, &content);
	th_partial(call, &content);
	if (!th_allocate(call, 2, sizeof(double)) || !th_extension(call, TH_SETTINGS))
		return TH_NO_MEMORY;
	if (th_given(call, "number_or") && column && th_setting_whole(call, "max_cells", 1) > 0)
		return th_fail_details(call, "{\"x\": 1}", "no");
	if (th_ask(call, "id", "Well?", "{}", &answer) == TH_PENDING)
		return TH_PENDING;
	return th_fail(call, "%s", "enough");
}

static int32_t prompt(th_call *call, const void *input)
{
	(void)input;
	return th_put_null(call, NULL);
}

/* clang-format off */
static const th_tool tools[] = {
	TH_TOOL(every, struct every_in, every_params, every_results, "Every", "D.", {"cacheable": true}),
	TH_TOOL_SCHEMA("whole-schema", every, "{\"type\": \"object\"}", "", "Whole", "D.", {}),
};

static const th_recipe recipes[] = { TH_RECIPE({"key": "k", "title": "t"}) };

static const th_prompt prompts[] = { {
	TH_TEXT("prompt"), TH_NO_TEXT, TH_TEXT("D."), either_params, prompt, sizeof(th_no_input),
	sizeof(th_param)
} };

static const th_resource resources[] = { {
	TH_TEXT("test://x"), TH_TEXT("x"), TH_NO_TEXT, TH_NO_TEXT, TH_TEXT("text/plain"),
	TH_TEXT("data"), NULL, 0
} };

TH_PACK_WITH(TH_LIST(tools), TH_LIST(recipes), TH_LIST(prompts), TH_LIST(resources),
	     {"version": "1.0.0"})
/* clang-format on */
