/* SPDX-License-Identifier: MIT
 *
 * Leaves a thread running when it answers.
 */
#include "zoo.h"

#include <pthread.h>
#include <unistd.h>

static void *stay(void *nothing)
{
	for (;;)
		pause();
	return nothing;
}

static int32_t thread_left(th_call *call, const void *input)
{
	pthread_t thread;

	(void)input;
	return th_put_boolean(call, "started", pthread_create(&thread, NULL, stay, NULL) == 0);
}

ZOO_PACK(thread_left)
