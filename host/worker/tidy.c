/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "worker/tidy.h"

#include "base/cgroup.h"
#include "worker/worker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define TRIES 300
#define PAUSE_US 10000

/* Removes the groups of launchers, and not that in which the host stands, and so do we. */
static bool remove_launchers(int folder)
{
	int fd = cgroup_open(folder, ".");
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	bool removed = true;

	if (fd >= 0 && !entries)
		close(fd);
	while (entries && (entry = readdir(entries)))
		if (entry->d_type == DT_DIR && entry->d_name[0] == 'w')
			removed = cgroup_remove(folder, entry->d_name, true) && removed;
	if (entries)
		closedir(entries);
	return removed;
}

static bool tidy_up(int home, int folder, const char *name, const char *controllers)
{
	if (!remove_launchers(folder))
		return false;
	if (controllers) {
		/* From the inside out; then HOME may hold processes again. */
		cgroup_write(folder, CGROUP_CONTROL, controllers);
		cgroup_write(home, CGROUP_CONTROL, controllers);
		cgroup_write(home, CGROUP_PROCS, "0");
	}
	return cgroup_remove(home, name, false);
}

static void wait_for_end(void)
{
	char byte;
	ssize_t n;

	do
		n = read(WORKER_CHANNEL, &byte, 1);
	while (n > 0 || (n < 0 && errno == EINTR));
}

int tidy_main(int count, char **arguments)
{
	int home = cgroup_open(AT_FDCWD, arguments[0]);
	int folder = home < 0 ? -1 : cgroup_open(home, arguments[1]);

	if (folder < 0 || flock(folder, LOCK_SH))
		return EXIT_FAILURE;
	signal(SIGPIPE, SIG_IGN); /* nobody reads any more what is written */
	wait_for_end();
	for (int i = 0; i < TRIES; i++) {
		if (tidy_up(home, folder, arguments[1], count > 2 ? arguments[2] : NULL))
			return EXIT_SUCCESS;
		usleep(PAUSE_US);
	}
	return EXIT_FAILURE;
}
