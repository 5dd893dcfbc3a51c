/* SPDX-License-Identifier: MIT
 *
 * Opens the memory and the environment of the process above it.
 */
#include "zoo.h"

#include <fcntl.h>
#include <unistd.h>

static int32_t can_open(const char *what)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)getppid(), what);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static int32_t open_proc_parent(th_call *call, const void *input)
{
	(void)input;
	th_put_boolean(call, "memory", can_open("mem"));
	return th_put_boolean(call, "environment", can_open("environ"));
}

ZOO_PACK(open_proc_parent)
