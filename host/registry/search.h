/* SPDX-License-Identifier: MIT
 *
 * The files that may be packs: what the folders hold, in the order in which the registry takes
 * them.
 */
#ifndef TOOLHOST_SEARCH_H
#define TOOLHOST_SEARCH_H

#include "base/arena.h"
#include "registry/record.h"
#include "registry/registry.h"

struct candidate {
	const char *name;     /* of the file, without .so */
	const char *path;     /* absolute, in a folder without links */
	const char *distrust; /* why it is not trusted, and what to do; "" where it is */
	const char *fault;    /* why it cannot be a pack at all; "" where it may be one */
	struct file_identity file;
	uint64_t surroundings; /* what a refusal may have come from beside the file; never 0 */
	enum pack_trust trust;
	uint32_t folder;		      /* its place among the folders */
	const struct registry_linked *linked; /* NULL: it is a file */
	bool left_out;			      /* by --no-default-packs: only its name is known */
};

struct candidates {
	struct candidate *items; /* owned; the texts are the arena's */
	size_t count;
};

/* Looks through the shipped packs' folder, those of the config and those of --pack-dir, in this
 * order. Candidates come sorted by name, then by folder; a file that is found twice counts once.
 * STATUS_CONFIG_INVALID or STATUS_USAGE for a folder that is named and not there. */
int search_folders(const struct registry_options *options, struct arena *arena,
		   struct candidates *ret_candidates, struct error *error);

#endif
