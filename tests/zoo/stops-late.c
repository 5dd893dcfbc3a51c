/* SPDX-License-Identifier: MIT
 *
 * Leaves a thread that stops the process once it has answered.
 */
#include "zoo.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>

/* The worker sends no more when it has sent its answer. */
static void *stop(void *nothing)
{
	while (!send(3, "", 0, MSG_NOSIGNAL | MSG_DONTWAIT))
		sched_yield();
	raise(SIGSTOP);
	return nothing;
}

static int32_t stops_late(th_call *call, const void *input)
{
	pthread_t thread;

	(void)input;
	return th_put_boolean(call, "started", pthread_create(&thread, NULL, stop, NULL) == 0);
}

ZOO_PACK(stops_late)
