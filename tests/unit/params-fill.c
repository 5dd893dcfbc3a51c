/* SPDX-License-Identifier: MIT
 *
 * Arguments to the tool's own struct.
 */
#include "schema-unit.h"

#include "schema/params.h"

#include <math.h>

#define ARENA_MOST ((size_t)16 << 20)

/* Fills `ret_struct` from a JSON text. The arguments are kept until the next fill, as a call does.
 */
static struct arena arena;
static json *arguments;
static struct error error;

static int fill(const th_param *table, const char *text, void *ret_struct, size_t size)
{
	error_clear(&error);
	json_drop(arguments);
	arena_free(&arena);
	arena_init(&arena, ARENA_MOST);
	arguments = parse(text);
	return params_fill(table, sizeof(th_param), arguments, &arena, ret_struct, size, "mean",
			   &error);
}

static void clean(void)
{
	error_clear(&error);
	json_drop(arguments);
	arguments = NULL;
	arena_free(&arena);
}

#define FILL(table, text, in) fill(table, text, &(in), sizeof(in))

struct scalars_in {
	double a;
	double b;
	th_maybe_number c;
	int64_t i;
	th_maybe_integer j;
	int32_t yes;
	int32_t no;
	th_maybe_boolean maybe;
	th_text text;
	th_text word;
	th_text none;
	int32_t method;
	int32_t other;
	th_maybe_choice third;
};

/* JSON is no C. */
/* clang-format off */
static const th_param scalars[] = {
	TH_NUMBER(struct scalars_in, a, "A.", {}),
	TH_NUMBER_OR(struct scalars_in, b, 0.25, "B.", {}),
	TH_NUMBER_MAYBE(struct scalars_in, c, "C.", {}),
	TH_INTEGER_OR(struct scalars_in, i, 7, "I.", {}),
	TH_INTEGER_MAYBE(struct scalars_in, j, "J.", {}),
	TH_BOOLEAN_OR(struct scalars_in, yes, 1, "Yes.", {}),
	TH_BOOLEAN_OR(struct scalars_in, no, 0, "No.", {}),
	TH_BOOLEAN_MAYBE(struct scalars_in, maybe, "Maybe.", {}),
	TH_STRING_OR(struct scalars_in, text, "caf\u00e9", "Text.", {}),
	TH_STRING_OR(struct scalars_in, word, "", "Word.", {}),
	TH_STRING_MAYBE(struct scalars_in, none, "None.", {}),
	TH_CHOICE_OR(struct scalars_in, method, "robust", "M.", ["classical", "robust"]),
	TH_CHOICE_OR(struct scalars_in, other, "b", "O.", ["a", "b", "c"]),
	TH_CHOICE_MAYBE(struct scalars_in, third, "T.", ["x", "y"]),
	TH_END
};
/* clang-format on */

static void test_defaults(void)
{
	struct scalars_in in;

	memset(&in, 0xA5, sizeof(in));
	CU_ASSERT_EQUAL_FATAL(FILL(scalars, "{\"a\":1}", in), STATUS_OK);
	CU_ASSERT_EQUAL(in.a, 1);
	CU_ASSERT_EQUAL(in.b, 0.25);
	CU_ASSERT_EQUAL(in.c.present, 0);
	CU_ASSERT_EQUAL(in.i, 7);
	CU_ASSERT_EQUAL(in.j.present, 0);
	CU_ASSERT_EQUAL(in.yes, 1);
	CU_ASSERT_EQUAL(in.no, 0);
	CU_ASSERT_EQUAL(in.maybe.present, 0);
	UNIT_TEXT(in.text.data, "café");
	CU_ASSERT_EQUAL(in.text.length, strlen("café"));
	UNIT_TEXT(in.word.data, "");
	CU_ASSERT_PTR_NULL(in.none.data);
	CU_ASSERT_EQUAL(in.method, 1);
	CU_ASSERT_EQUAL(in.other, 1);
	CU_ASSERT_EQUAL(in.third.present, 0);
}

