/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "execute/launcher-group.h"

#include "base/procfs.h"
#include "base/settings.h"

#include <stdio.h>
#include <string.h>

#define MEBIBYTE (UINT64_C(1) << 20)
/* What the kernel counts beside a call's own data: its stack, tables of pages, sockets, libraries
 * that it is the first to read. The limit on data refuses before this is used up. */
#define SLACK (32 * MEBIBYTE)
#define PAYLOAD_STEP (16 * MEBIBYTE)
/* A pack that starts threads is loaded by each child, perhaps not yet when it is looked at. */
#define LATE_BASE (256 * MEBIBYTE)
#define DYING_MOST 8	      /* children that have ended and still have their leaf */
#define PROCESSES_OF_CALL 256 /* where the pack may start some, likewise in worker/launch.c */

void launcher_group_make(struct launcher_group *group, const struct registry_pack *pack,
			 char path[GROUPS_PATH])
{
	unsigned tasks = (unsigned)setting_whole(SETTING_MAX_THREADS) +
			 (pack->grants->subprocess ? PROCESSES_OF_CALL : 0);
	unsigned leaves = (unsigned)(setting_whole(SETTING_MAX_WORKERS) +
				     setting_whole(SETTING_SPARE_WORKERS)) +
			  DYING_MOST;

	path[0] = '\0';
	memset(group->kills, 0, sizeof(group->kills));
	memset(group->limits, 0, sizeof(group->limits));
	atomic_store(&group->base, 0);
	group->number = groups_add(group->groups, leaves, tasks, path);
}

/* Bytes of data of the process behind a pidfd; 0: it has ended, or nothing is known. */
static uint64_t data_of(int pidfd)
{
	char path[64];
	int64_t pid;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
	pid = procfs_number(path, "Pid:");
	if (pid <= 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/%lld/status", (long long)pid);
	return (uint64_t)procfs_number(path, "VmData:") << 10;
}

void launcher_group_add(struct launcher_group *group, const struct registry_pack *pack, int leaf,
			int pidfd, struct groups_leaf *ret_leaf)
{
	*ret_leaf = (struct groups_leaf){ .leaf = leaf };
	if (leaf < 0 || leaf >= CGROUP_LEAVES || !group->number)
		return;
	ret_leaf->number = group->number;
	if (!atomic_load(&group->base))
		atomic_store(&group->base, data_of(pidfd) + (pack->starts_threads ? LATE_BASE : 0));
	groups_look(group->groups, ret_leaf, atomic_load(&group->usual));
}

void launcher_group_bound(struct launcher_group *group, struct groups_leaf *leaf, int64_t memory_mb,
			  size_t payload)
{
	uint64_t arguments = (4 * (uint64_t)payload / PAYLOAD_STEP + 1) * PAYLOAD_STEP;
	uint64_t bytes;

	if (!leaf->number || !memory_mb)
		return;
	bytes = atomic_load(&group->base) + (uint64_t)memory_mb * (MEBIBYTE + MEBIBYTE / 64) +
		arguments + SLACK;
	groups_bound(group->groups, leaf, bytes);
	atomic_store(&group->usual, bytes);
}

void launcher_group_examine(struct launcher_group *group, int leaf,
			    struct groups_memory *ret_memory)
{
	*ret_memory = (struct groups_memory){ 0 };
	if (leaf >= 0 && leaf < CGROUP_LEAVES && group->number)
		groups_examine(group->groups, group->number, leaf, &group->kills[leaf],
			       &group->limits[leaf], ret_memory);
}

const char *launcher_group_refusal(const struct launcher_group *group,
				   const struct groups_leaf *leaf)
{
	const struct groups_home *state = groups_state(group->groups);

	if (!setting_switch(SETTING_DEMAND_CGROUP))
		return NULL;
	if (!state->memory || !state->pids)
		return state->why;
	return leaf && !leaf->number ? "the system does not start a process in a group (clone3)"
				     : NULL;
}
