/* SPDX-License-Identifier: MIT
 *
 * Closes whatever is open beside the standard streams, and ends with the status of success.
 */
#include "zoo.h"

#include <unistd.h>

static int32_t no_answer(th_call *call, const void *input)
{
	(void)call;
	(void)input;
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	_exit(0);
}

ZOO_PACK(no_answer)
