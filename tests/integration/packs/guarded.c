/* SPDX-License-Identifier: MIT
 *
 * A good pack that handles a fault of its own, as libraries do that guard memory.
 */
#include <toolhost/plugin.h>

#include <setjmp.h>
#include <signal.h>

static const th_param no_params[] = { TH_END };

static sigjmp_buf before;

static void come_back(int number)
{
	(void)number;
	siglongjmp(before, 1);
}

static int32_t guarded_read(th_call *call, const void *input)
{
	struct sigaction action, usual;
	volatile int *volatile nowhere = NULL;
	volatile int32_t caught = 1;

	(void)input;
	memset(&action, 0, sizeof(action));
	action.sa_handler = come_back;
	sigaction(SIGSEGV, &action, &usual);
	if (!sigsetjmp(before, 1)) {
		(void)*nowhere;
		caught = 0;
	}
	sigaction(SIGSEGV, &usual, NULL);
	return th_put_boolean(call, "caught", caught);
}

static const th_tool tools[] = {
	TH_TOOL(guarded_read, th_no_input, no_params, NULL, "Guarded", "Reads where nothing is.", {}),
};

TH_PACK(tools, {"version": "1.0.0", "summary": "Handles its own faults.", "license": "MIT"})
