/* SPDX-License-Identifier: MIT
 *
 * Groups of processes (cgroup v2) as files: what host and worker both do with them.
 */
#ifndef TOOLHOST_CGROUP_H
#define TOOLHOST_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CGROUP_PROCS "cgroup.procs"
#define CGROUP_CONTROL "cgroup.subtree_control"
#define CGROUP_LAUNCHER                                                                            \
	"launcher"	  /* in the group of a launcher, the one that it stands in itself */
#define CGROUP_LEAVES 512 /* and those of its calls at most, "c0" and so on */

/* Opens a group's folder, absolute or below `folder` (AT_FDCWD: none). -1 and errno. */
int cgroup_open(int folder, const char *name);

/* Writes to, or reads the first 4095 bytes of a file of the group, whose path is below `folder`.
 * False, with errno, where that is refused; then `text` is "". */
bool cgroup_write(int folder, const char *file, const char *text);
bool cgroup_read(int folder, const char *file, char *text, size_t size);

/* The number that a file holds, where `key` is NULL, or that stands behind `key` in it. -1: none. */
int64_t cgroup_number(int folder, const char *file, const char *key);

/* Whether `word` is among the words of `list`. */
bool cgroup_lists(const char *list, const char *word);

/* Kills all processes of the group `name` and of those in it, where `kill` says so, and removes it
 * with them. A group that still has a process stays, and the answer is false. */
bool cgroup_remove(int folder, const char *name, bool kill);

#endif
