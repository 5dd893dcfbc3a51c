/* SPDX-License-Identifier: MIT
 *
 * Numbers in files that look as those of /proc do.
 */
#include <config.h>

#include "unit.h"

#include "base/procfs.h"

#include <unistd.h>

static const char *write_file(const char *text)
{
	static char path[64];
	int fd;

	strcpy(path, "/tmp/toolhost-procfs-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) || close(fd))
		abort();
	return path;
}

static void test_key_begins_a_line(void)
{
	const char *path = write_file("Name:\tPid: 9\nPPid:\t4294967296\nPid:\t-1\nPid:\t8\n"
				      "VmData:\t     136 kB\nGroups:\t \n");

	CU_ASSERT_EQUAL(procfs_number(path, "Pid:"), -1);
	CU_ASSERT_EQUAL(procfs_number(path, "PPid:"), INT64_C(4294967296));
	CU_ASSERT_EQUAL(procfs_number(path, "VmData:"), 136);
	CU_ASSERT_EQUAL(procfs_number(path, "Name:"), 0);
	CU_ASSERT_EQUAL(procfs_number(path, "Groups:"), 0);
	CU_ASSERT_EQUAL(procfs_number(path, "Threads:"), 0);
	unlink(path);
	CU_ASSERT_EQUAL(procfs_number(path, "Pid:"), 0);
}

static void test_several_numbers(void)
{
	const char *path = write_file("NStgid:\t4711\t12\t1\nNSpid:\t5\n");
	int64_t numbers[4] = { 0, 0, 0, -7 };

	CU_ASSERT_EQUAL(procfs_numbers(path, "NStgid:", numbers, 4), 3);
	CU_ASSERT_EQUAL(numbers[0], 4711);
	CU_ASSERT_EQUAL(numbers[1], 12);
	CU_ASSERT_EQUAL(numbers[2], 1);
	CU_ASSERT_EQUAL(numbers[3], -7);
	CU_ASSERT_EQUAL(procfs_numbers(path, "NSpid:", numbers + 1, 1), 1);
	CU_ASSERT_EQUAL(procfs_numbers(path, "NStgid:", numbers + 2, 2), 2);
	CU_ASSERT_EQUAL(numbers[1], 5);
	CU_ASSERT_EQUAL(numbers[3], 12);
	unlink(path);
}

static void test_own_status(void)
{
	CU_ASSERT_EQUAL(procfs_number("/proc/self/status", "Pid:"), getpid());
	CU_ASSERT_EQUAL(procfs_number("/proc/self/status", "PPid:"), getppid());
	CU_ASSERT(procfs_number("/proc/self/status", "VmData:") > 0);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_key_begins_a_line),
	UNIT_TEST(test_several_numbers),
	UNIT_TEST(test_own_status),
};

UNIT_MAIN("procfs", tests)
