/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "worker/group.h"

#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

bool group_enter(const char *path)
{
	char procs[4096];

	snprintf(procs, sizeof(procs), "%s/" CGROUP_LAUNCHER "/" CGROUP_PROCS, path);
	if (cgroup_write(AT_FDCWD, procs, "0"))
		return true;
	log_info("a worker without a group: %s: %s", path, strerror(errno));
	return false;
}

void group_open(struct group *group, const char *path)
{
	char name[4096];
	int fd;

	group->count = 0;
	/* A process that clone3 makes is told its number there, as the C library's fork does. */
	if (prctl(PR_GET_TID_ADDRESS, &group->own_number) || !group->own_number ||
	    *group->own_number != getpid())
		return;
	while (group->count < CGROUP_LEAVES) {
		snprintf(name, sizeof(name), "%s/c%zu", path, group->count);
		fd = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			break;
		group->leaves[group->count++] = fd;
	}
	if (!group->count)
		log_info("a worker without groups for its calls: %s: %s", path, strerror(errno));
}

void group_close(struct group *group)
{
	for (size_t i = 0; i < group->count; i++)
		close(group->leaves[i]);
	group->count = 0;
}

static int find_free(const struct group *group)
{
	for (size_t i = 0; i < group->count; i++)
		if (group->states[i] == LEAF_FREE)
			return (int)i;
	return -1;
}

int group_take(struct group *group)
{
	int leaf = find_free(group);

	/* The host's word that one is free may be lost where it cannot send. */
	for (size_t i = 0; i < group->count && leaf < 0; i++)
		if (group->states[i] == LEAF_HELD)
			leaf = (int)i;
	if (leaf >= 0)
		group->states[leaf] = LEAF_USED;
	return leaf;
}

void group_give_back(struct group *group, int leaf, bool hold)
{
	if (leaf >= 0 && (size_t)leaf < group->count)
		group->states[leaf] = hold ? LEAF_HELD : LEAF_FREE;
}

void group_release(struct group *group, uint32_t leaf)
{
	if (leaf < group->count && group->states[leaf] == LEAF_HELD)
		group->states[leaf] = LEAF_FREE;
}

void group_clone_arguments(const struct group *group, int leaf, uint64_t flags,
			   uint64_t arguments[GROUP_SIZE / 8])
{
	struct clone_args clone = {
		.flags = flags | CLONE_INTO_CGROUP | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID,
		.child_tid = (uint64_t)(uintptr_t)group->own_number,
		.exit_signal = SIGCHLD,
		.cgroup = (uint64_t)group->leaves[leaf],
	};

	memset(arguments, 0, GROUP_SIZE);
	memcpy(arguments, &clone, sizeof(clone));
}
