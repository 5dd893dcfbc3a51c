/* SPDX-License-Identifier: MIT
 *
 * Takes memory that counts as stack: two GiB that grow downwards, and a stack of its own without a limit.
 */
#include "zoo.h"

#include <sys/mman.h>
#include <sys/resource.h>

static int32_t hog_downwards(th_call *call, const void *input)
{
	const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };
	void *memory = mmap(NULL, (size_t)2 << 30, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_NORESERVE, -1, 0);

	(void)input;
	th_put_boolean(call, "mapped", memory != MAP_FAILED);
	return th_put_boolean(call, "unlimited", setrlimit(RLIMIT_STACK, &none) == 0);
}

ZOO_PACK(hog_downwards)
