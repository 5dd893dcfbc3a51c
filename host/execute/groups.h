/* SPDX-License-Identifier: MIT
 *
 * Groups of processes (cgroup v2), which hold the memory, the threads and the share of the
 * processors of each isolated call, where the system lets the program make any.
 *
 *	HOME/			where the program may make groups: delegated to it
 *	  toolhost-PID/		all of this program's
 *	    host/		the program itself, where it had to leave HOME
 *	    w3/			a launcher's
 *	      launcher/		it, its supervisor, and what it has loaded
 *	      c0/ c1/ ...	a call each, and after that another one
 *
 * Nothing here fails a call, but where the operator demands groups.
 */
#ifndef TOOLHOST_GROUPS_H
#define TOOLHOST_GROUPS_H

#include "execute/warden.h"

#define GROUPS_PATH 1024

struct groups_home {
	char path[GROUPS_PATH]; /* of HOME; "" where there is none */
	bool stands_in; /* the program is in it, and has to leave before controllers are turned on */
	bool memory, pids, cpu; /* controllers that can be had */
	char why[512];		/* there is none, or it lacks a controller */
	char cure[512];		/* what would mend that; "" where nothing is amiss */
};

/* Looks for it, and changes nothing. */
void groups_find_home(struct groups_home *ret_home);

struct groups;

/* What the memory of a child's group tells of its end. */
struct groups_memory {
	bool exceeded;	   /* the kernel killed it, as the group had reached its limit */
	bool system;	   /* likewise, as the system or a group around had none left */
	uint64_t observed; /* bytes that the group had at most */
};

/* Makes the groups of this program, once; may take milliseconds. Where none can be had, says so in
 * what groups_state() answers. NULL: no memory. The process that outlives this one to remove them
 * is started by the warden. */
struct groups *groups_new(struct warden *warden);
void groups_free(struct groups *groups);

/* What came of it. */
const struct groups_home *groups_state(const struct groups *groups);

/* A group for a launcher that has up to `leaves` children at once, each with at most `tasks`
 * processes and threads. Its number, and its path in `path`; 0 where there is none. */
unsigned groups_add(struct groups *groups, unsigned leaves, unsigned tasks, char path[GROUPS_PATH]);

/* Removes it, with all that is left in it. */
void groups_remove(struct groups *groups, unsigned number);

/* A leaf with a child in it. */
struct groups_leaf {
	unsigned number; /* of the launcher's group; 0: the child has no group of its own */
	int leaf;
	uint64_t there; /* bytes that were in it before the call, which earlier ones have left */
	uint64_t bound; /* bytes that it may hold */
};

/* Looks at the leaf of a new child, and bounds it to `bytes` beside what is there (0: later). */
void groups_look(struct groups *groups, struct groups_leaf *leaf, uint64_t bytes);

/* Bounds it to about `bytes` beside that, which mostly is what it is bounded to. Any thread, which
 * has the child. */
void groups_bound(struct groups *groups, struct groups_leaf *leaf, uint64_t bytes);

/* How often the kernel has killed in a leaf so far; what that tells of a child that was killed,
 * *kills and *limits holding the numbers before it. */
void groups_examine(struct groups *groups, unsigned number, int leaf, int64_t *kills,
		    int64_t *limits, struct groups_memory *ret_memory);

#endif
