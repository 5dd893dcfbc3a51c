/* SPDX-License-Identifier: MIT
 *
 * The launcher: a process behind walls that has loaded one pack, stays single-threaded, and forks a
 * child for every call, some of them ahead. This is the one file of the worker that forks.
 */
#include "config.h"

#include "worker/launch.h"

#include "base/log.h"
#include "worker/child.h"
#include "worker/confine.h"
#include "worker/group.h"
#include "worker/memory.h"
#include "worker/message.h"
#include "worker/supervise.h"
#include "worker/walls.h"
#include "worker/worker.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
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
	int leaf; /* of the group; -1: none */
};

struct launch {
	struct walls walls;
	struct child_options child;
	const char *group_path; /* NULL: the host has made none */
	struct group group;
	bool late; /* every child loads the pack itself, since it starts threads */
	sigset_t usual_mask;
	int ended; /* a signalfd for SIGCHLD */
	unsigned keep;
	unsigned owed; /* beside those, asked for and not yet forked */
	uint32_t next_id;
	size_t count;
	struct forked children[CHILDREN_MOST];
};

static void send_message(const struct launch_message *message, const int *fds, size_t fd_count)
{
	if (!message_send(message, fds, fd_count))
		_exit(0); /* the host is gone */
}

/* ---- Children -------------------------------------------------------------------------------- */

/* Serves a call in the process that has just been forked for it. */
static _Noreturn void be_child(struct launch *launch, const int ends[2])
{
	/* The child has its own channel where the launcher has the host's. */
	dup2(ends[1], WORKER_CHANNEL);
	close(ends[0]);
	close(ends[1]);
	group_close(&launch->group);
	sigprocmask(SIG_SETMASK, &launch->usual_mask, NULL);
	confine_lifetime();
	child_serve(WORKER_CHANNEL, &launch->child);
}

