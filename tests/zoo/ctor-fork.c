/* SPDX-License-Identifier: MIT
 *
 * Starts a process while it is loaded, which would outlive the scan.
 */
#include "zoo.h"

#include <unistd.h>

__attribute__((constructor)) static void start(void)
{
	if (fork() == 0) {
		sleep(300);
		_exit(0);
	}
}

ZOO_GOOD_TOOL(ctor_fork)
ZOO_PACK(ctor_fork)
