/* SPDX-License-Identifier: MIT
 *
 * Leaves a file behind while it is loaded, wherever it is let: at home and in the folders for temporary files.
 * Where it is let nowhere, it is a pack like any other.
 */
#include "zoo.h"

#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

static void leave_file(const char *folder)
{
	char path[4096];
	int fd;

	if (!folder)
		return;
	snprintf(path, sizeof(path), "%s/toolhost-zoo-loaded", folder);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
}

__attribute__((constructor)) static void leave_files(void)
{
	const struct passwd *user = getpwuid(getuid());

	leave_file(getenv("HOME"));
	leave_file(user ? user->pw_dir : NULL);
	leave_file("/root");
	leave_file("/tmp");
	leave_file("/var/tmp");
}

ZOO_GOOD_TOOL(ctor_writes_home)
ZOO_PACK(ctor_writes_home)
