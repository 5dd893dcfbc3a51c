/* SPDX-License-Identifier: MIT
 *
 * Calling a tool of a pack: its struct is filled from the arguments, or it gets them as text.
 */
#include "unit.h"

#include "pack/pack.h"

struct point {
	double x, y;
};

struct shape_in {
	th_numbers values;
	double trim;
	int64_t count;
	th_text label;
	int32_t method;
	th_maybe_boolean closed;
	th_records points;
};

/* clang-format off */
static const th_param point_params[] = {
	TH_NUMBER(struct point, x, "X.", {}),
	TH_NUMBER_OR(struct point, y, 7, "Y.", {}),
	TH_END
};

static const th_param shape_params[] = {
	TH_NUMBERS(struct shape_in, values, "Values.", {}),
	TH_NUMBER_OR(struct shape_in, trim, 0.25, "Trim.", {}),
	TH_INTEGER(struct shape_in, count, "Count.", {}),
	TH_STRING_OR(struct shape_in, label, "none", "Label.", {}),
	TH_CHOICE_OR(struct shape_in, method, "b", "Method.", ["a", "b", "c"]),
	TH_BOOLEAN_MAYBE(struct shape_in, closed, "Closed.", {}),
	TH_RECORDS_MAYBE(struct shape_in, points, struct point, point_params, "Points.", {}),
	TH_END
};
/* clang-format on */

/* Sends back what it got. */
static int32_t shape(th_call *call, const void *input)
{
	const struct shape_in *in = input;

	th_put_numbers(call, "values", in->values.values, in->values.count);
	th_put_number(call, "trim", in->trim);
	th_put_integer(call, "count", in->count);
	th_put_text(call, "label", in->label);
	th_put_integer(call, "method", in->method);
	th_put_boolean(call, "has_closed", in->closed.present);
	th_put_boolean(call, "given_trim", th_given(call, "trim"));
	th_begin_list(call, "points");
	for (uint64_t i = 0; i < in->points.count; i++) {
		const struct point *point = (const struct point *)((const char *)in->points.items +
								   i * in->points.stride);

		th_put_number(call, NULL, point->x);
		th_put_number(call, NULL, point->y);
	}
	return th_end(call);
}

static int32_t text(th_call *call, const void *input)
{
	const th_json *in = input;

	if (in->data[in->length])
		return th_fail(call, "no NUL behind the text");
	return th_put_json(call, "got", in->data, in->length);
}

static const th_param none[] = { TH_END };

static int32_t nothing(th_call *call, const void *input)
{
	return th_put_boolean(call, "input", input != NULL);
}

/* clang-format off */
static const th_tool tools[] = {
	TH_TOOL(shape, struct shape_in, shape_params, NULL, "", "Shape.", {}),
	TH_TOOL_SCHEMA("text", text, "{\"type\": \"object\"}", "", "", "Text.", {}),
	TH_TOOL(nothing, th_no_input, none, NULL, "", "Nothing.", {}),
};
/* clang-format on */

static const th_pack descriptor = {
	sizeof(descriptor), TH_ABI_MAJOR, TH_ABI_MINOR, TH_TEXT("{\"version\": \"1\"}"),
	TH_LIST(tools),	    TH_NONE,	  TH_NONE,	TH_NONE
};

static struct call call;
static struct pack *pack;

static const char *result_of(const char *tool, const char *arguments)
{
	json *value = NULL;
	int r;

	call_reset(&call);
	if (arguments)
		CU_ASSERT_EQUAL_FATAL(json_read(arguments, strlen(arguments), NULL, &value, NULL),
				      STATUS_OK);
	call.arguments = value;
	r = pack_run_tool(pack, pack_find_tool(pack, tool), &call);
	CU_ASSERT_EQUAL(r, call.failure.status);
	call.arguments = NULL;
	json_drop(value);
	return r ? call.failure.message : call.result.data;
}

static void test_struct_is_filled(void)
{
	UNIT_TEXT(result_of("shape", "{\"values\":[1,2.5],\"count\":9007199254740993}"),
		  "{\"values\":[1,2.5],\"trim\":0.25,\"count\":9007199254740993,\"label\":\"none\","
		  "\"method\":1,"
		  "\"has_closed\":false,\"given_trim\":false,\"points\":[]}");
	UNIT_TEXT(result_of("shape", "{\"values\":[1,2,3,4,5,6,7,8,9],\"trim\":0,\"count\":-1,"
				     "\"label\":\"\\u00e4\","
				     "\"method\":\"c\",\"closed\":false,\"points\":[{\"x\":1},{"
				     "\"x\":2,\"y\":3}]}"),
		  "{\"values\":[1,2,3,4,5,6,7,8,9],\"trim\":0,\"count\":-1,\"label\":\"\xc3\xa4\","
		  "\"method\":2,"
		  "\"has_closed\":true,\"given_trim\":true,\"points\":[1,7,2,3]}");
}

static void test_text_is_handed_on(void)
{
	UNIT_TEXT(result_of("text", "{ \"a\": [1, 2], \"b\": \"\\u2028\" }"),
		  "{\"got\":{\"a\":[1,2],\"b\":\"\\u2028\"}}");
	UNIT_TEXT(result_of("text", NULL), "{\"got\":{}}");
}

static void test_no_arguments(void)
{
	UNIT_TEXT(result_of("nothing", "{}"), "{\"input\":true}");
	UNIT_TEXT(result_of("nothing", NULL), "{\"input\":true}");
	CU_ASSERT_PTR_NULL(call.arguments);
}

static void test_too_little_memory(void)
{
	call.max_memory = 16;
	result_of("shape", "{\"values\":[1],\"count\":1}");
	CU_ASSERT_EQUAL(call.failure.status, STATUS_MEMORY_EXCEEDED);
	call.max_memory = 0;
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_struct_is_filled),
	UNIT_TEST(test_text_is_handed_on),
	UNIT_TEST(test_no_arguments),
	UNIT_TEST(test_too_little_memory),
};

int main(void)
{
	int r;

	call_init(&call);
	if (pack_linked_in(&descriptor, &pack, NULL))
		return EXIT_FAILURE;
	r = unit_run("pack-run", tests, sizeof(tests) / sizeof(tests[0]));
	pack_free(pack);
	call_free(&call);
	return r;
}
