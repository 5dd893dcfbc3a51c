/* SPDX-License-Identifier: MIT
 *
 * Leaves a thread-local destructor behind: a host that unloads the pack before the thread ends jumps into nothing.
 */
#include "zoo.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void destroy(void *value)
{
	free(value);
}

static void create(void)
{
	pthread_key_create(&key, destroy);
}

static int32_t tls_dtor(th_call *call, const void *input)
{
	(void)input;
	pthread_once(&once, create);
	if (!pthread_getspecific(key))
		pthread_setspecific(key, malloc(1));
	return th_put_boolean(call, "kept", pthread_getspecific(key) != NULL);
}

ZOO_PACK(tls_dtor)
