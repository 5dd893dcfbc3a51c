/* SPDX-License-Identifier: MIT
 *
 * JSON values in binary, between the host and its workers. Packed lists cross as the doubles that
 * they are. The order of bytes is the machine's own: both ends are one program of one build.
 */
#ifndef TOOLHOST_JSON_WIRE_H
#define TOOLHOST_JSON_WIRE_H

#include "base/json.h"

/* Appends the value to a buffer that was empty at first. */
void json_wire_write(struct buffer *out, const json *value);

/* Reads what was written, all of `length` bytes, which begin at a multiple of 8. False where it is
 * anything else; then *ret_value is NULL. */
bool json_wire_read(const char *data, size_t length, json **ret_value);

#endif
