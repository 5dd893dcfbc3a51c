/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "execute/groups.h"

#include "base/cgroup.h"
#include "base/log.h"
#include "base/settings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "toolhost-"
#define NAME_MOST 48
#define FILE_MOST (NAME_MOST + 32) /* of a file of a group */
#define LEFT_MOST 64		   /* launchers' groups that could not be removed at once */
#define REMOVE_TRIES 20		   /* a millisecond apart: whoever was killed has still to go */
#define OWN_TRIES 10
#define LEAVE_ROUNDS 8
#define MEBIBYTE (INT64_C(1) << 20)
#define LOADING_MB 1024 /* of memory for loading a pack, beyond that of a call */
#define LOADING_TASKS 256
#define LEFT_OVER (INT64_C(4) << 20) /* bytes in a leaf that are not worth counting */

struct groups {
	struct groups_home home;
	int home_folder;
	int folder; /* of this program's groups, locked while it lives; -1: there are none */
	int tidy;   /* whoever removes them waits for the end of this channel */
	char name[NAME_MOST];
	pthread_mutex_t lock; /* of what follows */
	unsigned last_number;
	unsigned left[LEFT_MOST];
	size_t left_count;
};

/* ---- This program's groups ------------------------------------------------------------------- */

static void fail(struct groups *groups, const char *what)
{
	struct groups_home *home = &groups->home;
	int fault = errno;

	snprintf(home->why, sizeof(home->why), "in the group %.300s %s: %s", home->path, what,
		 strerror(fault));
	home->cure[0] = '\0';
	home->memory = home->pids = home->cpu = false;
}

/* Removes what a program has left that was killed together with its helper. The lock tells who
 * lives, and a group with a process in it cannot be removed. */
static void sweep(int home)
{
	int fd = cgroup_open(home, ".");
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (fd >= 0 && !entries)
		close(fd);
	while (entries && (entry = readdir(entries))) {
		int folder = strncmp(entry->d_name, PREFIX, strlen(PREFIX))
				     ? -1
				     : cgroup_open(home, entry->d_name);

		if (folder >= 0 && !flock(folder, LOCK_EX | LOCK_NB) &&
		    cgroup_remove(home, entry->d_name, false))
			log_info("removed the groups of an earlier program, %s", entry->d_name);
		if (folder >= 0)
			close(folder);
	}
	if (entries)
		closedir(entries);
}

/* A folder that nobody else has, locked. Another program may sweep it away before that. */
static bool make_own(struct groups *groups)
{
	for (int i = 0; i < OWN_TRIES; i++) {
		snprintf(groups->name, sizeof(groups->name), i ? PREFIX "%d-%d" : PREFIX "%d",
			 (int)getpid(), i);
		if (mkdirat(groups->home_folder, groups->name, 0755))
			continue;
		groups->folder = cgroup_open(groups->home_folder, groups->name);
		if (groups->folder >= 0 && !flock(groups->folder, LOCK_SH) &&
		    !faccessat(groups->home_folder, groups->name, F_OK, 0))
			return true;
		if (groups->folder >= 0)
			close(groups->folder);
		groups->folder = -1;
	}
	return false;
}

/* Moves the program, and children that it has, out of its home. */
static bool leave_home(struct groups *groups)
{
	char list[4096];

	if (mkdirat(groups->folder, "host", 0755))
		return false;
	for (int i = 0; i < LEAVE_ROUNDS; i++) {
		if (!cgroup_read(groups->home_folder, CGROUP_PROCS, list, sizeof(list)))
			return false;
		if (!list[0])
			return true;
		for (char *at = strtok(list, "\n"); at; at = strtok(NULL, "\n"))
			if (!cgroup_write(groups->folder, "host/" CGROUP_PROCS, at) &&
			    errno != ESRCH)
				return false;
	}
	errno = EBUSY;
	return false;
}

static void list_controllers(const struct groups_home *home, const char *sign, char text[32])
{
	snprintf(text, 32, "%s%s%s%s%s%s", home->memory ? sign : "", home->memory ? "memory " : "",
		 home->pids ? sign : "", home->pids ? "pids " : "", home->cpu ? sign : "",
		 home->cpu ? "cpu" : "");
}

static bool turn_on(const struct groups *groups, int folder, const char *name)
{
	char list[32], path[FILE_MOST];

	list_controllers(&groups->home, "+", list);
	snprintf(path, sizeof(path), "%s%s" CGROUP_CONTROL, name, *name ? "/" : "");
	return cgroup_write(folder, path, list);
}

