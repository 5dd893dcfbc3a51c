/* SPDX-License-Identifier: MIT
 *
 * Reading a command line by the tables of the commands.
 */
#include <config.h>

#include "command/options.h"

#include "base/json.h"
#include "base/settings.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
	struct program *program;
	struct invocation *invocation;
	char **words;
	int count;
	int next; /* index of the next word */
	const char **operands;
	struct error *error;
};

enum { NAME_MAX_LENGTH = 64, CANDIDATES_MAX = 128 };

const struct command_option common_options[] = {
	{ "isolation", "LEVEL", "the least isolation: in-process, isolated or sandboxed" },
	{ "timeout", "S", "the time limit of a call, in seconds" },
	{ "pack-dir", "DIR", "take packs from DIR as well, and trust them; may be repeated" },
	{ "no-default-packs", NULL, "leave out the packs of the default folders" },
	{ "no-cache", NULL, "scan every pack anew" },
	{ "config", "FILE", "read this config file instead of the usual ones" },
	{ "json", NULL, "results and errors as JSON on standard output" },
	{ "v", NULL, "say more on standard error; -vv says still more" },
	{ "version", NULL, "print the version" },
	{ "help", NULL, "print this help" },
	{ NULL, NULL, NULL },
};

void invocation_path(const struct invocation *invocation, char ret_path[COMMAND_PATH_MAX])
{
	size_t length = 0;

	for (size_t i = 0; i < invocation->depth && length < COMMAND_PATH_MAX; i++)
		length += (size_t)snprintf(ret_path + length, COMMAND_PATH_MAX - length, "%s%s",
					   i ? " " : "", invocation->chain[i]->name);
}

static const struct command *current(const struct parser *parser)
{
	return parser->invocation->chain[parser->invocation->depth - 1];
}

static int take_isolation(struct parser *parser, const char *value)
{
	if (isolation_parse(value, &parser->program->isolation))
		return STATUS_OK;
	return error_set(parser->error, STATUS_USAGE,
			 "--isolation %.64s: write in-process, isolated or sandboxed", value);
}

static int take_timeout(struct parser *parser, const char *value)
{
	const struct setting_info *info = setting_info(SETTING_TOOL_TIMEOUT);
	double seconds;

	if (json_parse_number(value, strlen(value), &seconds) && seconds >= info->least &&
	    seconds <= info->most) {
		parser->program->timeout = seconds;
		/* It goes over what the config says, also upwards. */
		return settings_set_flag(SETTING_TOOL_TIMEOUT, value, parser->error);
	}
	return error_set(parser->error, STATUS_USAGE,
			 "--timeout %.64s: write a number of seconds from %.15g to %.15g", value,
			 info->least, info->most);
}

static int take_pack_dir(struct parser *parser, const char *value)
{
	struct program *program = parser->program;

	if (!*value)
		return error_set(parser->error, STATUS_USAGE,
				 "--pack-dir needs the path of a folder");
	if (!program->pack_dirs)
		program->pack_dirs = calloc((size_t)parser->count + 1, sizeof(*program->pack_dirs));
	if (!program->pack_dirs)
		return error_set(parser->error, STATUS_INTERNAL, "no memory for the options");
	program->pack_dirs[program->pack_dir_count++] = value;
	return STATUS_OK;
}

static int take_common(struct parser *parser, const char *name, const char *value)
{
	struct program *program = parser->program;

	if (!strcmp(name, "isolation"))
		return take_isolation(parser, value);
	if (!strcmp(name, "timeout"))
		return take_timeout(parser, value);
	if (!strcmp(name, "pack-dir"))
		return take_pack_dir(parser, value);
	if (!strcmp(name, "config") && !*value)
		return error_set(parser->error, STATUS_USAGE, "--config needs the path of a file");
	if (!strcmp(name, "config"))
		program->config_file = value;
	else if (!strcmp(name, "no-default-packs"))
		program->no_default_packs = true;
	else if (!strcmp(name, "no-cache"))
		program->no_cache = true;
	else if (!strcmp(name, "json"))
		program->json = true;
	else if (!strcmp(name, "v"))
		program->verbosity++;
	else if (!strcmp(name, "version"))
		parser->invocation->version = true;
	else
		parser->invocation->help = true;
	return STATUS_OK;
}

static const struct command_option *find_option(const struct command_option *table,
						const char *name)
{
	for (; table && table->name; table++) {
		if (!strcmp(table->name, name))
			return table;
	}
	return NULL;
}

/* The setting whose flag this is: its name with dashes. *ret_off tells that it was "no-" and a
 * switch. */
