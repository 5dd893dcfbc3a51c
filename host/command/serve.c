/* SPDX-License-Identifier: MIT
 *
 * toolhost serve: the tools for an MCP client.
 */
#include <config.h>

#include "command/command.h"

#include "serve/stdio.h"

static int run_serve(struct program *program, const struct arguments *arguments)
{
	struct registry_options registry;
	struct serve_options options = {
		.paths = &program->paths,
		.registry = &registry,
		.at_least = program->isolation,
		.timeout = program->timeout,
	};
	struct error error = ERROR_INIT;
	int status;

	(void)arguments;
	if (serve_claim_stdio(&error) != STATUS_OK) {
		status = command_fail(program, &error);
		error_clear(&error);
		return status;
	}
	command_registry_options(program, &registry);
	return serve_stdio(&options);
}

static const struct command_option options[] = {
	{ "stdio", NULL, "over the standard streams, one JSON message a line (the default)" },
	{ NULL, NULL, NULL },
};

const struct command command_serve = {
	.name = "serve",
	.operands = "",
	.summary = "Serve the tools to an MCP client",
	.help = "Speaks the Model Context Protocol. An MCP client starts this by itself; its "
		"configuration\n"
		"names this program by its absolute path and \"serve\" as the argument. Ends when "
		"its input ends.\n"
		"\n"
		"Example, which lists the tools as a client sees them:\n"
		"  printf '%s\\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}' | "
		"toolhost serve\n",
	.options = options,
	.run = run_serve,
};
