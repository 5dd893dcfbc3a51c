/* SPDX-License-Identifier: MIT
 *
 * The child that serves one call.
 */
#ifndef TOOLHOST_WORKER_CHILD_H
#define TOOLHOST_WORKER_CHILD_H

#include "worker/walls.h"

#include <stdint.h>
#include <sys/resource.h>

struct child_options {
	const struct pack *pack; /* loaded by the launcher; NULL: the child loads it itself */
	const char *path;	 /* of the pack */
	const struct walls *walls;
	uint64_t memory_peak; /* bytes of memory that it has had at most, before its first call */
	uint64_t memory_base; /* bytes of data that the process has before its call */
	rlim_t cpu_used;      /* seconds of processor time, before its call */
};

/* From now on a crash is told on the channel of the call, where there is one, before it ends the
 * process. The launcher does this once, and its children inherit it. */
void child_watch_crashes(void);

/* Reads a call, runs it, answers, and ends; or reads the next one, where the host wants that. */
_Noreturn void child_serve(int channel, const struct child_options *options);

/* Answers the one call that comes on the channel with STATUS_WORKER_FAILED and a reason, and ends the
 * process: it has no child to serve it. */
_Noreturn void child_refuse(int channel, const char *reason);

#endif
