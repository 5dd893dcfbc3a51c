/* SPDX-License-Identifier: MIT
 *
 * Files and folders stand in for the kernel's here; tests/integration/cgroup.py has the real ones.
 */
#include "base/cgroup.h"

#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A new folder; its path is left in `path`. */
static int make_folder(char *path)
{
	int fd;

	strcpy(path, "/tmp/toolhost-cgroup-XXXXXX");
	if (!mkdtemp(path))
		return -1;
	fd = cgroup_open(AT_FDCWD, path);
	CU_ASSERT_FATAL(fd >= 0);
	return fd;
}

static void make_file(int folder, const char *name, const char *text)
{
	close(openat(folder, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	CU_ASSERT(cgroup_write(folder, name, text));
}

static void words_of_a_list(void)
{
	CU_ASSERT(cgroup_lists("memory pids\n", "memory"));
	CU_ASSERT(cgroup_lists("cpuset cpu memory pids\n", "cpu"));
	CU_ASSERT(cgroup_lists("cpuset cpu", "cpu"));
	CU_ASSERT(cgroup_lists("pids\n", "pids"));
	CU_ASSERT_FALSE(cgroup_lists("cpuset io\n", "cpu"));
	CU_ASSERT_FALSE(cgroup_lists("xcpu\n", "cpu"));
	CU_ASSERT_FALSE(cgroup_lists("", "cpu"));
	CU_ASSERT_FALSE(cgroup_lists("\n", "memory"));
}

static void numbers(void)
{
	char path[64];
	int folder = make_folder(path);

	make_file(folder, "current", "1073741824\n");
	make_file(folder, "max", "max\n");
	make_file(folder, "events", "low 1\noom 12\noom_kill 34\noom_group_kill 5\n");
	CU_ASSERT_EQUAL(cgroup_number(folder, "current", NULL), 1073741824);
	CU_ASSERT_EQUAL(cgroup_number(folder, "max", NULL), -1);
	CU_ASSERT_EQUAL(cgroup_number(folder, "missing", NULL), -1);
	CU_ASSERT_EQUAL(cgroup_number(folder, "events", "low"), 1);
	CU_ASSERT_EQUAL(cgroup_number(folder, "events", "oom"), 12);
	CU_ASSERT_EQUAL(cgroup_number(folder, "events", "oom_kill"), 34);
	CU_ASSERT_EQUAL(cgroup_number(folder, "events", "oom_group_kill"), 5);
	CU_ASSERT_EQUAL(cgroup_number(folder, "events", "kill"), -1);
	CU_ASSERT_EQUAL(cgroup_number(folder, "events", "high"), -1);
	unlinkat(folder, "current", 0);
	unlinkat(folder, "max", 0);
	unlinkat(folder, "events", 0);
	close(folder);
	CU_ASSERT_EQUAL(rmdir(path), 0);
}

static void what_cannot_be_read_or_written(void)
{
	char path[64], text[8] = "before";
	int folder = make_folder(path);

	CU_ASSERT_FALSE(cgroup_write(folder, "missing", "1"));
	CU_ASSERT_EQUAL(errno, ENOENT);
	CU_ASSERT_FALSE(cgroup_read(folder, "missing", text, sizeof(text)));
	CU_ASSERT_STRING_EQUAL(text, "");
	make_file(folder, "long", "0123456789");
	CU_ASSERT(cgroup_read(folder, "long", text, sizeof(text)));
	CU_ASSERT_STRING_EQUAL(text, "0123456");
	unlinkat(folder, "long", 0);
	close(folder);
	rmdir(path);
}

/* What holds something that is no group stays, and what is beside it goes. */
static void removing(void)
{
	char path[64];
	int folder = make_folder(path);

	mkdirat(folder, "w1", 0700);
	mkdirat(folder, "w1/c0", 0700);
	mkdirat(folder, "w1/c1", 0700);
	CU_ASSERT(cgroup_remove(folder, "w1", false));
	CU_ASSERT(faccessat(folder, "w1", F_OK, 0) != 0);
	CU_ASSERT(cgroup_remove(folder, "w1", true)); /* there is none: it is gone */

	mkdirat(folder, "w2", 0700);
	mkdirat(folder, "w2/c0", 0700);
	mkdirat(folder, "w2/c1", 0700);
	make_file(folder, "w2/c1/held", "");
	CU_ASSERT_FALSE(cgroup_remove(folder, "w2", false));
	CU_ASSERT(faccessat(folder, "w2/c0", F_OK, 0) != 0);
	CU_ASSERT_EQUAL(faccessat(folder, "w2/c1/held", F_OK, 0), 0);
	unlinkat(folder, "w2/c1/held", 0);

	/* A link leads nowhere. */
	CU_ASSERT_EQUAL(symlinkat("/", folder, "w2/link"), 0);
	CU_ASSERT_FALSE(cgroup_remove(folder, "w2", false));
	unlinkat(folder, "w2/link", 0);
	CU_ASSERT(cgroup_remove(folder, "w2", false));
	close(folder);
	CU_ASSERT_EQUAL(rmdir(path), 0);
}

static const struct unit_test tests[] = {
	UNIT_TEST(words_of_a_list),
	UNIT_TEST(numbers),
	UNIT_TEST(what_cannot_be_read_or_written),
	UNIT_TEST(removing),
};

UNIT_MAIN("cgroup", tests)