static int find_setting(const char *flag, bool *ret_off)
{
	char name[NAME_MAX_LENGTH];
	int setting;

	*ret_off = false;
	if (strlen(flag) >= sizeof(name))
		return -1;
	for (size_t i = 0; i <= strlen(flag); i++)
		name[i] = flag[i] == '-' ? '_' : flag[i];
	setting = setting_find(name);
	if (setting >= 0 || strncmp(name, "no_", 3) != 0)
		return setting;
	setting = setting_find(name + 3);
	if (setting >= 0 && setting_info((enum setting)setting)->type != SETTING_SWITCH)
		return -1;
	*ret_off = true;
	return setting;
}

static int take_setting(struct parser *parser, enum setting setting, bool off,
			const char *inline_value, const char *name)
{
	const char *value = inline_value;

	if (off && value)
		return error_set(parser->error, STATUS_USAGE, "--%s takes no value", name);
	/* A switch takes its value only behind an equals sign, so that `--mcp-safe-mode serve`
	 * means what it says. */
	if (!value && setting_info(setting)->type == SETTING_SWITCH)
		value = off ? "false" : "true";
	if (!value && parser->next < parser->count)
		value = parser->words[parser->next++];
	if (!value)
		return error_set(parser->error, STATUS_USAGE, "--%s needs a value (%s)", name,
				 setting_info(setting)->summary);
	return settings_set_flag(setting, value, parser->error);
}

static size_t add_names(const char **names, size_t count, const struct command_option *table)
{
	for (; table && table->name && count < CANDIDATES_MAX; table++)
		names[count++] = table->name;
	return count;
}

static int unknown_option(struct parser *parser, const char *name)
{
	char flags[SETTING_COUNT][NAME_MAX_LENGTH];
	const char *names[CANDIDATES_MAX];
	const char *near;
	size_t count = 0;

	count = add_names(names, count, current(parser)->options);
	count = add_names(names, count, common_options);
	for (int i = 0; i < SETTING_COUNT && count < CANDIDATES_MAX; i++) {
		const char *from = setting_info((enum setting)i)->name;
		size_t length = strnlen(from, NAME_MAX_LENGTH - 1);

		for (size_t j = 0; j < length; j++)
			flags[i][j] = from[j] == '_' ? '-' : from[j];
		flags[i][length] = '\0';
		names[count++] = flags[i];
	}
	near = text_nearest(name, names, count);
	if (near)
		return error_set(parser->error, STATUS_USAGE,
				 "there is no option --%.64s; did you mean --%s?", name, near);
	return error_set(parser->error, STATUS_USAGE, "there is no option --%.64s; try --help",
			 name);
}

/* The value of an option: behind its equals sign, or the next word. */
static int option_value(struct parser *parser, const struct command_option *option,
			const char *inline_value, const char **ret_value)
{
	*ret_value = "";
	if (!option->value) {
		if (inline_value)
			return error_set(parser->error, STATUS_USAGE, "--%s takes no value",
					 option->name);
		return STATUS_OK;
	}
	if (!inline_value && parser->next < parser->count)
		inline_value = parser->words[parser->next++];
	if (!inline_value)
		return error_set(parser->error, STATUS_USAGE, "--%s needs a value: --%s %s",
				 option->name, option->name, option->value);
	*ret_value = inline_value;
	return STATUS_OK;
}

static int take_long(struct parser *parser, const char *word)
{
	const char *equals = strchr(word, '=');
	size_t length = equals ? (size_t)(equals - word) : strlen(word);
	const char *inline_value = equals ? equals + 1 : NULL;
	const struct command *command = current(parser);
	const struct command_option *option;
	const char *value;
	char name[NAME_MAX_LENGTH];
	bool off;
	int setting, r;

	if (length >= sizeof(name))
		length = sizeof(name) - 1;
	memcpy(name, word, length);
	name[length] = '\0';

	option = find_option(command->options, name);
	if (option) {
		r = option_value(parser, option, inline_value, &value);
		parser->invocation->arguments.values[option - command->options] = value;
		return r;
	}
	/* -v is a letter only. */
	option = strcmp(name, "v") != 0 ? find_option(common_options, name) : NULL;
	if (option) {
		r = option_value(parser, option, inline_value, &value);
		return r ? r : take_common(parser, name, value);
	}
	setting = find_setting(name, &off);
	if (setting >= 0)
		return take_setting(parser, (enum setting)setting, off, inline_value, name);
	return unknown_option(parser, name);
}

