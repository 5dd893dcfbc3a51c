/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "unit.h"

#include "base/log.h"
#include "base/spawn.h"
#include "registry-folder.h"

#include <signal.h>
#include <sys/wait.h>

/* One child of a test, and all that came of it. */
struct child {
	struct spawn spawn;
	struct buffer answer;
	int64_t status;
	int signal;
	bool exited, ended, closed;
};

static struct folder folder;
static uv_loop_t loop;
static const char *worker;

static void on_exit_of(struct spawn *spawn, int64_t status, int signal)
{
	struct child *child = spawn->user;

	CU_ASSERT_FALSE(child->exited);
	child->exited = true;
	child->status = status;
	child->signal = signal;
}

static void on_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *ret_buffer)
{
	struct child *child = ((struct spawn *)handle->data)->user;

	(void)suggested;
	*ret_buffer = uv_buf_init(buffer_reserve(&child->answer, 4096), 4096);
}

static void on_read(uv_stream_t *stream, ssize_t length, const uv_buf_t *buffer)
{
	struct child *child = ((struct spawn *)stream->data)->user;

	(void)buffer;
	if (length > 0)
		buffer_commit(&child->answer, (size_t)length);
	else if (length < 0) {
		child->ended = true;
		uv_read_stop(stream);
	}
}

static void on_closed(struct spawn *spawn)
{
	((struct child *)spawn->user)->closed = true;
}

/* Starts the worker of the tests with a script. */
static int start(struct child *child, const char *program, const char *script, struct error *error)
{
	const char *arguments[] = { "scan", folder_path(&folder, "script"), NULL };
	static const char *const environment[] = { "MORE=1", NULL };
	const struct spawn_options options = { .program = program,
					       .arguments = arguments,
					       .environment = environment,
					       .name = "child",
					       .on_exit = on_exit_of };
	int r;

	folder_write(&folder, "script", script);
	memset(child, 0, sizeof(*child));
	buffer_init(&child->answer, 1 << 20);
	r = spawn_start(&loop, &options, &child->spawn, error);
	child->spawn.user = child;
	if (!r)
		uv_read_start((uv_stream_t *)&child->spawn.channel, on_buffer, on_read);
	return r;
}

static void finish(struct child *child)
{
	spawn_close(&child->spawn, on_closed);
	while (!child->closed)
		uv_run(&loop, UV_RUN_ONCE);
	CU_ASSERT_FALSE(uv_loop_alive(&loop));
	buffer_free(&child->answer);
}

static void run(struct child *child, const char *script)
{
	struct error error = ERROR_INIT;

	CU_ASSERT_EQUAL(start(child, worker, script, &error), STATUS_OK);
	if (error.status)
		fprintf(stderr, "%s\n", error.message);
	while (!error.status && !(child->exited && child->ended))
		uv_run(&loop, UV_RUN_ONCE);
	error_clear(&error);
}

/* ---- What a child is given ------------------------------------------------------------------- */

static bool says(const struct child *child, const char *line)
{
	if (!strstr(child->answer.data, line))
		fprintf(stderr, "\"%s\" is not in\n%s\n", line, child->answer.data);
	return strstr(child->answer.data, line);
}

static size_t count_lines(const struct child *child, const char *start)
{
	size_t count = 0;

	for (const char *at = child->answer.data; (at = strstr(at, start)); at++)
		count++;
	return count;
}