static void test_values(void)
{
	struct scalars_in in;

	CU_ASSERT_EQUAL_FATAL(
		FILL(scalars,
		     "{\"a\":-2,\"b\":1e3,\"c\":0,\"i\":9007199254740993,\"j\":-5,\"yes\":false,"
		     "\"no\":true,\"maybe\":false,\"text\":\"a\\u0000b\",\"none\":\"\","
		     "\"method\":\"classical\",\"other\":\"c\",\"third\":\"y\"}",
		     in),
		STATUS_OK);
	CU_ASSERT_EQUAL(in.a, -2);
	CU_ASSERT_EQUAL(in.b, 1000);
	CU_ASSERT(in.c.present && in.c.value == 0);
	CU_ASSERT_EQUAL(in.i, 9007199254740993);
	CU_ASSERT(in.j.present && in.j.value == -5);
	CU_ASSERT_EQUAL(in.yes, 0);
	CU_ASSERT_EQUAL(in.no, 1);
	CU_ASSERT(in.maybe.present && !in.maybe.value);
	CU_ASSERT_EQUAL(in.text.length, 3);
	CU_ASSERT(!memcmp(in.text.data, "a\0b", 4));
	CU_ASSERT(in.none.data && !in.none.length);
	CU_ASSERT_EQUAL(in.method, 0);
	CU_ASSERT_EQUAL(in.other, 2);
	CU_ASSERT(in.third.present && in.third.value == 1);
}

static void test_nulls_are_absent(void)
{
	struct scalars_in in;

	CU_ASSERT_EQUAL_FATAL(
		FILL(scalars, "{\"a\":1,\"b\":null,\"c\":null,\"text\":null,\"method\":null}", in),
		STATUS_OK);
	CU_ASSERT_EQUAL(in.b, 0.25);
	CU_ASSERT_EQUAL(in.c.present, 0);
	UNIT_TEXT(in.text.data, "café");
	CU_ASSERT_EQUAL(in.method, 1);
}

static void test_integers_that_do_not_fit(void)
{
	static const char *const wrong[] = { "{\"a\":1,\"i\":18446744073709551616}",
					     "{\"a\":1,\"i\":1e300}",
					     "{\"a\":1,\"i\":9223372036854775808}",
					     "{\"a\":1,\"i\":1.5}" };
	struct scalars_in in;

	for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
		const json *problem;

		CU_ASSERT_EQUAL(FILL(scalars, wrong[k], in), STATUS_INPUT_INVALID);
		problem = json_peek(json_get(error.details, "errors"), 0);
		CU_ASSERT(json_text_is(json_get(problem, "path"), "/i"));
		CU_ASSERT(json_text_is(json_get(problem, "expected"),
				       "an integer that fits 64 bits"));
	}
	CU_ASSERT_EQUAL(FILL(scalars, "{\"a\":1,\"i\":-9223372036854775808}", in), STATUS_OK);
	CU_ASSERT_EQUAL(in.i, INT64_MIN);
	CU_ASSERT_EQUAL(FILL(scalars, "{\"a\":1,\"i\":-3.0}", in), STATUS_OK);
	CU_ASSERT_EQUAL(in.i, -3);
}

struct lists_in {
	th_numbers numbers;
	th_numbers gaps;
	th_integers integers;
	th_flags booleans;
	th_texts texts;
	th_flags choices;
	th_integers runs;
	th_texts words;
	th_numbers none;
};

/* JSON is no C. */
/* clang-format off */
static const th_param lists[] = {
	TH_NUMBERS(struct lists_in, numbers, "N.", {}),
	TH_NUMBERS_GAPS(struct lists_in, gaps, "G.", {}),
	TH_INTEGERS(struct lists_in, integers, "I.", {}),
	TH_BOOLEANS(struct lists_in, booleans, "B.", {}),
	TH_STRINGS(struct lists_in, texts, "T.", {}),
	TH_CHOICES_MAYBE(struct lists_in, choices, "C.", ["a", "b"]),
	TH_LIST_OR(struct lists_in, runs, th_integers, TH_KIND_INTEGERS, "[4, 8, 16]", "R.", {}),
	TH_LIST_OR(struct lists_in, words, th_texts, TH_KIND_TEXTS, "[\"x\", \"y\"]", "W.", {}),
	TH_NUMBERS_MAYBE(struct lists_in, none, "None.", {}),
	TH_END
};
/* clang-format on */

#define TEN "[1,2,3,4,5,6,7,8,9,10.5]"

