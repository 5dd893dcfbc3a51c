/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "worker/confine.h"

#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Users that no account has: the range that systemd keeps for services without one. */
#define USER_FIRST 61184
#define USER_COUNT 4096
#define STACK_MOST ((rlim_t)64 << 20) /* where the program's has no limit */

static int fail(struct error *error, const char *wall)
{
	return error_set(error, STATUS_WORKER_FAILED, "%s: %s", wall, strerror(errno));
}

/* ---- Descriptors and signals -------------------------------------------------------------- */

int confine_descriptors(int channel, struct error *error)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), r = STATUS_OK;

	if (null < 0)
		return fail(error, "the null device cannot be opened");
	/* Without a standard error there is nowhere to write to. */
	if (fcntl(2, F_GETFD) < 0 && dup2(null, 2) < 0)
		r = fail(error, "standard error");
	if (dup2(null, 0) < 0 || dup2(2, 1) < 0)
		r = fail(error, "the standard descriptors");
	/* Null itself is closed here too, or is one of the three. */
	if (close_range((unsigned)channel + 1, ~0u, 0))
		r = fail(error, "descriptors cannot be closed");
	for (int i = 3; i < channel; i++)
		close(i);
	return r;
}

void confine_signals(void)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		sigaction(i, &usual, NULL); /* refused for the two that never change */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* ---- Rights ------------------------------------------------------------------------------- */

int confine_privileges(struct error *error)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return fail(error, "new privileges cannot be ruled out");
	return STATUS_OK;
}

static void write_map(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) < 0)
		log_debug("%s cannot be written: %s", path, strerror(errno));
	close(fd);
}

/* In its user namespace the process stays who it is. Without that it would be nobody, who may make
 * no further namespace; all else works all the same. */
static void map_self(uid_t user, gid_t group)
{
	char line[64];

	write_map("/proc/self/setgroups", "deny");
	snprintf(line, sizeof(line), "%u %u 1", (unsigned)user, (unsigned)user);
	write_map("/proc/self/uid_map", line);
	snprintf(line, sizeof(line), "%u %u 1", (unsigned)group, (unsigned)group);
	write_map("/proc/self/gid_map", line);
}

int confine_namespaces(const struct confine_namespaces *namespaces, struct error *error)
{
	int kinds = (namespaces->network ? CLONE_NEWNET : 0) |
		    (namespaces->communication ? CLONE_NEWIPC : 0) |
		    (namespaces->processes ? CLONE_NEWPID : 0);
	uid_t user = geteuid();
	gid_t group = getegid();

	/* Who is not root needs a user namespace to be allowed the others. */
	if (user != 0)
		kinds |= CLONE_NEWUSER;
	if (unshare(kinds))
		return fail(error, "namespaces");
	if (user != 0)
		map_self(user, group);
	return STATUS_OK;
}

/* Capabilities by system call: of libcap's two words, the second holds numbers from 32 on. */
static int set_capabilities(uint32_t kept)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[2] = { { .effective = kept, .permitted = kept } };

	return (int)syscall(SYS_capset, &header, sets);
}

int confine_processes_view(void)
{
	int type = geteuid() ? -1 : fsopen("proc", FSOPEN_CLOEXEC);
	int view = -1;

	if (type < 0)
		return -1;
	if (!fsconfig(type, FSCONFIG_SET_STRING, "hidepid", "0", 0) &&
	    !fsconfig(type, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		view = fsmount(type, FSMOUNT_CLOEXEC,
			       MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
	close(type);
	return view;
}

bool confine_can_read(const char *path)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[2], none[2];
	int fd;

	if (syscall(SYS_capget, &header, sets))
		return false;
	memcpy(none, sets, sizeof(none));
	none[0].effective = none[1].effective = 0;
	if (syscall(SYS_capset, &header, none))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		close(fd);
	/* Where that fails, the rights are given up in any case. */
	return syscall(SYS_capset, &header, sets) || fd >= 0;
}

static int change_user(void)
{
	uid_t user = (uid_t)(USER_FIRST + getpid() % USER_COUNT);

	/* Permitted capabilities outlive the change of user, effective ones are set again
	 * afterwards. */
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) || setgroups(0, NULL) ||
	    setresgid(user, user, user) || setresuid(user, user, user))
		return -1;
	return 0;
}

int confine_rights(enum confine_right kept, struct error *error)
{
	static const uint32_t reading = 1u << CAP_DAC_READ_SEARCH, access = 1u << CAP_DAC_OVERRIDE;

	/* Refused is what the process did not have itself. */
	if (kept == CONFINE_WRITING && !set_capabilities(reading | access))
		return STATUS_OK;
	if (kept != CONFINE_NOTHING && kept != CONFINE_WRITING && !set_capabilities(reading))
		return STATUS_OK;
	if (kept >= CONFINE_ACCESS && !set_capabilities(access))
		return STATUS_OK;
	if (set_capabilities(0))
		return fail(error, "capabilities cannot be dropped");
	return STATUS_OK;
}

int confine_user(enum confine_right kept, struct error *error)
{
	bool root = geteuid() == 0;
	int r = STATUS_OK;

	if (root && change_user())
		r = fail(error, "a user of its own");
	/* The others have capabilities only in a namespace of their own, where nothing needs them.
	 */
	if (confine_rights(root ? kept : CONFINE_NOTHING, r ? NULL : error) && !r)
		r = STATUS_WORKER_FAILED;
	return r;
}

void confine_lifetime(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

bool confine_is_orphan(int channel)
{
	struct pollfd peer = { .fd = channel };
	struct ucred maker;
	socklen_t size = sizeof(maker);

	/* Of a process with threads, the children go to another one with the thread that started
	 * them; the channel is closed with the last thread, which may be a while later. */
	if (!getsockopt(channel, SOL_SOCKET, SO_PEERCRED, &maker, &size) && maker.pid > 0 &&
	    maker.pid != getppid())
		return true;
	return poll(&peer, 1, 0) > 0 && peer.revents & (POLLHUP | POLLERR);
}

/* ---- Limits ------------------------------------------------------------------------------- */

/* Lowers a limit, never raises it. */
static int lower(int resource, rlim_t most)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit))
		return -1;
	if (limit.rlim_max > most)
		limit.rlim_max = most;
	if (limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	return setrlimit(resource, &limit);
}

/* The stack of the first thread counts for no other limit, so a process may not raise its own. */
static rlim_t stack_most(void)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur < STACK_MOST ? limit.rlim_cur
									       : STACK_MOST;
}

int confine_limits(const struct confine_limits *limits, struct error *error)
{
	if (lower(RLIMIT_CORE, 0) || lower(RLIMIT_CPU, limits->cpu_seconds) ||
	    lower(RLIMIT_FSIZE, limits->file_bytes) || lower(RLIMIT_STACK, stack_most()) ||
	    lower(RLIMIT_NOFILE, limits->descriptors))
		return fail(error, "limits");
#ifndef TH_ASAN
	if (lower(RLIMIT_DATA, limits->data_bytes))
		return fail(error, "the memory limit");
#endif
	return STATUS_OK;
}

int confine_processes(rlim_t most, struct error *error)
{
	return lower(RLIMIT_NPROC, most) ? fail(error, "the limit of processes") : STATUS_OK;
}
