/* SPDX-License-Identifier: MIT
 *
 * The one call that the tests of a call's services make again and again.
 */
#ifndef TOOLHOST_UNIT_CALL_UNIT_H
#define TOOLHOST_UNIT_CALL_UNIT_H

#include "unit.h"

#include "pack/call.h"

static struct call call;

/* Runs a tool; what it gave lives until the next run. */
static inline int run(th_run tool)
{
	call_reset(&call);
	call.tool_name = "tool";
	return call_run(&call, tool, NULL);
}

#define CALL_UNIT_MAIN(suite, tests)                                                               \
	int main(void)                                                                             \
	{                                                                                          \
		int status;                                                                        \
		call_init(&call);                                                                  \
		status = unit_run(suite, tests, sizeof(tests) / sizeof((tests)[0]));               \
		call_free(&call);                                                                  \
		return status;                                                                     \
	}

#endif
