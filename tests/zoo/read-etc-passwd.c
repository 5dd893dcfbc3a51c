/* SPDX-License-Identifier: MIT
 *
 * Reads a file of the system.
 */
#include "zoo.h"

#include <fcntl.h>
#include <unistd.h>

static int32_t read_etc_passwd(th_call *call, const void *input)
{
	char text[64];
	int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);

	(void)input;
	th_put_boolean(call, "read", fd >= 0 && read(fd, text, sizeof(text)) > 0);
	return fd >= 0 ? (int32_t)close(fd) : TH_OK;
}

ZOO_PACK(read_etc_passwd)
