/* SPDX-License-Identifier: MIT
 *
 * Where this program may make groups: only in the group that it stands in, whose bounds then hold for
 * all; and only where that was handed to it, and nobody else's process has to be moved.
 *
 * - It is writable, and where systemd runs, systemd has marked it as delegated, since it owns all
 *   the others and does with them as it likes. A user's own systemd (252) marks none, so that below
 *   the group that is delegated to that, it is enough that the user owns it. What is turned on
 *   below a group cannot be turned off in it meanwhile.
 * - The program and its children are alone in it; or it is the root of all groups, which may have
 *   processes beside groups, and its controllers have been turned on already.
 */
#include <config.h>

#include "execute/groups.h"

#include "base/cgroup.h"
#include "execute/kin.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char without[] = "no cgroup v2 is mounted, or version 1 has its controllers";

static void say(struct groups_home *home, const char *why, const char *cure)
{
	snprintf(home->why, sizeof(home->why), "%s", why);
	snprintf(home->cure, sizeof(home->cure), "%s", cure);
}

/* ---- The group that the program stands in ---------------------------------------------------- */

/* Where the whole tree is mounted. */
static bool find_mount(char *path, size_t size)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	char line[4096], root[1024], point[1024];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		if (!strstr(line, " - cgroup2 ") ||
		    sscanf(line, "%*s %*s %*s %1023s %1023s", root, point) != 2 ||
		    strcmp(root, "/") || strlen(point) >= size)
			continue;
		strcpy(path, point);
		found = true;
	}
	if (file)
		fclose(file);
	return found;
}

/* False where version 1 has taken them all. */
static bool has_controllers(const char *mount)
{
	int folder = cgroup_open(AT_FDCWD, mount);
	char list[256] = "";

	if (folder >= 0) {
		cgroup_read(folder, "cgroup.controllers", list, sizeof(list));
		close(folder);
	}
	return cgroup_lists(list, "memory") || cgroup_lists(list, "pids");
}

static bool find_own(char *path, size_t size)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	size_t length;
	char line[2048];
	bool found = false;

	if (!find_mount(path, size) || !has_controllers(path)) {
		if (file)
			fclose(file);
		return false;
	}
	length = strlen(path);
	while (file && !found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		/* "/..": it stands outside of what is visible here. */
		if (strncmp(line, "0::/", 4) || !strncmp(line, "0::/..", 6) ||
		    length + strlen(line) >= size)
			continue;
		if (line[4])
			strcpy(path + length, line + 3);
		found = true;
	}
	if (file)
		fclose(file);
	return found;
}

/* ---- Whose it is ----------------------------------------------------------------------------- */

static bool systemd_runs(void)
{
	return access("/run/systemd/system", F_OK) == 0;
}

static bool is_marked(const char *path)
{
	static const char *const names[] = { "user.delegate", "trusted.delegate" };
	char value[8];

	for (size_t i = 0; i < 2; i++)
		if (getxattr(path, names[i], value, sizeof(value)) == 1 && value[0] == '1')
			return true;
	return false;
}

/* Whether a group around it is marked. */
static bool is_below_marked(const char *path)
{
	char around[GROUPS_PATH];
	char *slash;

	snprintf(around, sizeof(around), "%s", path);
	while ((slash = strrchr(around, '/')) && slash != around) {
		*slash = '\0';
		if (is_marked(around))
			return true;
	}
	return false;
}

static bool is_own_of_user(const char *path, int folder)
{
	struct stat st;

	return geteuid() && !fstat(folder, &st) && st.st_uid == geteuid() && is_below_marked(path);
}

static bool is_handed_over(const char *path, int folder)
{
	return !faccessat(folder, ".", W_OK, AT_EACCESS) &&
	       !faccessat(folder, CGROUP_PROCS, W_OK, AT_EACCESS) &&
	       (!systemd_runs() || is_marked(path) || is_own_of_user(path, folder));
}

