/* SPDX-License-Identifier: MIT
 *
 * The result writer: what a tool gives, as text, and what it gets told when that makes no sense.
 */
#include "call-unit.h"

#include <math.h>

/* Runs a tool and answers the text of its result, which lives until the next run. */
static const char *result_of(th_run tool)
{
	if (run(tool))
		return call.failure.message;
	return call.result.data ? call.result.data : "";
}

/* ---- What is written ---------------------------------------------------------------------- */

static int32_t put_each(th_call *c, const void *input)
{
	const double numbers[] = { 1, 0.5, NAN };
	const int64_t integers[] = { INT64_MIN, INT64_MAX };

	(void)input;
	th_put_null(c, "null");
	th_put_boolean(c, "yes", 7);
	th_put_boolean(c, "no", 0);
	th_put_integer(c, "integer", 9007199254740993);
	th_put_number(c, "number", 0.1);
	th_put_string(c, "text", "a \"b\" \\ \n \xe2\x80\xa8");
	th_put_text(c, "absent", (th_text)TH_NO_TEXT);
	th_put_json(c, "json", " { \"a\" : [ 1 , 2 ] } ", 20);
	th_put_numbers(c, "numbers", numbers, 3);
	th_put_numbers(c, "none", NULL, 0);
	return th_put_integers(c, "integers", integers, 2);
}

static void test_every_kind_of_value(void)
{
	UNIT_TEXT(
		result_of(put_each),
		"{\"null\":null,\"yes\":true,\"no\":false,\"integer\":9007199254740993,\"number\":"
		"0.1,"
		"\"text\":\"a \\\"b\\\" \\\\ \\n \\u2028\",\"absent\":null,\"json\":{\"a\":[1,2]},"
		"\"numbers\":[1,0.5,null],\"none\":[],"
		"\"integers\":[-9223372036854775808,9223372036854775807]}");
}

static int32_t put_not_finite(th_call *c, const void *input)
{
	(void)input;
	th_put_number(c, "nan", NAN);
	th_begin_list(c, "list");
	th_put_number(c, NULL, INFINITY);
	th_begin_object(c, NULL);
	th_put_number(c, "deep", -INFINITY);
	th_end(c);
	return th_end(c);
}

static void test_not_finite_is_null(void)
{
	UNIT_TEXT(result_of(put_not_finite), "{\"nan\":null,\"list\":[null,{\"deep\":null}]}");
}

static int32_t put_nested(th_call *c, const void *input)
{
	(void)input;
	th_begin_object(c, "a");
	th_end(c);
	th_begin_list(c, "b");
	th_begin_list(c, NULL);
	th_end(c);
	th_begin_list(c, NULL);
	th_put_integer(c, NULL, 1);
	th_put_integer(c, NULL, 2);
	th_end(c);
	th_end(c);
	return th_put_integer(c, "c", 3);
}

static void test_nesting(void)
{
	UNIT_TEXT(result_of(put_nested), "{\"a\":{},\"b\":[[],[1,2]],\"c\":3}");
}

static int32_t put_whole_list(th_call *c, const void *input)
{
	(void)input;
	th_begin_list(c, NULL);
	th_put_integer(c, NULL, 1);
	return th_end(c);
}

static int32_t put_whole_number(th_call *c, const void *input)
{
	(void)input;
	return th_put_number(c, NULL, 2.5);
}

static int32_t put_nothing(th_call *c, const void *input)
{
	(void)c;
	(void)input;
	return TH_OK;
}

static void test_whole_results(void)
{
	UNIT_TEXT(result_of(put_whole_list), "[1]");
	UNIT_TEXT(result_of(put_whole_number), "2.5");
	UNIT_TEXT(result_of(put_nothing), "{}");
}

static int32_t put_bad_text(th_call *c, const void *input)
{
	(void)input;
	return th_put_string(c, "k\xff", "\xed\xa0\x80 \xc0\x80 \xff");
}

static void test_text_that_is_not_utf8(void)
{
	const char *text = result_of(put_bad_text);
	json *value = NULL;

	CU_ASSERT_EQUAL(json_read(text, strlen(text), NULL, &value, NULL), STATUS_OK);
	CU_ASSERT_PTR_NOT_NULL(json_get(value, "k\xef\xbf\xbd"));
	json_drop(value);
}

/* ---- Keys --------------------------------------------------------------------------------- */

static int32_t put_same_keys_apart(th_call *c, const void *input)
{
	(void)input;
	th_put_integer(c, "a", 1);
	th_begin_object(c, "b");
	th_put_integer(c, "a", 2);
	th_begin_object(c, "b");
	th_put_integer(c, "a", 3);
	th_end(c);
	th_end(c);
	th_begin_list(c, "c");
	for (int i = 0; i < 2; i++) {
		th_begin_object(c, NULL);
		th_put_integer(c, "a", i);
		th_end(c);
	}
	return th_end(c);
}

