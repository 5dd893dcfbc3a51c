/* SPDX-License-Identifier: MIT
 *
 * Sends the process above it a signal, one that by itself does nothing.
 */
#include "zoo.h"

#include <signal.h>
#include <unistd.h>

static int32_t kill_parent(th_call *call, const void *input)
{
	(void)input;
	return th_put_boolean(call, "sent", kill(getppid(), SIGURG) == 0);
}

ZOO_PACK(kill_parent)
