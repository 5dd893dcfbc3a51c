/* SPDX-License-Identifier: MIT
 *
 * Connects to a socket in the file system, on which the test listens.
 */
#include "zoo.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int32_t unix_connect(th_call *call, const void *input)
{
	struct sockaddr_un there = { .sun_family = AF_UNIX, .sun_path = "/tmp/toolhost-zoo.socket" };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)input;
	th_put_boolean(call, "reached", fd >= 0 && !connect(fd, (const struct sockaddr *)&there, sizeof(there)));
	return fd >= 0 ? (int32_t)close(fd) : TH_OK;
}

ZOO_PACK(unix_connect)