static void test_lists(void)
{
	struct lists_in in;

	CU_ASSERT_EQUAL_FATAL(
		FILL(lists,
		     "{\"numbers\":" TEN ",\"gaps\":[1,null,3],\"integers\":[1,2,3,4,5,6,7,8,9],"
		     "\"booleans\":[true,false],\"texts\":[\"p\",\"\"],\"choices\":[\"b\",\"a\"]}",
		     in),
		STATUS_OK);
	/* Packed numbers are not copied. */
	CU_ASSERT_PTR_NOT_NULL(json_packed(json_get(arguments, "numbers"), NULL));
	CU_ASSERT_PTR_EQUAL(in.numbers.values, json_packed(json_get(arguments, "numbers"), NULL));
	CU_ASSERT_EQUAL(in.numbers.count, 10);
	CU_ASSERT_EQUAL(in.numbers.values[9], 10.5);
	CU_ASSERT_EQUAL(in.numbers.missing, 0);
	CU_ASSERT_EQUAL(in.gaps.count, 3);
	CU_ASSERT_EQUAL(in.gaps.missing, 1);
	CU_ASSERT(isnan(in.gaps.values[1]));
	CU_ASSERT_EQUAL(in.gaps.values[2], 3);
	CU_ASSERT_EQUAL(in.integers.count, 9);
	CU_ASSERT_EQUAL(in.integers.values[8], 9);
	CU_ASSERT(in.booleans.values[0] == 1 && in.booleans.values[1] == 0);
	CU_ASSERT(in.texts.count == 2 && in.texts.values[1].data && !in.texts.values[1].length);
	CU_ASSERT(in.choices.values[0] == 1 && in.choices.values[1] == 0);
	CU_ASSERT(in.runs.count == 3 && in.runs.values[2] == 16);
	CU_ASSERT_EQUAL(in.words.count, 2);
	UNIT_TEXT(in.words.values[1].data, "y");
	CU_ASSERT_PTR_NULL(in.none.values);
}

/* Absent is NULL; empty is not. */
static void test_empty_lists(void)
{
	struct lists_in in;

	CU_ASSERT_EQUAL_FATAL(
		FILL(lists,
		     "{\"numbers\":[],\"gaps\":[],\"integers\":[],\"booleans\":[],\"texts\":[],"
		     "\"choices\":[],\"none\":[]}",
		     in),
		STATUS_OK);
	CU_ASSERT(in.numbers.values && in.gaps.values && in.integers.values && in.booleans.values &&
		  in.texts.values && in.choices.values && in.none.values);
	CU_ASSERT_EQUAL(in.none.count, 0);
}

struct matrix_in {
	th_matrix m;
};

static void test_matrix(void)
{
	static const th_param strict[] = { TH_MATRIX(struct matrix_in, m, "M.", {}), TH_END };
	static const th_param gaps[] = { TH_MATRIX_GAPS(struct matrix_in, m, "M.", {}), TH_END };
	static const th_param ragged[] = { TH_MATRIX_RAGGED(struct matrix_in, m, "M.", {}),
					   TH_END };
	struct matrix_in in;

	CU_ASSERT_EQUAL_FATAL(FILL(strict, "{\"m\":[[1,2,3],[4,5,6]]}", in), STATUS_OK);
	CU_ASSERT(in.m.rows == 2 && in.m.columns == 3 && in.m.values[1 * 3 + 2] == 6);
	CU_ASSERT(in.m.row_starts[0] == 0 && in.m.row_starts[1] == 3 && in.m.row_starts[2] == 6);
	CU_ASSERT_EQUAL_FATAL(FILL(strict, "{\"m\":[" TEN "," TEN "]}", in), STATUS_OK);
	CU_ASSERT(in.m.rows == 2 && in.m.columns == 10 && in.m.values[19] == 10.5);
	CU_ASSERT_EQUAL_FATAL(FILL(strict, "{\"m\":[]}", in), STATUS_OK);
	CU_ASSERT(in.m.values && in.m.row_starts && !in.m.rows && !in.m.columns);
	CU_ASSERT_EQUAL(FILL(strict, "{\"m\":[[1,2],[3]]}", in), STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "/m/1: expected a row of 2 numbers"));
	CU_ASSERT_EQUAL(FILL(strict, "{\"m\":[[1,null]]}", in), STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "/m/0/1"));
	CU_ASSERT_EQUAL(FILL(strict, "{\"m\":" TEN "}", in), STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "/m/0"));
	CU_ASSERT_EQUAL_FATAL(FILL(gaps, "{\"m\":[[1,null],[3,4]]}", in), STATUS_OK);
	CU_ASSERT(in.m.missing == 1 && isnan(in.m.values[1]) && in.m.values[3] == 4);
	CU_ASSERT_EQUAL(FILL(strict, "{\"m\":[[1],[2,3]]}", in), STATUS_INPUT_INVALID);
	UNIT_TEXT(error.message,
		  "the arguments of mean do not fit: /m/1: expected a row of 1 number, "
		  "as the rows before, found an array of 2 items");
	CU_ASSERT(json_text_is(json_get(error.details, "tool_name"), "mean"));
	CU_ASSERT_EQUAL_FATAL(FILL(ragged, "{\"m\":[[1],[2,3],[]]}", in), STATUS_OK);
	CU_ASSERT(in.m.rows == 3 && in.m.columns == 2 && in.m.row_starts[2] == 3 &&
		  in.m.row_starts[3] == 3);
}

