/* SPDX-License-Identifier: MIT
 *
 * The one change that the program makes in a config file: to enable or disable a bundle.
 */
#include <config.h>

#include "registry/config-private.h"

#include "base/text.h"
#include "base/write.h"
#include "registry/config-text.h"
#include "registry/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_MOST ((size_t)2 * 1024 * 1024)

static int unknown_bundle(const struct config *config, const char *bundle, struct error *error)
{
	const char **names = calloc(config->bundle_count + 1, sizeof(*names));
	const char *nearest = NULL;
	json *nearby;

	for (size_t i = 0; names && i < config->bundle_count; i++)
		names[i] = config->bundles[i].name;
	if (names)
		nearest = text_nearest(bundle, names, config->bundle_count);
	free(names);
	if (nearest)
		error_set(error, STATUS_UNKNOWN_BUNDLE, "there is no bundle %s; did you mean %s?",
			  bundle, nearest);
	else
		error_set(error, STATUS_UNKNOWN_BUNDLE,
			  "there is no bundle %s; toolhost bundle list names those that there are",
			  bundle);
	nearby = json_new_list();
	if (nearest)
		json_append(nearby, json_new_text(nearest));
	error_detail(error, "close", nearby);
	return STATUS_UNKNOWN_BUNDLE;
}

static int write_failed(const char *path, struct error *error)
{
	error_set(error, STATUS_CONFIG_INVALID, "cannot write the config file %s: %s", path,
		  strerror(errno));
	error_detail_text(error, "file", path);
	return STATUS_CONFIG_INVALID;
}

/* The folders above a file, made where they are missing. */
static int make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		int r;

		*slash = '\0';
		r = mkdir(path, 0755);
		*slash = '/';
		if (r && errno != EEXIST)
			return -1;
	}
	return 0;
}

static void sync_folder(const char *path)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(path, '/');
	int fd;

	snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path) + 1, path);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

/* Writes a file aside and puts it in the place of the old one, whose mode and owner it takes:
 * whoever reads meanwhile sees the old text or the new one. `path` is free of links. */
static int replace_file(const char *path, const char *text, size_t length, struct error *error)
{
	char aside[PATH_MAX];
	struct stat st;
	bool exists = !stat(path, &st);
	int fd, r = STATUS_OK;

	if (snprintf(aside, sizeof(aside), "%s.XXXXXX", path) >= (int)sizeof(aside)) {
		errno = ENAMETOOLONG;
		return write_failed(path, error);
	}
	fd = mkostemp(aside, O_CLOEXEC);
	if (fd < 0)
		return write_failed(path, error);
	if (write_all(fd, text, length) || fchmod(fd, exists ? st.st_mode & 0777 : 0644) ||
	    (exists && fchown(fd, st.st_uid, st.st_gid)) || fsync(fd) || rename(aside, path)) {
		r = write_failed(path, error);
		unlink(aside);
	}
	close(fd);
	if (!r)
		sync_folder(path);
	return r;
}

/* The file as it is, with the bundle set in it. The new text is parsed before anything is written.
 */
static int edit_file(const char *path, const char *bundle, bool enabled, struct error *error)
{
	struct buffer edited = BUFFER_INIT(TEXT_MOST);
	char *text = NULL, *resolved = NULL;
	size_t length, mark;
	int r;

	r = config_file_load(path, false, &text, &length, error);
	if (!r && text)
		r = trust_check(path, S_IFREG, &resolved, error);
	if (!r && !text) {
		resolved = strdup(path);
		if (!resolved || make_folders(resolved))
			r = write_failed(path, error);
	}
	if (r)
		goto out;
	mark = text ? config_text_mark(text) : 0;
	buffer_append(&edited, text, mark);
	config_text_enable(&edited, text ? text + mark : "", length - mark, "bundle", bundle,
			   enabled);
	r = edited.fault ? error_set(error, STATUS_INTERNAL, "there is no memory left")
			 : config_file_parse(path, edited.data, edited.length, NULL, error);
	if (!r)
		r = replace_file(resolved, edited.data, edited.length, error);
out:
	buffer_free(&edited);
	free(resolved);
	free(text);
	return r;
}

int config_set_bundle(const struct paths *paths, const char *file, const char *bundle, bool enabled,
		      char **ret_file, struct error *error)
{
	const char *wanted = file ? file : paths->config_user;
	struct config *config = NULL;
	char *path = NULL;
	int r;

	*ret_file = NULL;
	r = config_load(paths, file, &config, error);
	if (r)
		return r;
	if (!config_find_bundle(config, bundle)) {
		r = unknown_bundle(config, bundle, error);
		goto out;
	}
	/* The user's file has the last word, also on a bundle of the system's. */
	path = trust_absolute(wanted ? wanted : paths->config_system);
	r = path ? edit_file(path, bundle, enabled, error)
		 : error_set(error, STATUS_INTERNAL, "there is no memory left");
	if (!r) {
		*ret_file = path;
		path = NULL;
	}
out:
	free(path);
	config_free(config);
	return r;
}
