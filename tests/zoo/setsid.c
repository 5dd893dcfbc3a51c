/* SPDX-License-Identifier: MIT
 *
 * Leaves the session, and with it the reach of a signal to the group.
 */
#include "zoo.h"

#include <unistd.h>

static int32_t run(th_call *call, const void *input)
{
	(void)input;
	return th_put_integer(call, "session", setsid());
}

ZOO_PACK_NAMED("setsid", run)
