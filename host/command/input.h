/* SPDX-License-Identifier: MIT
 *
 * What a command reads: a file, or standard input.
 */
#ifndef TOOLHOST_COMMAND_INPUT_H
#define TOOLHOST_COMMAND_INPUT_H

#include "base/error.h"

/* Appends all of a file to an empty buffer; path NULL: of standard input. STATUS_INPUT_TOO_LARGE past
 * max_message_mb, STATUS_USAGE where it cannot be read. The buffer is the caller's in any case. */
int input_read(const char *path, struct buffer *text, struct error *error);

#endif
