/* SPDX-License-Identifier: MIT
 *
 * What a tool says beside its result, what it may ask, and how its end is settled.
 */
#include "base/settings.h"

#include <toolhost/arguments.h>
#include <toolhost/settings.h>

#include <math.h>
#include <pthread.h>

#include "base/clock.h"
#include "call-unit.h" /* last, as its `call` has the name of their parameters */

/* ---- Warnings ----------------------------------------------------------------------------- */

static int32_t warn(th_call *c, const void *input)
{
	(void)input;
	th_warn(c, "data", "%d values are missing", 2);
	th_warn(c, "data", "a \"quote\"");
	th_warn(c, "data", "%d values are missing", 2);
	th_warn(c, "other", "%d values are missing", 2);
	return TH_OK;
}

static int32_t warn_often(th_call *c, const void *input)
{
	(void)input;
	for (int i = 0; i < 1000; i++)
		th_warn(c, "data", "warning %d", i);
	return TH_OK;
}

static json *warnings(void)
{
	struct buffer list = BUFFER_INIT(SIZE_MAX);
	json *value = NULL;

	buffer_byte(&list, '[');
	buffer_append(&list, call.warnings.data, call.warnings.length);
	buffer_byte(&list, ']');
	json_read(list.data, list.length, NULL, &value, NULL);
	buffer_free(&list);
	return value;
}

static void test_each_warning_once(void)
{
	json *list;

	CU_ASSERT_EQUAL(run(warn), STATUS_OK);
	UNIT_TEXT(call.warnings.data,
		  "{\"category\":\"data\",\"message\":\"2 values are missing\"},"
		  "{\"category\":\"data\",\"message\":\"a \\\"quote\\\"\"},"
		  "{\"category\":\"other\",\"message\":\"2 values are missing\"}");
	CU_ASSERT_EQUAL(run(warn_often), STATUS_OK);
	list = warnings();
	CU_ASSERT_EQUAL(json_count(list), 101);
	CU_ASSERT(json_text_is(json_get(json_peek(list, 99), "message"), "warning 99"));
	CU_ASSERT(json_text_is(json_get(json_peek(list, 100), "category"), "toolhost"));
	json_drop(list);
}

/* ---- Failing ------------------------------------------------------------------------------ */

static int32_t fail(th_call *c, const void *input)
{
	(void)input;
	th_put_integer(c, "a", 1);
	return th_fail(c, "no rows are left of %d", 7);
}

static int32_t fail_with_details(th_call *c, const void *input)
{
	(void)input;
	return th_fail_details(c, "{\"rows\": [1, 2]}", "two rows are wrong");
}

static int32_t fail_with_bad_details(th_call *c, const void *input)
{
	(void)input;
	return th_fail_details(c, "[1]", "wrong");
}

static int32_t fail_twice(th_call *c, const void *input)
{
	(void)input;
	th_fail(c, "inner");
	return th_fail(c, "outer");
}

static int32_t fail_and_say_ok(th_call *c, const void *input)
{
	(void)input;
	th_fail(c, "it failed");
	return TH_OK;
}

static int32_t fail_for_a_fault(th_call *c, const void *input)
{
	(void)input;
	if (th_end(c))
		return th_fail(c, "cannot write");
	return TH_OK;
}

static int32_t fail_at_length(th_call *c, const void *input)
{
	char text[3000];

	(void)input;
	for (size_t i = 0; i < sizeof(text) - 2; i += 2)
		memcpy(text + i, "\xc3\xa4", 3);
	return th_fail(c, "%s", text);
}

static int32_t refuse_argument(th_call *c, const void *input)
{
	(void)input;
	return th_refuse(c, "a/b~c", "lower is above upper (%d): exchange the two.", 3);
}

static void test_refused_argument(void)
{
	const json *problem;

	CU_ASSERT_EQUAL(run(refuse_argument), STATUS_INPUT_INVALID);
	UNIT_TEXT(call.failure.message, "lower is above upper (3): exchange the two.");
	CU_ASSERT(json_text_is(json_get(call.failure.details, "tool_name"), "tool"));
	CU_ASSERT_EQUAL(json_count(json_get(call.failure.details, "errors")), 1);
	problem = json_peek(json_get(call.failure.details, "errors"), 0);
	CU_ASSERT(json_text_is(json_get(problem, "path"), "/a~1b~0c"));
	CU_ASSERT(json_text_is(json_get(problem, "expected"), call.failure.message));
}

