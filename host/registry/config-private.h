/* SPDX-License-Identifier: MIT
 *
 * What the parts of the configuration share: the merged tables, and the reading of one file into
 * them.
 */
#ifndef TOOLHOST_CONFIG_PRIVATE_H
#define TOOLHOST_CONFIG_PRIVATE_H

#include "base/arena.h"
#include "registry/config.h"

struct config {
	struct arena arena; /* all texts and lists */
	struct config_pack *packs;
	struct config_bundle *bundles;
	struct config_folders pack_dirs, recipe_dirs;
	size_t pack_count, bundle_count;
};

/* The bytes of a config file, NUL-ended; the caller frees them. A file that is not there gives
 * NULL, and STATUS_OK unless it is needed. One that others may write is refused. */
int config_file_load(const char *path, bool needed, char **ret_text, size_t *ret_length,
		     struct error *error);

/* Parses the text of a file and merges it key by key: what it says takes the place of what is
 * there. With `config` NULL it is only checked. */
int config_file_parse(const char *path, const char *text, size_t length, struct config *config,
		      struct error *error);

/* STATUS_CONFIG_INVALID with "PATH:LINE: message" and the details file, line and key. */
int config_fault(struct error *error, const char *path, int line, const char *key,
		 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The section of that name, made where there is none. NULL: no memory. */
struct config_pack *config_add_pack(struct config *config, const char *name);
struct config_bundle *config_add_bundle(struct config *config, const char *name);

#endif