static int take_letters(struct parser *parser, const char *letters)
{
	for (const char *letter = letters; *letter; letter++) {
		switch (*letter) {
		case 'v':
			parser->program->verbosity++;
			break;
		case 'h':
			parser->invocation->help = true;
			break;
		default:
			return error_set(parser->error, STATUS_USAGE,
					 "there is no option -%.64s; options are spelled out, as "
					 "in --timeout 5",
					 letters);
		}
	}
	return STATUS_OK;
}

static int unknown_command(struct parser *parser, const char *word)
{
	const struct command *command = current(parser);
	const char *names[CANDIDATES_MAX];
	char path[COMMAND_PATH_MAX];
	const char *near;
	size_t count = 0;

	while (count < CANDIDATES_MAX && command->commands[count]) {
		names[count] = command->commands[count]->name;
		count++;
	}
	invocation_path(parser->invocation, path);
	near = text_nearest(word, names, count);
	if (near)
		return error_set(parser->error, STATUS_USAGE,
				 "%s has no command \"%.64s\"; did you mean \"%s %s\"?", path, word,
				 path, near);
	return error_set(parser->error, STATUS_USAGE,
			 "%s has no command \"%.64s\"; `%s --help` lists them", path, word, path);
}

static int take_operand(struct parser *parser, const char *word)
{
	struct invocation *invocation = parser->invocation;
	const struct command *const *commands = current(parser)->commands;

	if (!commands) {
		parser->operands[invocation->arguments.count++] = word;
		return STATUS_OK;
	}
	for (; *commands; commands++) {
		if (!strcmp((*commands)->name, word)) {
			invocation->chain[invocation->depth++] = *commands;
			return STATUS_OK;
		}
	}
	return unknown_command(parser, word);
}

static int check_operands(struct parser *parser)
{
	const struct command *command = current(parser);
	size_t count = parser->invocation->arguments.count;
	char path[COMMAND_PATH_MAX];

	invocation_path(parser->invocation, path);
	if (command->commands)
		return error_set(parser->error, STATUS_USAGE,
				 "%s needs a command; `%s --help` lists them", path, path);
	if (count < command->least)
		return error_set(parser->error, STATUS_USAGE,
				 "%s needs %s; `%s --help` has an example", path, command->operands,
				 path);
	if (count > command->most)
		return error_set(parser->error, STATUS_USAGE,
				 "%s does not know what to do with \"%.64s\"; quote an argument "
				 "that has blanks",
				 path, parser->operands[command->most]);
	return STATUS_OK;
}

static int read_words(struct parser *parser)
{
	bool options_ended = false;
	int r = STATUS_OK;

	while (r == STATUS_OK && parser->next < parser->count) {
		const char *word = parser->words[parser->next++];

		if (options_ended || word[0] != '-' || !word[1])
			r = take_operand(parser, word);
		else if (!strcmp(word, "--"))
			options_ended = true;
		else if (word[1] == '-')
			r = take_long(parser, word + 2);
		else
			r = take_letters(parser, word + 1);
	}
	return r;
}

/* A fault before --json is still told as JSON. */
static bool wants_json(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (!strcmp(argv[i], "--json"))
			return true;
	}
	return false;
}

int options_read(const struct command *root, int argc, char **argv, struct program *program,
		 struct invocation *ret_invocation, struct error *error)
{
	struct parser parser = {
		.program = program,
		.invocation = ret_invocation,
		.words = argv,
		.count = argc,
		.next = argc > 0 ? 1 : 0,
		.error = error,
	};
	struct arguments *arguments = &ret_invocation->arguments;
	int r;

	memset(ret_invocation, 0, sizeof(*ret_invocation));
	ret_invocation->chain[0] = root;
	ret_invocation->depth = 1;
	program->json = wants_json(argc, argv);
	parser.operands = calloc((size_t)argc + 1, sizeof(*parser.operands));
	if (!parser.operands)
		return error_set(error, STATUS_INTERNAL, "no memory for the options");
	arguments->operands = parser.operands;

	r = read_words(&parser);
	arguments->options = current(&parser)->options;
	if (r == STATUS_OK && !ret_invocation->help && !ret_invocation->version)
		r = check_operands(&parser);
	return r;
}

void options_free(struct program *program, struct invocation *invocation)
{
	free((void *)invocation->arguments.operands);
	free(program->pack_dirs);
	invocation->arguments.operands = NULL;
	program->pack_dirs = NULL;
}

const char *arguments_value(const struct arguments *arguments, const char *option)
{
	const struct command_option *found = find_option(arguments->options, option);

	return found ? arguments->values[found - arguments->options] : NULL;
}
