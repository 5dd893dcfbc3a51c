/* SPDX-License-Identifier: MIT
 *
 * Every forbidden call is held by the kernel until we answer, whatever handlers and masks the pack
 * has. The launcher has to fork, and everybody may signal himself: those go on. For all else the
 * caller is killed, and the host is told which call it was before it can learn of the end.
 */
#include "config.h"

#include "worker/supervise.h"

#include "base/procfs.h"
#include "base/settings.h"
#include "worker/message.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of Linux 6.6, and not yet in the headers of Debian 12. */
#define NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#define NOTIF_SYNC_WAKE_UP UINT64_C(1)

/* Of Linux 6.3, likewise; there, an operator may allow no memory without it. */
#define NOEXEC_SEAL 8U

#define NUMBERS_MOST 33 /* namespaces that may lie in one another, and the outermost */

/* Where processes are looked at: not in the /proc that is mounted, where that hides them from us. */
static char folder[32] = "/proc";

/* The numbers of a line of /proc/PID/status. Answers how many there are; 0 where the process is
 * gone. */
static size_t status_numbers(pid_t pid, const char *key, int64_t ret_numbers[NUMBERS_MOST])
{
	char path[64];

	snprintf(path, sizeof(path), "%s/%d/status", folder, (int)pid);
	return procfs_numbers(path, key, ret_numbers, NUMBERS_MOST);
}

/* The last of them, which is the one of the innermost namespace; 0 where the process is gone. */
static pid_t status_number(pid_t pid, const char *key)
{
	int64_t numbers[NUMBERS_MOST];
	size_t count = status_numbers(pid, key, numbers);

	return count ? (pid_t)numbers[count - 1] : 0;
}

/* The process that a thread belongs to; a notice names the thread. */
static pid_t process_of(pid_t thread)
{
	return status_number(thread, "Tgid:");
}

/* The number of a process in its own namespace, which is what it calls itself. */
static pid_t own_number(pid_t pid)
{
	return status_number(pid, "NStgid:");
}

/* The child of the launcher that a process comes from: itself, unless its pack may start some. */
static pid_t child_of(pid_t launcher, pid_t pid)
{
	for (pid_t at = pid; at > 1;) {
		pid_t parent = status_number(at, "PPid:");

		if (parent == launcher)
			return at;
		at = parent;
	}
	return pid;
}

/* The number by which the launcher knows its child, which may be in a namespace further in. */
static pid_t number_for(pid_t launcher, pid_t child)
{
	int64_t numbers[NUMBERS_MOST];
	size_t depth = status_numbers(launcher, "NStgid:", numbers);
	size_t count = status_numbers(child, "NStgid:", numbers);

	return depth && depth <= count ? (pid_t)numbers[depth - 1] : 0;
}

/* Whether a process may have one more thread. Those that are being started at this moment are not
 * counted yet, so there may be up to twice as many as the setting says. */
static bool has_room(pid_t pid)
{
	return status_number(pid, "Threads:") < setting_whole(SETTING_MAX_THREADS);
}

static bool starts_thread(const struct seccomp_notif *notice)
{
	return notice->data.nr == SYS_clone && notice->data.args[0] & CLONE_THREAD;
}

static bool may_go_on(const struct seccomp_notif *notice, pid_t launcher)
{
	switch (notice->data.nr) {
	case SYS_fork:
	case SYS_vfork:
	case SYS_clone:
	case SYS_clone3: /* into a group of its own */
		return (pid_t)notice->pid == launcher;
	case SYS_kill:
	case SYS_tkill:
	case SYS_tgkill:
	case SYS_rt_sigqueueinfo:
	case SYS_rt_tgsigqueueinfo:
		return (pid_t)notice->data.args[0] == own_number((pid_t)notice->pid) &&
		       notice->data.args[0];
	default:
		return false;
	}
}

/* Of a signal to oneself, which may go on: whether it is the one that tells nobody whence it came. */
static bool kills_itself(const struct seccomp_notif *notice)
{
	switch (notice->data.nr) {
	case SYS_kill:
	case SYS_tkill:
	case SYS_rt_sigqueueinfo:
		return (int)notice->data.args[1] == SIGKILL;
	case SYS_tgkill:
	case SYS_rt_tgsigqueueinfo:
		return (int)notice->data.args[2] == SIGKILL;
	default:
		return false;
	}
}

/* The host knows the child by the number that the launcher gave it. */
static void tell_host(enum launch_type type, pid_t own, int number)
{
	const struct launch_message message = { .type = type,
						.id = (uint32_t)own,
						.status = number };

	message_send(&message, NULL, 0);
}

/* Kills the child that a thread belongs to, or comes from, once the host knows why. False: there is
 * none (any more). */
static bool end_call(pid_t launcher, pid_t thread, int number)
{
	pid_t child = child_of(launcher, process_of(thread));

	if (child <= 0) /* 0 would be all of us */
		return false;
	tell_host(LAUNCH_BLOCKED, number_for(launcher, child), number);
	return kill(child, SIGKILL) == 0;
}

