/* SPDX-License-Identifier: MIT
 *
 * The groups of one launcher and of its children (groups.h), as the launcher's side of the host
 * keeps them.
 */
#ifndef TOOLHOST_LAUNCHER_GROUP_H
#define TOOLHOST_LAUNCHER_GROUP_H

#include "base/cgroup.h"
#include "execute/groups.h"
#include "registry/registry.h"

#include <stdatomic.h>

struct launcher_group {
	struct groups *groups;
	unsigned number;	/* of the launcher that runs; 0: it has none */
	_Atomic uint64_t base;	/* bytes of data that a child has before its call; 0: not known */
	_Atomic uint64_t usual; /* bytes that the last call was bounded to */
	/* Of each leaf, how often the kernel has killed there, and its bound was the reason. */
	int64_t kills[CGROUP_LEAVES], limits[CGROUP_LEAVES];
};

/* A group for a launcher that is about to be started; its path, or "". */
void launcher_group_make(struct launcher_group *group, const struct registry_pack *pack,
			 char path[GROUPS_PATH]);

/* A child stands ready in a leaf (-1: in none). */
void launcher_group_add(struct launcher_group *group, const struct registry_pack *pack, int leaf,
			int pidfd, struct groups_leaf *ret_leaf);

/* A call of `memory_mb` whose arguments have `payload` bytes is about to be handed to it. */
void launcher_group_bound(struct launcher_group *group, struct groups_leaf *leaf, int64_t memory_mb,
			  size_t payload);

/* A child in a leaf was killed: why? */
void launcher_group_examine(struct launcher_group *group, int leaf,
			    struct groups_memory *ret_memory);

/* NULL, or why no isolated call may be made, where the operator demands groups. `leaf` is that of a
 * child, or NULL before there is one. */
const char *launcher_group_refusal(const struct launcher_group *group,
				   const struct groups_leaf *leaf);

#endif
