/* SPDX-License-Identifier: MIT
 *
 * Sends itself the signal that nobody can catch.
 */
#include "zoo.h"

#include <signal.h>
#include <unistd.h>

static int32_t kill_self(th_call *call, const void *input)
{
	(void)input;
	kill(getpid(), SIGKILL);
	return th_put_boolean(call, "killed", 0);
}

ZOO_PACK(kill_self)
