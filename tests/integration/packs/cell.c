/* SPDX-License-Identifier: MIT
 *
 * Tools that tell what a call finds in its process, and use it in ways that are right or nearly so.
 */
#include <toolhost/plugin.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TRACE "/tmp/toolhost-cell-was-here"

extern char **environ;

static const th_param no_params[] = { TH_END };

/* ---- What is left of another call ---------------------------------------------------------------- */

static int64_t calls_before;
static char *left_behind;

static int32_t cell_mark(th_call *call, const void *input)
{
	int descriptor = open("/dev/null", O_RDONLY);
	int file = open(TRACE, O_RDONLY);
	int written = open(TRACE, O_WRONLY | O_CREAT, 0600);

	(void)input;
	th_put_integer(call, "calls_before", calls_before++);
	th_put_boolean(call, "left_behind", left_behind != NULL);
	th_put_integer(call, "descriptor", descriptor); /* which stays open */
	th_put_boolean(call, "file", file >= 0);
	th_put_boolean(call, "written", written >= 0);
	th_put_integer(call, "process", getpid());
	left_behind = (char *)malloc(1 << 20);
	if (left_behind)
		memset(left_behind, 'x', 1 << 20);
	return TH_OK;
}

/* ---- What can be seen ---------------------------------------------------------------------------- */

static int32_t cell_look(th_call *call, const void *input)
{
	struct stat st;

	(void)input;
	th_begin_list(call, "environment");
	for (char **variable = environ; variable && *variable; variable++)
		th_put_string(call, NULL, *variable);
	th_end(call);
	th_begin_list(call, "descriptors");
	for (int fd = 0; fd < 1024; fd++)
		if (!fstat(fd, &st))
			th_put_integer(call, NULL, fd);
	th_end(call);
	return TH_OK;
}

/* ---- What has to work ---------------------------------------------------------------------------- */

