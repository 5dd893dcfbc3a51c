/* SPDX-License-Identifier: MIT
 *
 * Takes memory without end, and aborts where none is left, as many libraries do.
 */
#include "zoo.h"

#include <stdlib.h>

static int32_t hog_abort(th_call *call, const void *input)
{
	(void)call;
	(void)input;
	for (;;) {
		volatile char *piece = malloc(16 << 20);

		if (!piece)
			abort();
		for (size_t i = 0; i < 16 << 20; i += 4096)
			piece[i] = 1;
	}
}

ZOO_PACK(hog_abort)
