/* SPDX-License-Identifier: MIT
 *
 * The tool's name is Latin-1, not UTF-8.
 */
#include "zoo.h"

ZOO_GOOD_TOOL(run)

static const th_tool tools[] = {
	TH_TOOL_SCHEMA("caf\xe9", run, "{\"type\": \"object\"}", "", "Coffee", "A tool of the zoo.", {})
};
TH_PACK(tools, {"version": "1.0.0", "summary": "One of the zoo."})
