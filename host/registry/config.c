/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry/config-private.h"

#include "base/text.h"
#include "registry/trust.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_MOST ((size_t)64 * 1024 * 1024)

static const char *const no_names[] = { NULL };

/* ---- The merged tables ----------------------------------------------------------------------- */

/* Room for one more element: tables grow by doubling, at powers of two. */
static void *grow(void *items, size_t count, size_t size)
{
	if (count & (count - 1))
		return items;
	return reallocarray(items, count ? count * 2 : 1, size);
}

struct config_pack *config_add_pack(struct config *config, const char *name)
{
	struct config_pack *packs, *pack;

	for (size_t i = 0; i < config->pack_count; i++)
		if (!strcmp(config->packs[i].name, name))
			return &config->packs[i];
	packs = grow(config->packs, config->pack_count, sizeof(*packs));
	if (!packs)
		return NULL;
	config->packs = packs;
	pack = &packs[config->pack_count];
	*pack = (struct config_pack){
		.enabled = -1, .critical = -1, .network = -1, .subprocess = -1
	};
	pack->name = arena_copy(&config->arena, name, strlen(name));
	if (!pack->name)
		return NULL;
	config->pack_count++;
	return pack;
}

struct config_bundle *config_add_bundle(struct config *config, const char *name)
{
	struct config_bundle *bundles, *bundle;

	for (size_t i = 0; i < config->bundle_count; i++)
		if (!strcmp(config->bundles[i].name, name))
			return &config->bundles[i];
	bundles = grow(config->bundles, config->bundle_count, sizeof(*bundles));
	if (!bundles)
		return NULL;
	config->bundles = bundles;
	bundle = &bundles[config->bundle_count];
	*bundle = (struct config_bundle){
		.summary = "", .enabled = -1, .packs = no_names, .tools = no_names
	};
	bundle->name = arena_copy(&config->arena, name, strlen(name));
	if (!bundle->name)
		return NULL;
	config->bundle_count++;
	return bundle;
}

/* ---- Loading --------------------------------------------------------------------------------- */

static int merge_file(struct config *config, const char *path, bool needed, struct error *error)
{
	char *text = NULL;
	size_t length;
	int r;

	r = config_file_load(path, needed, &text, &length, error);
	if (!r && text)
		r = config_file_parse(path, text, length, config, error);
	free(text);
	return r;
}

static int merge_files(struct config *config, const struct paths *paths, const char *file,
		       struct error *error)
{
	char *absolute;
	int r;

	if (!file) {
		r = merge_file(config, paths->config_system, false, error);
		return r || !paths->config_user
			       ? r
			       : merge_file(config, paths->config_user, false, error);
	}
	absolute = trust_absolute(file);
	if (!absolute)
		return error_set(error, STATUS_CONFIG_INVALID, "cannot find the config file %s: %s",
				 file, strerror(errno));
	r = merge_file(config, absolute, true, error);
	free(absolute);
	return r;
}

int config_load(const struct paths *paths, const char *file, struct config **ret_config,
		struct error *error)
{
	struct config *config = calloc(1, sizeof(*config));
	int r;

	*ret_config = NULL;
	if (!config)
		return error_set(error, STATUS_INTERNAL, "there is no memory left");
	arena_init(&config->arena, MEMORY_MOST);
	config->pack_dirs = (struct config_folders){ .paths = no_names, .file = "" };
	config->recipe_dirs = config->pack_dirs;
	r = merge_files(config, paths, file, error);
	if (r) {
		config_free(config);
		return r;
	}
	*ret_config = config;
	return STATUS_OK;
}

void config_free(struct config *config)
{
	if (!config)
		return;
	arena_free(&config->arena);
	free(config->packs);
	free(config->bundles);
	free(config);
}

/* ---- Looking --------------------------------------------------------------------------------- */

const char *const *config_pack_dirs(const struct config *config)
{
	return config->pack_dirs.paths;
}

int config_folder_fault(const struct config_folders *folders, const char *key, const char *path,
			const char *reason, struct error *error)
{
	return config_fault(error, folders->file, folders->line, key, "%s names %s: %s", key, path,
			    reason);
}

const struct config_folders *config_pack_folders(const struct config *config)
{
	return &config->pack_dirs;
}

const struct config_folders *config_recipe_folders(const struct config *config)
{
	return &config->recipe_dirs;
}

size_t config_pack_count(const struct config *config)
{
	return config->pack_count;
}

const struct config_pack *config_pack(const struct config *config, size_t index)
{
	return &config->packs[index];
}

const struct config_pack *config_find_pack(const struct config *config, const char *name)
{
	for (size_t i = 0; i < config->pack_count; i++)
		if (!strcmp(config->packs[i].name, name))
			return &config->packs[i];
	return NULL;
}

size_t config_bundle_count(const struct config *config)
{
	return config->bundle_count;
}

const struct config_bundle *config_bundle(const struct config *config, size_t index)
{
	return &config->bundles[index];
}

const struct config_bundle *config_find_bundle(const struct config *config, const char *name)
{
	for (size_t i = 0; i < config->bundle_count; i++)
		if (!strcmp(config->bundles[i].name, name))
			return &config->bundles[i];
	return NULL;
}
