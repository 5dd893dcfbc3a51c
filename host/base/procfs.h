/* SPDX-License-Identifier: MIT
 *
 * Numbers in the files of /proc that have a line for each key, such as /proc/PID/status.
 */
#ifndef TOOLHOST_PROCFS_H
#define TOOLHOST_PROCFS_H

#include <stddef.h>
#include <stdint.h>

/* The numbers of the first line that begins with `key` ("NStgid:"), as the file has them, `most` of
 * them at most. Answers how many; 0 where there is no such file, line or number. */
size_t procfs_numbers(const char *path, const char *key, int64_t *ret_numbers, size_t most);

/* The first of them; 0 where there is none. */
int64_t procfs_number(const char *path, const char *key);

#endif
