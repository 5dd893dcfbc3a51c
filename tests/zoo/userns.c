/* SPDX-License-Identifier: MIT
 *
 * Makes itself the root of a namespace of its own.
 */
#define _GNU_SOURCE
#include "zoo.h"

#include <sched.h>

static int32_t userns(th_call *call, const void *input)
{
	(void)input;
	return th_put_boolean(call, "root", unshare(CLONE_NEWUSER) == 0);
}

ZOO_PACK(userns)
