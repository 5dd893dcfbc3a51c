/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "unit.h"

#include "base/log.h"
#include "base/settings.h"
#include "base/text.h"
#include "registry-folder.h"
#include "registry/registry.h"
#include "registry/scan.h"

#include <pthread.h>
#include <time.h>

#define PACK "pack one two\n"

static struct folder folder;
static const char *worker;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static struct scan_job scan_with(const char *program, const char *script, double timeout)
{
	struct scan_job job = { .path = folder_path(&folder, "p.so"), .name = "p" };

	folder_write(&folder, "p.so", script);
	CU_ASSERT_EQUAL(scan_files(program, &job, 1, timeout, NULL), STATUS_OK);
	return job;
}

/* A script and the reason with which it is refused. */
struct verdict {
	const char *script;
	const char *reason;
	bool passing;
};

#define CTOR ": a constructor of the pack, or of a library that it needs, is at fault"
#define ENDS ": a constructor of the pack, or of a library that it needs, ends the process"

static const struct verdict verdicts[] = {
	{ "raw {\"refused\":\"It is no pack.\"}", "It is no pack.", false },
	{ "raw {\"refused\":\"It is no pack.\"}\nexit 1\n", "It is no pack.", false },
	{ "raw {\"refused\":\"a\\u001b[2Jb\\nc\"}", "a?[2Jb?c.", false },
	{ "exit 0\n", "It exited with status 0 before answering" ENDS ".", false },
	{ "say so long\nexit 3\n",
	  "It exited with status 3 before answering" ENDS "; its last words: so long.", false },
	{ "crash 11\n", "It crashed with signal 11 (SIGSEGV) while loading" CTOR ".", false },
	{ "say foo.c:3: Assertion failed\ncrash 6\n",
	  "It crashed with signal 6 (SIGABRT) while loading" CTOR
	  "; its last words: foo.c:3: Assertion failed.",
	  false },
	{ "say bad \xFF\ncrash 6\n", "It crashed with signal 6 (SIGABRT) while loading" CTOR ".",
	  false },
	{ PACK "crash 4\n", "It crashed with signal 4 (SIGILL) while loading" CTOR ".", false },
	{ "crash 9\n",
	  "Its scan was killed from outside (signal 9): is the machine short of memory?", true },
	{ PACK "exit 2\n", "It exited with status 2 after answering.", false },
	{ "flood 17\n",
	  "Its manifest is larger than 16 MiB: shorten its descriptions and examples.", false },
	{ "raw {\"manifest\":\n", "Its scan gave no proper answer: ", false },
	{ PACK PACK, "Its scan gave no proper answer: ", false },
	{ "raw {}", "Its manifest is not valid: format: ", false },
	{ "raw {\"manifest\":{\"format\":1}}",
	  "Its manifest is not valid: starts_threads: ", false },
	{ "pack a b a\n", "Its manifest is not valid: a: this name stands twice.", false },
	{ "touch\n" PACK,
	  "It changed while it was scanned: install a pack by writing it aside and renaming it.",
	  true },
};

static void test_verdicts(void)
{
	size_t before = unit_descriptors();

	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
		struct scan_job job = scan_with(worker, verdicts[i].script, 10);
		size_t length = strlen(verdicts[i].reason);

		CU_ASSERT_PTR_NULL(job.manifest);
		/* Some reasons go on with what another room says. */
		if (verdicts[i].reason[length - 1] == ' ')
			job.reason[length] = '\0';
		UNIT_TEXT(job.reason, verdicts[i].reason);
		CU_ASSERT_EQUAL(job.passing, verdicts[i].passing);
	}
	CU_ASSERT_EQUAL(unit_descriptors(), before);
}

/* A reason that is too long ends with a whole character. */
static void test_long_reason(void)
{
	char script[4096] = "raw {\"refused\":\"a";
	struct scan_job job;

	for (int i = 0; i < 1000; i++)
		strcat(script, "\xC3\xA9");
	strcat(script, "\"}");
	job = scan_with(worker, script, 10);
	CU_ASSERT(strlen(job.reason) > 1000);
	CU_ASSERT(text_is_utf8(job.reason, strlen(job.reason)));
}

static void test_good(void)
{
	struct scan_job job = scan_with(worker, "say hello\n" PACK, 10);
	struct stat st;

	CU_ASSERT_PTR_NOT_NULL_FATAL(job.manifest);
	CU_ASSERT_EQUAL(json_count(json_get(job.manifest, "tools")), 2);
	CU_ASSERT_EQUAL(stat(job.path, &st), 0);
	CU_ASSERT_EQUAL(job.file.inode, st.st_ino);
	CU_ASSERT_EQUAL(job.file.size, (uint64_t)st.st_size);
	json_drop(job.manifest);
}

/* A file that was being written when it was looked at first is looked at again. */
static void test_changed_once(void)
{
	char script[256];
	struct scan_job job;

	snprintf(script, sizeof(script), "touch %s\n" PACK, folder_path(&folder, "touched"));
	job = scan_with(worker, script, 10);
	CU_ASSERT_PTR_NOT_NULL(job.manifest);
	UNIT_TEXT(job.reason, "");
	json_drop(job.manifest);
}

