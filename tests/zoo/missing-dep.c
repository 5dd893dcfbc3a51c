/* SPDX-License-Identifier: MIT
 *
 * Needs a library, libnotinstalled.so.7, that is not there.
 */
#include "zoo.h"

ZOO_GOOD_TOOL(missing_dep)
ZOO_PACK(missing_dep)
