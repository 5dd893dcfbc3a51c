/* SPDX-License-Identifier: MIT
 *
 * What a launcher and the host say to each other over the launcher's channel, a SOCK_SEQPACKET: one
 * struct a message, small, with descriptors beside some.
 */
#ifndef TOOLHOST_LAUNCH_H
#define TOOLHOST_LAUNCH_H

#include <stdint.h>

enum launch_type {
	LAUNCH_READY = 1, /* launcher: the pack is loaded */
	LAUNCH_REFUSED,	  /* launcher: it cannot be; `text` says why; the launcher ends */
	LAUNCH_CHILD,	/* launcher: a spare child `id`, process `status` there; its channel and its
			   pidfd come along */
	LAUNCH_EXIT,	/* launcher: child `id` has ended with wait status `status` */
	LAUNCH_BLOCKED, /* supervisor: process `id` made the forbidden system call `status`, and is
			   killed */
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

#endif
