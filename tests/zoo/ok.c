/* SPDX-License-Identifier: MIT
 *
 * A good pack: called after each bad one, to see that the host is still well.
 */
#include "zoo.h"

ZOO_GOOD_TOOL(ok)
ZOO_PACK(ok)
