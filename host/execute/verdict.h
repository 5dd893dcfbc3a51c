/* SPDX-License-Identifier: MIT
 *
 * Verdicts: from what was seen of a worker to the one thing that is said about its call.
 */
#ifndef TOOLHOST_VERDICT_H
#define TOOLHOST_VERDICT_H

#include "execute/groups.h"
#include "execute/job.h"
#include "pack/frame.h"

struct observations {
	bool answered; /* a result came, which may tell of a failure */
	bool timed_out;
	bool cancelled;
	bool forged;	     /* something came that the worker itself does not send */
	bool memory_refused; /* an allocation was */
	bool crash_told;
	bool has_status;
	bool stayed;	    /* it closed its channel, and had to be ended */
	bool killed_itself; /* with SIGKILL */
	bool unsupervised;  /* the supervisor had ended by then, so what it did is not known */
	int blocked_call;   /* the system call that was forbidden; -1: none */
	int wait_status;    /* with has_status */
	uint64_t too_large; /* bytes of the frame that passed the cap; 0: none did */
	struct frame_memory memory;
	struct frame_crash crash;
	struct groups_memory group; /* with has_status */
};

#define OBSERVATIONS_INIT ((struct observations){ .blocked_call = -1 })

/* Fills outcome->error from what was seen; leaves an outcome alone that is the tool's own. */
void verdict_settle(const struct job *job, const struct observations *seen,
		    struct outcome *outcome);

/* Sets STATUS_TIMEOUT, with its message and details. `queued`: the call was waiting still. */
void verdict_timeout(const struct job *job, bool queued, struct error *error);

/* Where the tool gave up by itself because its time had passed: says what is said of one that did
 * not. Leaves any other error alone. */
void verdict_gave_up(const struct job *job, struct error *error);

#endif