static void *set_flag(void *flag)
{
	*(int *)flag = 1;
	return NULL;
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int32_t cell_use(th_call *call, const void *input)
{
	int numbers[5] = { 4, 2, 5, 1, 3 }, flag = 0;
	struct timespec time;
	unsigned char random;
	char text[64];
	struct stat st;
	pthread_t thread;

	(void)input;
	th_put_boolean(call, "fstat", fstat(STDERR_FILENO, &st) == 0);
	th_put_boolean(call, "getrandom", getrandom(&random, 1, 0) == 1);
	th_put_boolean(call, "clock_gettime", clock_gettime(CLOCK_REALTIME, &time) == 0);
	qsort(numbers, 5, sizeof(numbers[0]), compare);
	th_put_boolean(call, "qsort", numbers[0] == 1 && numbers[4] == 5);
	snprintf(text, sizeof(text), "%.3f", 0.125);
	th_put_string(call, "printf", text);
	if (!pthread_create(&thread, NULL, set_flag, &flag))
		pthread_join(thread, NULL);
	th_put_boolean(call, "thread", flag);
	return th_put_boolean(call, "unknown", syscall(100000) < 0 && errno == ENOSYS);
}

/* ---- Memory -------------------------------------------------------------------------------------- */

struct memory_in {
	int32_t how;
};

enum { MEMORY_FAIL, MEMORY_IGNORE, MEMORY_ABORT };

static const th_param memory_params[] = {
	TH_CHOICE(struct memory_in, how, "What it does without memory.", ["fail", "ignore", "abort"]),
	TH_END
};

static int32_t cell_memory(th_call *call, const void *input)
{
	const struct memory_in *in = (const struct memory_in *)input;
	volatile char *memory = (volatile char *)malloc((size_t)1 << 30);

	if (!memory && in->how == MEMORY_FAIL)
		return th_fail(call, "there is no memory");
	if (!memory && in->how == MEMORY_ABORT)
		abort();
	memory[4096] = 1;
	return th_put_boolean(call, "had", memory[4096]);
}

/* ---- Time ---------------------------------------------------------------------------------------- */

struct sleep_in {
	double seconds;
	int32_t deaf;
};

static const th_param sleep_params[] = {
	TH_NUMBER(struct sleep_in, seconds, "How long.", {"minimum": 0, "maximum": 60}),
	TH_BOOLEAN_OR(struct sleep_in, deaf, 0, "Whether to ignore SIGTERM.", {}),
	TH_END
};

static int32_t cell_sleep(th_call *call, const void *input)
{
	const struct sleep_in *in = (const struct sleep_in *)input;
	struct timespec left = { (time_t)in->seconds,
				 (long)((in->seconds - (double)(time_t)in->seconds) * 1e9) };

	if (in->deaf)
		signal(SIGTERM, SIG_IGN);
	while (nanosleep(&left, &left) && errno == EINTR)
		;
	return th_put_integer(call, "process", getpid());
}

/* ---- Much of everything -------------------------------------------------------------------------- */

struct flood_in {
	th_text text;
};

static const th_param flood_params[] = {
	TH_STRING(struct flood_in, text, "Goes to standard error, and back.", {}),
	TH_END
};

static int32_t cell_flood(th_call *call, const void *input)
{
	const struct flood_in *in = (const struct flood_in *)input;

	for (uint64_t at = 0; at < in->text.length; at += 4096) {
		uint64_t piece = in->text.length - at < 4096 ? in->text.length - at : 4096;

		if (write(STDERR_FILENO, in->text.data + at, piece) < 0)
			return th_fail(call, "standard error cannot be written");
	}
	return th_put_text(call, "text", in->text);
}

struct speak_in {
	int64_t steps;
};

static const th_param speak_params[] = {
	TH_INTEGER(struct speak_in, steps, "How often it speaks.", {"minimum": 1, "maximum": 10000}),
	TH_END
};

static int32_t cell_speak(th_call *call, const void *input)
{
	const struct speak_in *in = (const struct speak_in *)input;

	for (int64_t i = 1; i <= in->steps; i++) {
		char message[32];

		snprintf(message, sizeof(message), "step %d", (int)i);
		th_progress(call, (double)i, (double)in->steps, message);
		th_log(call, TH_LOG_WARNING, "line %d", (int)i);
	}
	return th_put_integer(call, "steps", in->steps);
}

/* ---- Bad luck ------------------------------------------------------------------------------------ */

struct unlucky_in {
	th_text how;
};

static const th_param unlucky_params[] = {
	TH_STRING(struct unlucky_in, how, "crash, hang, fork, exit or answer.", {}),
	TH_END
};

/* The compiler may not know. */
static volatile int *volatile nowhere = (volatile int *)16;

static int32_t cell_unlucky(th_call *call, const void *input)
{
	const struct unlucky_in *in = (const struct unlucky_in *)input;

	th_log(call, TH_LOG_WARNING, "drew %.17g %.17g", th_uniform(call), th_uniform(call));
	if (!strcmp(in->how.data, "crash"))
		*nowhere = 1;
	else if (!strcmp(in->how.data, "hang"))
		for (;;)
			pause();
	else if (!strcmp(in->how.data, "fork"))
		(void)!fork();
	else if (!strcmp(in->how.data, "exit"))
		_exit(7);
	return th_put_number(call, "next", th_uniform(call));
}

/* The longest name that there may be: 128 bytes, and no part of it has more than 64. */
#define LONGEST \
	"cell_of_a_long_name_that_has_64_bytes_before_its_dot_as_this_has" \
	".and_63_bytes_behind_it_to_which_it_takes_two_more_words_than_it"

static int32_t cell_longest(th_call *call, const void *input)
{
	const th_json *in = (const th_json *)input;

	if (strstr(in->data, "crash"))
		*nowhere = 1;
	return th_put_boolean(call, "done", 1);
}

static const th_tool tools[] = {
	TH_TOOL(cell_mark, th_no_input, no_params, NULL, "Mark", "Leaves marks, and tells of those that it finds.", {}),
	TH_TOOL(cell_look, th_no_input, no_params, NULL, "Look", "Tells what it can see.", {}),
	TH_TOOL(cell_use, th_no_input, no_params, NULL, "Use", "Uses what every tool may use.", {}),
	TH_TOOL(cell_memory, struct memory_in, memory_params, NULL, "Memory", "Asks for a gibibyte.", {}),
	TH_TOOL(cell_sleep, struct sleep_in, sleep_params, NULL, "Sleep", "Sleeps, and looks at nothing.",
		{"timeout": 60, "threads": "parallel"}),
	TH_TOOL(cell_flood, struct flood_in, flood_params, NULL, "Flood", "Gives back what it got.", {}),
	TH_TOOL(cell_speak, struct speak_in, speak_params, NULL, "Speak", "Tells its progress, and logs.", {}),
	TH_TOOL(cell_unlucky, struct unlucky_in, unlucky_params, NULL, "Unlucky", "Draws numbers, and may not come back.",
		{"rng": {"uses_rng": true, "note": "Uniform numbers."}}),
	TH_TOOL_SCHEMA(LONGEST, cell_longest, "{\"type\": \"object\"}", "", "Longest", "Has a long name.", {}),
};

TH_PACK(tools, {"version": "1.0.0", "summary": "What a call finds in its process.", "license": "MIT"})
