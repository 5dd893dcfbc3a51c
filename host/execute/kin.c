/* SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "execute/kin.h"

#include "base/procfs.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>

/* Of Linux 6.13, and not yet in the headers of Debian 12. */
struct process_info {
	uint64_t mask, cgroup;
	uint32_t pid, tgid, ppid;
	uint32_t users[8];
	int32_t exit_code;
};

#define GET_INFO _IOWR(0xFF, 11, struct process_info)
#define INFO_PID UINT64_C(1)

pid_t kin_parent(pid_t process)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/status", (int)process);
	return (pid_t)procfs_number(path, "PPid:");
}

/* Without GET_INFO. */
static pid_t parent_by_files(int pidfd)
{
	char path[64];
	pid_t process;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
	process = (pid_t)procfs_number(path, "Pid:");
	if (process < 0)
		return 0;
	return process ? kin_parent(process) : -1;
}

pid_t kin_parent_behind(int pidfd)
{
	struct process_info info = { .mask = INFO_PID };

	if (!ioctl(pidfd, GET_INFO, &info))
		return (pid_t)info.ppid;
	return errno == ESRCH ? 0 : parent_by_files(pidfd);
}
