/* SPDX-License-Identifier: MIT
 *
 * Reads the pack that lies beside it.
 */
#define _GNU_SOURCE
#include "zoo.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

static int32_t read_other_pack(th_call *call, const void *input)
{
	char path[PATH_MAX];
	const char *slash;
	Dl_info self;
	int fd = -1;

	(void)input;
	if (dladdr(zoo_no_params, &self) && (slash = strrchr(self.dli_fname, '/'))) {
		snprintf(path, sizeof(path), "%.*s/ok.so", (int)(slash - self.dli_fname), self.dli_fname);
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	th_put_boolean(call, "read", fd >= 0 && read(fd, path, 4) == 4);
	return fd >= 0 ? (int32_t)close(fd) : TH_OK;
}

ZOO_PACK(read_other_pack)
