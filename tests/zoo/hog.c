/* SPDX-License-Identifier: MIT
 *
 * Takes memory without end, and crashes where none is left.
 */
#include "zoo.h"

#include <stdlib.h>

static int32_t hog(th_call *call, const void *input)
{
	(void)call;
	(void)input;
	for (;;) {
		volatile char *piece = malloc(16 << 20);

		for (size_t i = 0; i < 16 << 20; i += 4096)
			piece[i] = 1;
	}
	return TH_OK;
}

ZOO_PACK(hog)
