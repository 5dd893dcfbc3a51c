/* SPDX-License-Identifier: MIT
 *
 * Ignores the end of children from when it is loaded on, and lets all signals in, as daemons do. Its tool
 * crashes.
 */
#include "zoo.h"

#include <signal.h>
#include <stddef.h>

__attribute__((constructor)) static void ignore(void)
{
	sigset_t none;

	signal(SIGCHLD, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static int32_t ctor_sigchld(th_call *call, const void *input)
{
	volatile int *volatile nowhere = NULL;

	(void)input;
	*nowhere = 1;
	return th_put_boolean(call, "came_back", 1);
}

ZOO_PACK(ctor_sigchld)
