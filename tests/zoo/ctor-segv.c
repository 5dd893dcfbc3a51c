/* SPDX-License-Identifier: MIT
 *
 * Crashes while it is loaded.
 */
#include "zoo.h"

__attribute__((constructor)) static void crash(void)
{
	volatile int *volatile nowhere = NULL;

	*nowhere = 1;
}

ZOO_GOOD_TOOL(ctor_segv)
ZOO_PACK(ctor_segv)
