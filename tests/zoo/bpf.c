/* SPDX-License-Identifier: MIT
 *
 * Loads a program into the kernel.
 */
#define _GNU_SOURCE
#include "zoo.h"

#include <sys/syscall.h>
#include <unistd.h>

static int32_t bpf(th_call *call, const void *input)
{
	char attributes[64] = { 0 };

	(void)input;
	return th_put_integer(call, "map", syscall(SYS_bpf, 0, attributes, sizeof(attributes)));
}

ZOO_PACK(bpf)
