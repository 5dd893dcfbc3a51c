/* SPDX-License-Identifier: MIT
 *
 * Takes memory little by little, and says so where none is left.
 */
#include "zoo.h"

#include <stdlib.h>
#include <time.h>

static int32_t hog_slow(th_call *call, const void *input)
{
	const struct timespec moment = { 0, 100000 };

	(void)input;
	for (;;) {
		volatile char *piece = malloc(1 << 20);

		if (!piece)
			return th_fail(call, "there is no memory left");
		for (size_t i = 0; i < 1 << 20; i += 4096)
			piece[i] = 1;
		nanosleep(&moment, NULL);
	}
}

ZOO_PACK(hog_slow)
