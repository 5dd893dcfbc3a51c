/* SPDX-License-Identifier: MIT
 *
 * Never finishes loading.
 */
#include "zoo.h"

__attribute__((constructor)) static void turn(void)
{
	for (volatile int turning = 1; turning;)
		;
}

ZOO_GOOD_TOOL(ctor_loop)
ZOO_PACK(ctor_loop)
