/* SPDX-License-Identifier: MIT
 *
 * Who else could write a file: the question that decides whether what it holds may be believed.
 */
#ifndef TOOLHOST_TRUST_H
#define TOOLHOST_TRUST_H

#include "base/error.h"

#include <sys/stat.h>

/* Follows `path`, which is absolute, one step at a time. Every folder and symbolic link on the way
 * has to belong to root or to the user, and no folder may be writable by others, except a sticky
 * one of root. The last step, S_IFREG or S_IFDIR by `type`, has to belong to root or to the user
 * and be writable by its owner alone. STATUS_CONFIG_INVALID says which path is at fault, what was
 * found and what is wanted. *ret_resolved is the path without links, which the caller frees; it may
 * be NULL, and is set to NULL on failure. */
int trust_check(const char *path, mode_t type, char **ret_resolved, struct error *error);

/* The last step alone, for what lies in a folder that has been checked. */
int trust_check_stat(const char *path, mode_t type, const struct stat *st, struct error *error);

/* Makes a path absolute, against the working directory. The caller frees it; NULL: no memory, or no
 * working directory. */
char *trust_absolute(const char *path);

#endif