/* Why there is no process. */
static const char *lack_of_process(void)
{
	/* Nobody is there to let the call pass: the supervisor was killed, and this ends with it.
	 */
	if (errno == ENOSYS)
		_exit(EXIT_FAILURE);
	return errno == EAGAIN ? "the system allows no more processes"
			       : "the system is out of memory";
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
static _Noreturn void be_keeper(struct launch *launch, const int ends[2], const struct forked *self)
{
	struct launch_message message = { .type = LAUNCH_EXIT, .id = self->id, .leaf = self->leaf };
	const struct sigaction action = { .sa_handler = pass_on, .sa_flags = SA_RESTART };
	struct error error = ERROR_INIT;
	pid_t pid;

	confine_lifetime();
	if (confine_user(CONFINE_NOTHING, &error) || confine_processes(PROCESSES_MOST, &error))
		message_refuse(error.message);
	sigaction(SIGTERM, &action, NULL);
	pid = fork();
	if (pid < 0) {
		const char *reason = lack_of_process();

		close(ends[0]);
		child_refuse(ends[1], reason); /* this call alone: others have their processes */
	}
	if (!pid) {
		signal(SIGTERM, SIG_DFL);
		be_child(launch, ends);
	}
	kept = pid;
	close(ends[0]);
	close(ends[1]);
	group_close(&launch->group);
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

/* Forks, into the leaf that is chosen for the child. Where the system does not have that, it stays
 * where we are, and so do all after it. */
static pid_t fork_into_group(struct launch *launch, struct forked *child, uint64_t flags)
{
	uint64_t arguments[GROUP_SIZE / 8];
	pid_t pid;

	child->leaf = -1;
	if (launch->group.count) {
		child->leaf = group_take(&launch->group);
		errno = EAGAIN; /* those that have ended have still to be waited for */
		if (child->leaf < 0)
			return -1;
		group_clone_arguments(&launch->group, child->leaf, flags, arguments);
		pid = (pid_t)syscall(SYS_clone3, arguments, GROUP_SIZE);
		if (pid >= 0)
			return pid;
		group_give_back(&launch->group, child->leaf, false);
		if (errno == EAGAIN || errno == ENOMEM)
			return pid;
		log_info("children have no group of their own: %s", strerror(errno));
		group_close(&launch->group);
		child->leaf = -1;
	}
	return flags ? (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL) : fork();
}

/* The process that a call ends with; -1: later. */
static pid_t fork_process(struct launch *launch, const int ends[2], struct forked *child)
{
	pid_t pid;

	if (!launch->walls.subprocess) {
		pid = fork_into_group(launch, child, 0);
		if (!pid) {
			close(launch->ended);
			be_child(launch, ends);
		}
		if (pid < 0 && !may_wait(launch))
			message_refuse(lack_of_process());
		return pid;
	}
	/* A user namespace comes with the other, so that no capability has to be kept for this. */
	pid = fork_into_group(launch, child, CLONE_NEWUSER | CLONE_NEWPID);
	if (!pid) {
		close(launch->ended);
		be_keeper(launch, ends, child);
	}
	if (pid >= 0 || may_wait(launch))
		return pid;
	if (errno != EAGAIN && errno != ENOMEM && errno != ENOSYS)
		message_refuse(
			"it is granted subprocesses, for which this system has to give each call a "
			"namespace of processes and does not: see toolhost doctor");
	message_refuse(lack_of_process());
}

/* False: not now. */
static bool fork_child(struct launch *launch)
{
	struct launch_message message = { .type = LAUNCH_CHILD };
	struct forked *child = &launch->children[launch->count];
	int ends[2], fds[2];

	if (launch->count == CHILDREN_MOST)
		return false;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		message_refuse("the worker is out of descriptors");
	child->id = launch->next_id++;
	child->pid = fork_process(launch, ends, child);
	close(ends[1]);
	if (child->pid < 0) {
		close(ends[0]);
		return false;
	}
	launch->count++;
	message.id = child->id;
	message.leaf = child->leaf;
	message.status = (int32_t)child->pid;
	fds[0] = ends[0];
	fds[1] = (int)syscall(SYS_pidfd_open, child->pid, 0);
	send_message(&message, fds, fds[1] < 0 ? 1 : 2);
	close(ends[0]);
	close(fds[1]);
	return true;
}

/* Where a fork has to wait, the next child that ends brings us back here. */
static void keep_children(struct launch *launch)
{
	while (launch->owed && fork_child(launch))
		launch->owed--;
	while (launch->count < launch->keep && fork_child(launch))
		;
}

static void reap_children(struct launch *launch)
{
	struct signalfd_siginfo ignored;
	int status;
	pid_t pid;

	/* All that have ended by now are one signal. */
	if (read(launch->ended, &ignored, sizeof(ignored)) < 0)
		return;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (size_t i = 0; i < launch->count; i++) {
			struct launch_message message = { .type = LAUNCH_EXIT, .status = status };

			if (launch->children[i].pid != pid)
				continue;
			message.id = launch->children[i].id;
			message.leaf = launch->children[i].leaf;
			group_give_back(&launch->group, message.leaf,
					WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
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
	else if (message.type == LAUNCH_RELEASE)
		group_release(&launch->group, message.id);
	else if (message.type == LAUNCH_FORK)
		launch->owed++;
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

/* Only while they are held and not ignored is it told how children end. */
static void hold_ends(sigset_t *ret_before)
{
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &child, ret_before);
}

static void load(struct launch *launch)
{
	struct error error = ERROR_INIT;

	launch->child.pack = walls_load(&launch->walls, launch->child.path, &error);
	if (!launch->child.pack)
		message_refuse(error.message);
	hold_ends(NULL); /* its constructors may have changed that */
	memory_fill();
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
	close(launch->walls.processes);
	if (walls_raise(&launch->walls, launch->child.path, &listener, &error) ||
	    walls_hand_over(to_supervisor, listener))
		message_refuse(error.status ? error.message
					    : "the supervisor of the launcher is gone");
	close(to_supervisor);
	hold_ends(&launch->usual_mask);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	child_watch_crashes(); /* inherited by every child */
	launch->ended = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	if (launch->ended < 0)
		message_refuse("the worker is out of descriptors");
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
		else if (!strncmp(arguments[i], "group=", 6))
			launch->group_path = arguments[i] + 6;
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
	/* While it has the host's rights; what is open is closed by the first wall. */
	launch.walls.grouped = launch.group_path && group_enter(launch.group_path);
	if (walls_prepare(&launch.walls, &error) ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		message_refuse(error.status ? error.message : "the worker is out of descriptors");
	if (launch.walls.grouped)
		group_open(&launch.group, launch.group_path);
	launch.walls.grouped = launch.group.count != 0;
	pid = fork();
	if (pid < 0)
		message_refuse("the system allows no more processes");
	if (!pid) {
		close(ends[0]);
		run_launcher(&launch, ends[1]);
	}
	close(ends[1]);
	group_close(&launch.group);
	if (!walls_receive(ends[0], &listener))
		supervise(pid, listener, launch.walls.processes);
	/* The launcher has said itself why it could not start. */
	_exit(EXIT_SUCCESS);
}
