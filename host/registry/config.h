/* SPDX-License-Identifier: MIT
 *
 * The config file (toolhost.conf, by libconfuse): settings, folders, packs and bundles.
 *
 *	max_cells = 2000000
 *	pack_dirs = { "/opt/packs" }
 *	pack "univariate" { critical = true  isolation = "isolated"  timeout = 5  memory_mb = 256 }
 *	pack "fetch" { network = true  read = { "/srv/data" }  environment = { "HTTPS_PROXY" } }
 *	bundle "statistics" { enabled = true  packs = { "univariate" }  tools = { "detect_*" } }
 *
 * A later file (the user's) overrides an earlier one (the system's) key by key. Writing changes one
 * value and leaves the rest of the file as it is, comments included.
 */
#ifndef TOOLHOST_CONFIG_H
#define TOOLHOST_CONFIG_H

#include "base/error.h"
#include "base/paths.h"

#define CONFIG_VARIABLES 16 /* that one pack is given at most */

struct config_pack {
	const char *name;
	const char *file; /* where it stands */
	int line;
	int enabled;	       /* 1, 0, or -1: not said */
	int critical;	       /* likewise */
	const char *isolation; /* NULL: not said */
	double timeout;	       /* 0: not said */
	int64_t memory_mb;     /* 0: not said */
	/* What its workers are granted: rights.h, and variables of the host's environment by name.
	 */
	int network;			/* 1, 0, or -1: not said */
	int subprocess;			/* likewise */
	const char *const *read;	/* absolute paths, NULL-ended; NULL: not said */
	const char *const *write;	/* likewise */
	const char *const *environment; /* names, NULL-ended; NULL: not said */
};

struct config_bundle {
	const char *name;
	const char *summary;
	const char *file;
	int line;
	int enabled;
	const char *const *packs; /* names, NULL-ended */
	const char *const *tools; /* globs, NULL-ended */
};

struct config; /* immutable once loaded */

/* Reads the system's file and then the user's, or only `file` (--config). A file that is not there
 * is none, unless it is `file`. Settings found are handed to settings_set_file().
 * STATUS_CONFIG_INVALID with file, line and key: unknown keys (and the nearest known one), bad
 * values, a file or folder that others may write. */
int config_load(const struct paths *paths, const char *file, struct config **ret_config,
		struct error *error);
void config_free(struct config *config);

const char *const *config_pack_dirs(const struct config *config); /* NULL-ended */

/* A list of folders at the top of a file, pack_dirs or recipe_dirs. */
struct config_folders {
	const char *const *paths; /* NULL-ended */
	const char *file;	  /* which names them; "" where none does */
	int line;
};

/* STATUS_CONFIG_INVALID for one of them: "FILE:LINE: KEY names PATH: REASON". */
int config_folder_fault(const struct config_folders *folders, const char *key, const char *path,
			const char *reason, struct error *error);

const struct config_folders *config_pack_folders(const struct config *config);
const struct config_folders *config_recipe_folders(const struct config *config);
size_t config_pack_count(const struct config *config);
const struct config_pack *config_pack(const struct config *config, size_t index);
const struct config_pack *config_find_pack(const struct config *config, const char *name);
size_t config_bundle_count(const struct config *config);
const struct config_bundle *config_bundle(const struct config *config, size_t index);
const struct config_bundle *config_find_bundle(const struct config *config, const char *name);

/* `bundle enable|disable NAME`: sets `enabled` of that bundle in `file`, or else the
 * user's file, by writing aside and renaming. *ret_file names the file; the caller
 * frees it. */
int config_set_bundle(const struct paths *paths, const char *file, const char *bundle, bool enabled,
		      char **ret_file, struct error *error);

#endif
