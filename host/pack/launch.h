/* SPDX-License-Identifier: MIT
 *
 * What a launcher and the host say to each other over the launcher's channel, a SOCK_SEQPACKET: one
 * struct a message, small, with descriptors beside some.
 */
#ifndef TOOLHOST_LAUNCH_H
#define TOOLHOST_LAUNCH_H

#include <linux/futex.h>
#include <stdint.h>

enum launch_type {
	LAUNCH_READY = 1, /* launcher: the pack is loaded */
	LAUNCH_REFUSED,	  /* launcher: it cannot be; `text` says why; the launcher ends */
	LAUNCH_LIFE, /* supervisor, before any child: it lives as long as its page says so, a memfd that
			   comes along, with a struct launch_life */
	LAUNCH_CHILD,	/* launcher: a spare child `id`, process `status` there; its channel and its
			   pidfd come along */
	LAUNCH_EXIT,	/* launcher: child `id` has ended with wait status `status` */
	LAUNCH_BLOCKED, /* supervisor: process `id` made the forbidden system call `status`, and is
			   killed */
	LAUNCH_KILLED,	/* supervisor: process `id` sends itself SIGKILL */
	LAUNCH_KEEP,	/* host: keep `id` children alive, busy or not */
	LAUNCH_FORK,	/* host: fork one now */
	LAUNCH_RELEASE, /* host: it has looked why the child in leaf `id` was killed */
};

struct launch_message {
	uint32_t type;
	uint32_t id;
	int32_t status;
	int32_t leaf; /* of a child: the group that it stands in; -1: none of its own */
	char text[500];
};

/* What the host sees of the supervisor, without which forbidden calls fail with ENOSYS: a pack could
 * then answer, or end, as if that were all. `owner` is a robust futex (get_robust_list(2)). The kernel
 * sets FUTEX_OWNER_DIED there as the supervisor's end begins, before it closes what that had open, and
 * so before any such call fails. */
struct launch_life {
	struct robust_list link; /* the supervisor's */
	_Atomic uint32_t owner;
};

#endif
