/* SPDX-License-Identifier: MIT
 *
 * What `toolhost call`, `toolhost replay` and `toolhost process` share.
 */
#ifndef TOOLHOST_COMMAND_CALL_H
#define TOOLHOST_COMMAND_CALL_H

#include "command/command.h"

#include "execute/executor.h"

/* The arguments that a word means: JSON, "@FILE", or "-" for the standard input. NULL: {}. */
int call_read_arguments(const char *operand, json **ret_arguments, struct error *error);

/* Prints the outcome of a call, or the error where that has a status, and answers the exit status.
 */
int call_print(const struct program *program, const struct outcome *outcome,
	       const struct error *error);

/* Appends what `--json` prints of a call, without the braces around it: "result", "content" and "_meta",
 * or "error" and "content". */
void call_append(struct buffer *out, const struct outcome *outcome, const struct error *error);

/* The call is over: frees executor and registry, unless a thread is still held by the tool. */
void call_end(struct program *program, struct executor *executor, struct registry *registry);

#endif
