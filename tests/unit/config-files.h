/* SPDX-License-Identifier: MIT
 *
 * Config files in a folder of their own, for the tests of reading and of editing them.
 */
#ifndef TOOLHOST_UNIT_CONFIG_FILES_H
#define TOOLHOST_UNIT_CONFIG_FILES_H

#include "unit.h"

#include "base/settings.h"
#include "registry-folder.h"
#include "registry/config.h"

static struct folder folder;
static struct paths paths;

static bool contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fprintf(stderr, "\"%s\" is not in \"%s\"\n", part, text);
	return strstr(text, part);
}

/* Both files, NULL for one that is not there. Answers the config, or NULL and the error. */
static struct config *load(const char *system_text, const char *user_text, struct error *error)
{
	struct config *config;

	settings_clear();
	unlink(paths.config_system);
	unlink(paths.config_user);
	if (system_text)
		folder_write(&folder, "system.conf", system_text);
	if (user_text)
		folder_write(&folder, "user.conf", user_text);
	config_load(&paths, NULL, &config, error);
	return config;
}

static struct config *load_well(const char *system_text, const char *user_text)
{
	struct error error = ERROR_INIT;
	struct config *config = load(system_text, user_text, &error);

	if (!config) {
		fprintf(stderr, "%s\n", error.message);
		abort();
	}
	return config;
}

#endif
