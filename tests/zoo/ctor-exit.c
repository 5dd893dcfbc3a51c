/* SPDX-License-Identifier: MIT
 *
 * Ends the process while it is loaded, with the status of success.
 */
#include "zoo.h"

#include <stdlib.h>

__attribute__((constructor)) static void leave(void)
{
	exit(0);
}

ZOO_GOOD_TOOL(ctor_exit)
ZOO_PACK(ctor_exit)