static void test_same_key_in_different_objects(void)
{
	UNIT_TEXT(result_of(put_same_keys_apart),
		  "{\"a\":1,\"b\":{\"a\":2,\"b\":{\"a\":3}},\"c\":[{\"a\":0},{\"a\":1}]}");
}

static int32_t put_many_keys(th_call *c, const void *input)
{
	char key[32];

	(void)input;
	for (int i = 0; i < 20000; i++) {
		snprintf(key, sizeof(key), "key %d", i);
		th_put_integer(c, key, i);
	}
	th_begin_object(c, "object");
	th_put_integer(c, "key 5", 5);
	th_end(c);
	return th_put_integer(c, "last", 0);
}

static int32_t put_key_twice_among_many(th_call *c, const void *input)
{
	put_many_keys(c, input);
	return th_put_integer(c, "key 17", 1);
}

static void test_many_keys(void)
{
	const char *text = result_of(put_many_keys);
	json *value = NULL;

	CU_ASSERT_EQUAL(json_read(text, strlen(text), NULL, &value, NULL), STATUS_OK);
	CU_ASSERT_EQUAL(json_count(value), 20002);
	json_drop(value);
	CU_ASSERT_PTR_NOT_NULL(strstr(result_of(put_key_twice_among_many),
				      "a key was given twice in one object (key \"key 17\")"));
	/* The set of keys is empty again. */
	UNIT_TEXT(result_of(put_same_keys_apart),
		  "{\"a\":1,\"b\":{\"a\":2,\"b\":{\"a\":3}},\"c\":[{\"a\":0},{\"a\":1}]}");
}

/* ---- Misuse ------------------------------------------------------------------------------- */

static int32_t answered; /* by the call that makes no sense */

static int32_t twice(th_call *c, const void *input)
{
	(void)input;
	th_put_integer(c, "a", 1);
	answered = th_put_integer(c, "a", 2);
	return TH_OK;
}

static int32_t key_in_list(th_call *c, const void *input)
{
	(void)input;
	th_begin_list(c, "list");
	answered = th_put_integer(c, "a", 1);
	th_end(c);
	return TH_OK;
}

static int32_t no_key(th_call *c, const void *input)
{
	(void)input;
	th_begin_object(c, "object");
	answered = th_put_integer(c, NULL, 1);
	return TH_OK;
}

static int32_t end_too_many(th_call *c, const void *input)
{
	(void)input;
	th_put_integer(c, "a", 1);
	answered = th_end(c);
	return TH_OK;
}

static int32_t left_open(th_call *c, const void *input)
{
	(void)input;
	answered = TH_MISUSE;
	th_begin_list(c, "list");
	return TH_OK;
}

static int32_t second_whole(th_call *c, const void *input)
{
	(void)input;
	th_put_integer(c, NULL, 1);
	answered = th_put_integer(c, NULL, 2);
	return TH_OK;
}

static int32_t key_behind_whole(th_call *c, const void *input)
{
	put_whole_list(c, input);
	answered = th_put_integer(c, "a", 2);
	return TH_OK;
}

static int32_t whole_behind_key(th_call *c, const void *input)
{
	(void)input;
	th_put_integer(c, "a", 2);
	answered = th_put_integer(c, NULL, 1);
	return TH_OK;
}

static int32_t bad_json(th_call *c, const void *input)
{
	(void)input;
	answered = th_put_json(c, "a", "{\"b\":1,}", 8);
	return TH_OK;
}

static int32_t key_twice_in_json(th_call *c, const void *input)
{
	(void)input;
	answered = th_put_json(c, "a", "{\"b\":1,\"b\":2}", 13);
	return TH_OK;
}

static int32_t null_numbers(th_call *c, const void *input)
{
	(void)input;
	answered = th_put_numbers(c, "a", NULL, 1);
	return TH_OK;
}

static int32_t null_integers(th_call *c, const void *input)
{
	(void)input;
	answered = th_put_integers(c, "a", NULL, 1);
	return TH_OK;
}

static int32_t too_deep(th_call *c, const void *input)
{
	(void)input;
	for (int i = 0; i < 65; i++)
		answered = th_begin_list(c, i ? NULL : "a");
	for (int i = 0; i < 65; i++)
		th_end(c);
	return TH_OK;
}

