/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry/cache.h"

#include "base/log.h"
#include "base/write.h"
#include "schema/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAME "packs.scan"
#define FILE_BYTES_MOST ((size_t)512 * 1024 * 1024)
#define RECORDS_MOST 100000u
#define MAGIC "THSCAN\r\n" /* as PNG's: a transfer as text is seen at once */
#define BYTE_ORDER_MARK UINT32_C(0x01020304)

/* The file is this header and then the records. */
struct header {
	char magic[8];
	uint32_t format;
	uint32_t byte_order;
	uint64_t key;	   /* of the host and its worker */
	uint64_t size;	   /* of the file */
	uint64_t checksum; /* of all that follows it */
	uint32_t count;	   /* of records */
	uint32_t reserved;
};

_Static_assert(sizeof(struct header) == 48, "padding in struct header");

#define SUMMED_AT offsetof(struct header, count)

struct cache {
	char *bytes; /* the whole file */
	const struct record **records;
	struct names paths; /* to indices of records */
	size_t count;
};

/* ---- Sums ------------------------------------------------------------------------------------ */

#define SUM_FACTOR UINT64_C(0x9E3779B97F4A7C15)

static uint64_t sum_word(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * SUM_FACTOR;
	return sum << 29 | sum >> 35;
}

/* A sum of `length` bytes, a multiple of 8. It guards against damage and not against malice, for
 * which there are the file's owner and mode: each step can be undone, so one word that differs
 * always shows. Four sums side by side keep the processor busy, so that the memory is what is
 * waited for. */
static uint64_t checksum(const char *bytes, size_t length)
{
	uint64_t sums[4] = { 1, 2, 3, 4 }, words[4], sum = length;

	for (; length >= sizeof(words); bytes += sizeof(words), length -= sizeof(words)) {
		memcpy(words, bytes, sizeof(words));
		for (int i = 0; i < 4; i++)
			sums[i] = sum_word(sums[i], words[i]);
	}
	for (; length >= sizeof(words[0]); bytes += sizeof(words[0]), length -= sizeof(words[0])) {
		memcpy(words, bytes, sizeof(words[0]));
		sums[0] = sum_word(sums[0], words[0]);
	}
	for (int i = 0; i < 4; i++)
		sum = sum_word(sum, sums[i]);
	return sum;
}

/* What the records depend on beside the files: this host's version and the very worker that
 * scanned. */
