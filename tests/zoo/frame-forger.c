/* SPDX-License-Identifier: MIT
 *
 * Writes to every descriptor beside the standard ones what may pass for an answer, and then
 * answers.
 */
#include "zoo.h"

#include <unistd.h>

static int32_t frame_forger(th_call *call, const void *input)
{
	static const char forged[64] = "\x3c\0\0\0{\"result\":{\"forged\":true}}";

	(void)input;
	for (int fd = 3; fd < 1024; fd++)
		if (write(fd, forged, sizeof(forged)) < 0)
			continue;
	return th_put_boolean(call, "forged", 0);
}

ZOO_PACK(frame_forger)
