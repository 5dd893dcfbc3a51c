/* SPDX-License-Identifier: MIT
 *
 * The groups of processes (cgroup v2) that the host has made for a launcher: one that it stands in,
 * and one for each of its children, one after the other.
 */
#ifndef TOOLHOST_WORKER_GROUP_H
#define TOOLHOST_WORKER_GROUP_H

#include "base/cgroup.h"

#include <stdint.h>
#include <sys/types.h>

#define GROUP_SIZE 96 /* of the argument of clone3 by which the supervisor's filter knows ours */

enum leaf_state { LEAF_FREE, LEAF_USED, LEAF_HELD };

struct group {
	size_t count; /* leaves; 0: there is no group */
	int leaves[CGROUP_LEAVES];
	unsigned char states[CGROUP_LEAVES];
	pid_t *own_number; /* where the C library keeps the process's number */
};

/* Enters the group at `path`, with the rights of the host; false where that does not work. */
bool group_enter(const char *path);

/* Opens the leaves of the group that was entered; descriptors stay open until group_close(). */
void group_open(struct group *group, const char *path);
void group_close(struct group *group);

/* A leaf for the next child, or -1: all are in use. */
int group_take(struct group *group);

/* The child in a leaf has ended. One that was killed is held until the host has looked why, and
 * frees it. Numbers of no leaf are ignored. */
void group_give_back(struct group *group, int leaf, bool hold);
void group_release(struct group *group, uint32_t leaf);

/* Fills the argument of clone3 for a process in a leaf, of GROUP_SIZE bytes. `flags` beside that. */
void group_clone_arguments(const struct group *group, int leaf, uint64_t flags,
			   uint64_t arguments[GROUP_SIZE / 8]);

#endif
