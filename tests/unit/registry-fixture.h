/* SPDX-License-Identifier: MIT
 *
 * Registries of a test: built from scripts in a folder of its own, by the worker that does what
 * they say.
 */
#ifndef TOOLHOST_UNIT_REGISTRY_FIXTURE_H
#define TOOLHOST_UNIT_REGISTRY_FIXTURE_H

#include "unit.h"

#include "base/log.h"
#include "base/settings.h"
#include "registry-folder.h"
#include "registry/config.h"
#include "registry/registry.h"

static struct folder folder;
static struct paths paths;

/* The shipped packs' folder is empty, and nothing is remembered. */
static inline void start_anew(void)
{
	if (folder.path[0])
		folder_remove(&folder);
	folder_make(&folder);
	free(paths.packs);
	free(paths.cache);
	paths.packs = strdup(folder_folder(&folder, "packs"));
	paths.cache = strdup(folder_path(&folder, "cache"));
	paths.in_build_tree = true;
	settings_clear();
	settings_check(NULL);
}

static inline int build(const struct registry_options *options, struct registry **ret_registry,
			struct error *error)
{
	struct registry_options all = *options;

	all.paths = &paths;
	return registry_build(&all, ret_registry, error);
}

static inline struct registry *build_well(const struct registry_options *options)
{
	struct error error = ERROR_INIT;
	struct registry *registry;

	if (build(options, &registry, &error)) {
		fprintf(stderr, "%s\n", error.message);
		abort();
	}
	return registry;
}

static inline struct registry *build_plain(void)
{
	const struct registry_options options = { .paths = NULL };

	return build_well(&options);
}

/* A config out of a text; the caller frees it. */
static inline struct config *configure(const char *text)
{
	struct error error = ERROR_INIT;
	struct config *config;

	folder_write(&folder, "toolhost.conf", text);
	if (config_load(&paths, folder_path(&folder, "toolhost.conf"), &config, &error)) {
		fprintf(stderr, "%s\n", error.message);
		abort();
	}
	return config;
}

static inline struct registry *build_with(const char *text)
{
	struct config *config = configure(text);
	const struct registry_options options = { .config = config };
	struct registry *registry = build_well(&options);

	config_free(config);
	return registry;
}

static inline bool contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fprintf(stderr, "\"%s\" is not in \"%s\"\n", part, text);
	return strstr(text, part);
}

/* "name state; name state" of all packs, and "name" of all enabled tools: what counts of a
 * registry. */
static inline const char *summary(const struct registry *registry)
{
	static const char *const states[] = { "ready", "refused", "disabled" };
	static char text[4096];
	char *at = text;

	*at = '\0';
	for (size_t i = 0; i < registry_pack_count(registry); i++) {
		const struct registry_pack *pack = registry_pack(registry, i);

		at += sprintf(at, "%s %s, ", pack->name, states[pack->state]);
	}
	at += sprintf(at, "tools");
	for (size_t i = 0; i < registry_tool_count(registry); i++)
		if (registry_tool(registry, i)->enabled)
			at += sprintf(at, " %s", registry_tool(registry, i)->name);
	return text;
}

static inline const struct registry_tool *tool(const struct registry *registry, const char *name)
{
	return registry_find_tool(registry, name, strlen(name));
}

/* All the tests of a program, and what they share put away. */
static inline int run_tests(const char *suite, const struct unit_test *tests, size_t count)
{
	int status;

	log_set_level(LOG_LEVEL_ERROR);
	paths.worker = folder_sibling("registry-worker");
	paths.config_system = (char *)"/nowhere/toolhost.conf";
	paths.config_user = (char *)"/home/user/.config/toolhost/toolhost.conf";
	status = unit_run(suite, tests, count);
	settings_clear();
	free(paths.packs);
	free(paths.cache);
	folder_remove(&folder);
	return status;
}

#endif