/* Has a process wait that removes the groups when this one has ended, in whatever way. */
static int start_tidy(struct groups *groups, struct warden *warden)
{
	char list[32];
	const char *arguments[] = { "tidy", groups->home.path, groups->name, NULL, NULL };
	const struct warden_task task = { .name = "tidy",
					  .arguments = arguments,
					  .outlives = true };

	list_controllers(&groups->home, "-", list);
	if (groups->home.stands_in)
		arguments[3] = list;
	return warden_start(warden, &task, &groups->tidy, NULL, NULL);
}

static void set_up(struct groups *groups, struct warden *warden)
{
	struct groups_home *home = &groups->home;

	groups->home_folder = cgroup_open(AT_FDCWD, home->path);
	if (groups->home_folder < 0) {
		fail(groups, "nothing can be opened");
		return;
	}
	sweep(groups->home_folder);
	if (!make_own(groups)) {
		fail(groups, "no other can be made");
		return;
	}
	/* From here on whoever tidies up brings back what was. */
	if (home->stands_in && !leave_home(groups))
		fail(groups, "a process cannot be moved");
	else if (start_tidy(groups, warden))
		fail(groups, "nobody can be started who removes what is made");
	else if ((home->stands_in && !turn_on(groups, groups->home_folder, "")) ||
		 !turn_on(groups, groups->folder, ""))
		fail(groups, "controllers cannot be turned on");
	if (home->memory || home->pids || home->cpu)
		return;
	if (groups->tidy < 0) {
		cgroup_write(groups->home_folder, CGROUP_PROCS, "0");
		cgroup_remove(groups->home_folder, groups->name, false);
	}
	close(groups->folder);
	groups->folder = -1;
}

struct groups *groups_new(struct warden *warden)
{
	struct groups *groups = calloc(1, sizeof(*groups));

	if (!groups)
		return NULL;
	groups->home_folder = groups->folder = groups->tidy = -1;
	pthread_mutex_init(&groups->lock, NULL);
	groups_find_home(&groups->home);
	if (groups->home.path[0])
		set_up(groups, warden);
	if (groups->folder < 0)
		log_debug("calls have no group of their own: %s", groups->home.why);
	return groups;
}

void groups_free(struct groups *groups)
{
	if (!groups)
		return;
	if (groups->folder >= 0)
		close(groups->folder);
	if (groups->home_folder >= 0)
		close(groups->home_folder);
	if (groups->tidy >= 0)
		close(groups->tidy);
	pthread_mutex_destroy(&groups->lock);
	free(groups);
}

const struct groups_home *groups_state(const struct groups *groups)
{
	return &groups->home;
}

/* ---- Those of a launcher --------------------------------------------------------------------- */

static void set_number(int folder, const char *group, const char *file, int64_t number)
{
	char path[FILE_MOST], text[24];

	snprintf(path, sizeof(path), "%s/%s", group, file);
	snprintf(text, sizeof(text), "%" PRId64, number);
	cgroup_write(folder, path, text); /* or the controller is not there */
}

/* One with a bound on memory and threads. Where the worker's user is another one, its launcher has
 * to be allowed to start processes there. */
static bool make_leaf(int folder, const char *name, int64_t bytes, unsigned tasks)
{
	char procs[FILE_MOST];

	if (mkdirat(folder, name, 0755))
		return false;
	set_number(folder, name, "memory.max", bytes);
	set_number(folder, name, "memory.swap.max", 0);
	set_number(folder, name, "memory.oom.group", 1);
	set_number(folder, name, "pids.max", tasks);
	snprintf(procs, sizeof(procs), "%s/" CGROUP_PROCS, name);
	return geteuid() || !fchmodat(folder, procs, 0666, 0);
}

static bool make_leaves(int folder, unsigned leaves, unsigned tasks)
{
	int64_t bytes = (setting_whole(SETTING_MAX_MEMORY_MB) + LOADING_MB) * MEBIBYTE;
	char name[NAME_MOST];

	if (!make_leaf(folder, CGROUP_LAUNCHER, bytes, LOADING_TASKS) ||
	    (!geteuid() && fchmodat(folder, CGROUP_PROCS, 0666, 0)))
		return false;
	for (unsigned i = 0; i < leaves && i < CGROUP_LEAVES; i++) {
		snprintf(name, sizeof(name), "c%u", i);
		if (!make_leaf(folder, name, bytes, tasks))
			return i > 0;
	}
	return true;
}

