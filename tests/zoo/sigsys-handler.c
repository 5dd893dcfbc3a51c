/* SPDX-License-Identifier: MIT
 *
 * Has a handler for the signal of a forbidden system call, and makes one that no kernel knows: the
 * handler must not be what answers.
 */
#include "zoo.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void catch(int signal)
{
	(void)signal;
	caught = 1;
}

static int32_t sigsys_handler(th_call *call, const void *input)
{
	long answer;

	(void)input;
	signal(SIGSYS, catch);
	answer = syscall(100000);
	th_put_boolean(call, "caught", caught);
	return th_put_boolean(call, "unknown", answer == -1 && errno == ENOSYS);
}

ZOO_PACK(sigsys_handler)
