/* SPDX-License-Identifier: MIT
 *
 * Becomes another program.
 */
#include "zoo.h"

#include <unistd.h>

static int32_t exec_true(th_call *call, const void *input)
{
	char *const arguments[] = { "true", NULL }, *const environment[] = { NULL };

	(void)input;
	execve("/bin/true", arguments, environment);
	return th_put_boolean(call, "refused", 1);
}

ZOO_PACK(exec_true)
