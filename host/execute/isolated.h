/* SPDX-License-Identifier: MIT
 *
 * The isolated strategies: the call runs in a worker, behind the walls of the level, and can hurt
 * nobody but itself.
 */
#ifndef TOOLHOST_ISOLATED_H
#define TOOLHOST_ISOLATED_H

#include "execute/job.h"
#include "execute/launcher.h"

/* What is left to do once the caller has its answer. */
struct isolated_rest {
	struct launcher *launcher; /* NULL: nothing */
	struct launched child;
};

/* Runs job->request in a child of `launcher` and fills `outcome`: the result, or an exact verdict.
 * Returns once the child has answered or is gone. `wake` is an eventfd that job_tell_to_stop() writes to.
 */
void isolated_run(struct job *job, struct launcher *launcher, int wake, struct outcome *outcome,
		  struct isolated_rest *ret_rest);

/* Closes what the call held, which ends the child. */
void isolated_finish(struct isolated_rest *rest);

#endif
