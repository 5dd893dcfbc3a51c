/* SPDX-License-Identifier: MIT
 *
 * The launcher: a process behind walls that has loaded one pack, stays single-threaded, and forks a
 * child for every call, some of them ahead. This is the one file of the worker that forks.
 */
#include "config.h"

#include "worker/launch.h"

#include "base/log.h"
#include "pack/launch.h"
#include "worker/child.h"
#include "worker/confine.h"
#include "worker/memory.h"
#include "worker/supervise.h"
#include "worker/walls.h"
#include "worker/worker.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN_MOST 1024
#define PROCESSES_MOST 256 /* of one call that may start some */
#define KEEPER_HAS_TOLD 41 /* exit status of a keeper that has said how its call ended */

struct forked {
	pid_t pid;
	uint32_t id;
};

struct launch {
	struct walls walls;
	struct child_options child;
	bool late; /* every child loads the pack itself, since it starts threads */
	sigset_t usual_mask;
	int ended; /* a signalfd for SIGCHLD */
	unsigned keep;
	uint32_t next_id;
	size_t count;
	struct forked children[CHILDREN_MOST];
};

/* ---- Messages -------------------------------------------------------------------------------- */

static void send_message(const struct launch_message *message, const int *fds, size_t fd_count)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control = { 0 };
	struct iovec io = { (void *)(uintptr_t)message, sizeof(*message) };
	struct msghdr header = { .msg_iov = &io, .msg_iovlen = 1 };

	if (fd_count) {
		header.msg_control = &control;
		header.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
		control.align.cmsg_level = SOL_SOCKET;
		control.align.cmsg_type = SCM_RIGHTS;
		control.align.cmsg_len = CMSG_LEN(fd_count * sizeof(int));
		memcpy(CMSG_DATA(&control.align), fds, fd_count * sizeof(int));
	}
	if (sendmsg(WORKER_CHANNEL, &header, MSG_NOSIGNAL) < 0)
		_exit(0); /* the host is gone */
}

static _Noreturn void refuse(const char *reason)
{
	struct launch_message message = { .type = LAUNCH_REFUSED };

	snprintf(message.text, sizeof(message.text), "%s", reason);
	send_message(&message, NULL, 0);
	_exit(0);
}

/* ---- Children -------------------------------------------------------------------------------- */

/* Serves a call in the process that has just been forked for it. */
static _Noreturn void be_child(struct launch *launch, const int ends[2])
{
	/* The child has its own channel where the launcher has the host's. */
	dup2(ends[1], WORKER_CHANNEL);
	close(ends[0]);
	close(ends[1]);
	sigprocmask(SIG_SETMASK, &launch->usual_mask, NULL);
	confine_lifetime();
	child_serve(WORKER_CHANNEL, &launch->child);
}

static _Noreturn void refuse_for_process(void)
{
	/* Nobody is there to let the call pass: the supervisor was killed, and this ends with it.
	 */
	if (errno == ENOSYS)
		_exit(EXIT_FAILURE);
	refuse(errno == EAGAIN ? "the system allows no more processes"
			       : "the system is out of memory");
}

static volatile sig_atomic_t kept;

static void pass_on(int number)
{
	if (kept)
		kill(kept, number);
}

/* The first process of a call's own namespace, where the pack may start processes: whatever the
 * call leaves behind ends when this one does. The call itself is a second process, since the first
 * one of a namespace does not take signals as others do. */
static _Noreturn void be_keeper(struct launch *launch, const int ends[2], uint32_t id)
{
	struct launch_message message = { .type = LAUNCH_EXIT, .id = id };
	const struct sigaction action = { .sa_handler = pass_on, .sa_flags = SA_RESTART };
	struct error error = ERROR_INIT;
	pid_t pid;

	confine_lifetime();
	if (confine_user(CONFINE_NOTHING, &error) || confine_processes(PROCESSES_MOST, &error))
		refuse(error.message);
	sigaction(SIGTERM, &action, NULL);
	pid = fork();
	if (pid < 0)
		refuse_for_process();
	if (!pid) {
		signal(SIGTERM, SIG_DFL);
		be_child(launch, ends);
	}
	kept = pid;
	close(ends[0]);
	close(ends[1]);
	sigprocmask(SIG_SETMASK, &launch->usual_mask, NULL);
	/* Orphans of the call come here too. */
	while (waitpid(-1, &message.status, 0) != pid)
		;
	send_message(&message, NULL, 0);
	_exit(KEEPER_HAS_TOLD);
}

/* The system has no process left for now. While others live, whose end makes room, that is no
 * reason to end them. */
static bool may_wait(const struct launch *launch)
{
	return launch->count && (errno == EAGAIN || errno == ENOMEM);
}

/* The process that a call ends with; -1: later. */
static pid_t fork_process(struct launch *launch, const int ends[2], uint32_t id)
{
	pid_t pid;

	if (!launch->walls.subprocess) {
		pid = fork();
		if (!pid) {
			close(launch->ended);
			be_child(launch, ends);
		}
		if (pid < 0 && !may_wait(launch))
			refuse_for_process();
		return pid;
	}
	/* A user namespace comes with the other, so that no capability has to be kept for this. */
	pid = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWPID | SIGCHLD, NULL, NULL, NULL,
			     NULL);
	if (!pid) {
		close(launch->ended);
		be_keeper(launch, ends, id);
	}
	if (pid < 0 && errno == ENOSYS)
		refuse_for_process();
	if (pid < 0 && !may_wait(launch))
		refuse("it is granted subprocesses, for which this system has to give each call a "
		       "namespace of processes and does not: see toolhost doctor");
	return pid;
}

