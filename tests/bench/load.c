/* SPDX-License-Identifier: MIT
 *
 * The load driver of the benchmarks: starts an MCP server on its standard streams, calls one tool
 * many times, and prints what a call took, as JSON.
 *
 *	load [-n CALLS] [-w WARM-UP] [-d DEPTH] [-g GAP] [-k CPU] [-t TOOL]
 *	     [-a ARGUMENTS | -A COUNT[,MEMBERS]] [-x TEXT] -- COMMAND...
 *
 * -d is how many calls are in flight, -g how many microseconds lie between an answer and the next
 * call, -k puts driver and server on one processor, -A makes {"values": [COUNT numbers of 6
 * digits], MEMBERS}. Each answer has to have the id of a call in flight, to hold TEXT, and to be no
 * error.
 */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 120 /* seconds for the whole run, so that a silent server ends it */

extern char **environ;

static const char *tool = "echo", *arguments = "{\"text\":\"hello\"}", *expected;
static long calls = 1000, warm_up, depth = 1, gap;
static int cpu = -1;

static pid_t server;
static int to_server, from_server;
static char *input;
static size_t input_size, input_start, input_end, input_scanned;

static void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void fail(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	fputs("load: ", stderr);
	vfprintf(stderr, format, list);
	fputc('\n', stderr);
	va_end(list);
	if (server > 0)
		kill(server, SIGKILL);
	exit(EXIT_FAILURE);
}

