/* SPDX-License-Identifier: MIT
 *
 * Starts threads until it gets no more, and tells whether that came to pass before there were a thousand.
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

static int32_t thread_bomb(th_call *call, const void *input)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int started = 0;

	(void)input;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	while (started < 1000 && pthread_create(&thread, &attributes, stay, NULL) == 0)
		started++;
	th_log(call, TH_LOG_INFO, "%d threads", started);
	th_put_integer(call, "started", started);
	return th_put_boolean(call, "stopped", started < 1000);
}

ZOO_PACK(thread_bomb)
