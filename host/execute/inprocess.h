/* SPDX-License-Identifier: MIT
 *
 * The in-process strategy: the pack is loaded into this program, which trusts it with everything.
 */
#ifndef TOOLHOST_INPROCESS_H
#define TOOLHOST_INPROCESS_H

#include "execute/job.h"

/* A pack in this process. */
struct loaded_pack {
	pthread_mutex_t lock;
	_Atomic(struct pack *) pack; /* NULL: not loaded yet */
	struct error failure;	     /* why it cannot be */
	bool tried;
	bool linked; /* the pack is part of the program, and not ours to free */
};

/* Runs job->request on this thread and fills `outcome`. */
void inprocess_run(struct job *job, struct loaded_pack *here, struct outcome *outcome);

#endif
