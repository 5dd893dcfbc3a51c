/* SPDX-License-Identifier: MIT
 *
 * What the commands of `toolhost pack` share.
 */
#ifndef TOOLHOST_COMMAND_PACK_H
#define TOOLHOST_COMMAND_PACK_H

#include "command/command.h"

extern const struct command command_pack_check;

/* The file that an operand means: a path, or the name of a pack in the folders. *ret_path is the
 * caller's. STATUS_UNKNOWN_PACK names the nearest. */
int pack_resolve(const struct program *program, const char *operand, char **ret_path,
		 struct error *error);

#endif
