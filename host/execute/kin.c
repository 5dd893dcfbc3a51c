/* SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "execute/kin.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
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

/* The number in the line of a file that begins with `key`; `otherwise` where there is none. */
static int number_of(const char *path, const char *key, int otherwise)
{
	char line[256];
	int number = otherwise;
	FILE *file = fopen(path, "re");

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, key, strlen(key)) &&
		    sscanf(line + strlen(key), "%d", &number) == 1)
			break;
	if (file)
		fclose(file);
	return number;
}

pid_t kin_parent(pid_t process)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/status", (int)process);
	return number_of(path, "PPid:", 0);
}

/* Without GET_INFO. */
static pid_t parent_by_files(int pidfd)
{
	char path[64];
	int process;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
	process = number_of(path, "Pid:", 0);
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
