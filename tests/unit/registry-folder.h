/* SPDX-License-Identifier: MIT
 *
 * A folder of a test's own, gone at its end.
 */
#ifndef TOOLHOST_UNIT_REGISTRY_FOLDER_H
#define TOOLHOST_UNIT_REGISTRY_FOLDER_H

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder {
	char path[64];
	char *texts[64]; /* what folder_path() has answered last */
	unsigned next;
};

/* In /tmp, all of whose parents are root's, so that what lies in it can be trusted. */
static inline void folder_make(struct folder *folder)
{
	memset(folder, 0, sizeof(*folder));
	strcpy(folder->path, "/tmp/toolhost-unit.XXXXXX");
	if (!mkdtemp(folder->path)) {
		perror("mkdtemp");
		exit(EXIT_FAILURE);
	}
}

/* A path in the folder. It lasts for 63 more calls. */
static inline char *folder_path(struct folder *folder, const char *name)
{
	char **text = &folder->texts[folder->next++ % 64];

	free(*text);
	if (asprintf(text, "%s%s%s", folder->path, *name ? "/" : "", name) < 0)
		abort();
	return *text;
}

static inline char *folder_folder(struct folder *folder, const char *name)
{
	char *path = folder_path(folder, name);

	if (mkdir(path, 0755)) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	return path;
}

static inline void folder_write_bytes(struct folder *folder, const char *name, const void *data,
				      size_t length)
{
	char *path = folder_path(folder, name);
	FILE *file = fopen(path, "we");

	if (!file || fwrite(data, 1, length, file) != length || fclose(file) || chmod(path, 0644)) {
		perror(path);
		exit(EXIT_FAILURE);
	}
}

static inline void folder_write(struct folder *folder, const char *name, const char *text)
{
	folder_write_bytes(folder, name, text, strlen(text));
}

/* The bytes of a file and a NUL, which the caller frees. */
static inline char *folder_read(struct folder *folder, const char *name, size_t *ret_length)
{
	FILE *file = fopen(folder_path(folder, name), "re");
	char *data;
	struct stat st;

	if (!file || fstat(fileno(file), &st))
		abort();
	data = calloc(1, (size_t)st.st_size + 1);
	if (!data || fread(data, 1, (size_t)st.st_size, file) != (size_t)st.st_size)
		abort();
	fclose(file);
	if (ret_length)
		*ret_length = (size_t)st.st_size;
	return data;
}

static inline int folder_remove_one(const char *path, const struct stat *st, int type,
				    struct FTW *place)
{
	(void)st;
	(void)type;
	(void)place;
	return remove(path);
}

static inline void folder_remove(struct folder *folder)
{
	nftw(folder->path, folder_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	for (size_t i = 0; i < sizeof(folder->texts) / sizeof(folder->texts[0]); i++)
		free(folder->texts[i]);
}

/* A program that is built beside this one. */
static inline char *folder_sibling(const char *name)
{
	static char path[PATH_MAX + 64];
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (length <= 0)
		abort();
	path[length] = '\0';
	snprintf(strrchr(path, '/') + 1, 64, "%s", name);
	return path;
}

#endif