static uint64_t cache_key(const struct paths *paths)
{
	static const char version[] = PACKAGE_VERSION;
	struct file_identity worker = { 0 };
	uint64_t key = RECORD_FORMAT;
	struct stat st;

	for (size_t i = 0; i < sizeof(version); i++)
		key = sum_word(key, (unsigned char)version[i]);
	if (!stat(paths->worker, &st))
		file_identity_set(&worker, &st);
	return key ^ checksum((const char *)&worker, sizeof(worker));
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Whether nobody else can have written a file or folder of the cache. */
static bool is_private(int fd, mode_t type, const char *path)
{
	struct stat st;

	if (fstat(fd, &st))
		return false;
	if ((st.st_mode & S_IFMT) == type && st.st_uid == geteuid() &&
	    !(st.st_mode & (S_IWGRP | S_IWOTH)))
		return true;
	log_warning("the scan cache is not used: %s belongs to user %u and has mode %04o; wanted: "
		    "a %s of user %u that nobody else may write",
		    path, (unsigned)st.st_uid, (unsigned)(st.st_mode & 07777),
		    type == S_IFDIR ? "folder" : "regular file", (unsigned)geteuid());
	return false;
}

/* The folder of the cache; -1 where there is none to use. */
static int open_folder(const struct paths *paths)
{
	int folder;

	if (!paths->cache)
		return -1;
	folder = open(paths->cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0) {
		if (errno != ENOENT)
			log_info("the scan cache in %s is not used: %s", paths->cache,
				 strerror(errno));
		return -1;
	}
	if (!is_private(folder, S_IFDIR, paths->cache)) {
		close(folder);
		return -1;
	}
	return folder;
}

static char *read_whole(int fd, size_t length)
{
	char *bytes = malloc(length);
	size_t done = 0;

	while (bytes && done < length) {
		ssize_t got = read(fd, bytes + done, length - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			free(bytes);
			return NULL;
		}
		done += (size_t)got;
	}
	return bytes;
}

/* The bytes of the file. It is read and not mapped, so that whoever cuts it short later does no
 * harm here. */
static char *read_file(const struct paths *paths, size_t *ret_length)
{
	int folder = open_folder(paths), fd = -1;
	char *bytes = NULL;
	struct stat st;

	if (folder < 0)
		return NULL;
	fd = openat(folder, FILE_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0 && is_private(fd, S_IFREG, FILE_NAME) && !fstat(fd, &st) &&
	    st.st_size >= (off_t)sizeof(struct header) && st.st_size <= (off_t)FILE_BYTES_MOST) {
		*ret_length = (size_t)st.st_size;
		bytes = read_whole(fd, *ret_length);
	}
	if (fd >= 0)
		close(fd);
	close(folder);
	return bytes;
}

/* NULL where the file is one of ours, whole, and made by this host and worker; else why it is not.
 */
static const char *header_fault(const char *bytes, size_t length, const struct paths *paths)
{
	struct header header;

	memcpy(&header, bytes, sizeof(header));
	if (memcmp(header.magic, MAGIC, sizeof(header.magic)) || header.format != RECORD_FORMAT ||
	    header.byte_order != BYTE_ORDER_MARK)
		return "it is of another version";
	if (header.key != cache_key(paths))
		return "it was made by another version of the program";
	if (header.size != length || length % 8 || header.count > RECORDS_MOST ||
	    header.checksum != checksum(bytes + SUMMED_AT, length - SUMMED_AT))
		return "it is damaged";
	return NULL;
}

static bool index_records(struct cache *cache, size_t length)
{
	size_t at = sizeof(struct header);
	struct header header;

	memcpy(&header, cache->bytes, sizeof(header));
	cache->records = calloc(header.count + 1, sizeof(const struct record *));
	if (!cache->records)
		return false;
	for (uint32_t i = 0; i < header.count; i++) {
		const struct record *record = (const void *)(cache->bytes + at);
		const char *path;

		if (!record_check(record, length - at))
			return false;
		path = record_text(record, record->path);
		if (names_find(&cache->paths, path, record->path.length) != NAMES_NONE ||
		    !names_add(&cache->paths, path, record->path.length, i))
			return false;
		cache->records[cache->count++] = record;
		at += record->size;
	}
	return at == length;
}

struct cache *cache_read(const struct paths *paths)
{
	struct cache *cache = calloc(1, sizeof(*cache));
	const char *fault = NULL;
	size_t length;

	if (!cache)
		return NULL;
	cache->bytes = read_file(paths, &length);
	if (cache->bytes) {
		fault = header_fault(cache->bytes, length, paths);
		if (!fault && index_records(cache, length))
			return cache;
		log_info("the scan cache is made anew: %s", fault ? fault : "it is damaged");
	}
	cache_free(cache);
	return NULL;
}

void cache_free(struct cache *cache)
{
	if (!cache)
		return;
	names_free(&cache->paths);
	free(cache->records);
	free(cache->bytes);
	free(cache);
}

const struct record *cache_find(const struct cache *cache, const char *path,
				const struct file_identity *file)
{
	uint32_t index;

	if (!cache)
		return NULL;
	index = names_find(&cache->paths, path, strlen(path));
	if (index == NAMES_NONE || !file_identity_equal(&cache->records[index]->file, file))
		return NULL;
	return cache->records[index];
}

/* ---- Writing --------------------------------------------------------------------------------- */

static bool is_kept(const struct record *record)
{
	return record->flags & RECORD_READY || record->surroundings;
}

static bool is_still_there(const struct record *record)
{
	struct file_identity file;
	struct stat st;

	if (stat(record_text(record, record->path), &st))
		return false;
	file_identity_set(&file, &st);
	return file_identity_equal(&file, &record->file);
}

static void append_record(struct buffer *out, struct header *header, const struct record *record)
{
	if (header->count == RECORDS_MOST || record->size > FILE_BYTES_MOST - out->length)
		return;
	buffer_append(out, record, record->size);
	header->count++;
}

/* The whole file. False: no memory. */
static bool compose(struct buffer *out, const struct paths *paths, const struct cache *old,
		    const struct record *const *records, size_t count)
{
	struct header header = { .format = RECORD_FORMAT, .byte_order = BYTE_ORDER_MARK };
	struct names written = { .entries = NULL };
	bool well = true;

	memcpy(header.magic, MAGIC, sizeof(header.magic));
	header.key = cache_key(paths);
	buffer_append(out, &header, sizeof(header));
	for (size_t i = 0; well && i < count; i++) {
		well = names_add(&written, record_text(records[i], records[i]->path),
				 records[i]->path.length, 0);
		if (is_kept(records[i]))
			append_record(out, &header, records[i]);
	}
	for (size_t i = 0; well && old && i < old->count; i++) {
		const struct record *record = old->records[i];

		if (names_find(&written, record_text(record, record->path), record->path.length) ==
			    NAMES_NONE &&
		    is_still_there(record))
			append_record(out, &header, record);
	}
	names_free(&written);
	if (!well || out->fault)
		return false;
	header.size = out->length;
	memcpy(out->data, &header, sizeof(header));
	header.checksum = checksum(out->data + SUMMED_AT, out->length - SUMMED_AT);
	memcpy(out->data, &header, sizeof(header));
	return true;
}

/* The folder and those above it, for nobody but the user. */
static bool make_folder(const char *path)
{
	char copy[PATH_MAX];

	if (snprintf(copy, sizeof(copy), "%s/", path) >= (int)sizeof(copy))
		return false;
	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, 0700) && errno != EEXIST)
			return false;
		*slash = '/';
	}
	return true;
}