static int returned;

static int32_t return_code(th_call *c, const void *input)
{
	(void)c;
	(void)input;
	return returned;
}

static void test_failures(void)
{
	CU_ASSERT_EQUAL(run(fail), STATUS_TOOL_ERROR);
	UNIT_TEXT(call.failure.message, "no rows are left of 7");
	CU_ASSERT_PTR_NULL(call.failure.details);
	CU_ASSERT_EQUAL(run(fail_with_details), STATUS_TOOL_ERROR);
	UNIT_TEXT(call.failure.message, "two rows are wrong");
	CU_ASSERT_EQUAL(json_count(json_get(call.failure.details, "rows")), 2);
	CU_ASSERT_EQUAL(run(fail_with_bad_details), STATUS_TOOL_ERROR);
	CU_ASSERT_PTR_NULL(call.failure.details);
	CU_ASSERT_EQUAL(run(fail_twice), STATUS_TOOL_ERROR);
	UNIT_TEXT(call.failure.message, "inner");
	CU_ASSERT_EQUAL(run(fail_and_say_ok), STATUS_TOOL_ERROR);
	UNIT_TEXT(call.failure.message, "it failed");
	CU_ASSERT_EQUAL(run(fail_for_a_fault), STATUS_RESULT_INVALID);
	CU_ASSERT_EQUAL(run(fail_at_length), STATUS_TOOL_ERROR);
	CU_ASSERT_EQUAL(strlen(call.failure.message), 1022);
}

static void test_returned_codes(void)
{
	returned = -99;
	CU_ASSERT_EQUAL(run(return_code), STATUS_TOOL_ERROR);
	CU_ASSERT_PTR_NOT_NULL(strstr(call.failure.message, "-99"));
	returned = 1;
	CU_ASSERT_EQUAL(run(return_code), STATUS_TOOL_ERROR);
	returned = TH_FAILED;
	CU_ASSERT_EQUAL(run(return_code), STATUS_TOOL_ERROR);
	returned = TH_PENDING;
	CU_ASSERT_EQUAL(run(return_code), STATUS_RESULT_INVALID);
	returned = TH_CANCELLED;
	CU_ASSERT_EQUAL(run(return_code), STATUS_TOOL_ERROR);
}

/* ---- Cancelling and time ------------------------------------------------------------------ */

static int32_t give_up_if_cancelled(th_call *c, const void *input)
{
	(void)input;
	if (!th_cancelled(c))
		call_cancel(&call);
	return th_cancelled(c) ? TH_CANCELLED : TH_OK;
}

static int32_t give_up_if_late(th_call *c, const void *input)
{
	(void)input;
	return th_cancelled(c) && th_time_left(c) == 0 ? TH_CANCELLED : TH_OK;
}

static int32_t look_at_time(th_call *c, const void *input)
{
	int64_t left = th_time_left(c);

	(void)input;
	return left > 50000 && left <= 60000 && !th_cancelled(c) ? TH_OK : TH_FAILED;
}

static int32_t look_at_no_limit(th_call *c, const void *input)
{
	(void)input;
	return th_time_left(c) == INT64_MAX ? TH_OK : TH_FAILED;
}

static void test_cancelling(void)
{
	CU_ASSERT_EQUAL(run(give_up_if_cancelled), STATUS_CANCELLED);
	CU_ASSERT_EQUAL(run(look_at_no_limit), STATUS_OK);
	call.deadline_ns = clock_now_ns() + INT64_C(60000000000);
	CU_ASSERT_EQUAL(run(look_at_time), STATUS_OK);
	call.deadline_ns = clock_now_ns() - 1000000000;
	CU_ASSERT_EQUAL(run(give_up_if_late), STATUS_TIMEOUT);
	CU_ASSERT(json_text_is(json_get(call.failure.details, "phase"), "run"));
	call.deadline_ns = 0;
}

/* ---- Progress and log --------------------------------------------------------------------- */

static struct {
	double done[20], total[20];
	size_t count;
	char log[200];
	int level;
} heard;

