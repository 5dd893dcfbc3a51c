/* SPDX-License-Identifier: MIT
 *
 * The help of every command, out of its table.
 */
#include <config.h>

#include "command/options.h"

#include <stdio.h>
#include <string.h>

enum { LEFT_COLUMN = 24 };

static void print_row(struct buffer *out, const char *left, const char *right)
{
	buffer_format(out, "  %-*s", LEFT_COLUMN - 2, left);
	if (strlen(left) > LEFT_COLUMN - 4)
		buffer_format(out, "\n%*s", LEFT_COLUMN, "");
	command_wrapped(out, right, LEFT_COLUMN);
	buffer_byte(out, '\n');
}

static void print_options(struct buffer *out, const char *heading,
			  const struct command_option *options)
{
	char left[80];

	buffer_format(out, "\n%s:\n", heading);
	for (; options->name; options++) {
		const char *dashes = options->name[1] ? "--" : "-";

		snprintf(left, sizeof(left), "%s%s%s%s", dashes, options->name,
			 options->value ? " " : "", options->value ? options->value : "");
		print_row(out, left, options->summary);
	}
}

static void print_commands(struct buffer *out, const struct command *const *commands)
{
	buffer_text(out, "\nCommands:\n");
	for (; *commands; commands++)
		print_row(out, (*commands)->name, (*commands)->summary);
}

static void print_usage(struct buffer *out, const struct invocation *invocation)
{
	const struct command *command = invocation->chain[invocation->depth - 1];
	char path[COMMAND_PATH_MAX];

	invocation_path(invocation, path);
	buffer_format(out, "usage: %s [options]%s%s\n", path, *command->operands ? " " : "",
		      command->operands);
}

void help_print(struct buffer *out, const struct invocation *invocation)
{
	const struct command *command = invocation->chain[invocation->depth - 1];

	print_usage(out, invocation);
	buffer_format(out, "\n%s.\n", command->summary);
	if (command->commands)
		print_commands(out, command->commands);
	if (*command->help)
		buffer_format(out, "\n%s", command->help);
	if (command->options)
		print_options(out, "Options", command->options);
	print_options(out, "Common options", common_options);
	buffer_text(out, "\nEvery setting is an option too, as in --max-cells 2000000: `toolhost "
			 "config` lists them.\n"
			 "The manual is toolhost(1).\n");
}