/* False: not now. */
static bool fork_child(struct launch *launch)
{
	struct launch_message message = { .type = LAUNCH_CHILD, .id = launch->next_id++ };
	int ends[2], fds[2];
	pid_t pid;

	if (launch->count == CHILDREN_MOST)
		return false;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		refuse("the worker is out of descriptors");
	pid = fork_process(launch, ends, message.id);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return false;
	}
	launch->children[launch->count++] = (struct forked){ .pid = pid, .id = message.id };
	message.status = (int32_t)pid;
	fds[0] = ends[0];
	fds[1] = (int)syscall(SYS_pidfd_open, pid, 0);
	send_message(&message, fds, fds[1] < 0 ? 1 : 2);
	close(ends[0]);
	close(fds[1]);
	return true;
}

/* Where a fork has to wait, the next child that ends brings us back here. */
static void keep_children(struct launch *launch)
{
	while (launch->count < launch->keep && fork_child(launch))
		;
}

static void reap_children(struct launch *launch)
{
	struct signalfd_siginfo ignored;
	int status;
	pid_t pid;

	while (read(launch->ended, &ignored, sizeof(ignored)) > 0)
		;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (size_t i = 0; i < launch->count; i++) {
			struct launch_message message = { .type = LAUNCH_EXIT, .status = status };

			if (launch->children[i].pid != pid)
				continue;
			message.id = launch->children[i].id;
			launch->children[i] = launch->children[--launch->count];
			/* A keeper that was killed has told nothing of its call. */
			if (!launch->walls.subprocess || !WIFEXITED(status) ||
			    WEXITSTATUS(status) != KEEPER_HAS_TOLD)
				send_message(&message, NULL, 0);
			break;
		}
	}
}

static void take_message(struct launch *launch)
{
	struct launch_message message = { 0 };
	ssize_t n = recv(WORKER_CHANNEL, &message, sizeof(message), MSG_DONTWAIT);

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		_exit(0); /* the host is gone, or needs us no more; the children go with us */
	if (n < 0)
		return;
	if (message.type == LAUNCH_KEEP)
		launch->keep = message.id < CHILDREN_MOST ? message.id : CHILDREN_MOST;
	else if (message.type == LAUNCH_FORK)
		fork_child(launch);
}

static _Noreturn void serve(struct launch *launch)
{
	struct pollfd fds[2] = {
		{ .fd = WORKER_CHANNEL, .events = POLLIN },
		{ .fd = launch->ended, .events = POLLIN },
	};

	for (;;) {
		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[1].revents)
			reap_children(launch);
		if (fds[0].revents)
			take_message(launch);
		keep_children(launch);
	}
}

/* ---- Start ----------------------------------------------------------------------------------- */

static void load(struct launch *launch)
{
	struct error error = ERROR_INIT;

	launch->child.pack = walls_load(&launch->walls, launch->child.path, &error);
	if (!launch->child.pack)
		refuse(error.message);
	launch->child.memory_base = memory_data();
}

/* The launcher: the rest of the walls, the pack, then children. */
static _Noreturn void run_launcher(struct launch *launch, int to_supervisor)
{
	const struct launch_message ready = { .type = LAUNCH_READY };
	struct error error = ERROR_INIT;
	sigset_t child;
	int listener;

	confine_lifetime();
	if (walls_raise(&launch->walls, launch->child.path, &listener, &error) ||
	    walls_hand_over(to_supervisor, listener))
		refuse(error.status ? error.message : "the supervisor of the launcher is gone");
	close(to_supervisor);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &launch->usual_mask);
	child_watch_crashes(); /* inherited by every child */
	launch->ended = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	if (!launch->late)
		load(launch);
	send_message(&ready, NULL, 0);
	serve(launch);
}

/* What the host grants the pack, and how it has to be run. */
static int read_grants(struct launch *launch, int count, char **arguments)
{
	for (int i = 0; i < count; i++) {
		if (!strcmp(arguments[i], "late"))
			launch->late = true;
		else if (walls_grant(&launch->walls, arguments[i]))
			return -1;
	}
	return 0;
}

int launch_main(int count, char **arguments)
{
	static struct launch launch;
	struct error error = ERROR_INIT;
	int ends[2], listener = -1;
	pid_t pid;

	if (!isolation_parse(arguments[0], &launch.walls.level) ||
	    read_grants(&launch, count - 2, arguments + 2)) {
		log_error("bad arguments for launch");
		return EXIT_MISUSED;
	}
	log_set_level(LOG_LEVEL_INFO); /* of which the host prints what it is asked for */
	launch.child.path = arguments[1];
	launch.child.walls = &launch.walls;
	if (walls_prepare(&launch.walls, &error) ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		refuse(error.status ? error.message : "the worker is out of descriptors");
	pid = fork();
	if (pid < 0)
		refuse("the system allows no more processes");
	if (!pid) {
		close(ends[0]);
		run_launcher(&launch, ends[1]);
	}
	close(ends[1]);
	if (!walls_receive(ends[0], &listener))
		supervise(pid, listener);
	/* The launcher has said itself why it could not start. */
	_exit(EXIT_SUCCESS);
}
