/* SPDX-License-Identifier: MIT
 *
 * Built for the next major version of the ABI, as that will look to this host: the symbol has another name.
 */
#include "zoo.h"

TH_EXPORT extern const th_pack toolhost_pack_v2;
const th_pack toolhost_pack_v2 = {
	(uint32_t)sizeof(th_pack), 2, 0, TH_TEXT("{\"version\": \"1.0.0\"}"),
	TH_NONE, TH_NONE, TH_NONE, TH_NONE,
};
