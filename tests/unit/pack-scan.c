/* SPDX-License-Identifier: MIT
 *
 * toolhost-worker scan, from outside: its answer on the channel, its end, and the walls as a
 * constructor sees them.
 */
#include <config.h>

#include "unit.h"

#include "base/json.h"
#include "base/status.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static char *answer; /* all that came through the channel */
static json *answer_json;
static int status;

static const char *built(const char *name)
{
	static char path[4096];
	const char *build = getenv("TOP_BUILDDIR");

	snprintf(path, sizeof(path), "%s/%s", build ? build : ".", name);
	return path;
}

static void read_all(int fd)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	char bytes[4096];
	ssize_t n;

	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		buffer_append(&out, bytes, (size_t)n);
	free(answer);
	answer = buffer_take(&out, NULL);
	json_drop(answer_json);
	answer_json = NULL;
	json_read(answer, strcspn(answer, "\n"), NULL, &answer_json, NULL);
}

static void run_worker(const char *worker, const char *pack, int channel)
{
	int null = open("/dev/null", O_WRONLY);

	/* What a careless parent may leave to its child. */
	signal(SIGPIPE, SIG_IGN);
	setenv("SECRET", "1", 1);
	dup2(null, 2);
	dup2(channel, 7);
	dup2(7, 3);
	execl(worker, worker, "scan", pack, (char *)NULL);
	_exit(99);
}

/* Scans a file, given relative to the build folder, and answers the worker's exit status, or 128
 * and its signal. */
static int scan(const char *pack)
{
	char *worker = strdup(built("toolhost-worker"));
	int ends[2];
	pid_t child;

	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	child = fork();
	if (!child)
		run_worker(worker, pack[0] == '/' ? pack : built(pack), ends[1]);
	close(ends[1]);
	read_all(ends[0]);
	close(ends[0]);
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	free(worker);
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return status;
}

#define HOLDS(message, phrase)                                                                     \
	do {                                                                                       \
		const char *holds_ = (message);                                                    \
		if (!holds_ || !strstr(holds_, phrase))                                            \
			UNIT_TEXT(holds_, phrase);                                                 \
		else                                                                               \
			CU_PASS(phrase);                                                           \
	} while (0)

static const char *refused(const char *pack)
{
	CU_ASSERT_EQUAL(scan(pack), EXIT_FAILURE);
	return json_text(json_get(answer_json, "refused"), NULL);
}

static void test_good_pack(void)
{
	json *manifest;

	CU_ASSERT_EQUAL(scan("plugins/hello/.libs/hello.so"), 0);
	manifest = json_get(answer_json, "manifest");
	CU_ASSERT_EQUAL_FATAL(json_kind(manifest), JSON_OBJECT);
	CU_ASSERT_EQUAL(json_count(json_get(manifest, "tools")), 2);
	CU_ASSERT_EQUAL(json_boolean(json_get(manifest, "starts_threads")), false);
	CU_ASSERT_EQUAL(json_boolean(json_get(json_get(manifest, "file"), "bind_now")), true);
	CU_ASSERT(json_integer(json_get(json_get(manifest, "file"), "size")) > 1000);
	CU_ASSERT_EQUAL(strlen(answer), strcspn(answer, "\n") + 1);
}

static void test_refusals(void)
{
	HOLDS(refused("tests/zoo/ctor-exit.so"), "the pack calls exit(0): a constructor returns");
	HOLDS(refused("tests/zoo/ctor-fork.so"), "tries to start a process (system call clone)");
	HOLDS(refused("tests/zoo/not-elf.so"), "The file is no ELF file");
	HOLDS(refused("tests/zoo/undef-symbol.so"), "needs the symbol nobody_defines_this");
	HOLDS(refused("tests/zoo/half.so"), "Tool \"half_three\"");
	HOLDS(refused("/no/such/pack.so"), "The file cannot be opened: No such file or directory");
}

/* What the worker cannot tell, its parent sees. */
static void test_crash(void)
{
	CU_ASSERT_EQUAL(scan("tests/zoo/ctor-segv.so"), 128 + SIGSEGV);
	UNIT_TEXT(answer, "");
}

static void test_output_of_constructors(void)
{
	/* It prints to standard output, which must not reach the channel. */
	CU_ASSERT_EQUAL(scan("tests/zoo/noisy.so"), 0);
	CU_ASSERT_EQUAL(json_kind(json_get(answer_json, "manifest")), JSON_OBJECT);
	CU_ASSERT_PTR_NULL(strstr(answer, "while it is loaded"));
}

static void test_walls(void)
{
	const json *manifest, *tool;
	const char *findings;

	CU_ASSERT_EQUAL(scan("tests/unit/pack-probe.so"), 0);
	manifest = json_get(answer_json, "manifest");
	CU_ASSERT_EQUAL(json_boolean(json_get(manifest, "starts_threads")), true);
	tool = json_peek(json_get(manifest, "tools"), 0);
	findings = json_text(json_get(tool, "description"), NULL);
	/* 4 is the pack's own file. */
	HOLDS(findings, "descriptors=0,1,2,3,4, ");
	CU_ASSERT_PTR_NULL(strstr(findings, "SECRET"));
	CU_ASSERT_PTR_NULL(strstr(findings, "HOME"));
	HOLDS(findings, "LD_BIND_NOW,");
	HOLDS(findings, " read=done write=EACCES null=done mkdir=EACCES chmod=EPERM socket=EACCES "
			"unix=EACCES "
			"signal=done owner=EPERM blocked=0 pipe=default death=9 privileges=1 "
			"root=0 thread=done");
}

static int run_and_wait(char *const *arguments)
{
	pid_t child = fork();
	int end;

	if (!child) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 2);
		close(3);
		execv(arguments[0], arguments);
		_exit(99);
	}
	CU_ASSERT_EQUAL(waitpid(child, &end, 0), child);
	return WIFEXITED(end) ? WEXITSTATUS(end) : -1;
}

static void test_usage(void)
{
	char *worker = strdup(built("toolhost-worker"));
	char *const none[] = { worker, NULL }, *const unknown[] = { worker, "sing", NULL },
		    *const no_channel[] = { worker, "scan", "/x", NULL };

	CU_ASSERT_EQUAL(run_and_wait(none), EXIT_MISUSED);
	CU_ASSERT_EQUAL(run_and_wait(unknown), EXIT_MISUSED);
	CU_ASSERT_EQUAL(run_and_wait(no_channel), EXIT_MISUSED);
	free(worker);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_good_pack), UNIT_TEST(test_refusals),
	UNIT_TEST(test_crash),	   UNIT_TEST(test_output_of_constructors),
	UNIT_TEST(test_walls),	   UNIT_TEST(test_usage),
};

int main(void)
{
	int r;

	/* As the host does for its workers: AddressSanitizer would turn crashes into exits. */
	setenv("ASAN_OPTIONS", "handle_segv=0:detect_leaks=0", 1);
	r = unit_run("pack-scan", tests, sizeof(tests) / sizeof(tests[0]));
	free(answer);
	json_drop(answer_json);
	return r;
}
