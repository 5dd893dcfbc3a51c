/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEPTH_MOST 8

int cgroup_open(int folder, const char *name)
{
	return openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

bool cgroup_write(int folder, const char *file, const char *text)
{
	int fd = openat(folder, file, O_WRONLY | O_CLOEXEC);
	bool written;

	if (fd < 0)
		return false;
	written = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return written;
}

bool cgroup_read(int folder, const char *file, char *text, size_t size)
{
	int fd = openat(folder, file, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	text[0] = '\0';
	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	if (n < 0)
		return false;
	text[n] = '\0';
	return true;
}

int64_t cgroup_number(int folder, const char *file, const char *key)
{
	char text[1024];
	const char *at = text;
	size_t length = key ? strlen(key) : 0;

	if (!cgroup_read(folder, file, text, sizeof(text)))
		return -1;
	while (length && (strncmp(at, key, length) || at[length] != ' ')) {
		at = strchr(at, '\n');
		if (!at)
			return -1;
		at++;
	}
	at += length ? length + 1 : 0;
	return *at >= '0' && *at <= '9' ? strtoll(at, NULL, 10) : -1;
}

bool cgroup_lists(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += length)
		if ((at == list || at[-1] == ' ') && strchr(" \n", at[length]))
			return true;
	return false;
}

static bool remove_group(int folder, const char *name, int depth)
{
	int fd = depth ? cgroup_open(folder, name) : -1;
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (fd >= 0 && !entries)
		close(fd);
	/* One that holds a process stays, and so do those around it. */
	while (entries && (entry = readdir(entries)))
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			remove_group(dirfd(entries), entry->d_name, depth - 1);
	if (entries)
		closedir(entries);
	return !unlinkat(folder, name, AT_REMOVEDIR) || errno == ENOENT;
}

bool cgroup_remove(int folder, const char *name, bool kill)
{
	int fd = kill ? cgroup_open(folder, name) : -1;

	if (fd >= 0) {
		cgroup_write(fd, "cgroup.kill", "1"); /* from Linux 5.14 on */
		close(fd);
	}
	return remove_group(folder, name, DEPTH_MOST);
}
