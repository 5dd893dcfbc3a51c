/* SPDX-License-Identifier: MIT
 *
 * Never comes back, and does not let itself be asked to.
 */
#include "zoo.h"

#include <signal.h>
#include <unistd.h>

static int32_t hang_sigterm_ignored(th_call *call, const void *input)
{
	(void)call;
	(void)input;
	signal(SIGTERM, SIG_IGN);
	for (;;)
		pause();
	return TH_OK;
}

ZOO_PACK(hang_sigterm_ignored)