/* Whether nobody is in the group but this program and its children. */
static bool stands_alone(int folder)
{
	char text[4096];

	if (!cgroup_read(folder, CGROUP_PROCS, text, sizeof(text)))
		return false;
	for (char *at = text; *at; at += strcspn(at, "\n") + 1) {
		pid_t pid = atoi(at);

		/* One that has ended meanwhile has no parent. */
		if (pid != getpid() && kin_parent(pid) != getpid() && kin_parent(pid) != 0)
			return false;
		if (!strchr(at, '\n'))
			return pid == 0; /* the text was cut: they are many */
	}
	return true;
}

/* ---- The home -------------------------------------------------------------------------------- */

static void take_controllers(struct groups_home *home, const char *list)
{
	home->memory = cgroup_lists(list, "memory");
	home->pids = cgroup_lists(list, "pids");
	home->cpu = cgroup_lists(list, "cpu");
	if (home->memory && home->pids)
		return;
	snprintf(home->why, sizeof(home->why), "the group %.300s has no controller for %s",
		 home->path, home->memory ? "threads (pids)" : "memory");
	snprintf(home->cure, sizeof(home->cure),
		 "turn it on for the group, in its systemd unit with Delegate=cpu memory pids, in "
		 "those around it, and on the kernel's command line where it is off there "
		 "(cgroup_enable=memory)");
}

/* The root, whose owner has turned controllers on for the groups in it: we add one, and change
 * nothing. */
static bool try_root(struct groups_home *home, const char *path)
{
	int folder = cgroup_open(AT_FDCWD, path);
	char list[256];
	bool ready = folder >= 0 && is_handed_over(path, folder) &&
		     cgroup_read(folder, CGROUP_CONTROL, list, sizeof(list)) &&
		     (cgroup_lists(list, "memory") || cgroup_lists(list, "pids"));

	if (ready) {
		snprintf(home->path, sizeof(home->path), "%s", path);
		take_controllers(home, list);
	}
	if (folder >= 0)
		close(folder);
	return ready;
}

/* The one that the program stands in, which it leaves for a group in it. */
static void try_own(struct groups_home *home, const char *path)
{
	static const char delegate[] =
		"start it so: systemd-run --user --scope -p Delegate=yes toolhost serve; root "
		"without --user; a service by the line Delegate=yes in its [Service] section";
	int folder = cgroup_open(AT_FDCWD, path);
	char list[256];

	if (folder < 0 || !is_handed_over(path, folder)) {
		say(home, "no group is delegated to the program", delegate);
	} else if (faccessat(folder, "cgroup.events", F_OK, 0)) {
		say(home, "the program stands in the root of all groups, which is not its own",
		    delegate);
	} else if (!stands_alone(folder)) {
		say(home,
		    "other processes stand in the program's group, and only they may leave it",
		    delegate);
	} else if (!cgroup_read(folder, "cgroup.controllers", list, sizeof(list)) ||
		   list[0] < ' ') {
		say(home, "the program's group has no controllers",
		    systemd_runs() ? "boot with systemd.unified_cgroup_hierarchy=1, and delegate: "
				     "Delegate=yes"
				   : "turn on memory and pids for the group");
	} else {
		snprintf(home->path, sizeof(home->path), "%s", path);
		home->stands_in = true;
		take_controllers(home, list);
	}
	if (folder >= 0)
		close(folder);
}

void groups_find_home(struct groups_home *ret_home)
{
	char own[GROUPS_PATH];

	memset(ret_home, 0, sizeof(*ret_home));
	if (!find_own(own, sizeof(own))) {
		say(ret_home, without,
		    "boot with systemd.unified_cgroup_hierarchy=1; in a container: run it with a "
		    "writable /sys/fs/cgroup");
		return;
	}
	if (!try_root(ret_home, own))
		try_own(ret_home, own);
}
