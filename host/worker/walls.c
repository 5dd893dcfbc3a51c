/* SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "worker/walls.h"

#include "base/array.h"
#include "base/log.h"
#include "base/settings.h"
#include "worker/confine.h"
#include "worker/worker.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MEBIBYTE ((rlim_t)1 << 20)

/* What loading reads beside the pack: libraries, their index, and what libraries look at when they
 * start. */
static const char *const system_paths[] = {
	"/lib",		  "/lib64",
	"/usr/lib",	  "/usr/lib64",
	"/usr/local/lib", "/etc/ld.so.cache",
	"/proc",	  "/dev/urandom",
	"/dev/null",	  "/sys/devices/system/cpu",
};

/* Programs, and what they need, where the pack may start any. */
static const char *const program_paths[] = {
	"/bin", "/sbin", "/lib", "/lib64", "/usr", "/etc/ld.so.cache", NULL,
};

/* How names become addresses, and whom to believe. */
static const char *const network_paths[] = {
	"/etc/resolv.conf",
	"/run/systemd/resolve",
	"/etc/hosts",
	"/etc/host.conf",
	"/etc/gai.conf",
	"/etc/nsswitch.conf",
	"/etc/services",
	"/etc/protocols",
	"/etc/ssl/certs",
	"/etc/ssl/openssl.cnf",
	"/usr/share/ca-certificates",
};

#define READABLE_MOST (WALLS_PATHS + ARRAY_SIZE(network_paths) + 3)

/* ---- Grants ---------------------------------------------------------------------------------- */

static int add_path(const char **paths, const char *path)
{
	size_t count = 0;

	while (paths[count])
		count++;
	if (path[0] != '/' || count == WALLS_PATHS)
		return -1;
	paths[count] = path;
	return 0;
}

int walls_grant(struct walls *walls, const char *text)
{
	if (!strcmp(text, "network"))
		walls->network = true;
	else if (!strcmp(text, "subprocess"))
		walls->subprocess = true;
	else if (!strncmp(text, "read=", 5))
		return add_path(walls->readable, text + 5);
	else if (!strncmp(text, "write=", 6))
		return add_path(walls->writable, text + 6);
	else
		return strncmp(text, "variable=", 9) ? -1 : 0; /* the start has kept it */
	return 0;
}

/* ---- Before the pack ------------------------------------------------------------------------- */

static bool sandboxed(const struct walls *walls)
{
	return walls->level == ISOLATION_SANDBOXED;
}

/* Fills `readable`, of READABLE_MOST elements. */
static void list_readable(const struct walls *walls, const char **readable)
{
	size_t count = 0;

	for (size_t i = 0; walls->readable[i]; i++)
		readable[count++] = walls->readable[i];
	for (size_t i = 0; walls->network && i < ARRAY_SIZE(network_paths); i++)
		readable[count++] = network_paths[i];
	readable[count] = NULL;
}

static void list_writable(const struct walls *walls, const char *writable[WALLS_PATHS + 2])
{
	size_t count = 0;

	writable[count++] = "/dev/null";
	for (size_t i = 0; walls->writable[i]; i++)
		writable[count++] = walls->writable[i];
	writable[count] = NULL;
}

static const char *const *runnable(const struct walls *walls)
{
	return walls->subprocess ? program_paths : NULL;
}

/* The user that the worker becomes owns nothing. What is granted it can reach all the same, as far
 * as Landlock lets it. */
static enum confine_right kept_right(const struct walls *walls)
{
	if (sandboxed(walls) && walls->writable[0])
		return CONFINE_WRITING;
	return sandboxed(walls) && walls->readable[0] ? CONFINE_READING : CONFINE_NOTHING;
}

/* A wall that this system does not have, and that the level can do without. */
static void missing_wall(struct error *error)
{
	log_info("a worker without a wall: %s", error->message);
	error_clear(error);
}

int walls_prepare(struct walls *walls, struct error *error)
{
	const struct confine_namespaces namespaces = {
		.network = sandboxed(walls) && !walls->network,
		.communication = true,
		/* Only a child of this process would be in it, and threads could not start. */
		.processes = !walls->alone,
	};
	bool is_root = geteuid() == 0, has_namespaces = true, has_user = true;
	int r;

	r = confine_descriptors(WORKER_CHANNEL, error);
	if (!r)
		r = confine_privileges(error);
	if (r)
		return r;
	confine_signals();
	walls->processes = walls->alone ? -1 : confine_processes_view();
	if (confine_namespaces(&namespaces, error)) {
		has_namespaces = false;
		missing_wall(error);
	}
	/* The pack is found where the host finds it. */
	if (confine_user(kept_right(walls) ? kept_right(walls) : CONFINE_READING, error)) {
		has_user = false;
		missing_wall(error);
	}
	walls->own_user = is_root ? has_user : has_namespaces;
	confine_lifetime();
	if (confine_is_orphan(WORKER_CHANNEL))
		return error_set(error, STATUS_WORKER_FAILED, "the host is gone");
	return STATUS_OK;
}

/* The folder that a file lies in, in `folder`. */
static void folder_of(const char *path, char *folder, size_t size)
{
	const char *last = strrchr(path, '/');
	size_t length = last && last > path ? (size_t)(last - path) : 1;

	if (length >= size)
		length = size - 1;
	memcpy(folder, path, length);
	folder[length] = '\0';
}

/* Leaves of the files what is in `readable`, and what else was granted. */
static int confine_to(const struct walls *walls, const char *const *readable, struct error *error)
{
	const char *writable[WALLS_PATHS + 2];

	list_writable(walls, writable);
	return confine_files(&(struct confine_files){ .readable = readable,
						      .writable = writable,
						      .runnable = runnable(walls),
						      .network = walls->network },
			     error);
}

