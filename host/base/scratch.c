/* SPDX-License-Identifier: MIT */
#include "base/scratch.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local struct buffer own;

static void free_own(void *buffer)
{
	buffer_free(buffer);
}

static void make_key(void)
{
	pthread_key_create(&key, free_own);
}

struct buffer *scratch_buffer(void)
{
	if (!own.maximum) {
		pthread_once(&once, make_key);
		pthread_setspecific(key, &own);
		buffer_init(&own, SIZE_MAX);
	}
	buffer_reset(&own);
	return &own;
}
