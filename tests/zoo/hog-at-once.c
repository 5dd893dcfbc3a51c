/* SPDX-License-Identifier: MIT
 *
 * Asks for nearly all that a pointer can name, as a negative size does.
 */
#include "zoo.h"

#include <stdlib.h>

static int32_t hog_at_once(th_call *call, const void *input)
{
	volatile size_t size = (size_t)-9;
	void *volatile memory = malloc(size);

	(void)input;
	return memory ? th_put_boolean(call, "limited", 0) : th_fail(call, "no memory");
}

ZOO_PACK(hog_at_once)
