/* SPDX-License-Identifier: MIT
 *
 * Starts a thread while it is loaded, as the run time of Go does.
 */
#include "zoo.h"

#include <pthread.h>
#include <unistd.h>

static int32_t started;

static void *stay(void *nothing)
{
	for (;;)
		pause();
	return nothing;
}

__attribute__((constructor)) static void start(void)
{
	pthread_t thread;

	started = pthread_create(&thread, NULL, stay, NULL) == 0;
}

static int32_t thread_ctor(th_call *call, const void *input)
{
	(void)input;
	return th_put_boolean(call, "started", started);
}

ZOO_PACK(thread_ctor)
