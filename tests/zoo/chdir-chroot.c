/* SPDX-License-Identifier: MIT
 *
 * Moves the working directory and the root, which a later call must not notice.
 */
#define _GNU_SOURCE
#include "zoo.h"

#include <unistd.h>

static int32_t chdir_chroot(th_call *call, const void *input)
{
	(void)input;
	th_put_boolean(call, "moved", chdir("/tmp") == 0);
	return th_put_boolean(call, "rooted", chroot("/tmp") == 0);
}

ZOO_PACK(chdir_chroot)
