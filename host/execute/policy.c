/* SPDX-License-Identifier: MIT
 *
 * Where a call runs: the strictest of what the transport, the pack, the tool, the operator and the
 * caller ask for.
 */
#include "config.h"

#include "execute/execute.h"

#include "base/array.h"
#include "base/settings.h"

/* One party that has a say, and the level it asks for. */
struct voice {
	enum isolation level;
	const char *reason;
};

void policy_decide(const struct tool_spec *spec, enum trust trust, enum isolation at_least,
		   bool abandoned, enum isolation *ret_strategy, const char **ret_reason)
{
	const struct registry_pack *pack = spec->tool->pack;
	const struct voice voices[] = {
		{ ISOLATION_IN_PROCESS, "the transport and the pack are trusted" },
		{ trust == TRUST_UNTRUSTED ? ISOLATION_SANDBOXED : ISOLATION_IN_PROCESS,
		  "the transport is not trusted" },
		{ setting_switch(SETTING_MCP_SAFE_MODE) ? ISOLATION_SANDBOXED
							: ISOLATION_IN_PROCESS,
		  "safe mode is on" },
		{ pack->trust == PACK_UNTRUSTED ? ISOLATION_ISOLATED : ISOLATION_IN_PROCESS,
		  "the pack is not trusted" },
		{ pack->starts_threads ? ISOLATION_ISOLATED : ISOLATION_IN_PROCESS,
		  "the pack starts threads when it is loaded" },
		{ pack->bind_now ? ISOLATION_IN_PROCESS : ISOLATION_ISOLATED,
		  "the pack is not linked with -z now" },
		{ abandoned ? ISOLATION_ISOLATED : ISOLATION_IN_PROCESS,
		  "a call of the pack did not come back at its deadline" },
		{ spec->isolation, "the tool asks for it" },
		/* Its words are those of the enum, in that order. */
		{ (enum isolation)setting_word(SETTING_ISOLATION),
		  "the operator's setting isolation" },
		{ at_least, "--isolation" },
	};
	const struct voice *strictest = &voices[0];

	/* Walls keep packs from the host; its own tools stand on the other side, and need what is
	 * there. */
	if (pack->linked) {
		*ret_strategy = ISOLATION_IN_PROCESS;
		*ret_reason = "the tool is part of the program";
		return;
	}
	for (size_t i = 1; i < ARRAY_SIZE(voices); i++)
		if (voices[i].level > strictest->level)
			strictest = &voices[i];
	*ret_strategy = strictest->level;
	*ret_reason = strictest->reason;
}
