/* SPDX-License-Identifier: MIT
 *
 * The in-process strategy: the pack is loaded into this program, which trusts it with everything.
 */
#ifndef TOOLHOST_INPROCESS_H
#define TOOLHOST_INPROCESS_H

#include "execute/job.h"

/* What the executor knows of a pack. */
struct pack_slot {
	pthread_mutex_t lock; /* of loading */
	struct pack *pack;    /* NULL: not loaded yet */
	struct error failure; /* why it cannot be */
	bool tried;

	/* under the executor's lock */
	struct job *waiting, **last_waiting; /* for a serial pack */
	bool busy;
	_Atomic bool abandoned; /* a thread stayed in it */
};

/* Runs job->request on this thread and fills `outcome`. */
void inprocess_run(struct job *job, struct pack_slot *slot, struct outcome *outcome);

#endif