static void test_timeout(void)
{
	double start = now();
	struct scan_job job = scan_with(worker, "sleep\n", 0.2);

	UNIT_TEXT(job.reason,
		  "It timed out while loading: there was no answer within 0.2 s (scan_timeout), "
		  "and a constructor has to return at once.");
	CU_ASSERT_FALSE(job.passing);
	CU_ASSERT(now() - start < 5);
	/* An answer does not help where the process then hangs. */
	job = scan_with(worker, PACK "sleep\n", 0.2);
	CU_ASSERT_PTR_NULL(job.manifest);
	CU_ASSERT_EQUAL(strncmp(job.reason, "It timed out", 12), 0);
}

static void test_no_worker(void)
{
	char expected[256];
	struct scan_job job = scan_with(folder_path(&folder, "no-worker"), PACK, 10);

	snprintf(expected, sizeof(expected), "cannot start %s: No such file or directory.",
		 folder_path(&folder, "no-worker"));
	UNIT_TEXT(job.reason, expected);
	CU_ASSERT(job.passing);
}

/* Many at once, good and bad, each with its own verdict. */
static void test_many(void)
{
	static const char *const scripts[] = { PACK, "exit 1\n", "crash 11\n",
					       "raw {\"refused\":\"No.\"}" };
	static const char *const starts[] = { "", "It exited", "It crashed", "No." };
	struct scan_job jobs[60] = { { .path = NULL } };
	size_t before = unit_descriptors();

	for (int i = 0; i < 60; i++) {
		char name[32];

		snprintf(name, sizeof(name), "many%d.so", i);
		folder_write(&folder, name, scripts[i % 4]);
		jobs[i].path = strdup(folder_path(&folder, name));
		jobs[i].name = "many";
	}
	CU_ASSERT_EQUAL(scan_files(worker, jobs, 60, 10, NULL), STATUS_OK);
	for (int i = 0; i < 60; i++) {
		CU_ASSERT_EQUAL(jobs[i].manifest != NULL, i % 4 == 0);
		CU_ASSERT_EQUAL(strncmp(jobs[i].reason, starts[i % 4], strlen(starts[i % 4])), 0);
		json_drop(jobs[i].manifest);
		free((char *)jobs[i].path);
	}
	CU_ASSERT_EQUAL(unit_descriptors(), before);
	CU_ASSERT_EQUAL(scan_files(worker, NULL, 0, 10, NULL), STATUS_OK);
}

static void *scan_on_thread(void *context)
{
	const char *path = context;

	for (int i = 0; i < 10; i++) {
		struct scan_job job = { .path = path, .name = "thread" };

		scan_files(worker, &job, 1, 10, NULL);
		if (!job.manifest)
			return job.reason[0] ? strdup(job.reason) : strdup("?");
		json_drop(job.manifest);
	}
	return NULL;
}

/* Each scan has a loop of its own, so several threads may scan. */
static void test_threads(void)
{
	pthread_t threads[4];
	const char *path = folder_path(&folder, "thread.so");

	folder_write(&folder, "thread.so", PACK);
	for (int i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(pthread_create(&threads[i], NULL, scan_on_thread, (void *)path), 0);
	for (int i = 0; i < 4; i++) {
		void *fault;

		pthread_join(threads[i], &fault);
		if (fault)
			fprintf(stderr, "%s\n", (char *)fault);
		CU_ASSERT_PTR_NULL(fault);
		free(fault);
	}
}

static void test_one_file(void)
{
	struct paths paths = { .worker = (char *)worker };
	struct error error = ERROR_INIT;
	json *manifest;

	folder_write(&folder, "one.so", PACK);
	CU_ASSERT_EQUAL(
		registry_scan_file(&paths, folder_path(&folder, "one.so"), &manifest, &error),
		STATUS_OK);
	CU_ASSERT_EQUAL(json_count(json_get(manifest, "tools")), 2);
	json_drop(manifest);
	CU_ASSERT_EQUAL(chdir(folder.path), 0);
	CU_ASSERT_EQUAL(registry_scan_file(&paths, "one.so", &manifest, &error), STATUS_OK);
	json_drop(manifest);
	folder_write(&folder, "one.so", "exit 5\n");
	CU_ASSERT_EQUAL(registry_scan_file(&paths, "one.so", &manifest, &error),
			STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NULL(manifest);
	UNIT_TEXT(error.message, "It exited with status 5 before answering" ENDS ".");
	CU_ASSERT_EQUAL(registry_scan_file(&paths, "none.so", &manifest, &error), STATUS_USAGE);
	UNIT_TEXT(error.message, "none.so: No such file or directory");
	paths.worker = folder_path(&folder, "no-worker");
	CU_ASSERT_EQUAL(registry_scan_file(&paths, "one.so", &manifest, &error),
			STATUS_WORKER_FAILED);
	error_clear(&error);
}

static const struct unit_test tests[] = {
	/* First, as libuv then opens two descriptors for all its loops. */
	UNIT_TEST(test_good),	      UNIT_TEST(test_verdicts), UNIT_TEST(test_long_reason),
	UNIT_TEST(test_changed_once), UNIT_TEST(test_timeout),	UNIT_TEST(test_no_worker),
	UNIT_TEST(test_many),	      UNIT_TEST(test_threads),	UNIT_TEST(test_one_file),
};

int main(void)
{
	int status;

	log_set_level(LOG_LEVEL_ERROR);
	settings_check(NULL);
	folder_make(&folder);
	worker = folder_sibling("registry-worker");
	status = unit_run("registry-scan", tests, sizeof(tests) / sizeof(tests[0]));
	settings_clear();
	folder_remove(&folder);
	return status;
}
