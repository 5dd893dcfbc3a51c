/* SPDX-License-Identifier: MIT
 *
 * The child that serves one call.
 */
#ifndef TOOLHOST_WORKER_CHILD_H
#define TOOLHOST_WORKER_CHILD_H

#include "worker/walls.h"

#include <stdint.h>

struct child_options {
	const struct pack *pack; /* loaded by the launcher; NULL: the child loads it itself */
	const char *path;	 /* of the pack */
	const struct walls *walls;
	uint64_t memory_base; /* bytes of data that the process has before its call */
};

/* Puts the child's own walls up, says so on the channel, reads one call, runs it, answers, and
 * ends. Does not return. */
_Noreturn void child_serve(int channel, const struct child_options *options);

#endif
