/* SPDX-License-Identifier: MIT
 *
 * The subcommands. Only these files write for a person; results go to stdout, everything else to stderr.
 */
#ifndef TOOLHOST_COMMAND_H
#define TOOLHOST_COMMAND_H

#include "base/error.h"
#include "base/paths.h"
#include "execute/execute.h"
#include "registry/config.h"
#include "registry/registry.h"

/* What the common options said, and what every subcommand starts from. */
struct program {
	struct paths paths;
	struct config *config;
	const char *config_file;	/* --config */
	const char *const *pack_dirs;	/* --pack-dir, NULL-ended */
	enum isolation isolation;	/* --isolation */
	double timeout;			/* --timeout; 0: not said */
	bool no_default_packs;
	bool no_cache;
	bool json_errors; /* --json: the error object on stdout */
	int verbosity;	  /* -v */
};

struct command {
	const char *name;
	const char *usage;   /* "call [options] TOOL [JSON | @FILE | -]" */
	const char *summary; /* one line for toolhost --help */
	const char *help;    /* the rest of its --help, with an example that works */
	int (*run)(struct program *program, int argc, char **argv); /* argv[0] is the command's name; answers the exit status */
};

extern const struct command command_serve, command_call, command_list, command_show, command_config, command_pack,
	command_bundle;

/* Says what failed on stderr ("toolhost: input_invalid: ..."), or as JSON on stdout with --json, and answers the exit status. */
int command_fail(const struct program *program, const struct error *error);

/* The registry as the options ask for it. */
int command_registry(const struct program *program, const char *only_pack, struct registry **ret_registry,
		     struct error *error);

#endif
