/* SPDX-License-Identifier: MIT
 *
 * Records as files: a private folder, bounded in number and size.
 */
#include "config.h"

#include "execute/replay.h"

#include "base/write.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "replay" /* in the state folder */
#define SUFFIX ".json"
#define ASIDE ".aside" /* the end of a name while the record is written */

/* ---- Writing --------------------------------------------------------------------------------- */

/* The folder and those above it, for nobody but the user. */
static bool make_folders(const char *path)
{
	char copy[PATH_MAX];

	if (snprintf(copy, sizeof(copy), "%s/", path) >= (int)sizeof(copy)) {
		errno = ENAMETOOLONG;
		return false;
	}
	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, 0700) && errno != EEXIST)
			return false;
		*slash = '/';
	}
	return true;
}

/* What a call was given is nobody else's business, so nobody else may be able to look. */
static int open_folder(const char *path, int *ret_folder, struct error *error)
{
	struct stat st;
	int folder;

	*ret_folder = -1;
	if (!make_folders(path))
		return error_set(error, STATUS_INTERNAL, "%s cannot be made: %s", path,
				 strerror(errno));
	folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder < 0 || fstat(folder, &st)) {
		error_set(error, STATUS_INTERNAL, "%s cannot be opened: %s", path, strerror(errno));
	} else if (st.st_uid != geteuid() || st.st_mode & 077) {
		error_set(error, STATUS_INTERNAL,
			  "%s belongs to user %u and has mode %04o: it has to be yours, with mode "
			  "0700",
			  path, (unsigned)st.st_uid, (unsigned)(st.st_mode & 07777));
	} else {
		*ret_folder = folder;
		return STATUS_OK;
	}
	if (folder >= 0)
		close(folder);
	return STATUS_INTERNAL;
}

/* Not synced: a record that is lost with the machine is no loss. */
static int write_record(int folder, const char *name, const struct buffer *text,
			struct error *error)
{
	char aside[NAME_MAX + 1];
	bool written;
	int fd;

	snprintf(aside, sizeof(aside), "%s" ASIDE, name);
	fd = openat(folder, aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	written = fd >= 0 && !write_all(fd, text->data, text->length);
	if (written && !renameat(folder, aside, folder, name)) {
		close(fd);
		return STATUS_OK;
	}
	error_set(error, STATUS_INTERNAL, "%s cannot be written: %s", name, strerror(errno));
	if (fd >= 0) {
		unlinkat(folder, aside, 0);
		close(fd);
	}
	return STATUS_INTERNAL;
}

/* ---- The number of records ------------------------------------------------------------------- */

static int is_record(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return isdigit((unsigned char)entry->d_name[0]) && length > strlen(SUFFIX) &&
	       !strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX);
}

