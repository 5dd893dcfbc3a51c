/* SPDX-License-Identifier: MIT
 *
 * Takes hold of the process above it.
 */
#include "zoo.h"

#include <sys/ptrace.h>
#include <unistd.h>

static int32_t ptrace_parent(th_call *call, const void *input)
{
	(void)input;
	return th_put_integer(call, "attached", ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0);
}

ZOO_PACK(ptrace_parent)
