/* SPDX-License-Identifier: MIT
 *
 * Tools in the forms that model services take: `list --format anthropic` and `openai`.
 *
 * Those services are narrower than MCP. What is changed for them is here, all of it, and is told in
 * toolhost(1).
 */
#ifndef TOOLHOST_COMMAND_VENDOR_H
#define TOOLHOST_COMMAND_VENDOR_H

#include "registry/registry.h"

#define VENDOR_NAME_MAX 64

/* The name as [A-Za-z0-9_-]{1,64}. A dot is spelled "_-_"; where that could be read in two ways or
 * would be too long, the name is cut and ends in a checksum. Names without dots stay as they are.
 */
void vendor_name(const char *name, char ret_name[VENDOR_NAME_MAX + 1]);

/* A tool by its name, or by its spelling of vendor_name(), which is how a model names it. Disabled
 * ones are found as well. NULL: there is none. */
const struct registry_tool *vendor_find_tool(const struct registry *registry, const char *name);

/* The input schema as the services take it: an object at the root, no combinator there, local
 * references replaced by what they refer to. The dialect's key goes, or with `schema_key` is there
 * always. A reference into itself cannot be replaced: it stays, with what it needs, and *ret_kept
 * says so. The caller's; NULL: no memory. */
json *vendor_schema(const json *schema, bool schema_key, bool *ret_kept);

/* One tool, out of its object in the pack's manifest. The caller's; NULL: no memory. */
json *vendor_anthropic(const json *manifest, bool schema_key);
json *vendor_openai(const json *manifest, bool schema_key);

#endif
