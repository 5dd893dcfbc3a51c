/* SPDX-License-Identifier: MIT
 *
 * Closes the worker's channel and goes on.
 */
#include "zoo.h"

#include <sys/socket.h>
#include <unistd.h>

static int32_t hangs_up(th_call *call, const void *input)
{
	(void)input;
	shutdown(3, SHUT_RDWR);
	for (;;)
		pause();
	return th_put_boolean(call, "hung_up", 1);
}

ZOO_PACK(hangs_up)
