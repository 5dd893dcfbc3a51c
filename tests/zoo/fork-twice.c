/* SPDX-License-Identifier: MIT
 *
 * Leaves a grandchild behind that has no parent to wait for it.
 */
#include "zoo.h"

#include <sys/wait.h>
#include <unistd.h>

static int32_t fork_twice(th_call *call, const void *input)
{
	pid_t child = fork();

	(void)input;
	if (child == 0) {
		if (fork() == 0)
			sleep(300);
		_exit(0);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
	return th_put_boolean(call, "left", child > 0);
}

ZOO_PACK(fork_twice)
