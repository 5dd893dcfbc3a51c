/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include "base/text.h"

#include "unit.h"

static char *printed(const struct error *error)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);

	error_print(&b, error);
	return buffer_take(&b, NULL);
}

static void prints_the_whole_form(void)
{
	struct error error = ERROR_INIT;
	char *text;

	CU_ASSERT_EQUAL(error_set(&error, STATUS_TIMEOUT, "took longer than %d s", 10),
			STATUS_TIMEOUT);
	error_detail_text(&error, "tool_name", "echo");
	error_detail_integer(&error, "timeout", 10);
	error_detail(&error, "phase", NULL);
	text = printed(&error);
	UNIT_TEXT(text,
		  "{\"error\":{\"code\":\"timeout\",\"category\":\"timeout\","
		  "\"message\":\"took longer than 10 s\",\"retryable\":true,"
		  "\"retry_after_ms\":null,\"details\":{\"tool_name\":\"echo\",\"timeout\":10,"
		  "\"phase\":null}}}");
	free(text);
	error.retry_after_ms = 250;
	text = printed(&error);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"retry_after_ms\":250,"));
	free(text);
	error_clear(&error);
	CU_ASSERT_EQUAL(error.status, 0);
	CU_ASSERT_PTR_NULL(error.details);
	UNIT_TEXT(error.message, "");
}

static void nobody_needs_to_ask(void)
{
	CU_ASSERT_EQUAL(error_set(NULL, STATUS_USAGE, "x"), STATUS_USAGE);
	error_detail(NULL, "a", json_new_text("dropped"));
	error_detail_text(NULL, "a", "b");
	error_detail_integer(NULL, "a", 1);
	error_clear(NULL);
}

static void a_new_error_replaces_the_old_one(void)
{
	struct error error = ERROR_INIT;
	char *text;

	error_set(&error, STATUS_USAGE, "inner");
	error_detail_text(&error, "old", "detail");
	/* The message may be built from the older one. */
	error_set(&error, STATUS_CONFIG_INVALID, "outer: %s", error.message);
	UNIT_TEXT(error.message, "outer: inner");
	text = printed(&error);
	CU_ASSERT_PTR_NULL(strstr(text, "old"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"details\":{}"));
	free(text);
	error_clear(&error);
}

static void messages_are_cut_between_characters(void)
{
	struct error error = ERROR_INIT;
	char text[1200];

	for (size_t before = 1016; before < 1024; before++) {
		memset(text, 'x', before);
		memcpy(text + before, "\xF0\x9F\x98\x80\xE2\x82\xAC\xC3\xA9 and more", 19);
		error_set(&error, STATUS_TOOL_ERROR, "%s", text);
		CU_ASSERT(strlen(error.message) > 1019);
		CU_ASSERT(text_is_utf8(error.message, strlen(error.message)));
	}
	error_clear(&error);
}

static void size_is_bounded(void)
{
	struct error error = ERROR_INIT;
	char large[40000], *text;
	json *value;

	memset(large, '\x01', sizeof(large) - 1); /* six bytes each once escaped */
	large[sizeof(large) - 1] = '\0';
	error_set(&error, STATUS_INPUT_INVALID, "%s", large);
	error_detail_text(&error, "first", "kept");
	error_detail_text(&error, "huge", large);
	error_detail_text(&error, "last", "kept too");
	text = printed(&error);
	CU_ASSERT(strlen(text) <= 64 * 1024);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "\"details\":{\"first\":\"kept\",\"last\":\"kept too\"}}}"));
	free(text);
	value = error_to_json(&error);
	UNIT_TEXT(json_text(json_get(json_get(value, "error"), "code"), NULL), "input_invalid");
	json_drop(value);
	error_clear(&error);
}

static void many_details_are_bounded(void)
{
	struct error error = ERROR_INIT;
	char key[32], *text;

	error_set(&error, STATUS_INPUT_INVALID, "bad bytes \xFF");
	for (int i = 0; i < 10000; i++) {
		snprintf(key, sizeof(key), "key%d", i);
		error_detail_integer(&error, key, i);
	}
	text = printed(&error);
	CU_ASSERT(strlen(text) <= 64 * 1024);
	CU_ASSERT(strlen(text) > 60 * 1024);
	CU_ASSERT(text_is_utf8(text, strlen(text)));
	CU_ASSERT(json_print_checked(&(struct buffer){ .maximum = 0 }, text, strlen(text), 0));
	free(text);
	error_clear(&error);
}

static void move_leaves_nothing_behind(void)
{
	struct error from = ERROR_INIT, to = ERROR_INIT;

	error_set(&from, STATUS_CRASHED, "crashed");
	error_detail_integer(&from, "signal", 11);
	error_set(&to, STATUS_USAGE, "older");
	error_detail_text(&to, "older", "detail");
	error_move(&to, &from);
	CU_ASSERT_EQUAL(from.status, 0);
	CU_ASSERT_PTR_NULL(from.details);
	CU_ASSERT_EQUAL(to.status, STATUS_CRASHED);
	UNIT_TEXT(to.message, "crashed");
	CU_ASSERT_EQUAL(json_integer(json_get(to.details, "signal")), 11);
	error_move(&to, &to);
	CU_ASSERT_EQUAL(to.status, STATUS_CRASHED);
	error_move(NULL, &to);
	CU_ASSERT_EQUAL(to.status, 0);
}

static const struct unit_test tests[] = {
	UNIT_TEST(prints_the_whole_form),
	UNIT_TEST(nobody_needs_to_ask),
	UNIT_TEST(a_new_error_replaces_the_old_one),
	UNIT_TEST(messages_are_cut_between_characters),
	UNIT_TEST(size_is_bounded),
	UNIT_TEST(many_details_are_bounded),
	UNIT_TEST(move_leaves_nothing_behind),
};

UNIT_MAIN("error", tests)
