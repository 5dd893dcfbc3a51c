/* SPDX-License-Identifier: MIT
 *
 * The scan cache: the records of all files that have been scanned, in one file under paths->cache.
 *
 * It only saves time. A file that is missing, damaged, of another version or worker, or that others
 * could have written, is passed over and written anew; a folder that cannot be written to costs a
 * scan at each start. To delete it is always safe.
 */
#ifndef TOOLHOST_CACHE_H
#define TOOLHOST_CACHE_H

#include "base/paths.h"
#include "registry/record.h"

struct cache; /* what was read; the records live as long */

/* NULL where there is no cache that can be used; the log says why. */
struct cache *cache_read(const struct paths *paths);
void cache_free(struct cache *cache); /* NULL is fine */

/* The record of that file as it is now, or NULL. */
const struct record *cache_find(const struct cache *cache, const char *path,
				const struct file_identity *file);

/* Writes these records in the order given, and those of `old` (which may be NULL) that are of other
 * files which are still there: another folder, or packs that were left out this time. Puts the file
 * in its place in one step, so that several hosts may do this at once. Refusals whose surroundings
 * are 0 are not kept. */
void cache_write(const struct paths *paths, const struct cache *old,
		 const struct record *const *records, size_t count);

#endif
