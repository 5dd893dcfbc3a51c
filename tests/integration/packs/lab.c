/* SPDX-License-Identifier: MIT
 *
 * Tools that behave in ways a test needs: slow, deaf, talkative, large. Nothing here is wrong; the packs that are
 * wrong live in tests/zoo/.
 */
#include <toolhost/plugin.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const th_param no_params[] = { TH_END };

/* ---- Time ---------------------------------------------------------------------------------------- */

struct wait_in {
	double seconds;
	int32_t heed;
};

static const th_param wait_params[] = {
	TH_NUMBER(struct wait_in, seconds, "How long to wait.", {"minimum": 0, "maximum": 30}),
	TH_BOOLEAN_OR(struct wait_in, heed, 1, "Whether to look at the cancelled flag.", {}),
	TH_END
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int32_t lab_wait(th_call *call, const void *input)
{
	const struct wait_in *in = (const struct wait_in *)input;
	const struct timespec moment = { 0, 2000000 };
	double start = now();

	while (now() - start < in->seconds) {
		if (in->heed && th_cancelled(call)) {
			th_log(call, TH_LOG_WARNING, "cancelled after %.3f s", now() - start);
			return TH_CANCELLED;
		}
		nanosleep(&moment, NULL);
	}
	return th_put_number(call, "waited", now() - start);
}

static int32_t lab_give_up(th_call *call, const void *input)
{
	(void)input;
	while (th_time_left(call) > 0)
		;
	return TH_CANCELLED;
}

static int32_t lab_steps(th_call *call, const void *input)
{
	(void)input;
	th_progress(call, 0.5, 1, "half");
	th_progress(call, 0.5, 1, "still half");
	th_progress(call, 0.4, 1, "back a little");
	th_progress(call, 1, 1, "done");
	return th_put_boolean(call, "done", 1);
}

/* ---- Size ---------------------------------------------------------------------------------------- */

struct bytes_in {
	int64_t bytes;
};

static const th_param bytes_params[] = {
	TH_INTEGER(struct bytes_in, bytes, "How many bytes.", {"minimum": 0, "maximum": 100000000}),
	TH_END
};

static int32_t lab_large(th_call *call, const void *input)
{
	const struct bytes_in *in = (const struct bytes_in *)input;
	char *text = th_allocate(call, (uint64_t)in->bytes + 1, 1);

	if (!text)
		return th_fail(call, "no memory for %lld bytes", (long long)in->bytes);
	memset(text, 'x', (size_t)in->bytes);
	text[in->bytes] = '\0';
	return th_put_string(call, "text", text);
}

static int32_t lab_stderr(th_call *call, const void *input)
{
	const struct bytes_in *in = (const struct bytes_in *)input;
	char line[1024];

	memset(line, 'e', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\n';
	for (int64_t written = 0; written < in->bytes; written += (int64_t)sizeof(line))
		if (write(STDERR_FILENO, line, sizeof(line)) < 0)
			break;
	return th_put_integer(call, "written", in->bytes);
}

struct text_in {
	th_text text;
};

static const th_param text_params[] = {
	TH_STRING(struct text_in, text, "Any text.", {}),
	TH_END
};

static int32_t lab_length(th_call *call, const void *input)
{
	const struct text_in *in = (const struct text_in *)input;

	return th_put_integer(call, "bytes", (int64_t)in->text.length);
}

/* ---- Text ---------------------------------------------------------------------------------------- */

static int32_t lab_separators(th_call *call, const void *input)
{
	(void)input;
	return th_put_string(call, "text", "line\xe2\x80\xa8paragraph\xe2\x80\xa9next\xc2\x85" "end");
}

static int32_t lab_broken_text(th_call *call, const void *input)
{
	(void)input;
	th_put_string(call, "surrogate", "a\xed\xa0\x80z");
	th_put_string(call, "overlong", "a\xc0\x80z");
	return th_put_string(call, "byte", "a\xffz");
}

/* ---- Numbers ------------------------------------------------------------------------------------- */

struct whole_in {
	int64_t value;
};

static const th_param whole_params[] = {
	TH_INTEGER(struct whole_in, value, "Any integer.", {}),
	TH_END
};

static const th_param whole_results[] = {
	TH_GIVES_INTEGER(value, "The same integer.", {}),
	TH_GIVES_INTEGER(large, "An integer that no double holds.", {}),
	TH_END
};

static int32_t lab_whole(th_call *call, const void *input)
{
	const struct whole_in *in = (const struct whole_in *)input;

	th_put_integer(call, "value", in->value);
	return th_put_integer(call, "large", 1915883588174806058);
}

struct summary_in {
	th_numbers values;
	double trim;
};

static const th_param summary_params[] = {
	TH_NUMBERS(struct summary_in, values, "The sample.", {"minItems": 1}),
	TH_NUMBER_OR(struct summary_in, trim, 0.1, "Fraction cut from each tail.", {"minimum": 0, "maximum": 0.5}),
	TH_END
};

static const th_param summary_results[] = {
	TH_GIVES_NUMBER(sum, "The sum.", {}),
	TH_GIVES_INTEGER(count, "How many values there were.", {}),
	TH_GIVES_NUMBER(trim, "The fraction that was used.", {}),
	TH_GIVES_BOOLEAN(trim_given, "Whether the caller gave it.", {}),
	TH_END
};

static int32_t summary(th_call *call, const void *input)
{
	const struct summary_in *in = (const struct summary_in *)input;
	double sum = 0;

	for (uint64_t i = 0; i < in->values.count; i++)
		sum += in->values.values[i];
	th_put_number(call, "sum", sum);
	th_put_integer(call, "count", (int64_t)in->values.count);
	th_put_number(call, "trim", in->trim);
	return th_put_boolean(call, "trim_given", th_given(call, "trim"));
}

struct draw_in {
	th_maybe_integer seed;
};

static const th_param draw_params[] = {
	TH_INTEGER_MAYBE(struct draw_in, seed, "Where the random numbers start.", {"minimum": 0}),
	TH_END
};

static int32_t lab_draw(th_call *call, const void *input)
{
	(void)input;
	th_begin_list(call, "numbers");
	for (int i = 0; i < 5; i++)
		th_put_number(call, NULL, th_uniform(call));
	return th_end(call);
}

/* ---- Nesting ------------------------------------------------------------------------------------- */

struct point {
	double x, y;
};

struct nested_in {
	struct point origin;
	th_records points;
	th_json free_form;
};

static const th_param point_params[] = {
	TH_NUMBER(struct point, x, "Across.", {}),
	TH_NUMBER(struct point, y, "Up.", {}),
	TH_END
};

static const th_param nested_params[] = {
	TH_OBJECT(struct nested_in, origin, struct point, point_params, "Where it starts.", {}),
	TH_RECORDS_MAYBE(struct nested_in, points, struct point, point_params, "Where it goes.", {}),
	TH_JSON_MAYBE(struct nested_in, free_form, "Anything.", {}),
	TH_END
};

static int32_t lab_nested(th_call *call, const void *input)
{
	const struct nested_in *in = (const struct nested_in *)input;

	th_put_number(call, "x", in->origin.x);
	th_put_integer(call, "points", (int64_t)in->points.count);
	return in->free_form.data ? th_put_json(call, "free_form", in->free_form.data, in->free_form.length)
				  : th_put_null(call, "free_form");
}

/* ---- Words --------------------------------------------------------------------------------------- */

static int32_t lab_nothing(th_call *call, const void *input)
{
	(void)input;
	return th_put_boolean(call, "done", 1);
}

static int32_t lab_fail(th_call *call, const void *input)
{
	(void)input;
	return th_fail_details(call, "{\"advice\": \"choose another tool\"}", "this tool always fails");
}

static int32_t lab_talk(th_call *call, const void *input)
{
	(void)input;
	th_log(call, TH_LOG_ERROR, "lab says error");
	th_log(call, TH_LOG_WARNING, "lab says warning");
	th_log(call, TH_LOG_INFO, "lab says info");
	th_log(call, TH_LOG_DEBUG, "lab says debug");
	th_warn(call, "lab", "lab warns of %d things", 2);
	return th_put_boolean(call, "done", 1);
}

/* ---- Parts of an answer ahead of its end --------------------------------------------------------- */

struct parts_in {
	int64_t count;
	int64_t bytes;
	int32_t kinds;
	int32_t end;
};

static const th_param parts_params[] = {
	TH_INTEGER(struct parts_in, count, "How many blocks of text to try.", {"minimum": 0, "maximum": 100000000}),
	TH_INTEGER_OR(struct parts_in, bytes, 0, "Bytes of each beyond its number.", {"minimum": 0, "maximum": 10000000}),
	TH_BOOLEAN_OR(struct parts_in, kinds, 0, "Whether one block of every kind follows.", {}),
	TH_CHOICE_OR(struct parts_in, end, "well", "How it ends.",
		     ["well", "fail", "hang", "give up", "crash", "exit", "block", "misuse", "large", "hog"]),
	TH_END
};

enum { WELL, FAIL, HANG, GIVE_UP, CRASH, EXIT, BLOCK, MISUSE, LARGE, HOG };

static const th_param parts_results[] = {
	TH_GIVES_INTEGER(taken, "Blocks that were taken.", {}),
	TH_GIVES_INTEGER(answer, "What the last one was answered with.", {}),
	TH_END
};

static int32_t give_part(th_call *call, uint32_t kind, const char *data, uint64_t length)
{
	const th_text mime_type = TH_TEXT("image/png"), uri = TH_TEXT("file:///part"), name = TH_TEXT("part");
	th_content content = { sizeof(content), kind, 0, 0, { data, length }, mime_type, uri, name };

	return th_partial(call, &content);
}

static int32_t give_kinds(th_call *call)
{
	for (uint32_t kind = TH_CONTENT_TEXT; kind <= TH_CONTENT_LINK; kind++)
		if (give_part(call, kind, "\x01<\xc3\xa9>", 5) != TH_OK)
			return TH_FAILED;
	return TH_OK;
}

static void hang(th_call *call)
{
	const struct timespec moment = { 0, 2000000 };
	double start = now();

	while (now() - start < 30) {
		if (th_cancelled(call) && give_part(call, TH_CONTENT_TEXT, "late", 4) != TH_CANCELLED)
			th_log(call, TH_LOG_ERROR, "a late part was taken");
		nanosleep(&moment, NULL);
	}
}

static int32_t end_parts(th_call *call, int32_t how)
{
	switch (how) {
	case FAIL:
		return th_fail_details(call, "{\"own\": true}", "no more parts");
	case HANG:
		hang(call);
		break;
	case GIVE_UP:
		while (!th_cancelled(call))
			continue;
		return TH_CANCELLED;
	case CRASH:
		raise(SIGSEGV);
		break;
	case EXIT:
		_exit(7);
	case BLOCK:
		if (fork() == 0)
			_exit(0);
		break;
	case MISUSE:
		return th_end(call);
	case LARGE:
		return lab_large(call, &(struct bytes_in){ 20000000 });
	case HOG: {
		/* A compiler may leave out a call of malloc() whose memory nobody uses. */
		volatile char *memory = (volatile char *)malloc((size_t)1 << 40);

		if (!memory)
			return TH_NO_MEMORY;
		memory[0] = 1;
	}
	}
	return TH_OK;
}

static int32_t lab_parts(th_call *call, const void *input)
{
	const struct parts_in *in = (const struct parts_in *)input;
	char *text = th_allocate(call, (uint64_t)in->bytes + 32, 1);
	int32_t answer = TH_OK, r;
	int64_t taken = 0;

	if (!text)
		return TH_NO_MEMORY;
	for (int64_t i = 1; i <= in->count; i++) {
		int length = sprintf(text, "part %lld ", (long long)i);

		memset(text + length, 'p', (size_t)in->bytes);
		answer = give_part(call, TH_CONTENT_TEXT, text, (uint64_t)(length + in->bytes));
		taken += answer == TH_OK;
	}
	if (in->kinds && give_kinds(call) != TH_OK)
		return th_fail(call, "a kind was not taken");
	r = end_parts(call, in->end);
	if (r != TH_OK)
		return r;
	th_put_integer(call, "taken", taken);
	return th_put_integer(call, "answer", answer);
}

/* The same with little time. */
static int32_t lab_late(th_call *call, const void *input)
{
	return lab_parts(call, input);
}

/* Threads that give large parts without end, while the call itself comes to its own. */
static char crowd_text[300000];

static void *give_on(void *data)
{
	for (int i = 0; i < 40; i++)
		if (give_part((th_call *)data, TH_CONTENT_TEXT, crowd_text, sizeof(crowd_text)) != TH_OK)
			break;
	return NULL;
}

static int32_t lab_crowd(th_call *call, const void *input)
{
	const struct parts_in *in = (const struct parts_in *)input;
	const struct timespec moment = { 0, 2000000 };
	pthread_t threads[3];
	int32_t r;

	memset(crowd_text, 'c', sizeof(crowd_text));
	for (int i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, give_on, call))
			return TH_FAILED;
	nanosleep(&moment, NULL);
	r = end_parts(call, in->end);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return r == TH_OK ? th_put_boolean(call, "done", 1) : r;
}

static const th_tool tools[] = {
	TH_TOOL(lab_wait, struct wait_in, wait_params, NULL, "Wait", "Waits.",
		{"threads": "parallel", "timeout": 30}),
	TH_TOOL(lab_give_up, th_no_input, no_params, NULL, "Give up", "Gives up at the very moment of its deadline.",
		{"threads": "parallel"}),
	TH_TOOL(lab_steps, th_no_input, no_params, NULL, "Steps", "Tells its progress.", {"threads": "parallel"}),
	TH_TOOL(lab_large, struct bytes_in, bytes_params, NULL, "Large", "Answers with much text.",
		{"threads": "parallel"}),
	TH_TOOL(lab_stderr, struct bytes_in, bytes_params, NULL, "Stderr", "Writes to standard error.",
		{"threads": "parallel"}),
	TH_TOOL(lab_length, struct text_in, text_params, NULL, "Length", "Counts bytes.", {"threads": "parallel"}),
	TH_TOOL(lab_separators, th_no_input, no_params, NULL, "Separators", "Answers with line separators.",
		{"threads": "parallel"}),
	TH_TOOL(lab_broken_text, th_no_input, no_params, NULL, "Broken text", "Answers with what is no UTF-8.",
		{"threads": "parallel"}),
	TH_TOOL(lab_whole, struct whole_in, whole_params, whole_results, "Whole", "Answers with its integer.",
		{"threads": "parallel",
		 "examples": [{"arguments": {"value": 1}, "result": {"value": 1, "large": 1915883588174806058}}]}),
	TH_TOOL(summary, struct summary_in, summary_params, summary_results, "Summary", "Adds up.",
		{"threads": "parallel", "examples": [{"arguments": {"values": [1, 2, 3]}}]}),
	TH_TOOL(lab_draw, struct draw_in, draw_params, NULL, "Draw", "Draws random numbers.",
		{"threads": "parallel", "rng": {"uses_rng": true, "seed_param": "seed", "note": "Uniform numbers."}}),
	TH_TOOL(lab_nested, struct nested_in, nested_params, NULL, "Nested", "Takes nested objects.",
		{"threads": "parallel"}),
	TH_TOOL(lab_nothing, th_no_input, no_params, NULL, "Nothing", "Takes no arguments.",
		{"threads": "parallel"}),
	TH_TOOL(lab_fail, th_no_input, no_params, NULL, "Fail", "Always fails.", {"threads": "parallel"}),
	TH_TOOL(lab_parts, struct parts_in, parts_params, parts_results, "Parts", "Gives parts of its answer ahead of its end.",
		{"threads": "parallel"}),
	TH_TOOL(lab_late, struct parts_in, parts_params, parts_results, "Late", "The same with little time.",
		{"threads": "parallel", "timeout": 0.4}),
	TH_TOOL(lab_crowd, struct parts_in, parts_params, NULL, "Crowd", "Gives parts by several threads.",
		{"threads": "parallel"}),
	TH_TOOL(lab_talk, th_no_input, no_params, NULL, "Talk", "Writes to the log.", {"threads": "parallel"}),
};

TH_PACK(tools, {"version": "1.0.0", "summary": "Tools that behave as a test needs.", "license": "MIT"})
