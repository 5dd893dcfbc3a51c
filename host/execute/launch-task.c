/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "execute/launch-task.h"

#include "base/settings.h"
#include "registry/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS_MOST (8 + 2 * RIGHTS_PATHS + CONFIG_VARIABLES)
#define ENVIRONMENT_MOST (SETTING_COUNT + CONFIG_VARIABLES + 1)

/* A list of texts on its way. */
struct texts {
	struct arena *arena;
	const char **items;
	size_t count;
	bool failed;
};

static void add(struct texts *texts, const char *text)
{
	texts->items[texts->count++] = text;
}

/* Adds "KEY=VALUE", with a prefix before the key. */
static void add_pair(struct texts *texts, const char *prefix, const char *key, const char *value)
{
	size_t size = strlen(prefix) + strlen(key) + strlen(value) + 2;
	char *text = arena_allocate(texts->arena, size);

	if (!text) {
		texts->failed = true;
		return;
	}
	snprintf(text, size, "%s%s=%s", prefix, key, value);
	add(texts, text);
}

static void add_grants(struct texts *arguments, const struct registry_pack *pack)
{
	const struct rights *grants = pack->grants;

	if (grants->network)
		add(arguments, "network");
	if (grants->subprocess)
		add(arguments, "subprocess");
	for (size_t i = 0; grants->read[i]; i++)
		add_pair(arguments, "", "read", grants->read[i]);
	for (size_t i = 0; grants->write[i]; i++)
		add_pair(arguments, "", "write", grants->write[i]);
	for (size_t i = 0; pack->environment[i]; i++)
		add_pair(arguments, "", "variable", pack->environment[i]);
}

/* A tool may ask for any setting that is a whole number, and finds in a worker what it finds here.
 */
static void add_settings(struct texts *environment)
{
	for (int i = 0; i < SETTING_COUNT; i++) {
		const struct setting_info *info = setting_info((enum setting)i);
		struct buffer value = BUFFER_INIT(64);

		if (info->type != SETTING_WHOLE)
			continue;
		setting_print(&value, (enum setting)i);
		if (value.fault)
			environment->failed = true;
		else if (strcmp(value.data, info->fallback))
			add_pair(environment, "TOOLHOST_", info->variable, value.data);
		buffer_free(&value);
	}
}

static void add_variables(struct texts *environment, const struct registry_pack *pack)
{
	for (size_t i = 0; pack->environment[i]; i++) {
		const char *value = getenv(pack->environment[i]);

		if (value)
			add_pair(environment, "", pack->environment[i], value);
	}
}

int launch_task_make(const struct registry_pack *pack, enum isolation level, const char *group,
		     struct arena *arena, struct warden_task *ret_task)
{
	struct texts arguments = { .arena = arena }, environment = { .arena = arena };

	arguments.items = arena_array(arena, ARGUMENTS_MOST, sizeof(*arguments.items));
	environment.items = arena_array(arena, ENVIRONMENT_MOST, sizeof(*environment.items));
	if (!arguments.items || !environment.items)
		return STATUS_INTERNAL;
	add(&arguments, "launch");
	add(&arguments, isolation_name(level));
	add(&arguments, pack->path);
	if (pack->starts_threads)
		add(&arguments, "late");
	if (*group)
		add_pair(&arguments, "", "group", group);
	add_grants(&arguments, pack);
	add_settings(&environment);
	add_variables(&environment, pack);
	*ret_task = (struct warden_task){
		.name = pack->name,
		.arguments = arguments.items,
		.environment = environment.items,
	};
	return arguments.failed || environment.failed ? STATUS_INTERNAL : STATUS_OK;
}