struct limits_in {
	double low;
	double high;
};

struct tag_in {
	th_text name;
	int64_t weight;
	int32_t colour;
	int32_t reserved;
};

struct nested_in {
	struct limits_in limits;
	const struct limits_in *more;
	th_records tags;
	th_map scores;
	th_map boxes;
};

/* JSON is no C. */
/* clang-format off */
static const th_param limits_table[] = {
	TH_NUMBER(struct limits_in, low, "Low.", {}),
	TH_NUMBER_OR(struct limits_in, high, 9, "High.", {}),
	TH_END
};

static const th_param tag_table[] = {
	TH_STRING(struct tag_in, name, "Name.", {}),
	TH_INTEGER_OR(struct tag_in, weight, 1, "Weight.", {}),
	TH_CHOICE_OR(struct tag_in, colour, "red", "Colour.", ["green", "red"]),
	TH_END
};

static const th_param score[] = { TH_VALUE(double, TH_KIND_NUMBER, {}), TH_END };
static const th_param box[] = {
	TH_VALUE_OF(struct limits_in, TH_KIND_OBJECT, limits_table, sizeof(struct limits_in), {}), TH_END
};

static const th_param nested[] = {
	TH_OBJECT(struct nested_in, limits, struct limits_in, limits_table, "L.", {}),
	TH_OBJECT_MAYBE(struct nested_in, more, struct limits_in, limits_table, "M.", {}),
	TH_RECORDS(struct nested_in, tags, struct tag_in, tag_table, "T.", {}),
	TH_MAP_MAYBE(struct nested_in, scores, score, "S.", {}),
	TH_MAP_MAYBE(struct nested_in, boxes, box, "B.", {}),
	TH_END
};
/* clang-format on */

static void test_nested(void)
{
	struct nested_in in;
	const struct tag_in *tags;
	const struct limits_in *boxes;

	CU_ASSERT_EQUAL_FATAL(FILL(nested,
				   "{\"limits\":{\"low\":1},\"tags\":[{\"name\":\"a\"},{\"name\":"
				   "\"b\",\"weight\":5,"
				   "\"colour\":\"green\"}],\"scores\":{\"x\":1.5,\"y\":2},"
				   "\"boxes\":{\"k\":{\"low\":3,\"high\":4}}}",
				   in),
			      STATUS_OK);
	CU_ASSERT(in.limits.low == 1 && in.limits.high == 9);
	CU_ASSERT_PTR_NULL(in.more);
	CU_ASSERT(in.tags.count == 2 && in.tags.stride == sizeof(struct tag_in));
	tags = in.tags.items;
	UNIT_TEXT(tags[0].name.data, "a");
	CU_ASSERT(tags[0].weight == 1 && tags[0].colour == 1 && tags[1].weight == 5 &&
		  tags[1].colour == 0);
	CU_ASSERT(in.scores.count == 2 && in.scores.stride == sizeof(double));
	UNIT_TEXT(in.scores.keys[1].data, "y");
	CU_ASSERT_EQUAL(((const double *)in.scores.values)[0], 1.5);
	boxes = in.boxes.values;
	CU_ASSERT(in.boxes.count == 1 && boxes[0].high == 4);
	CU_ASSERT_EQUAL_FATAL(
		FILL(nested, "{\"limits\":{\"low\":1},\"more\":{\"low\":2},\"tags\":[]}", in),
		STATUS_OK);
	CU_ASSERT_PTR_NOT_NULL_FATAL(in.more);
	CU_ASSERT(in.more->low == 2 && in.more->high == 9);
	CU_ASSERT(in.tags.items && !in.tags.count);
	CU_ASSERT_PTR_NULL(in.scores.keys);
}

