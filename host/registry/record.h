/* SPDX-License-Identifier: MIT
 *
 * What a scan found out about one file, as one run of bytes.
 *
 * A record lies in memory as it lies in the scan cache, so that a start with a warm cache reads no
 * JSON. Texts are places in the record, each followed by a NUL that its length does not count.
 */
#ifndef TOOLHOST_RECORD_H
#define TOOLHOST_RECORD_H

#include "base/error.h"

#include <sys/stat.h>

/* Change the number with the form of what stands below, or of what it holds. */
#define RECORD_FORMAT 2u

/* Which file it was: one that has been changed differs in one of these. */
struct file_identity {
	uint64_t device;
	uint64_t inode;
	uint64_t size;
	int64_t modified_ns;
	int64_t changed_ns;
};

void file_identity_set(struct file_identity *identity, const struct stat *st);
bool file_identity_equal(const struct file_identity *a, const struct file_identity *b);

struct record_text {
	uint32_t offset; /* from the start of the record */
	uint32_t length;
};

struct record_list {
	uint32_t offset; /* of the first element: a record_text, or a record_tool */
	uint32_t count;
};

struct record_tool {
	struct record_text name;
	struct record_text listing;  /* its object in the tools/list of MCP */
	struct record_text manifest; /* its object in the manifest */
};

#define RECORD_READY 1u
#define RECORD_BIND_NOW 2u
#define RECORD_STARTS_THREADS 4u
#define RECORD_NEEDS 8u /* a tool needs something beyond its walls */

struct record {
	uint32_t size; /* of all, a multiple of 8 */
	uint32_t flags;
	struct file_identity file;
	uint64_t surroundings;	   /* of a refusal: what else it may have come from */
	struct record_text path;   /* of the file */
	struct record_text reason; /* why it is refused; "" where it is ready */
	struct record_text version, summary, license;
	struct record_text manifest; /* without its tools; "" where it is refused */
	struct record_list tools;
	struct record_list recipes; /* their keys */
	struct record_list prompts; /* their names */
	struct record_list warnings;
};

/* A record of a pack that is ready. The manifest has to have been checked. NULL: no memory. The
 * caller frees it. */
struct record *record_new(const char *path, const struct file_identity *file, const json *manifest);

/* A record of a pack that is refused. `surroundings` is 0 for a reason that may be gone at the next
 * look. */
struct record *record_new_refusal(const char *path, const struct file_identity *file,
				  const char *reason, uint64_t surroundings);

/* Whether these bytes, aligned to 8, are a record all of whose places lie in it. */
bool record_check(const void *bytes, size_t length);

static inline const char *record_text(const struct record *record, struct record_text text)
{
	return (const char *)record + text.offset;
}

static inline const struct record_text *record_texts(const struct record *record,
						     struct record_list list)
{
	return (const struct record_text *)(const void *)((const char *)record + list.offset);
}

static inline const struct record_tool *record_tools(const struct record *record)
{
	return (const struct record_tool *)(const void *)((const char *)record +
							  record->tools.offset);
}

#endif
