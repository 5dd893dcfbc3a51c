/* SPDX-License-Identifier: MIT
 *
 * The input schema is JSON, but no JSON Schema: there is no such type.
 */
#include "zoo.h"

ZOO_GOOD_TOOL(run)

static const th_tool tools[] = {
	TH_TOOL_SCHEMA("bad_schema", run,
		       "{\"type\": \"object\", \"properties\": {\"x\": {\"type\": \"nombre\"}}}", "",
		       "Bad schema", "A tool of the zoo.", {})
};
TH_PACK(tools, {"version": "1.0.0", "summary": "One of the zoo."})