static void test_what_it_gets(void)
{
	struct child child;
	int leak;

	/* None of these may reach it. */
	setenv("SECRET", "1", 1);
	leak = open("/dev/zero", O_RDONLY);
	signal(SIGPIPE, SIG_IGN);
	run(&child, "report\n");
	signal(SIGPIPE, SIG_DFL);
	close(leak);
	CU_ASSERT(says(&child, "descriptor 0 /dev/null\n"));
	CU_ASSERT(says(&child, "descriptor 1 \n"));
	CU_ASSERT(says(&child, "descriptor 2 \n"));
	CU_ASSERT(says(&child, "descriptor 3 \n"));
	CU_ASSERT(says(&child, "variable LD_BIND_NOW=1\n"));
	CU_ASSERT(says(&child, "variable LC_ALL=C\n"));
	CU_ASSERT(says(&child, "variable OPENBLAS_NUM_THREADS=1\n"));
	CU_ASSERT(says(&child, "variable OMP_NUM_THREADS=1\n"));
	CU_ASSERT(says(&child, "variable MORE=1\n"));
	CU_ASSERT(says(&child, "folder /\n"));
	CU_ASSERT(says(&child, "session own\n"));
	CU_ASSERT_PTR_NULL(strstr(child.answer.data, "SECRET"));
	CU_ASSERT_PTR_NULL(strstr(child.answer.data, "blocked"));
	CU_ASSERT_PTR_NULL(strstr(child.answer.data, "handled 13"));
	/* The script itself is one, as the worker has it open. */
	CU_ASSERT_EQUAL(count_lines(&child, "descriptor "), 5);
	CU_ASSERT_EQUAL(child.status, 0);
	CU_ASSERT_EQUAL(child.signal, 0);
	finish(&child);
}

static void on_written(uv_write_t *request, int status)
{
	(void)request;
	CU_ASSERT_EQUAL(status, 0);
}

static void test_channel_both_ways(void)
{
	uv_buf_t text = uv_buf_init((char *)"hello", 5);
	struct child child;
	uv_write_t request;

	CU_ASSERT_EQUAL(start(&child, worker, "echo\n", NULL), STATUS_OK);
	uv_write(&request, (uv_stream_t *)&child.spawn.channel, &text, 1, on_written);
	while (child.answer.length < 5)
		uv_run(&loop, UV_RUN_ONCE);
	UNIT_TEXT(child.answer.data, "hello");
	CU_ASSERT_FALSE(child.exited);
	finish(&child);
}

/* ---- How it ends ----------------------------------------------------------------------------- */

static void test_status_and_signal(void)
{
	struct child child;

	run(&child, "exit 3\n");
	CU_ASSERT_EQUAL(child.status, 3);
	CU_ASSERT_EQUAL(child.signal, 0);
	finish(&child);
	run(&child, "crash 11\n");
	CU_ASSERT_EQUAL(child.signal, SIGSEGV);
	finish(&child);
}

static void test_last_line(void)
{
	struct child child;

	run(&child, "say one\nsay two  \nsay \nexit 1\n");
	UNIT_TEXT(child.spawn.last_line, "two");
	finish(&child);
	run(&child, "exit 1\n");
	UNIT_TEXT(child.spawn.last_line, "");
	finish(&child);
}

/* A megabyte of output holds nobody up. */
static void test_much_output(void)
{
	char *script = malloc(1100 * 1001 + 16);
	char *at = script;
	struct child child;

	for (int i = 0; i < 1000; i++)
		at += sprintf(at, "say %01000d\n", i);
	strcpy(at, "raw done\n");
	run(&child, script);
	UNIT_TEXT(child.answer.data, "done");
	CU_ASSERT_EQUAL(child.status, 0);
	CU_ASSERT_EQUAL(strlen(child.spawn.last_line), 1000);
	finish(&child);
	free(script);
}

static void test_kill(void)
{
	struct child child;

	CU_ASSERT_EQUAL(start(&child, worker, "raw x\nsleep\n", NULL), STATUS_OK);
	while (!child.answer.length)
		uv_run(&loop, UV_RUN_ONCE);
	spawn_kill(&child.spawn, SIGTERM);
	while (!child.exited)
		uv_run(&loop, UV_RUN_ONCE);
	CU_ASSERT_EQUAL(child.signal, SIGTERM);
	spawn_kill(&child.spawn, SIGKILL); /* nobody any more */
	finish(&child);
}

