/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/stream.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int stream_own(int fd, int access)
{
	struct stat what = { 0 };
	char path[32];
	int fresh;

	if (fstat(fd, &what) || !(S_ISFIFO(what.st_mode) || S_ISCHR(what.st_mode)))
		return fd;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fresh = open(path, access | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fresh < 0) {
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
		return fd;
	}
	close(fd);
	return fresh;
}