/* What may be read while the pack is loaded: the system's libraries, the pack and what it brings
 * along, and what was granted. */
static int confine_for_load(const struct walls *walls, const char *path, struct error *error)
{
	const char *readable[ARRAY_SIZE(system_paths) + READABLE_MOST];
	char folder[4096];
	size_t count = 0;

	folder_of(path, folder, sizeof(folder));
	for (size_t i = 0; i < ARRAY_SIZE(system_paths); i++)
		readable[count++] = system_paths[i];
	readable[count++] = folder;
	list_readable(walls, readable + count);
	return confine_to(walls, readable, error);
}

/* The C library loads the unwinder when a thread first ends by pthread_exit() or is cancelled, and
 * aborts where it cannot. It lies beside the C library. */
static const char *find_unwinder(char *path, size_t size)
{
	Dl_info found;

	if (!dladdr(gnu_get_libc_version(), &found) || found.dli_fname[0] != '/')
		return NULL;
	folder_of(found.dli_fname, path, size);
	strncat(path, "/libgcc_s.so.1", size - strlen(path) - 1);
	return path;
}

/* What may be used while a tool runs: what was granted, and nothing else. */
static int confine_for_call(const struct walls *walls, struct error *error)
{
	const char *readable[READABLE_MOST];
	char unwinder[4096];

	readable[0] = find_unwinder(unwinder, sizeof(unwinder));
	list_readable(walls, readable + (readable[0] ? 1 : 0));
	return confine_to(walls, readable, error);
}

static int wall_is_needed(const struct walls *walls, struct error *error)
{
	char reason[256];

	snprintf(reason, sizeof(reason), "%.255s", error ? error->message : "");
	return error_set(
		error, STATUS_WORKER_FAILED,
		"no %s call without a wall that this system lacks (%s): see toolhost doctor",
		isolation_name(walls->level), reason);
}

/* Threads and processes of a launcher and its children together: as many as its calls may have at
 * once, so that one call cannot use up what is there for the others. */
static rlim_t most_tasks(void)
{
	return (rlim_t)(2 * setting_whole(SETTING_MAX_THREADS) *
			setting_whole(SETTING_MAX_WORKERS));
}

int walls_raise(const struct walls *walls, const char *path, int *ret_listener, struct error *error)
{
	const struct confine_limits limits = {
		.cpu_seconds =
			RLIM_INFINITY, /* of a launcher, which lives long; a call has its own */
		.file_bytes = sandboxed(walls) && !walls->writable[0] ? 0 : 1024 * MEBIBYTE,
		.descriptors = 1024,
		.data_bytes = RLIM_INFINITY, /* likewise */
	};
	const struct confine_calls calls = {
		.processes = walls->subprocess,
		.sockets = walls->network || !sandboxed(walls),
		.attributes = !sandboxed(walls) || walls->writable[0],
		.writing = true, /* files are Landlock's, and those of the user */
		.sharing = walls->subprocess,
		.grouped = walls->grouped,
		.ret_listener = walls->alone ? NULL : ret_listener,
	};
	int r;

	if (!walls->alone)
		*ret_listener = -1;
	r = confine_limits(&limits, error);
	/* The kernel counts the threads and processes of a user, so only of one that nobody else
	 * is. */
	if (!r && walls->own_user && !walls->subprocess)
		r = confine_processes(most_tasks(), error);
	if (!r && sandboxed(walls))
		r = confine_for_load(walls, path, error);
	if (!r)
		r = confine_calls(&calls, error);
	return r ? wall_is_needed(walls, error) : STATUS_OK;
}

/* ---- The listener ---------------------------------------------------------------------------- */

union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(int))];
};

int walls_hand_over(int to, int listener)
{
	union control control = { .align = { .cmsg_level = SOL_SOCKET,
					     .cmsg_type = SCM_RIGHTS,
					     .cmsg_len = CMSG_LEN(sizeof(int)) } };
	char byte = 0;
	struct iovec io = { &byte, 1 };
	struct msghdr header = { .msg_iov = &io,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control) };

	memcpy(CMSG_DATA(&control.align), &listener, sizeof(listener));
	if (sendmsg(to, &header, MSG_NOSIGNAL) != 1)
		return -1;
	close(listener);
	return 0;
}

int walls_receive(int from, int *ret_listener)
{
	union control control;
	char byte;
	struct iovec io = { &byte, 1 };
	struct msghdr header = { .msg_iov = &io,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control) };
	struct cmsghdr *first;

	if (recvmsg(from, &header, MSG_CMSG_CLOEXEC) != 1)
		return -1;
	first = CMSG_FIRSTHDR(&header);
	if (!first || first->cmsg_level != SOL_SOCKET || first->cmsg_type != SCM_RIGHTS)
		return -1;
	memcpy(ret_listener, CMSG_DATA(first), sizeof(*ret_listener));
	return 0;
}

/* ---- The pack -------------------------------------------------------------------------------- */

struct pack *walls_load(const struct walls *walls, const char *path, struct error *error)
{
	struct pack_file file;
	struct pack *pack = NULL;
	int fd = -1;
	int r;

	r = pack_file_open(path, &file, &fd, error);
	if (!r && confine_can_read(path))
		r = confine_rights(kept_right(walls), error);
	if (!r)
		r = pack_load(path, fd, &file, &pack, error);
	if (fd >= 0)
		close(fd);
	if (!r && sandboxed(walls))
		r = confine_for_call(walls, error);
	if (!r)
		r = confine_rights(kept_right(walls), error);
	return r ? NULL : pack;
}
