/* SPDX-License-Identifier: MIT
 *
 * The descriptor claims to be smaller than that of any version was: the list of tools lies outside.
 */
#include "zoo.h"

ZOO_GOOD_TOOL(short_size)

static const th_tool tools[] = { ZOO_ENTRY(short_size) };

TH_EXPORT extern const th_pack toolhost_pack_v1;
const th_pack toolhost_pack_v1 = {
	(uint32_t)offsetof(th_pack, tools), TH_ABI_MAJOR, TH_ABI_MINOR,
	TH_TEXT("{\"version\": \"1.0.0\"}"), TH_LIST(tools), TH_NONE, TH_NONE, TH_NONE,
};
