/* SPDX-License-Identifier: MIT
 *
 * Five tools, of which the third is wrong: none of the five may be offered.
 */
#include "zoo.h"

ZOO_GOOD_TOOL(half_one)
ZOO_GOOD_TOOL(half_two)
ZOO_GOOD_TOOL(half_three)
ZOO_GOOD_TOOL(half_four)
ZOO_GOOD_TOOL(half_five)

static const th_tool tools[] = {
	ZOO_ENTRY(half_one),
	ZOO_ENTRY(half_two),
	TH_TOOL_SCHEMA("half_three", half_three, "{\"type\": \"object\"", "", "Half three",
		       "Its schema ends too early.", {}),
	ZOO_ENTRY(half_four),
	ZOO_ENTRY(half_five),
};
TH_PACK(tools, {"version": "1.0.0", "summary": "One of the zoo."})
