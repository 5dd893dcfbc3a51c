/* SPDX-License-Identifier: MIT
 *
 * Whose child the process is that a descriptor stands for.
 */
#include <config.h>

#include "unit.h"

#include "execute/kin.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* -1 under valgrind, which does not know the call. */
static int open_process(pid_t process)
{
	return (int)syscall(SYS_pidfd_open, process, 0);
}

static void test_lives(void)
{
	pid_t child = fork();
	int mine = open_process(getpid()), its;

	if (!child) {
		pause();
		_exit(0);
	}
	its = open_process(child);
	CU_ASSERT_EQUAL(kin_parent(child), getpid());
	if (its >= 0) {
		CU_ASSERT_EQUAL(kin_parent_behind(mine), getppid());
		CU_ASSERT_EQUAL(kin_parent_behind(its), getpid());
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	if (its >= 0)
		CU_ASSERT_EQUAL(kin_parent_behind(its), 0);
	CU_ASSERT_EQUAL(kin_parent(child), 0);
	close(mine);
	close(its);
}

/* The last takes a signal as a pidfd does. */
static void test_others(void)
{
	static const char *const paths[] = { "/dev/null", "/proc/self/status", "/proc/self" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		int fd = open(paths[i], O_RDONLY | O_CLOEXEC);

		CU_ASSERT_EQUAL(kin_parent_behind(fd), -1);
		close(fd);
	}
	CU_ASSERT_EQUAL(kin_parent_behind(-1), -1);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_lives),
	UNIT_TEST(test_others),
};

UNIT_MAIN("kin", tests)
