/* SPDX-License-Identifier: MIT
 *
 * The right symbol, but its descriptor says another major version of the ABI.
 */
#include "zoo.h"

ZOO_GOOD_TOOL(wrong_major)

static const th_tool tools[] = { ZOO_ENTRY(wrong_major) };

TH_EXPORT extern const th_pack toolhost_pack_v1;
const th_pack toolhost_pack_v1 = {
	(uint32_t)sizeof(th_pack), TH_ABI_MAJOR + 1, 0, TH_TEXT("{\"version\": \"1.0.0\"}"),
	TH_LIST(tools), TH_NONE, TH_NONE, TH_NONE,
};