static void answer_notice(int blocked, pid_t launcher)
{
	struct seccomp_notif_resp answer = { 0 };
	struct seccomp_notif notice = { 0 };

	if (ioctl(blocked, SECCOMP_IOCTL_NOTIF_RECV, &notice))
		return; /* it is gone already */
	answer.id = notice.id;
	if (starts_thread(&notice) && !has_room((pid_t)notice.pid)) {
		answer.error = -EAGAIN;
	} else if (starts_thread(&notice) || may_go_on(&notice, launcher)) {
		if (kills_itself(&notice))
			tell_host(LAUNCH_KILLED,
				  number_for(launcher, process_of((pid_t)notice.pid)), 0);
		answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	} else if (end_call(launcher, (pid_t)notice.pid, notice.data.nr)) {
		return; /* held until it is gone: what its pack has started may not see it fail, and answer */
	} else {
		answer.error = -EPERM;
	}
	ioctl(blocked, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

/* Whether what the launcher and its children do can be seen at all. */
static bool sees_processes(pid_t launcher, int view)
{
	if (status_number(launcher, "Tgid:")) {
		close(view);
		return true;
	}
	snprintf(folder, sizeof(folder), "/proc/self/fd/%d", view);
	return status_number(launcher, "Tgid:") != 0;
}

/* ---- Our own life ---------------------------------------------------------------------------- */

/* A page that the host can read, and that nobody can make smaller under it; NULL: there is none. */
static struct launch_life *shared_page(int *ret_fd)
{
	int fd = memfd_create("life", MFD_CLOEXEC | MFD_ALLOW_SEALING | NOEXEC_SEAL);
	void *page;

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("life", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	signal(SIGXFSZ, SIG_IGN); /* of a limit below a page we tell */
	if (fd < 0 || ftruncate(fd, sizeof(struct launch_life)) ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return NULL;
	page = mmap(NULL, sizeof(struct launch_life), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	*ret_fd = fd;
	return page == MAP_FAILED ? NULL : page;
}

/* False: the host could not see our end. */
static bool show_life(void)
{
	static struct robust_list_head held;
	const struct launch_message message = { .type = LAUNCH_LIFE };
	struct launch_life *life;
	int fd;

	life = shared_page(&fd);
	if (!life)
		return false;
	life->owner = (uint32_t)gettid();
	life->link.next = &held.list;
	held.list.next = &life->link;
	held.futex_offset = offsetof(struct launch_life, owner);
	if (syscall(SYS_set_robust_list, &held, sizeof(held)) || !message_send(&message, &fd, 1))
		return false;
	close(fd);
	return true;
}

/* ---------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t asked_to_end;

static void ask_to_end(int number)
{
	(void)number;
	asked_to_end = 1;
}

static _Noreturn void refuse(pid_t launcher, const char *reason)
{
	kill(launcher, SIGKILL);
	message_refuse(reason);
}

_Noreturn void supervise(pid_t launcher, int blocked, int processes)
{
	const struct sigaction action = { .sa_handler = ask_to_end };
	sigset_t held, none;
	struct pollfd fds[2] = {
		{ .fd = blocked, .events = POLLIN },
		{ .fd = (int)syscall(SYS_pidfd_open, launcher, 0), .events = POLLIN },
	};
	int status = 0;

	if (fds[1].fd < 0)
		refuse(launcher, "its supervisor cannot watch it");
	if (!sees_processes(launcher, processes))
		refuse(launcher, "/proc hides its processes from its supervisor: mount it without "
				 "hidepid, or run the program with CAP_SYS_ADMIN or not as root");
	if (!show_life())
		refuse(launcher, errno == EFBIG
					 ? "the limit of the size of files (ulimit -f) leaves its "
					   "supervisor no page to share with the host"
					 : "its supervisor shares no memory with the host");
	/* The host's end comes as a signal that can be caught, so that the launcher is ended and
	 * waited for, too. */
	sigaction(SIGTERM, &action, NULL);
	/* Taken only while ppoll() waits, so that none comes just before that and is slept over. */
	sigemptyset(&none);
	sigemptyset(&held);
	sigaddset(&held, SIGTERM);
	sigprocmask(SIG_BLOCK, &held, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
	/* Whoever is held wakes on this processor, as we then sleep; before Linux 6.6 it cannot be
	 * had. */
	ioctl(blocked, NOTIF_SET_FLAGS, NOTIF_SYNC_WAKE_UP);
	for (;;) {
		int n = ppoll(fds, 2, NULL, &none);

		if (asked_to_end)
			kill(launcher, SIGKILL);
		if (n < 0)
			continue;
		if (fds[0].revents & POLLIN)
			answer_notice(blocked, launcher);
		else if (fds[0].revents)
			fds[0].fd = -1; /* nobody is left whom it could hold */
		if (fds[1].revents && waitpid(launcher, &status, 0) == launcher)
			_exit(WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE);
	}
}
