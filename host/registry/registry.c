/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry/registry-private.h"

#include "base/settings.h"
#include "base/text.h"
#include "registry/scan.h"
#include "registry/trust.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CLOSE_NAMES_MOST 3

/* ---- Looking up ------------------------------------------------------------------------------ */

size_t registry_pack_count(const struct registry *registry)
{
	return registry->pack_count;
}

const struct registry_pack *registry_pack(const struct registry *registry, size_t index)
{
	return &registry->packs[index];
}

const struct registry_pack *registry_find_pack(const struct registry *registry, const char *name)
{
	for (size_t i = 0; i < registry->pack_count; i++)
		if (!strcmp(registry->packs[i].name, name))
			return &registry->packs[i];
	return NULL;
}

size_t registry_tool_count(const struct registry *registry)
{
	return registry->tool_count;
}

const struct registry_tool *registry_tool(const struct registry *registry, size_t index)
{
	return &registry->tools[index];
}

const struct registry_tool *registry_find_tool(const struct registry *registry, const char *name,
					       size_t length)
{
	uint32_t index = names_find(&registry->tool_names, name, length);

	if (index == NAMES_NONE || !registry->tools[index].enabled)
		return NULL;
	return &registry->tools[index];
}

/* The names of the enabled tools that are nearest to `name`, as a list. */
static json *close_names(const struct registry *registry, const char *name)
{
	const char **names = calloc(registry->tool_count + 1, sizeof(*names));
	json *nearby = json_new_list();
	size_t count = 0;

	for (size_t i = 0; names && i < registry->tool_count; i++)
		if (registry->tools[i].enabled)
			names[count++] = registry->tools[i].name;
	for (int i = 0; i < CLOSE_NAMES_MOST && count; i++) {
		const char *nearest = text_nearest(name, names, count);
		size_t at = 0;

		if (!nearest)
			break;
		json_append(nearby, json_new_text(nearest));
		while (names[at] != nearest)
			at++;
		names[at] = names[--count];
	}
	free(names);
	return nearby;
}

static size_t refused_count(const struct registry *registry)
{
	size_t count = 0;

	for (size_t i = 0; i < registry->pack_count; i++)
		count += registry->packs[i].state == PACK_REFUSED;
	return count;
}

int registry_unknown_tool(const struct registry *registry, const char *name, bool for_client,
			  struct error *error)
{
	uint32_t index = names_find(&registry->tool_names, name, strlen(name));
	int shown = (int)text_head(name, strlen(name), 200);
	json *nearby = close_names(registry, name);

	if (!*name)
		error_set(error, STATUS_UNKNOWN_TOOL, "no tool has an empty name");
	else if (index != NAMES_NONE && registry->off[index] && for_client)
		error_set(error, STATUS_UNKNOWN_TOOL, "the tool %s is switched off", name);
	else if (index != NAMES_NONE && registry->off[index])
		error_set(error, STATUS_UNKNOWN_TOOL, "the tool %s is off: %s", name,
			  registry->off[index]);
	else if (json_count(nearby))
		error_set(error, STATUS_UNKNOWN_TOOL, "there is no tool %.*s; did you mean %s?",
			  shown, name, json_text(json_peek(nearby, 0), NULL));
	else if (for_client)
		error_set(error, STATUS_UNKNOWN_TOOL,
			  "there is no tool %.*s; tools/list names those that there are", shown,
			  name);
	else if (refused_count(registry))
		error_set(error, STATUS_UNKNOWN_TOOL,
			  "there is no tool %.*s; it may be in one of the packs that are refused, "
			  "which toolhost pack list shows (%zu)",
			  shown, name, refused_count(registry));
	else
		error_set(error, STATUS_UNKNOWN_TOOL,
			  "there is no tool %.*s; toolhost list names those that there are", shown,
			  name);
	error_detail(error, "close", nearby);
	return STATUS_UNKNOWN_TOOL;
}

/* ---- The listing ----------------------------------------------------------------------------- */

/* All at once, as the listings lie in the records already: one copy each. */
static char *join_listings(const struct registry *registry, size_t *ret_length)
{
	size_t length = 0;
	char *listing, *at;

	for (size_t i = 0; i < registry->tool_count; i++)
		if (registry->tools[i].enabled)
			length += registry->tools[i].listing_length + 1;
	listing = at = malloc(length + 1);
	if (!listing)
		return NULL;
	for (size_t i = 0; i < registry->tool_count; i++) {
		const struct registry_tool *tool = &registry->tools[i];

		if (!tool->enabled)
			continue;
		if (at > listing)
			*at++ = ',';
		memcpy(at, tool->listing, tool->listing_length);
		at += tool->listing_length;
	}
	*at = '\0';
	*ret_length = (size_t)(at - listing);
	return listing;
}

const char *registry_listing(const struct registry *registry, size_t *ret_length)
{
	/* What is made at first use is no part of what a reader can see change. */
	struct registry *self = (struct registry *)registry;
	const char *listing;

	pthread_mutex_lock(&self->lock);
	if (!self->listing)
		self->listing = join_listings(self, &self->listing_length);
	listing = self->listing ? self->listing : "";
	*ret_length = self->listing ? self->listing_length : 0;
	pthread_mutex_unlock(&self->lock);
	return listing;
}

/* ---- One file, and the end ------------------------------------------------------------------- */

int registry_scan_file(const struct paths *paths, const char *path, json **ret_manifest,
		       struct error *error)
{
	const char *slash = strrchr(path, '/');
	struct scan_job job = { .name = slash ? slash + 1 : path };
	char *absolute = trust_absolute(path);
	struct stat st;
	int r;

	*ret_manifest = NULL;
	if (!absolute || stat(absolute, &st)) {
		r = error_set(error, STATUS_USAGE, "%s: %s", path, strerror(errno));
		goto out;
	}
	job.path = absolute;
	r = scan_files(paths->worker, &job, 1, setting_real(SETTING_SCAN_TIMEOUT), error);
	if (!r && !job.manifest)
		r = error_set(error, job.passing ? STATUS_WORKER_FAILED : STATUS_INPUT_INVALID,
			      "%s", job.reason);
	if (!r)
		*ret_manifest = job.manifest;
out:
	free(absolute);
	return r;
}

const char *const *registry_recipe_folders(const struct registry *registry)
{
	return registry->recipe_folders;
}

void *registry_derive(struct registry *registry,
		      void *(*make)(struct registry *registry, struct error *error),
		      void (*release)(void *made), struct error *error)
{
	void *made;

	pthread_mutex_lock(&registry->derive_lock);
	if (!registry->derived) {
		registry->derived = make(registry, error);
		registry->release_derived = release;
	}
	made = registry->derived;
	pthread_mutex_unlock(&registry->derive_lock);
	return made;
}

void registry_free(struct registry *registry)
{
	if (!registry)
		return;
	if (registry->derived)
		registry->release_derived(registry->derived);
	pthread_mutex_destroy(&registry->derive_lock);
	for (size_t i = 0; i < registry->tool_count; i++)
		spec_free(registry->specs[i]);
	for (size_t i = 0; i < registry->pack_count; i++)
		free(registry->entries[i].owned);
	json_drop(registry->recipes);
	json_drop(registry->prompts);
	free(registry->listing);
	free(registry->specs);
	free(registry->off);
	free(registry->tools);
	free(registry->entries);
	free(registry->packs);
	names_free(&registry->tool_names);
	cache_free(registry->cache);
	pthread_mutex_destroy(&registry->lock);
	arena_free(&registry->arena);
	free(registry);
}