unsigned groups_add(struct groups *groups, unsigned leaves, unsigned tasks, char path[GROUPS_PATH])
{
	char name[NAME_MOST];
	unsigned number;
	int folder;
	bool made;

	if (groups->folder < 0)
		return 0;
	pthread_mutex_lock(&groups->lock);
	number = ++groups->last_number;
	pthread_mutex_unlock(&groups->lock);
	snprintf(name, sizeof(name), "w%u", number);
	/* Nobody of the worker's user finds the way into it, but by what the launcher has open. */
	if (mkdirat(groups->folder, name, 0700))
		return 0;
	folder = cgroup_open(groups->folder, name);
	made = folder >= 0 && turn_on(groups, groups->folder, name) &&
	       make_leaves(folder, leaves, tasks) &&
	       snprintf(path, GROUPS_PATH, "%s/%s/%s", groups->home.path, groups->name, name) <
		       GROUPS_PATH;
	if (!made)
		log_info("no group for a launcher: %s", strerror(errno));
	if (folder >= 0)
		close(folder);
	if (!made)
		cgroup_remove(groups->folder, name, false);
	return made ? number : 0;
}

static bool remove_one(const struct groups *groups, unsigned number)
{
	char name[NAME_MOST];

	snprintf(name, sizeof(name), "w%u", number);
	return cgroup_remove(groups->folder, name, true);
}

void groups_remove(struct groups *groups, unsigned number)
{
	bool removed = false;

	if (!number)
		return;
	for (int i = 0; i < REMOVE_TRIES && !(removed = remove_one(groups, number)); i++)
		usleep(1000);
	pthread_mutex_lock(&groups->lock);
	for (size_t i = groups->left_count; i-- > 0;)
		if (remove_one(groups, groups->left[i]))
			groups->left[i] = groups->left[--groups->left_count];
	if (!removed && groups->left_count < LEFT_MOST)
		groups->left[groups->left_count++] = number;
	pthread_mutex_unlock(&groups->lock);
}

/* ---- A call ---------------------------------------------------------------------------------- */

static void leaf_path(char path[FILE_MOST], unsigned number, int leaf, const char *file)
{
	snprintf(path, FILE_MOST, "w%u/c%d/%s", number, leaf, file);
}

static void write_bound(struct groups *groups, struct groups_leaf *leaf, uint64_t bytes)
{
	char path[FILE_MOST], text[24];

	leaf_path(path, leaf->number, leaf->leaf, "memory.max");
	snprintf(text, sizeof(text), "%" PRIu64, bytes);
	if (cgroup_write(groups->folder, path, text))
		leaf->bound = bytes;
}

void groups_look(struct groups *groups, struct groups_leaf *leaf, uint64_t bytes)
{
	char path[FILE_MOST];
	int64_t there;

	leaf->there = leaf->bound = 0;
	if (!leaf->number || !groups->home.memory)
		return;
	leaf_path(path, leaf->number, leaf->leaf, "memory.current");
	there = cgroup_number(groups->folder, path, NULL);
	if (there > LEFT_OVER)
		leaf->there = (uint64_t)there;
	if (bytes)
		write_bound(groups, leaf, bytes + leaf->there);
}

void groups_bound(struct groups *groups, struct groups_leaf *leaf, uint64_t bytes)
{
	uint64_t wanted = bytes + leaf->there;

	if (leaf->number && groups->home.memory && leaf->bound != wanted)
		write_bound(groups, leaf, wanted);
}

void groups_examine(struct groups *groups, unsigned number, int leaf, int64_t *kills,
		    int64_t *limits, struct groups_memory *ret_memory)
{
	char path[FILE_MOST];
	int64_t killed, limited, peak;

	*ret_memory = (struct groups_memory){ 0 };
	leaf_path(path, number, leaf, "memory.events");
	killed = cgroup_number(groups->folder, path, "oom_kill");
	limited = cgroup_number(groups->folder, path, "oom");
	if (killed > *kills) {
		ret_memory->exceeded = limited > *limits;
		ret_memory->system = !ret_memory->exceeded;
	}
	if (killed >= 0)
		*kills = killed;
	if (limited >= 0)
		*limits = limited;
	leaf_path(path, number, leaf, "memory.peak"); /* from Linux 5.19 on */
	peak = cgroup_number(groups->folder, path, NULL);
	if (peak < 0) {
		leaf_path(path, number, leaf, "memory.max");
		peak = cgroup_number(groups->folder, path, NULL);
	}
	ret_memory->observed = peak > 0 ? (uint64_t)peak : 0;
}