static void hear_progress(struct call *c, double done, double total, const char *message)
{
	CU_ASSERT_PTR_EQUAL(c->owner, &heard);
	UNIT_TEXT(message ? message : "none", heard.count ? "none" : "first");
	heard.done[heard.count] = done;
	heard.total[heard.count++] = total;
}

static void hear_log(struct call *c, int level, const char *text, size_t length)
{
	(void)c;
	heard.level = level;
	snprintf(heard.log, sizeof(heard.log), "%.*s", (int)length, text);
}

static int32_t report(th_call *c, const void *input)
{
	(void)input;
	th_progress(c, 0, 1, "first");
	th_progress(c, 0.5, 1, NULL);
	th_progress(c, 0.5, 1, NULL);
	th_progress(c, 0.4, 1, NULL);
	th_progress(c, NAN, 1, NULL);
	th_progress(c, -1, 1, NULL);
	th_progress(c, INFINITY, 1, NULL);
	th_progress(c, 1, NAN, NULL);
	th_log(c, 9, "line %d", 1);
	call_cancel(&call);
	return th_progress(c, 2, 0, NULL) == TH_CANCELLED ? TH_CANCELLED : TH_OK;
}

static void test_progress_only_grows(void)
{
	static const struct call_listener listener = { .progress = hear_progress, .log = hear_log };

	call.listener = &listener;
	call.owner = &heard;
	CU_ASSERT_EQUAL(run(report), STATUS_CANCELLED);
	CU_ASSERT_EQUAL(heard.count, 4);
	CU_ASSERT_EQUAL(heard.done[1], 0.5);
	CU_ASSERT_EQUAL(heard.done[2], 1);
	CU_ASSERT_EQUAL(heard.total[2], 0);
	CU_ASSERT_EQUAL(heard.level, TH_LOG_DEBUG);
	UNIT_TEXT(heard.log, "line 1");
	run(fail_with_bad_details);
	CU_ASSERT_EQUAL(heard.level, TH_LOG_WARNING);
	call.listener = NULL;
}

/* ---- Memory ------------------------------------------------------------------------------- */

static int32_t allocate(th_call *c, const void *input)
{
	const char *one = th_allocate(c, 3, 5);
	const char *two = c->services->allocate(c, 100, 256);

	(void)input;
	if (!one || (uintptr_t)one % 16 || !two || (uintptr_t)two % 256)
		return TH_FAILED;
	for (size_t i = 0; i < 100; i++)
		if (two[i] || one[i % 15])
			return TH_FAILED;
	memset((void *)(uintptr_t)two, 'x', 100);
	return th_allocate(c, UINT64_MAX / 2, 4) ? TH_FAILED : TH_OK;
}

static int32_t allocate_too_much(th_call *c, const void *input)
{
	(void)input;
	return th_allocate(c, 1, (uint64_t)2 << 20) ? TH_OK : TH_NO_MEMORY;
}

static void test_memory(void)
{
	CU_ASSERT_EQUAL(run(allocate), STATUS_OK);
	/* Memory that a call has left behind is zeroed for the next. */
	CU_ASSERT_EQUAL(run(allocate), STATUS_OK);
	call.max_memory = 1 << 20;
	CU_ASSERT_EQUAL(run(allocate_too_much), STATUS_MEMORY_EXCEEDED);
	CU_ASSERT_EQUAL(json_integer(json_get(call.failure.details, "memory_mb")), 1);
	CU_ASSERT_EQUAL(json_integer(json_get(call.failure.details, "observed")), 2 << 20);
	call.max_memory = 0;
	CU_ASSERT_EQUAL(run(allocate_too_much), STATUS_OK);
}

/* ---- Random numbers ----------------------------------------------------------------------- */

static uint64_t drawn[4];

static int32_t draw(th_call *c, const void *input)
{
	(void)input;
	for (int i = 0; i < 4; i++)
		drawn[i] = th_random(c);
	return TH_OK;
}

static int32_t draw_uniform(th_call *c, const void *input)
{
	double sum = 0;

	(void)input;
	for (int i = 0; i < 100000; i++) {
		double x = th_uniform(c);

		if (!(x >= 0 && x < 1))
			return TH_FAILED;
		sum += x;
	}
	/* Four standard deviations of the mean of 100,000. */
	return fabs(sum / 100000 - 0.5) < 4 * 0.2887 / 316.2 ? TH_OK : TH_FAILED;
}

