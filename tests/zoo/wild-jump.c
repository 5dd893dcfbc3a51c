/* SPDX-License-Identifier: MIT
 *
 * Calls a function where nothing is mapped, so that even to look for its caller fails.
 */
#include "zoo.h"

static int32_t wild_jump(th_call *call, const void *input)
{
	void (*volatile nowhere)(void) = (void (*)(void))(uintptr_t)0x1234560;

	(void)input;
	nowhere();
	return th_put_boolean(call, "came_back", 1);
}

ZOO_PACK(wild_jump)
