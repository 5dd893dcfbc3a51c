/* SPDX-License-Identifier: MIT
 *
 * Reading a command line by the tables of the commands.
 */
#ifndef TOOLHOST_COMMAND_OPTIONS_H
#define TOOLHOST_COMMAND_OPTIONS_H

#include "command/command.h"

/* What a command line asks for. */
struct invocation {
	const struct command *chain[COMMAND_DEPTH]; /* the program, the command, its subcommand */
	size_t depth;				    /* of them */
	struct arguments arguments;		    /* operands: owned by options_free() */
	bool help;
	bool version;
};

#define COMMAND_PATH_MAX 64

/* "toolhost pack check". */
void invocation_path(const struct invocation *invocation, char ret_path[COMMAND_PATH_MAX]);

/* The options that every command takes, ended by a name of NULL. */
extern const struct command_option common_options[];

/* Reads the whole line; options and operands may stand in any order, "--" ends the options. Fills
 * the options' part of `program` and hands flags of settings to settings_set_flag(). STATUS_USAGE
 * names the word that is wrong and the nearest right one. With help or version asked for, missing
 * operands are no fault. */
int options_read(const struct command *root, int argc, char **argv, struct program *program,
		 struct invocation *ret_invocation, struct error *error);
void options_free(struct program *program, struct invocation *invocation);

/* The help of the innermost command of an invocation. */
void help_print(struct buffer *out, const struct invocation *invocation);

#endif
