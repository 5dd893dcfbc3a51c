/* SPDX-License-Identifier: MIT
 *
 * Asks for whole pages, by the calls that are older than aligned_alloc(), until there are no more.
 */
#include "zoo.h"

#include <malloc.h>

static int32_t hog_pages(th_call *call, const void *input)
{
	(void)input;
	for (int i = 0; i < 1000; i++)
		if (!(i % 2 ? valloc((size_t)4 << 20) : pvalloc(((size_t)4 << 20) - 5)))
			return th_fail(call, "no memory");
	return th_put_boolean(call, "limited", 0);
}

ZOO_PACK(hog_pages)
