/* SPDX-License-Identifier: MIT
 *
 * The subcommands. Only these files write for a person; results go to stdout, everything else to
 * stderr.
 *
 * A command is data: its name, its help, its options and, where it has some, its own subcommands.
 * The program itself is the outermost one. options.c reads a command line by these tables, help.c
 * prints them, run.c prepares what every command starts from.
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
	struct error fault;	 /* of the configuration, for a command that bears faults */
	const char *config_file; /* --config; NULL: not said */
	const char **pack_dirs;	 /* --pack-dir, NULL-ended; owned; NULL: not said */
	size_t pack_dir_count;
	struct pack *own_pack; /* the host's own tools */
	json *own_manifest;
	struct registry_linked linked[2]; /* of it */
	enum isolation isolation;	  /* --isolation */
	double timeout;			  /* --timeout in seconds; 0: not said */
	int verbosity;			  /* how many -v */
	int output;			  /* the descriptor that results go to */
	bool leave_at_once; /* a thread is held by a tool: end without the destructors of packs */
	bool no_default_packs;
	bool no_cache;
	bool json; /* --json: results and errors as JSON on stdout */
};

/* One option of a command. `value` is the placeholder in its help; NULL: it takes none. */
struct command_option {
	const char *name; /* without its dashes */
	const char *value;
	const char *summary;
};

#define COMMAND_OPTIONS 8 /* the most that one command has */
#define COMMAND_DEPTH 3	  /* toolhost pack check */

struct arguments {
	const char *const *operands; /* NULL-ended */
	size_t count;
	const struct command_option *options; /* of the command */
	const char *values[COMMAND_OPTIONS];  /* of its options; NULL: not given; "" for one without
						 a value */
};

/* What was given for an option of the command, or NULL. */
const char *arguments_value(const struct arguments *arguments, const char *option);

struct command {
	const char *name;
	const char *operands; /* "TOOL [JSON | @FILE | -]", for the usage line */
	const char *summary;  /* one line, for the list of commands */
	const char *help;     /* the rest of its --help, with an example that works */
	const struct command_option *options;  /* ended by a name of NULL; NULL: none */
	const struct command *const *commands; /* its own subcommands, NULL-ended; NULL: none */
	size_t least, most;		       /* operands that it takes */
	bool bears_faults; /* runs with a faulty configuration too, of which it reads nothing then
			    */
	/* Answers the exit status. NULL where `commands` is set. */
	int (*run)(struct program *program, const struct arguments *arguments);
};

extern const struct command command_serve, command_call, command_list, command_show, command_config,
	command_pack, command_bundle, command_doctor, command_recipe, command_replay,
	command_process;

/* Reads the command line, prepares the process, and runs the command that was asked for. Answers
 * the exit status. */
int command_run(const struct command *root, int argc, char **argv);

/* The registry as the options ask for it. */
int command_registry(const struct program *program, const char *only_pack,
		     struct registry **ret_registry, struct error *error);
void command_registry_options(const struct program *program, struct registry_options *ret_options);

/* Says what failed on stderr ("toolhost: input_invalid: ..."), or as JSON on stdout with --json,
 * and answers the exit status. */
int command_fail(const struct program *program, const struct error *error);

/* Writes a result to stdout and answers `status`, or says why it could not be written and answers
 * EXIT_VERDICT. Frees the buffer's memory. */
int command_print(const struct program *program, struct buffer *out, int status);

/* "toolhost: ..." on stderr: something that a person should know beside the result. */
void command_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Appends text that came from elsewhere: control characters are spelled out, so that it cannot
 * steer a terminal. Line ends are kept, and followed by `indent` blanks. */
void command_plain(struct buffer *out, const char *text, size_t length, unsigned indent);

/* Appends what a file is called, or another short text that came from elsewhere and is to stay on
 * its line: UTF-8 without control characters, whatever bytes it is. */
void command_one_line(struct buffer *out, const char *text);

/* The same, broken between words so that lines end before column 80. The first line begins at
 * column `indent`, or at `column`. */
void command_wrapped(struct buffer *out, const char *text, unsigned indent);
void command_wrapped_from(struct buffer *out, const char *text, size_t column, unsigned indent);

/* From now on results go to a descriptor of our own and whatever else writes to descriptor 1 ends
 * on stderr: to be called before a pack's code runs in this process. */
int command_claim_output(struct program *program, struct error *error);

#endif