/* The seed 0 through SplitMix64 into xoshiro256++, computed apart from the C in Python. */
static void test_random(void)
{
	static const uint64_t of_zero[] = { 5987356902031041503u, 7051070477665621255u,
					    6633766593972829180u, 211316841551650330u };

	call.seed = 0;
	CU_ASSERT_EQUAL(run(draw), STATUS_OK);
	for (int i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(drawn[i], of_zero[i]);
	CU_ASSERT(call.seeded);
	CU_ASSERT_EQUAL(run(draw), STATUS_OK);
	CU_ASSERT_EQUAL(drawn[0], of_zero[0]);
	call.seed = 1;
	CU_ASSERT_EQUAL(run(draw), STATUS_OK);
	CU_ASSERT_NOT_EQUAL(drawn[0], of_zero[0]);
	CU_ASSERT_EQUAL(run(draw_uniform), STATUS_OK);
	CU_ASSERT_EQUAL(run(look_at_no_limit), STATUS_OK);
	CU_ASSERT(!call.seeded);
}

/* ---- Arguments, questions, extensions ----------------------------------------------------- */

static int32_t ask(th_call *c, const void *input)
{
	th_text answer = TH_TEXT("x");
	int64_t value = -1;
	const th_settings *settings = th_extension(c, TH_SETTINGS);

	(void)input;
	if (!th_given(c, "a") || th_given(c, "b") || th_given(c, "c"))
		return th_fail(c, "th_given");
	if (th_ask(c, "id", "Well?", "{}", &answer) != TH_UNSUPPORTED || answer.data)
		return th_fail(c, "th_ask");
	if (th_partial(c, NULL) != TH_UNSUPPORTED || th_extension(c, "org.example/1"))
		return th_fail(c, "th_extension");
	if (!settings || settings->whole(c, "max_cells", &value) != TH_OK || value != 1000000)
		return th_fail(c, "max_cells is %lld", (long long)value);
	value = -1;
	if (settings->whole(c, "log_level", &value) != TH_UNSUPPORTED || value != -1 ||
	    settings->whole(c, "no_such", &value) != TH_UNSUPPORTED)
		return th_fail(c, "settings that are no whole numbers");
	return th_setting_whole(c, "no_such", 5) == 5 ? TH_OK : TH_FAILED;
}

static void test_asking(void)
{
	json *arguments = NULL;

	CU_ASSERT_EQUAL(settings_check(NULL), STATUS_OK);
	json_read("{\"a\":0,\"b\":null}", 16, NULL, &arguments, NULL);
	call.arguments = arguments;
	CU_ASSERT_EQUAL(run(ask), STATUS_OK);
	UNIT_TEXT(call.failure.message, "");
	call.arguments = NULL;
	json_drop(arguments);
	settings_clear();
}

/* ---- Threads of one tool ------------------------------------------------------------------ */

static void *help(void *data)
{
	th_call *c = data;

	for (int i = 0; i < 2000; i++) {
		th_warn(c, "thread", "%d", i % 50);
		th_random(c);
		th_progress(c, i, 2000, NULL);
		if (!th_allocate(c, 1, 24))
			return NULL;
	}
	return c;
}

static int32_t use_threads(th_call *c, const void *input)
{
	pthread_t threads[4];
	void *well[4];

	(void)input;
	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, help, c))
			return TH_FAILED;
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], &well[i]);
	for (int i = 0; i < 4; i++)
		if (well[i] != c)
			return TH_FAILED;
	return TH_OK;
}

static void test_threads(void)
{
	json *list;

	CU_ASSERT_EQUAL(run(use_threads), STATUS_OK);
	list = warnings();
	CU_ASSERT_EQUAL(json_count(list), 50);
	json_drop(list);
	CU_ASSERT(call.arena.used >= 4 * 2000 * 24);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_each_warning_once),
	UNIT_TEST(test_refused_argument),
	UNIT_TEST(test_failures),
	UNIT_TEST(test_returned_codes),
	UNIT_TEST(test_cancelling),
	UNIT_TEST(test_progress_only_grows),
	UNIT_TEST(test_memory),
	UNIT_TEST(test_random),
	UNIT_TEST(test_asking),
	UNIT_TEST(test_threads),
};

CALL_UNIT_MAIN("call-services", tests)