struct table_in {
	th_table rows;
};

static const th_param table[] = { TH_TABLE(struct table_in, rows, "R.", {}), TH_END };

static void test_table(void)
{
	struct table_in in;
	const th_column *c;

	CU_ASSERT_EQUAL_FATAL(
		FILL(table,
		     "{\"rows\":[{\"x\":1,\"g\":\"a\",\"ok\":true,\"e\":null,\"m\":1},"
		     "{\"g\":\"b\",\"x\":null,\"ok\":false,\"m\":\"two\",\"late\":7},"
		     "{\"x\":3.5,\"ok\":null,\"m\":true}]}",
		     in),
		STATUS_OK);
	CU_ASSERT(in.rows.rows == 3 && in.rows.column_count == 6 &&
		  in.rows.column_size == sizeof(th_column));
	c = th_table_find(&in.rows, "x", 1);
	CU_ASSERT_PTR_EQUAL(c, th_table_column(&in.rows, 0));
	CU_ASSERT(c->kind == TH_COLUMN_NUMBERS && c->missing == 1 && !c->texts);
	CU_ASSERT(c->numbers[0] == 1 && isnan(c->numbers[1]) && c->numbers[2] == 3.5);
	c = th_table_find(&in.rows, "g", 1);
	CU_ASSERT(c->kind == TH_COLUMN_TEXTS && c->missing == 1 && !c->numbers &&
		  !c->texts[2].data);
	UNIT_TEXT(c->texts[1].data, "b");
	c = th_table_find(&in.rows, "ok", 2);
	CU_ASSERT(c->kind == TH_COLUMN_BOOLEANS && c->numbers[0] == 1 && c->numbers[1] == 0 &&
		  isnan(c->numbers[2]));
	c = th_table_find(&in.rows, "e", 1);
	CU_ASSERT(c->kind == TH_COLUMN_EMPTY && c->missing == 3 && !c->numbers && !c->texts);
	c = th_table_find(&in.rows, "m", 1);
	CU_ASSERT(c->kind == TH_COLUMN_MIXED && !c->missing && c->numbers[0] == 1 &&
		  !c->texts[0].data);
	CU_ASSERT(isnan(c->numbers[1]) && c->numbers[2] == 1);
	UNIT_TEXT(c->texts[1].data, "two");
	c = th_table_column(&in.rows, 5);
	UNIT_TEXT(c->name.data, "late");
	CU_ASSERT(c->missing == 2 && c->numbers[1] == 7);
	CU_ASSERT_EQUAL_FATAL(FILL(table, "{\"rows\":[]}", in), STATUS_OK);
	CU_ASSERT(in.rows.columns && !in.rows.column_count && !in.rows.rows);
	/* A boolean among numbers is no 1 without a word. */
	CU_ASSERT_EQUAL_FATAL(FILL(table, "{\"rows\":[{\"a\":2},{\"a\":true}]}", in), STATUS_OK);
	CU_ASSERT(th_table_column(&in.rows, 0)->kind == TH_COLUMN_MIXED &&
		  th_table_column(&in.rows, 0)->texts);
	CU_ASSERT_EQUAL(FILL(table, "{\"rows\":[{\"a\":[1]}]}", in), STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "/rows/0/a"));
	CU_ASSERT_EQUAL(FILL(table, "{\"rows\":[5]}", in), STATUS_INPUT_INVALID);
}

/* Ten thousand rows with a key of their own each would fill ten thousand columns of as many cells:
 * the memory of the call ends that. */
static void test_sparse_table(void)
{
	struct buffer text = BUFFER_INIT(1 << 20);
	struct table_in in;

	buffer_text(&text, "{\"rows\":[");
	for (int i = 0; i < 10000; i++)
		buffer_format(&text, "%s{\"k%d\":1}", i ? "," : "", i);
	buffer_text(&text, "]}");
	CU_ASSERT_EQUAL(FILL(table, text.data, in), STATUS_MEMORY_EXCEEDED);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "16 MiB"));
	buffer_free(&text);
}

