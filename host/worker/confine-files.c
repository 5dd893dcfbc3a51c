/* SPDX-License-Identifier: MIT
 *
 * Landlock: what is not granted by a rule is denied. Debian 12 has neither a library for it nor, in
 * its headers, what came after version 2, so the interface is spelled out here
 * (Documentation/userspace-api/landlock.rst).
 */
#include <config.h>

#include "worker/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Rights and fields that came with later versions. */
#define ACCESS_REFER (UINT64_C(1) << 13)     /* 2 */
#define ACCESS_TRUNCATE (UINT64_C(1) << 14)  /* 3 */
#define ACCESS_IOCTL_DEV (UINT64_C(1) << 15) /* 5 */
#define ACCESS_NET_BIND (UINT64_C(1) << 0)   /* 4 */
#define ACCESS_NET_CONNECT (UINT64_C(1) << 1)
#define SCOPE_ABSTRACT_SOCKETS (UINT64_C(1) << 0) /* 6 */
#define SCOPE_SIGNALS (UINT64_C(1) << 1)

struct ruleset {
	uint64_t files;
	uint64_t network; /* from version 4 on */
	uint64_t scoped;  /* from version 6 on */
};

#define READING (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define ON_FILES                                                                                   \
	(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |                            \
	 LANDLOCK_ACCESS_FS_EXECUTE | ACCESS_TRUNCATE | ACCESS_IOCTL_DEV)

static uint64_t writing(long version)
{
	uint64_t rights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
			  LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
			  LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
			  LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
			  LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

	if (version >= 2)
		rights |= ACCESS_REFER;
	if (version >= 3)
		rights |= ACCESS_TRUNCATE;
	if (version >= 5)
		rights |= ACCESS_IOCTL_DEV;
	return rights;
}

static int make_ruleset(long version, uint64_t files, bool network)
{
	struct ruleset ruleset = { .files = files };
	size_t size = sizeof(ruleset.files);

	if (version >= 4) {
		ruleset.network = network ? 0 : ACCESS_NET_BIND | ACCESS_NET_CONNECT;
		size = offsetof(struct ruleset, scoped);
	}
	if (version >= 6) {
		ruleset.scoped = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS;
		size = sizeof(ruleset);
	}
	return (int)syscall(SYS_landlock_create_ruleset, &ruleset, size, 0);
}

/* A path that is not there needs no rule. */
static int grant(int ruleset, const char *path, uint64_t rights)
{
	struct landlock_path_beneath_attr rule = { .parent_fd = open(path, O_PATH | O_CLOEXEC) };
	struct stat status;
	int r = -1;

	if (rule.parent_fd < 0)
		return errno == ENOENT || errno == EACCES ? 0 : -1;
	if (fstat(rule.parent_fd, &status))
		goto out;
	rule.allowed_access = S_ISDIR(status.st_mode) ? rights : rights & ON_FILES;
	r = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
out:
	close(rule.parent_fd);
	return r;
}

/* What is run is read as well: by the dynamic linker, and by the interpreter of a script. */
#define RUNNING (READING | LANDLOCK_ACCESS_FS_EXECUTE)

static int grant_all(int ruleset, const char *const *paths, uint64_t rights)
{
	for (size_t i = 0; paths && paths[i]; i++)
		if (grant(ruleset, paths[i], rights))
			return -1;
	return 0;
}

int confine_files(const struct confine_files *files, struct error *error)
{
	long version =
		syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	uint64_t write = version > 0 ? writing(version) : 0;
	uint64_t handled = write | LANDLOCK_ACCESS_FS_EXECUTE | (files->readable ? READING : 0);
	int ruleset = version > 0 ? make_ruleset(version, handled, files->network) : -1;
	int r = STATUS_OK;

	if (ruleset < 0 || grant_all(ruleset, files->readable, READING) ||
	    grant_all(ruleset, files->runnable, handled & RUNNING) ||
	    grant_all(ruleset, files->writable, write | (handled & READING)) ||
	    syscall(SYS_landlock_restrict_self, ruleset, 0))
		r = error_set(error, STATUS_WORKER_FAILED, "files by Landlock: %s",
			      strerror(errno));
	if (ruleset >= 0)
		close(ruleset);
	return r;
}
