/* SPDX-License-Identifier: MIT
 *
 * Tells what the environment holds.
 */
#include "zoo.h"

#include <stdlib.h>

extern char **environ;

static int32_t env_peek(th_call *call, const void *input)
{
	const char *secret = getenv("SECRET");

	(void)input;
	th_begin_list(call, "variables");
	for (char **variable = environ; variable && *variable; variable++)
		th_put_string(call, NULL, *variable);
	th_end(call);
	return secret ? th_put_string(call, "secret", secret) : th_put_null(call, "secret");
}

ZOO_PACK(env_peek)
