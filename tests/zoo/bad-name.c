/* SPDX-License-Identifier: MIT
 *
 * The tool's name has a space, which no client takes.
 */
#include "zoo.h"

ZOO_GOOD_TOOL(run)

static const th_tool tools[] = {
	TH_TOOL_SCHEMA("new tool", run, "{\"type\": \"object\"}", "", "New tool", "A tool of the zoo.", {})
};
TH_PACK(tools, {"version": "1.0.0", "summary": "One of the zoo."})