static void test_misuse(void)
{
	static const struct {
		th_run run;
		const char *phrase;
	} cases[] = {
		{ twice, "a key was given twice in one object (key \"a\")" },
		{ key_in_list, "a key was given inside a list (key \"a\")" },
		{ no_key, "a value was given without a key inside an object." },
		{ end_too_many, "th_end() was called with nothing open" },
		{ left_open, "a list or an object was left open: th_end() is missing" },
		{ second_whole, "which is the whole result" },
		{ key_behind_whole, "which is the whole result (key \"a\")" },
		{ whole_behind_key, "a value was given without a key inside an object" },
		{ bad_json, "th_put_json() was given text that is no JSON (key \"a\")" },
		{ key_twice_in_json, "th_put_json() was given text that is no JSON (key \"a\")" },
		{ null_numbers, "a list of numbers was given as NULL with a count (key \"a\")" },
		{ null_integers, "a list of integers was given as NULL with a count (key \"a\")" },
		{ too_deep, "more than 64 lists and objects lie in one another" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *message = result_of(cases[i].run);

		CU_ASSERT_EQUAL(call.failure.status, STATUS_RESULT_INVALID);
		CU_ASSERT_EQUAL(answered, TH_MISUSE);
		if (!strstr(message, cases[i].phrase))
			UNIT_TEXT(message, cases[i].phrase);
	}
}

static int32_t many_faults(th_call *c, const void *input)
{
	(void)input;
	th_end(c);
	th_put_json(c, "a", "nonsense", 8);
	th_put_integer(c, "fine", 1);
	return TH_OK;
}

static void test_first_fault_is_kept(void)
{
	const char *message = result_of(many_faults);

	CU_ASSERT_PTR_NOT_NULL(strstr(message, "th_end() was called with nothing open"));
	CU_ASSERT_PTR_NOT_NULL(strstr(message, "tool gave no valid result"));
	/* The next run of the same struct knows nothing of it. */
	UNIT_TEXT(result_of(put_nothing), "{}");
}

static int32_t deepest(th_call *c, const void *input)
{
	(void)input;
	for (int i = 0; i < 64; i++)
		th_begin_list(c, i ? NULL : "a");
	for (int i = 0; i < 64; i++)
		answered = th_end(c);
	return answered;
}

static void test_deepest_nesting(void)
{
	const char *text = result_of(deepest);

	CU_ASSERT_EQUAL(strlen(text), 2 + 4 + 2 * 64);
	CU_ASSERT_EQUAL(call.failure.status, STATUS_OK);
}

/* ---- The cap ------------------------------------------------------------------------------ */

static int32_t put_100_bytes(th_call *c, const void *input)
{
	char text[95];

	(void)input;
	memset(text, 'x', sizeof(text));
	return th_put_text(c, "", (th_text){ text, 93 }); /* {"":""} are 7 bytes more */
}

static void run_capped(size_t most, th_run tool)
{
	call.max_result = most;
	run(tool);
	call.max_result = 0;
}

static int32_t put_100_and_content(th_call *c, const void *input)
{
	const th_content content = { sizeof(content), TH_CONTENT_TEXT, 0,	   0,
				     TH_TEXT("x"),    TH_NO_TEXT,      TH_NO_TEXT, TH_NO_TEXT };

	put_100_bytes(c, input);
	return th_put_content(c, &content);
}

static void test_cap(void)
{
	run_capped(99, put_100_bytes);
	CU_ASSERT_EQUAL(call.failure.status, STATUS_RESULT_TOO_LARGE);
	CU_ASSERT_EQUAL(json_integer(json_get(call.failure.details, "limit")), 99);
	CU_ASSERT(json_integer(json_get(call.failure.details, "observed")) >= 100);
	CU_ASSERT_PTR_NOT_NULL(strstr(call.failure.message, "max_result_mb"));

	run_capped(100, put_100_bytes);
	CU_ASSERT_EQUAL(call.failure.status, STATUS_OK);
	CU_ASSERT_EQUAL(call.result.length, 100);

	/* The cap is for the whole answer, not for each part. */
	run_capped(120, put_100_and_content);
	CU_ASSERT_EQUAL(call.failure.status, STATUS_RESULT_TOO_LARGE);
	CU_ASSERT_EQUAL(json_integer(json_get(call.failure.details, "observed")), 126);
	run_capped(126, put_100_and_content);
	CU_ASSERT_EQUAL(call.failure.status, STATUS_OK);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_every_kind_of_value),
	UNIT_TEST(test_not_finite_is_null),
	UNIT_TEST(test_nesting),
	UNIT_TEST(test_whole_results),
	UNIT_TEST(test_text_that_is_not_utf8),
	UNIT_TEST(test_same_key_in_different_objects),
	UNIT_TEST(test_many_keys),
	UNIT_TEST(test_misuse),
	UNIT_TEST(test_first_fault_is_kept),
	UNIT_TEST(test_deepest_nesting),
	UNIT_TEST(test_cap),
};

CALL_UNIT_MAIN("call-result", tests)