struct either_in {
	th_maybe_number one;
	th_numbers many;
	th_texts names;
	th_maybe_choice word;
	th_json any;
};

/* JSON is no C. */
/* clang-format off */
static const th_param number_or_list[] = {
	TH_NUMBER_MAYBE(struct either_in, one, "", {}),
	TH_NUMBERS_MAYBE(struct either_in, many, "", {}),
	TH_END
};

static const th_param names_or_word[] = {
	TH_STRINGS_MAYBE(struct either_in, names, "", {}),
	TH_CHOICE_MAYBE(struct either_in, word, "", ["all", "none"]),
	TH_END
};

static const th_param either[] = {
	TH_EITHER(value, number_or_list, "V.", {}),
	TH_EITHER_MAYBE(columns, names_or_word, "C.", {}),
	TH_JSON_MAYBE(struct either_in, any, "A.", {}),
	TH_END
};
/* clang-format on */

static void test_either(void)
{
	struct either_in in;

	CU_ASSERT_EQUAL_FATAL(FILL(either, "{\"value\":5}", in), STATUS_OK);
	CU_ASSERT(in.one.present && in.one.value == 5 && !in.many.values);
	CU_ASSERT(!in.names.values && !in.word.present && !in.any.data);
	CU_ASSERT_EQUAL_FATAL(FILL(either, "{\"value\":[1,2],\"columns\":\"none\"}", in),
			      STATUS_OK);
	CU_ASSERT(!in.one.present && in.many.count == 2 && in.word.present && in.word.value == 1);
	CU_ASSERT_EQUAL_FATAL(
		FILL(either, "{\"value\":" TEN ",\"columns\":[\"a\"],\"any\":{\"k\": [1, 2.50]}}",
		     in),
		STATUS_OK);
	CU_ASSERT(in.many.count == 10 && in.names.count == 1);
	UNIT_TEXT(in.any.data, "{\"k\":[1,2.5]}");
	CU_ASSERT_EQUAL(FILL(either, "{\"value\":\"x\"}", in), STATUS_INPUT_INVALID);
	CU_ASSERT_EQUAL(FILL(either, "{\"value\":[1,\"x\"]}", in), STATUS_INPUT_INVALID);
	CU_ASSERT_EQUAL(FILL(either, "{\"value\":1,\"columns\":\"some\"}", in),
			STATUS_INPUT_INVALID);
}

/* What the gate would have refused is refused here too, and never read as something else. */
static void test_wrong_kinds(void)
{
	struct scalars_in in;
	static const char *const wrong[] = {
		"{}",
		"{\"a\":null}",
		"{\"a\":\"1\"}",
		"{\"a\":1,\"yes\":1}",
		"{\"a\":1,\"text\":5}",
		"{\"a\":1,\"method\":\"other\"}",
		"{\"a\":1,\"method\":1}",
		"[]",
		"5",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CU_ASSERT_EQUAL(FILL(scalars, wrong[i], in), STATUS_INPUT_INVALID);
}

static void test_memory(void)
{
	static const th_param one[] = { TH_INTEGERS(struct lists_in, integers, "I.", {}), TH_END };
	struct arena small;
	struct lists_in in;
	json *value = parse("{\"integers\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]}");
	struct error told = ERROR_INIT;

	arena_init(&small, 64);
	CU_ASSERT_EQUAL(
		params_fill(one, sizeof(th_param), value, &small, &in, sizeof(in), "mean", &told),
		STATUS_MEMORY_EXCEEDED);
	arena_free(&small);
	json_drop(value);
	error_clear(&told);
	clean();
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_defaults),
	UNIT_TEST(test_values),
	UNIT_TEST(test_nulls_are_absent),
	UNIT_TEST(test_integers_that_do_not_fit),
	UNIT_TEST(test_lists),
	UNIT_TEST(test_empty_lists),
	UNIT_TEST(test_matrix),
	UNIT_TEST(test_nested),
	UNIT_TEST(test_table),
	UNIT_TEST(test_sparse_table),
	UNIT_TEST(test_either),
	UNIT_TEST(test_wrong_kinds),
	UNIT_TEST(test_memory),
};

UNIT_MAIN("params-fill", tests)
