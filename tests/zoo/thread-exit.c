/* SPDX-License-Identifier: MIT
 *
 * Ends one thread by pthread_exit() and cancels another, for which the C library loads a library.
 */
#include "zoo.h"

#include <pthread.h>
#include <unistd.h>

static void *leave(void *value)
{
	pthread_exit(value);
}

static void *stay(void *value)
{
	for (;;)
		pause();
	return value;
}

static int32_t thread_exit(th_call *call, const void *input)
{
	pthread_t first, second;
	void *left = NULL, *cancelled = NULL;

	(void)input;
	if (pthread_create(&first, NULL, leave, call) || pthread_create(&second, NULL, stay, NULL))
		return th_fail(call, "no thread");
	pthread_cancel(second);
	pthread_join(first, &left);
	pthread_join(second, &cancelled);
	return th_put_boolean(call, "ended", left == call && cancelled == PTHREAD_CANCELED);
}

ZOO_PACK(thread_exit)
