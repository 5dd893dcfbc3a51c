/* SPDX-License-Identifier: MIT
 *
 * Reading what a pack says of its tools, for printing.
 */
#ifndef TOOLHOST_COMMAND_MANIFEST_H
#define TOOLHOST_COMMAND_MANIFEST_H

#include "registry/registry.h"

/* The tool's object in its pack's manifest; the caller's. NULL where it cannot be read, which is a
 * defect. */
json *manifest_of_tool(const struct registry_tool *tool);

/* The text of a key, or "". */
const char *manifest_text(const json *object, const char *key);

/* One line that says what a tool does: its title, or else the first sentence of its description. */
void manifest_print_summary(struct buffer *out, const json *manifest);

/* The properties of an object schema, one paragraph each: name, type, bounds, default, description.
 */
void manifest_print_properties(struct buffer *out, const json *schema);

#endif
