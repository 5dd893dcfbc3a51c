/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "base/status.h"

#include "unit.h"

/* The id of `text`, which is no JSON, as JSON; NULL for none. */
static void check_id(const char *text, size_t length, const char *expected)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);
	json *id = (json *)&b, *value;
	bool found;

	CU_ASSERT_NOT_EQUAL(json_read(text, length, NULL, &value, NULL), STATUS_OK);
	found = json_salvage_id(text, length, &id);
	CU_ASSERT_EQUAL(found, expected != NULL);
	if (found) {
		json_print(&b, id);
		UNIT_TEXT(b.data, expected);
	} else {
		CU_ASSERT_PTR_NULL(id);
	}
	if (found != (expected != NULL))
		fprintf(stderr, "%s\n", text);
	json_drop(id);
	buffer_free(&b);
}

#define CHECK_ID(text, expected) check_id(text, sizeof(text) - 1, expected)

static void before_the_fault(void)
{
	CHECK_ID("{\"jsonrpc\":\"2.0\",\"id\":7,\"params\":{\"x\":NaN}}", "7");
	CHECK_ID("{\"id\":\"a-1\",\"params\":[1,2,]}", "\"a-1\"");
	CHECK_ID("{\"id\" : -3 , \"x\":\"a\nb\"}", "-3");
	CHECK_ID("{\"id\":5,\"x\":\"\xFF\"}", "5");
	CHECK_ID("{\"id\":5,\"x\":\"cut", "5");
	CHECK_ID("{\"id\":5,\"x\":[[[[", "5");
	CHECK_ID("{\"id\":5,\"x\":1]", "5");
	CHECK_ID("{\"id\":5,\"x\":\"\0\"}", "5");
	CHECK_ID("{\"id\":\"\",}", "\"\"");
	CHECK_ID("{\"\\u0069d\":4,}", "4");
	CHECK_ID("{\"id\":9007199254740993,}", "9007199254740993");
}

static void behind_the_fault(void)
{
	CHECK_ID("{\"params\":{\"x\":01},\"id\":7}", "7");
	CHECK_ID("{\"x\":'single',\"id\":7}", "7");
	CHECK_ID("{\"x\":1 \"id\":7}", "7");
	CHECK_ID("{x:1,\"id\":\"b\"}", "\"b\"");
	CHECK_ID("{\"x\":\"say \"no\" to it\",\"id\":7}", "7");
	CHECK_ID("{\"x\":\"\\q\",\"id\":7}", "7");
	CHECK_ID("\xEF\xBB\xBF{\"id\":7}", "7");
	CHECK_ID("{\"id\":7} trailing", "7");
	CHECK_ID("{\"a\":1,\"a\":2,\"id\":7}", "7");
}

static void only_the_top_level_counts(void)
{
	CHECK_ID("{\"params\":{\"id\":1},\"x\":01}", NULL);
	CHECK_ID("{\"params\":{\"id\":1},\"id\":2,}", "2");
	CHECK_ID("{\"params\":[{\"id\":1}],\"id\":2,}", "2");
	CHECK_ID("{\"x\":\"{\\\"id\\\":1}\",\"id\":2,}", "2");
	CHECK_ID("[{\"id\":1},]", NULL);
	CHECK_ID("{\"x\":[1],],\"id\":2}", NULL); /* who knows what the top level is here */
}

static void doubtful_ones_are_none(void)
{
	CHECK_ID("", NULL);
	CHECK_ID("   ", NULL);
	CHECK_ID("not even an object", NULL);
	CHECK_ID("{\"x\":01}", NULL);
	CHECK_ID("{\"id\":1,\"id\":2}", NULL);
	CHECK_ID("{\"id\":1}{\"id\":2}", NULL);
	CHECK_ID("{\"id\":1,\"x\":01,\"\\u0069\\u0064\":2}", NULL);
	CHECK_ID("{\"id\":1", NULL); /* the digits may go on */
	CHECK_ID("{\"id\":\"cut", NULL);
	CHECK_ID("{\"id\"", NULL);
	CHECK_ID("{\"id\":", NULL);
	CHECK_ID("{\"id\":01,\"x\":1}", NULL);
	CHECK_ID("{\"id\":1.5,}", NULL);
	CHECK_ID("{\"id\":1e3,}", NULL);
	CHECK_ID("{\"id\":null,}", NULL);
	CHECK_ID("{\"id\":true,}", NULL);
	CHECK_ID("{\"id\":[1],}", NULL);
	CHECK_ID("{\"id\":{},}", NULL);
	CHECK_ID("{\"id\":1 2,}", NULL);
	CHECK_ID("{\"id\":\"a\" \"b\",}", NULL);
	CHECK_ID("{\"id\":\"\xFF\",}", NULL);
	CHECK_ID("{\"id\":100000000000000000000,}", NULL);
	CHECK_ID("{\"x\":\"id\":1,}", NULL); /* a value that looks like a key */
	CHECK_ID("{\"ID\":1,}", NULL);
	CHECK_ID("{'id':1}", NULL);
}

static void deep_messages_have_ids_too(void)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);

	buffer_text(&text, "{\"method\":\"x\",\"params\":");
	for (int i = 0; i < 1000000; i++)
		buffer_byte(&text, '[');
	for (int i = 0; i < 1000000; i++)
		buffer_byte(&text, ']');
	buffer_text(&text, ",\"id\":12}");
	check_id(text.data, text.length, "12");
	buffer_free(&text);
}

static const struct unit_test tests[] = {
	UNIT_TEST(before_the_fault),	       UNIT_TEST(behind_the_fault),
	UNIT_TEST(only_the_top_level_counts),  UNIT_TEST(doubtful_ones_are_none),
	UNIT_TEST(deep_messages_have_ids_too),
};

UNIT_MAIN("json-salvage", tests)
