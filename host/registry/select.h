/* SPDX-License-Identifier: MIT
 *
 * What the operator has switched off: packs, bundles, tools.
 *
 * A bundle has the packs that it names, all their tools, and the tools that its globs match. What
 * lies in bundles is off when all of them are disabled; what lies in none is on. The settings
 * enabled_tools and disabled_tools narrow that down.
 */
#ifndef TOOLHOST_SELECT_H
#define TOOLHOST_SELECT_H

#include "base/arena.h"
#include "registry/config.h"

struct selection {
	const struct config *config; /* may be NULL */
	const char *const *disabled_packs;
	const char *const *enabled_tools; /* globs; none: all */
	const char *const *disabled_tools;
	/* Why something is off, for each of the four causes. */
	const char *disabled_packs_reason, *enabled_tools_reason, *disabled_tools_reason;
	const char **bundle_reasons; /* one a bundle */
};

/* Reads the settings. STATUS_INTERNAL: no memory. Texts are the arena's. */
int selection_init(struct selection *selection, const struct config *config, struct arena *arena,
		   struct error *error);

/* STATUS_CONFIG_INVALID where the config or the setting disabled_packs names a pack that is not
 * among `names`, with the nearest that is. */
int selection_check(const struct selection *selection, const char *const *names, size_t count,
		    struct error *error);

/* Why a pack is not even to be scanned, or NULL. */
const char *selection_pack_off(const struct selection *selection, const char *pack,
			       struct arena *arena);

/* Why a tool of a pack that was scanned is off, or NULL. */
const char *selection_tool_off(const struct selection *selection, const char *pack,
			       const char *tool);

/* Warns of globs that match no tool: most are slips of the pen. */
void selection_warn(const struct selection *selection, const char *const *tools, size_t count);

#endif
