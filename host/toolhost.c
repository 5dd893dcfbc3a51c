/* SPDX-License-Identifier: MIT
 *
 * toolhost: a native plugin host that gives tools to agents.
 */
#include <config.h>

#include "command/command.h"

static const struct command *const commands[] = {
	&command_serve,	 &command_call,	  &command_process, &command_list,
	&command_show,	 &command_config, &command_pack,    &command_bundle,
	&command_doctor, &command_recipe, &command_replay,  NULL,
};

static const struct command toolhost = {
	.name = "toolhost",
	.operands = "COMMAND ...",
	.summary = "Loads tool packs and runs their tools for agents and from the shell",
	.help = "Examples:\n"
		"  toolhost list\n"
		"  toolhost call add '{\"a\": 1, \"b\": 2}'\n"
		"  toolhost serve\n",
	.commands = commands,
};

int main(int argc, char **argv)
{
	return command_run(&toolhost, argc, argv);
}
