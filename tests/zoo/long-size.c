/* SPDX-License-Identifier: MIT
 *
 * The descriptor claims to be larger than the symbol that holds it: reading it all would read past its end.
 */
#include "zoo.h"

ZOO_GOOD_TOOL(long_size)

static const th_tool tools[] = { ZOO_ENTRY(long_size) };

TH_EXPORT extern const th_pack toolhost_pack_v1;
const th_pack toolhost_pack_v1 = {
	(uint32_t)sizeof(th_pack) + 64, TH_ABI_MAJOR, TH_ABI_MINOR,
	TH_TEXT("{\"version\": \"1.0.0\"}"), TH_LIST(tools), TH_NONE, TH_NONE, TH_NONE,
};
