/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/stream.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PIPE_BYTES (1 << 20) /* that a reader may be late by */

/* Whether the file can be opened once more. */
static bool has_name(int fd)
{
	struct stat what = { 0 };

	return !fstat(fd, &what) && (S_ISFIFO(what.st_mode) || S_ISCHR(what.st_mode));
}

static int open_again(int fd, int flags)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, flags | O_CLOEXEC | O_NOCTTY);
}

int stream_own(int fd, int access)
{
	int fresh;

	if (!has_name(fd))
		return fd;
	fresh = open_again(fd, access | O_NONBLOCK);
	if (fresh < 0) {
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
		return fd;
	}
	close(fd);
	return fresh;
}

int stream_waiting(int fd)
{
	struct stat what = { 0 };

	if (has_name(fd))
		return open_again(fd, O_RDONLY);
	if (fstat(fd, &what) || !S_ISSOCK(what.st_mode) ||
	    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK))
		return -1;
	return fd;
}

void stream_unblock(int fd)
{
	int fresh = has_name(fd) ? open_again(fd, O_WRONLY | O_NONBLOCK) : -1;

	if (fresh < 0)
		return;
	if (fcntl(fresh, F_GETPIPE_SZ) < PIPE_BYTES)
		fcntl(fresh, F_SETPIPE_SZ, PIPE_BYTES);
	dup2(fresh, fd);
	close(fresh);
}

ssize_t stream_get(int fd, char *space, size_t room)
{
	return syscall(SYS_read, fd, space, room);
}

ssize_t stream_put(int fd, const char *data, size_t length)
{
	return syscall(SYS_write, fd, data, length);
}
