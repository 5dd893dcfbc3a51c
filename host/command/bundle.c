/* SPDX-License-Identifier: MIT
 *
 * toolhost bundle: the named sets of packs and tools in the config, switched on and off.
 */
#include <config.h>

#include "command/command.h"

#include "base/json.h"

#include <stdlib.h>

static void print_names(struct buffer *out, const char *heading, const char *const *names)
{
	if (!*names)
		return;
	buffer_format(out, "  %s", heading);
	for (; *names; names++)
		buffer_format(out, " %s", *names);
	buffer_byte(out, '\n');
}

/* A bundle of which nothing is said is on. */
static bool is_on(const struct config_bundle *bundle)
{
	return bundle->enabled != 0;
}

static void print_bundle(struct buffer *out, const struct config_bundle *bundle)
{
	buffer_format(out, "%s: %s", bundle->name, is_on(bundle) ? "on" : "off");
	if (*bundle->summary)
		buffer_format(out, ", %s", bundle->summary);
	buffer_format(out, " (%s:%d)\n", bundle->file, bundle->line);
	print_names(out, "packs:", bundle->packs);
	print_names(out, "tools:", bundle->tools);
}

static json *names_to_json(const char *const *names)
{
	json *list = json_new_list();

	for (; *names; names++)
		json_append(list, json_new_text(*names));
	return list;
}

static void print_json(struct buffer *out, const struct config *config)
{
	json *list = json_new_list();

	for (size_t i = 0; i < config_bundle_count(config); i++) {
		const struct config_bundle *bundle = config_bundle(config, i);
		json *object = json_new_object();

		json_set_text(object, "name", bundle->name);
		json_set_boolean(object, "enabled", is_on(bundle));
		json_set_text(object, "summary", bundle->summary);
		json_set(object, "packs", names_to_json(bundle->packs));
		json_set(object, "tools", names_to_json(bundle->tools));
		json_set_text(object, "file", bundle->file);
		json_set_integer(object, "line", bundle->line);
		json_append(list, object);
	}
	json_print_pretty(out, list);
	buffer_byte(out, '\n');
	json_drop(list);
}

static int run_list(struct program *program, const struct arguments *arguments)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	size_t count = config_bundle_count(program->config);

	(void)arguments;
	if (program->json)
		print_json(&out, program->config);
	for (size_t i = 0; !program->json && i < count; i++)
		print_bundle(&out, config_bundle(program->config, i));
	if (!count)
		command_note("the config has no bundles; toolhost.conf(5) shows how to write one");
	return command_print(program, &out, EXIT_RESULT);
}

static int switch_bundle(struct program *program, const char *name, bool enabled)
{
	struct error error = ERROR_INIT;
	char *file = NULL;
	int status = EXIT_RESULT;

	if (config_set_bundle(&program->paths, program->config_file, name, enabled, &file,
			      &error) != STATUS_OK)
		status = command_fail(program, &error);
	else
		command_note("bundle %s is %s in %s", name, enabled ? "on" : "off", file);
	free(file);
	error_clear(&error);
	return status;
}

static int run_enable(struct program *program, const struct arguments *arguments)
{
	return switch_bundle(program, arguments->operands[0], true);
}

static int run_disable(struct program *program, const struct arguments *arguments)
{
	return switch_bundle(program, arguments->operands[0], false);
}

static const struct command list = {
	.name = "list",
	.operands = "",
	.summary = "List the bundles of the config",
	.help = "Example:\n  toolhost bundle list\n",
	.run = run_list,
};

static const struct command enable = {
	.name = "enable",
	.operands = "NAME",
	.summary = "Switch a bundle on, in the user's config file",
	.help = "Changes that one value and leaves the rest of the file as it is; with --config, "
		"in "
		"that file.\n"
		"\n"
		"Example:\n  toolhost bundle enable statistics\n",
	.least = 1,
	.most = 1,
	.run = run_enable,
};

static const struct command disable = {
	.name = "disable",
	.operands = "NAME",
	.summary = "Switch a bundle off, in the user's config file",
	.help = "Changes that one value and leaves the rest of the file as it is. A pack of which "
		"nothing is\n"
		"left is then not even looked at.\n"
		"\n"
		"Example:\n  toolhost bundle disable statistics\n",
	.least = 1,
	.most = 1,
	.run = run_disable,
};

static const struct command *const commands[] = { &list, &enable, &disable, NULL };

const struct command command_bundle = {
	.name = "bundle",
	.operands = "COMMAND ...",
	.summary = "List bundles, and switch them on and off",
	.help = "A bundle is a named set of packs and tools in the config file.\n"
		"\n"
		"Example:\n"
		"  toolhost bundle list\n",
	.commands = commands,
};