/* Names begin with the time, so the oldest sort first. */
static void remove_oldest(int folder, const char *path, size_t most)
{
	struct dirent **entries;
	int count = scandir(path, &entries, is_record, alphasort);

	for (int i = 0; i < count; i++) {
		if ((size_t)i + most < (size_t)count)
			unlinkat(folder, entries[i]->d_name, 0);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

int replay_write(const char *state, const char *name, const struct buffer *text, size_t most,
		 char **ret_path, struct error *error)
{
	char path[PATH_MAX];
	int folder, r;

	*ret_path = NULL;
	if (text->fault || !text->data)
		return error_set(error, STATUS_INTERNAL, "it is larger than %zu bytes",
				 REPLAY_BYTES_MOST);
	if (snprintf(path, sizeof(path), "%s/" FOLDER, state) >= (int)sizeof(path))
		return error_set(error, STATUS_INTERNAL,
				 "the path of the state folder is too "
				 "long");
	r = open_folder(path, &folder, error);
	if (r)
		return r;
	r = write_record(folder, name, text, error);
	if (!r) {
		remove_oldest(folder, path, most);
		if (asprintf(ret_path, "%s/%s", path, name) < 0) {
			*ret_path = NULL;
			r = error_set(error, STATUS_INTERNAL, "out of memory");
		}
	}
	close(folder);
	return r;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static int read_text(const char *path, struct buffer *text, struct error *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = -1;

	while (fd >= 0) {
		char *room = buffer_reserve(text, 65536);

		if (!room) {
			close(fd);
			return error_set(error, STATUS_USAGE,
					 "%.512s is larger than any replay record", path);
		}
		n = read(fd, room, 65536);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		buffer_commit(text, (size_t)n);
	}
	if (n < 0)
		error_set(error, STATUS_USAGE, "%.512s cannot be read: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return n < 0 ? STATUS_USAGE : STATUS_OK;
}

static const char *text_of(const json *object, const char *key)
{
	const json *value = json_get(object, key);

	return json_kind(value) == JSON_TEXT ? json_text(value, NULL) : NULL;
}

/* The first thing that the record lacks, or NULL. */
static const char *fill_record(struct replay_record *record)
{
	const json *pack = json_get(record->whole, "pack");
	const json *limits = json_get(record->whole, "limits");
	const json *seed = json_get(record->whole, "seed");
	const json *timeout = json_get(limits, "timeout");
	const json *memory = json_get(limits, "memory_mb");
	const char *level = text_of(record->whole, "isolation");

	record->pack = text_of(pack, "name");
	record->path = text_of(pack, "path");
	record->sha256 = text_of(pack, "sha256");
	record->tool = text_of(record->whole, "tool");
	record->arguments = json_get(record->whole, "arguments");
	if (!record->pack || !record->path || record->path[0] != '/')
		return "pack";
	if (!record->tool)
		return "tool";
	if (json_kind(seed) != JSON_INTEGER)
		return "seed";
	if (json_kind(timeout) != JSON_INTEGER && json_kind(timeout) != JSON_NUMBER)
		return "limits.timeout";
	if (json_kind(memory) != JSON_INTEGER)
		return "limits.memory_mb";
	if (!level || !isolation_parse(level, &record->isolation))
		return "isolation";
	if (record->arguments && json_kind(record->arguments) != JSON_OBJECT)
		return "arguments";
	record->seed = (uint64_t)json_integer(seed);
	record->timeout = json_number(timeout);
	record->memory_mb = json_integer(memory);
	return NULL;
}

int replay_read(const char *path, struct replay_record *ret_record, struct error *error)
{
	struct buffer text = BUFFER_INIT(REPLAY_BYTES_MOST + 65536);
	struct json_fault fault;
	const char *lacks;
	const json *format;
	int r;

	memset(ret_record, 0, sizeof(*ret_record));
	r = read_text(path, &text, error);
	if (!r &&
	    json_read(text.data ? text.data : "", text.length, NULL, &ret_record->whole, &fault))
		r = error_set(error, STATUS_USAGE, "%.512s is no replay record: line %u: %s", path,
			      fault.line, fault.reason);
	buffer_free(&text);
	if (r)
		return r;
	format = json_get(ret_record->whole, "format");
	if (json_kind(format) != JSON_INTEGER)
		r = error_set(error, STATUS_USAGE, "%.512s is no replay record: it has no format",
			      path);
	else if (json_integer(format) != REPLAY_FORMAT)
		r = error_set(error, STATUS_USAGE,
			      "%.512s has format %lld, and this program reads format %d: use the "
			      "version of toolhost that wrote it",
			      path, (long long)json_integer(format), REPLAY_FORMAT);
	else if ((lacks = fill_record(ret_record)))
		r = error_set(error, STATUS_USAGE,
			      "%.512s is no replay record: \"%s\" is missing or wrong", path,
			      lacks);
	if (r)
		replay_record_free(ret_record);
	return r;
}

void replay_record_free(struct replay_record *record)
{
	json_drop(record->whole);
	memset(record, 0, sizeof(*record));
}
