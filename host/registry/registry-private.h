/* SPDX-License-Identifier: MIT
 *
 * A registry from the inside: what building it fills in and looking things up reads.
 */
#ifndef TOOLHOST_REGISTRY_PRIVATE_H
#define TOOLHOST_REGISTRY_PRIVATE_H

#include "base/arena.h"
#include "registry/cache.h"
#include "registry/config.h"
#include "registry/record.h"
#include "registry/registry.h"
#include "schema/hash.h"

#include <pthread.h>
#include <stdatomic.h>

/* What belongs to a pack beside what others see of it. */
struct pack_entry {
	const struct record *record; /* NULL: neither scanned nor in the cache */
	struct record *owned;	     /* the record, where it was scanned just now */
	/* What the operator's config says of the pack; 0 where it says nothing. */
	enum isolation isolation;
	double timeout;
	int64_t memory_mb;
};

struct registry {
	struct arena arena;  /* names, paths, reasons */
	struct cache *cache; /* the records of the packs that have not changed */
	struct registry_pack *packs;
	struct pack_entry *entries; /* one a pack */
	size_t pack_count;
	struct registry_tool *tools;
	const char **off; /* one a tool: why it is off, or NULL */
	size_t tool_count;
	struct names tool_names; /* to indices of tools */

	/* Made at first use; under the lock, but for the specs, which are looked at without it. */
	pthread_mutex_t lock;
	_Atomic(struct tool_spec *) *specs; /* one a tool */
	char *listing;
	size_t listing_length;
	json *recipes;
	json *prompts;

	const char *const *recipe_folders; /* NULL-ended */
	pthread_mutex_t derive_lock;
	void *derived; /* of registry_derive() */
	void (*release_derived)(void *made);
};

/* Makes a pack one that is refused, whatever was known of it. The reason lives as long as the
 * registry. */
void registry_refuse(struct registry_pack *pack, const char *reason);

/* Finds out what a pack that is ready needs and is granted, by its record and its section of the
 * config, and tells the log where the two differ. STATUS_INTERNAL: no memory. */
int registry_grant(struct registry *registry, struct registry_pack *pack,
		   const struct config_pack *section);

/* Takes the tools of all ready packs, in their order, those of packs that are not trusted last.
 * Refuses those that have a name which an earlier pack has. STATUS_INTERNAL: no memory. */
int registry_merge(struct registry *registry, struct error *error);

void spec_free(struct tool_spec *spec); /* NULL is fine */

#endif