/* Writes a file aside and puts it in the place of the old one. Not synced: after a crash the
 * checksum tells a file that did not reach the disk. */
static bool replace_file(const char *folder, const char *bytes, size_t length)
{
	char path[PATH_MAX], aside[PATH_MAX];
	bool written;
	int fd;

	if (snprintf(path, sizeof(path), "%s/" FILE_NAME, folder) >= (int)sizeof(path) ||
	    snprintf(aside, sizeof(aside), "%s/" FILE_NAME ".XXXXXX", folder) >= (int)sizeof(aside))
		return false;
	fd = mkostemp(aside, O_CLOEXEC); /* of mode 0600 */
	if (fd < 0)
		return false;
	written = !write_all(fd, bytes, length);
	close(fd);
	if (written && !rename(aside, path))
		return true;
	unlink(aside);
	return false;
}

void cache_write(const struct paths *paths, const struct cache *old,
		 const struct record *const *records, size_t count)
{
	struct buffer bytes = BUFFER_INIT(FILE_BYTES_MOST);
	bool written = false;
	int folder;

	if (!paths->cache)
		return;
	errno = 0;
	if (make_folder(paths->cache)) {
		folder = open_folder(paths);
		if (folder < 0)
			return; /* which has been told */
		close(folder);
		written = compose(&bytes, paths, old, records, count) &&
			  replace_file(paths->cache, bytes.data, bytes.length);
	}
	if (!written)
		log_info("the scan cache in %s is not written: %s; the next start scans again",
			 paths->cache, errno ? strerror(errno) : "there is no memory left");
	buffer_free(&bytes);
}