static int64_t clock_ns(clockid_t id)
{
	struct timespec time;

	clock_gettime(id, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t server_cpu_ns(void)
{
	clockid_t id;

	return clock_getcpuclockid(server, &id) ? 0 : clock_ns(id);
}

/* ---- The server ------------------------------------------------------------------------------ */

static void start(char **command)
{
	posix_spawn_file_actions_t actions;
	int in[2], out[2], r;

	if (pipe(in) || pipe(out))
		fail("no pipe: %s", strerror(errno));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
	for (int i = 0; i < 2; i++) {
		posix_spawn_file_actions_addclose(&actions, in[i]);
		posix_spawn_file_actions_addclose(&actions, out[i]);
	}
	r = posix_spawnp(&server, command[0], &actions, NULL, command, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (r)
		fail("%s cannot be started: %s", command[0], strerror(r));
	close(in[0]);
	close(out[1]);
	to_server = in[1];
	from_server = out[0];
}

static void send_text(const char *text, size_t length)
{
	while (length) {
		ssize_t n = write(to_server, text, length);

		if (n < 0)
			fail("the server does not read: %s", strerror(errno));
		text += n;
		length -= (size_t)n;
	}
}

/* The next line, closed by a NUL; valid until the next call. */
static char *read_line(size_t *ret_length)
{
	for (;;) {
		char *end = memchr(input + input_scanned, '\n', input_end - input_scanned);
		char *line = input + input_start;
		ssize_t n;

		if (end) {
			*end = '\0';
			*ret_length = (size_t)(end - line);
			input_start = input_scanned = (size_t)(end - input) + 1;
			return line;
		}
		input_scanned = input_end;
		if (input_start) {
			memmove(input, line, input_end - input_start);
			input_end -= input_start;
			input_scanned = input_end;
			input_start = 0;
		}
		if (input_end == input_size) {
			input_size = input_size ? input_size * 2 : 65536;
			input = realloc(input, input_size);
			if (!input)
				fail("no memory");
		}
		n = read(from_server, input + input_end, input_size - input_end);
		if (n <= 0)
			fail("the server has ended");
		input_end += (size_t)n;
	}
}

/* Answers the id of a response that is no error and holds `text`. */
static long read_answer(const char *text)
{
	size_t length;
	const char *line = read_line(&length), *id = strstr(line, "\"id\":");

	if (!id || !strstr(line, "\"result\"") || strstr(line, "\"isError\":true"))
		fail("no result: %.400s", line);
	if (text && !strstr(line, text))
		fail("\"%s\" is not in the answer: %.400s", text, line);
	return strtol(id + 5, NULL, 10);
}

static void handshake(void)
{
	static const char hello[] = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\","
				    "\"params\":{\"protocolVersion\":"
				    "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":"
				    "\"load\",\"version\":\"1\"}}}\n";
	static const char list[] =
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";

	send_text(hello, sizeof(hello) - 1);
	if (read_answer("protocolVersion") != 0)
		fail("initialize was not answered");
	send_text(list, sizeof(list) - 1);
	if (read_answer("tools") != 1)
		fail("tools/list was not answered");
}

/* ---- The calls ------------------------------------------------------------------------------- */

struct call {
	char *request;
	size_t length, id_at; /* the id is ten digits wide, so that it can be written over */
	int64_t *started;     /* by id; 0: not in flight */
	int64_t *taken;	      /* by the order of answers */
	long done;
};

static void prepare(struct call *call)
{
	static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":";
	size_t size = strlen(arguments) + strlen(tool) + 256;

	call->request = malloc(size);
	call->started = calloc((size_t)(calls + warm_up + 1), sizeof(*call->started));
	call->taken = calloc((size_t)(calls + warm_up), sizeof(*call->taken));
	if (!call->request || !call->started || !call->taken)
		fail("no memory");
	call->length = (size_t)snprintf(call->request, size,
					"%s1000000000,\"method\":\"tools/"
					"call\",\"params\":{\"name\":\"%s\",\"arguments\":%s}}\n",
					head, tool, arguments);
	call->id_at = sizeof(head) - 1;
}

static void send_call(struct call *call, long number)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%010ld", 1000000000 + number);
	memcpy(call->request + call->id_at, digits, 10);
	call->started[number] = clock_ns(CLOCK_MONOTONIC);
	send_text(call->request, call->length);
}

/* Keeps `depth` calls in flight until `count` were answered. Ids go on from `first`. */
static void run(struct call *call, long first, long count)
{
	long sent = 0, answered = 0;

	while (answered < count) {
		long id;

		while (sent < count && sent - answered < depth)
			send_call(call, first + sent++);
		id = read_answer(expected) - 1000000000;
		if (id < first || id >= first + sent || !call->started[id])
			fail("an answer to a call that is not in flight: %ld", id);
		call->taken[call->done++] = clock_ns(CLOCK_MONOTONIC) - call->started[id];
		call->started[id] = 0;
		answered++;
		if (gap)
			usleep((useconds_t)gap);
	}
}

static int compare(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

static void report(struct call *call, double spawn_ms, int64_t wall_ns, int64_t cpu_ns)
{
	int64_t *taken = call->taken + warm_up;

	qsort(taken, (size_t)calls, sizeof(*taken), compare);
	printf("{\"spawn_to_list_ms\": %.3f, \"calls_per_s\": %.1f, \"lat_p50_us\": %.2f, "
	       "\"lat_p99_us\": %.2f, "
	       "\"server_cpu_us_per_call\": %.2f}\n",
	       spawn_ms, (double)calls * 1e9 / (double)wall_ns, (double)taken[calls / 2] / 1e3,
	       (double)taken[calls * 99 / 100] / 1e3, (double)cpu_ns / 1e3 / (double)calls);
}

/* ---- The command line ------------------------------------------------------------------------ */

static const char *make_numbers(long count, const char *members)
{
	char *text = malloc((size_t)count * 16 + strlen(members) + 32), *at = text;
	uint64_t state = 88172645463325252u;

	if (!text)
		fail("no memory");
	at += sprintf(at, "{\"values\":[");
	for (long i = 0; i < count; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		at += sprintf(at, "%s%.6g", i ? "," : "",
			      (double)(state >> 11) / 9007199254740992.0 * 1000);
	}
	sprintf(at, "]%s}", members);
	return text;
}

/* What follows the number is an error, or goes to *ret_rest. */
static long number(const char *text, long least, const char **ret_rest)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (end == text || (*end && !ret_rest) || value < least || value > 100000000)
		fail("%s is no number from %ld", text, least);
	if (ret_rest)
		*ret_rest = end;
	return value;
}

static void read_options(int argc, char **argv)
{
	const char *members;
	long count;
	int option;

	while ((option = getopt(argc, argv, "+n:w:d:g:k:t:a:A:x:")) != -1) {
		switch (option) {
		case 'n':
			calls = number(optarg, 1, NULL);
			break;
		case 'w':
			warm_up = number(optarg, 0, NULL);
			break;
		case 'd':
			depth = number(optarg, 1, NULL);
			break;
		case 'g':
			gap = number(optarg, 0, NULL);
			break;
		case 'k':
			cpu = (int)number(optarg, 0, NULL);
			break;
		case 't':
			tool = optarg;
			break;
		case 'a':
			arguments = optarg;
			break;
		case 'A':
			count = number(optarg, 1, &members);
			arguments = make_numbers(count, members);
			break;
		case 'x':
			expected = optarg;
			break;
		default:
			exit(2);
		}
	}
	if (optind == argc)
		fail("-- COMMAND is missing");
}

int main(int argc, char **argv)
{
	struct call call = { 0 };
	int64_t begin, cpu_begin;
	double spawn_ms;
	int status;

	read_options(argc, argv);
	signal(SIGPIPE, SIG_IGN);
	alarm(PATIENCE);
	if (cpu >= 0) {
		cpu_set_t set;

		CPU_ZERO(&set);
		CPU_SET((size_t)cpu, &set);
		if (sched_setaffinity(0, sizeof(set), &set))
			fail("no processor %d: %s", cpu, strerror(errno));
	}
	begin = clock_ns(CLOCK_MONOTONIC);
	start(argv + optind);
	handshake();
	spawn_ms = (double)(clock_ns(CLOCK_MONOTONIC) - begin) / 1e6;

	prepare(&call);
	run(&call, 0, warm_up);
	begin = clock_ns(CLOCK_MONOTONIC);
	cpu_begin = server_cpu_ns();
	run(&call, warm_up, calls);
	report(&call, spawn_ms, clock_ns(CLOCK_MONOTONIC) - begin, server_cpu_ns() - cpu_begin);

	close(to_server);
	if (waitpid(server, &status, 0) != server || !WIFEXITED(status) || WEXITSTATUS(status))
		fail("the server ended badly: status %#x", (unsigned)status);
	free(call.request);
	free(call.started);
	free(call.taken);
	free(input);
	return EXIT_SUCCESS;
}
