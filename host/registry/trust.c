/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry/trust.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINKS_MOST 40 /* as the kernel has it */

#define OTHERS_WRITE (S_IWGRP | S_IWOTH)

/* A path on its way from what was asked for to what it means. */
struct walk {
	char done[PATH_MAX]; /* checked, without links; "" is the root */
	char rest[PATH_MAX]; /* still to go */
	unsigned links;
};

static const char *type_name(mode_t type)
{
	return type == S_IFDIR ? "folder" : "regular file";
}

static const char *writers(mode_t mode)
{
	return mode & S_IWOTH ? "everyone" : "its group";
}

static int fault(struct error *error, const char *path)
{
	error_detail_text(error, "file", path);
	return STATUS_CONFIG_INVALID;
}

static int check_owner(const char *path, const struct stat *st, struct error *error)
{
	uid_t user = geteuid();

	if (st->st_uid == 0 || st->st_uid == user)
		return STATUS_OK;
	if (user == 0)
		error_set(error, STATUS_CONFIG_INVALID,
			  "%s belongs to user %u; wanted: owned by root (chown root %s)", path,
			  (unsigned)st->st_uid, path);
	else
		error_set(error, STATUS_CONFIG_INVALID,
			  "%s belongs to user %u; wanted: owned by root, or by user %u, who runs "
			  "this program",
			  path, (unsigned)st->st_uid, (unsigned)user);
	return fault(error, path);
}

int trust_check_stat(const char *path, mode_t type, const struct stat *st, struct error *error)
{
	int r;

	if ((st->st_mode & S_IFMT) != type) {
		error_set(error, STATUS_CONFIG_INVALID, "%s is no %s", path, type_name(type));
		return fault(error, path);
	}
	r = check_owner(path, st, error);
	if (r)
		return r;
	if (!(st->st_mode & OTHERS_WRITE))
		return STATUS_OK;
	error_set(error, STATUS_CONFIG_INVALID,
		  "%s may be written by %s (mode %04o); wanted: by its owner alone (chmod go-w %s)",
		  path, writers(st->st_mode), (unsigned)(st->st_mode & 07777), path);
	return fault(error, path);
}

/* A folder on the way. In a sticky one nobody can remove or rename what belongs to another. */
static int check_parent(const char *folder, const char *path, const struct stat *st,
			struct error *error)
{
	int r;

	if (!S_ISDIR(st->st_mode)) {
		error_set(error, STATUS_CONFIG_INVALID, "%s: %s is no folder", path, folder);
		return fault(error, path);
	}
	r = check_owner(folder, st, error);
	if (r)
		return r;
	if (!(st->st_mode & OTHERS_WRITE) || (st->st_uid == 0 && (st->st_mode & S_ISVTX)))
		return STATUS_OK;
	error_set(error, STATUS_CONFIG_INVALID,
		  "%s, a parent folder of %s, may be written by %s (mode %04o), who could swap "
		  "what lies below it; wanted: by its owner alone (chmod go-w %s)",
		  folder, path, writers(st->st_mode), (unsigned)(st->st_mode & 07777), folder);
	return fault(error, folder);
}

/* Takes the next name off what is still to go; false where nothing is left. */
static bool next_name(struct walk *walk, char *ret_name)
{
	size_t blank = strspn(walk->rest, "/");
	size_t length = strcspn(walk->rest + blank, "/");

	if (!length)
		return false;
	memcpy(ret_name, walk->rest + blank, length);
	ret_name[length] = '\0';
	memmove(walk->rest, walk->rest + blank + length, strlen(walk->rest + blank + length) + 1);
	return true;
}

/* Goes to where a link points: what is still to go is then its target and what followed it. */
static int follow_link(struct walk *walk, const char *link, size_t done_length)
{
	char target[PATH_MAX];
	ssize_t length = readlink(link, target, sizeof(target) - 1);
	size_t rest_length = strlen(walk->rest);

	if (length <= 0)
		return errno ? errno : ENOENT;
	if (++walk->links > LINKS_MOST)
		return ELOOP;
	if ((size_t)length + rest_length >= sizeof(walk->rest))
		return ENAMETOOLONG;
	memmove(walk->rest + length, walk->rest, rest_length + 1);
	memcpy(walk->rest, target, (size_t)length);
	walk->done[target[0] == '/' ? 0 : done_length] = '\0';
	return 0;
}

static int walk_failed(const char *path, int number, struct error *error)
{
	error_set(error, STATUS_CONFIG_INVALID, "cannot look at %.600s: %s", path,
		  strerror(number));
	return fault(error, path);
}

/* One step: a name is appended and, where it is a link, followed. The last one is not checked yet.
 */
static int walk_step(struct walk *walk, const char *name, const char *path, struct error *error)
{
	size_t length = strlen(walk->done);
	bool last = !walk->rest[strspn(walk->rest, "/")];
	struct stat st;
	int number;

	if (!strcmp(name, ".") || !strcmp(name, "..")) {
		char *slash = strrchr(walk->done, '/');

		/* What is above has been checked on the way down. */
		if (name[1] && slash)
			*slash = '\0';
		return STATUS_OK;
	}
	if (length + 1 + strlen(name) >= sizeof(walk->done))
		return walk_failed(path, ENAMETOOLONG, error);
	walk->done[length] = '/';
	strcpy(walk->done + length + 1, name);
	if (lstat(walk->done, &st))
		return walk_failed(walk->done, errno, error);
	if (S_ISLNK(st.st_mode)) {
		int r = check_owner(walk->done, &st, error);

		if (r)
			return r;
		number = follow_link(walk, walk->done, length);
		return number ? walk_failed(path, number, error) : STATUS_OK;
	}
	return last ? STATUS_OK : check_parent(walk->done, path, &st, error);
}

int trust_check(const char *path, mode_t type, char **ret_resolved, struct error *error)
{
	struct walk walk = { .links = 0 };
	char name[PATH_MAX];
	const char *last;
	struct stat st;
	int r;

	if (ret_resolved)
		*ret_resolved = NULL;
	if (strlen(path) >= sizeof(walk.rest))
		return walk_failed(path, ENAMETOOLONG, error);
	strcpy(walk.rest, path);
	r = stat("/", &st) ? walk_failed("/", errno, error) : check_parent("/", path, &st, error);
	while (!r && next_name(&walk, name))
		r = walk_step(&walk, name, path, error);
	if (r)
		return r;
	last = walk.done[0] ? walk.done : "/";
	if (lstat(last, &st))
		return walk_failed(last, errno, error);
	r = trust_check_stat(last, type, &st, error);
	if (r || !ret_resolved)
		return r;
	*ret_resolved = strdup(last);
	return *ret_resolved ? STATUS_OK
			     : error_set(error, STATUS_INTERNAL, "there is no memory left");
}

char *trust_absolute(const char *path)
{
	char *folder, *absolute;
	size_t size;

	if (path[0] == '/')
		return strdup(path);
	folder = getcwd(NULL, 0);
	if (!folder)
		return NULL;
	size = strlen(folder) + 1 + strlen(path) + 1;
	absolute = malloc(size);
	if (absolute)
		snprintf(absolute, size, "%s/%s", folder, path);
	free(folder);
	return absolute;
}
