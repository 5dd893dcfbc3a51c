/* SPDX-License-Identifier: MIT */
#include "base/paths.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORKER "toolhost-worker"

/* ---- Joining ------------------------------------------------------------------------------- */

/* Appends the parts of `more` to an absolute path, and takes "." and ".." at their word. */
static void append_parts(struct buffer *path, const char *more)
{
	while (*more && path->fault == BUFFER_GOOD) {
		size_t length = strcspn(more, "/");

		if (length == 2 && !strncmp(more, "..", 2)) {
			while (path->length > 0 && path->data[--path->length] != '/')
				;
			path->data[path->length] = '\0';
		} else if (length > 0 && !(length == 1 && *more == '.')) {
			buffer_byte(path, '/');
			buffer_append(path, more, length);
		}
		more += length;
		more += *more == '/';
	}
}

/* Both joined and cleaned up; NULL where there is no memory. */
static char *join(const char *folder, const char *more)
{
	struct buffer path = BUFFER_INIT(SIZE_MAX);

	/* So that going up from an empty path has bytes to look at. */
	buffer_reserve(&path, 0);
	append_parts(&path, folder);
	append_parts(&path, more);
	if (path.fault == BUFFER_GOOD && path.length == 0)
		buffer_byte(&path, '/');
	return buffer_take(&path, NULL);
}

/* Where `target` lies, seen from the folder that the program is in: as it would be seen from
 * BINDIR, so that all that was installed together can be moved together. */
static char *installed(const char *folder, const char *target)
{
	struct buffer way = BUFFER_INIT(SIZE_MAX);
	const char *from = BINDIR, *to = target;
	char *path = NULL;

	/* Past the leading parts that both have. */
	for (;;) {
		size_t length;

		from += strspn(from, "/");
		to += strspn(to, "/");
		length = strcspn(from, "/");
		if (length == 0 || length != strcspn(to, "/") || strncmp(from, to, length))
			break;
		from += length;
		to += length;
	}
	while (*from) {
		buffer_text(&way, "../");
		from += strcspn(from, "/");
		from += strspn(from, "/");
	}
	buffer_text(&way, to);
	if (way.fault == BUFFER_GOOD)
		path = join(folder, way.data);
	buffer_free(&way);
	return path;
}

/* ---- The program --------------------------------------------------------------------------- */

static int read_program(char **ret_program, struct error *error)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (length <= 0)
		return error_set(
			error, STATUS_INTERNAL,
			"cannot read /proc/self/exe, from which the program finds its parts: "
			"%s; mount /proc",
			strerror(errno));
	path[length] = '\0';
	*ret_program = join(path, "");
	return STATUS_OK;
}

static bool is_program(const char *path)
{
	return path && access(path, X_OK) == 0;
}

static void find_parts(struct paths *paths, const char *folder)
{
	char *beside = join(folder, WORKER);

	paths->in_build_tree = is_program(beside);
	if (paths->in_build_tree) {
		paths->worker = beside;
		paths->packs = join(folder, "packs");
		paths->recipes = join(folder, "recipes");
		paths->config_system = join(SYSCONFDIR, "toolhost/toolhost.conf");
		return;
	}
	free(beside);
	paths->worker = installed(folder, LIBEXECDIR "/" WORKER);
	paths->packs = installed(folder, PACKDIR);
	paths->recipes = installed(folder, RECIPEDIR);
	paths->config_system = installed(folder, SYSCONFDIR "/toolhost/toolhost.conf");
}

/* ---- The user ------------------------------------------------------------------------------ */

/* The home folder that the password database knows; NULL where it knows none. */
static char *passwd_home(void)
{
	struct passwd entry, *found = NULL;
	char *home = NULL, *text = NULL;
	size_t size = 1024;
	int r;

	do {
		char *larger = realloc(text, size);

		if (!larger)
			break;
		text = larger;
		r = getpwuid_r(getuid(), &entry, text, size, &found);
		size *= 2;
	} while (r == ERANGE);
	if (found && found->pw_dir && found->pw_dir[0] == '/')
		home = join(found->pw_dir, "");
	free(text);
	return home;
}

/* A folder of the XDG base directory specification, which takes absolute paths only. */
static char *user_place(const char *variable, const char *home, const char *below_home,
			const char *name)
{
	const char *folder = getenv(variable);
	char *base, *place;

	if (folder && folder[0] == '/')
		return join(folder, name);
	if (!home)
		return NULL;
	base = join(home, below_home);
	place = base ? join(base, name) : NULL;
	free(base);
	return place;
}

static void find_user_places(struct paths *paths)
{
	char *home = passwd_home();

	paths->cache = user_place("XDG_CACHE_HOME", home, ".cache", "toolhost");
	paths->state = user_place("XDG_STATE_HOME", home, ".local/state", "toolhost");
	paths->config_user =
		user_place("XDG_CONFIG_HOME", home, ".config", "toolhost/toolhost.conf");
	free(home);
}

int paths_find(struct paths *ret_paths, struct error *error)
{
	struct paths paths = { 0 };
	char *folder = NULL;
	int status;

	*ret_paths = paths;
	status = read_program(&paths.program, error);
	if (status != STATUS_OK)
		return status;
	if (paths.program)
		folder = join(paths.program, "..");
	if (folder)
		find_parts(&paths, folder);
	free(folder);
	find_user_places(&paths);
	if (!paths.worker || !paths.packs || !paths.recipes || !paths.config_system) {
		paths_free(&paths);
		return error_set(error, STATUS_INTERNAL,
				 "no memory is left for the program's paths");
	}
	*ret_paths = paths;
	return STATUS_OK;
}

void paths_free(struct paths *paths)
{
	free(paths->program);
	free(paths->worker);
	free(paths->packs);
	free(paths->recipes);
	free(paths->cache);
	free(paths->state);
	free(paths->config_system);
	free(paths->config_user);
	*paths = (struct paths){ 0 };
}