/* Closing ends a child that runs, tells nobody, and leaves neither a process nor a descriptor. */
static void test_close_while_running(void)
{
	size_t before = unit_descriptors();
	struct child child;

	for (int i = 0; i < 5; i++) {
		CU_ASSERT_EQUAL(start(&child, worker, "sleep\n", NULL), STATUS_OK);
		finish(&child);
		CU_ASSERT_FALSE(child.exited);
	}
	CU_ASSERT_EQUAL(waitpid(-1, NULL, WNOHANG), -1);
	CU_ASSERT_EQUAL(errno, ECHILD);
	CU_ASSERT_EQUAL(unit_descriptors(), before);
}

/* ---- What cannot be started ------------------------------------------------------------------ */

static void cannot_start(const char *program, const char *reason)
{
	struct error error = ERROR_INIT;
	char expected[PATH_MAX + 64];
	size_t before = unit_descriptors();
	struct child child;

	CU_ASSERT_EQUAL(start(&child, program, "exit 0\n", &error), STATUS_WORKER_FAILED);
	snprintf(expected, sizeof(expected), "cannot start %s: %s", program, reason);
	UNIT_TEXT(error.message, expected);
	CU_ASSERT(json_text_is(json_get(error.details, "step"), "start"));
	CU_ASSERT(json_text_is(json_get(error.details, "reason"), reason));
	finish(&child);
	CU_ASSERT_FALSE(child.exited);
	CU_ASSERT_EQUAL(unit_descriptors(), before);
	error_clear(&error);
}

static void test_cannot_start(void)
{
	char *bytes;
	size_t length;
	FILE *file;

	cannot_start(folder_path(&folder, "nothing"), "No such file or directory");
	cannot_start(folder_path(&folder, ""), "Permission denied");
	folder_write(&folder, "text", "exit 0\n");
	cannot_start(folder_path(&folder, "text"), "Permission denied");
	chmod(folder_path(&folder, "text"), 0755);
	cannot_start(folder_path(&folder, "text"), "Exec format error");
	CU_ASSERT_EQUAL(mkfifo(folder_path(&folder, "pipe"), 0755), 0);
	cannot_start(folder_path(&folder, "pipe"), "Permission denied");

	/* The worker itself, said to be for another machine. */
	file = fopen(worker, "re");
	bytes = malloc(64);
	length = fread(bytes, 1, 64, file);
	fclose(file);
	CU_ASSERT_EQUAL(length, 64);
	bytes[18] = bytes[18] == 8 ? 9 : 8;
	folder_write_bytes(&folder, "foreign", bytes, length);
	chmod(folder_path(&folder, "foreign"), 0755);
	cannot_start(folder_path(&folder, "foreign"), "Exec format error");
	free(bytes);
}

static void test_too_many_arguments(void)
{
	const char *arguments[200];
	struct spawn_options options = {
		.program = worker, .arguments = arguments, .name = "child", .on_exit = on_exit_of
	};
	struct error error = ERROR_INIT;
	struct child child = { .closed = false };

	for (int i = 0; i < 199; i++)
		arguments[i] = "x";
	arguments[199] = NULL;
	CU_ASSERT_EQUAL(spawn_start(&loop, &options, &child.spawn, &error), STATUS_WORKER_FAILED);
	child.spawn.user = &child;
	finish(&child);
	error_clear(&error);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_what_it_gets),	     UNIT_TEST(test_channel_both_ways),
	UNIT_TEST(test_status_and_signal),   UNIT_TEST(test_last_line),
	UNIT_TEST(test_much_output),	     UNIT_TEST(test_kill),
	UNIT_TEST(test_close_while_running), UNIT_TEST(test_cannot_start),
	UNIT_TEST(test_too_many_arguments),
};

int main(void)
{
	int status;

	log_set_level(LOG_LEVEL_ERROR);
	folder_make(&folder);
	worker = folder_sibling("registry-worker");
	uv_loop_init(&loop);
	status = unit_run("spawn", tests, sizeof(tests) / sizeof(tests[0]));
	if (uv_loop_close(&loop))
		status = EXIT_FAILURE;
	folder_remove(&folder);
	return status;
}
