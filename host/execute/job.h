/* SPDX-License-Identifier: MIT
 *
 * A call on its way: from the transport that asked to the answer, which is given exactly once, by
 * the thread that ran it, at its deadline, or not at all when the caller gave up.
 */
#ifndef TOOLHOST_JOB_H
#define TOOLHOST_JOB_H

#include "execute/crew.h"
#include "execute/execute.h"
#include "pack/call.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define JOB_ROOM 128

struct executor;
struct job;

struct job_listener {
	/* Once, on any thread, unless the caller gave up. The outcome is gone afterwards. */
	void (*done)(struct job *job, const struct outcome *outcome);
	/* While the tool runs and before done(), on the tool's thread. May be NULL. */
	void (*progress)(struct job *job, double done, double total, const char *message);
	void (*log)(struct job *job, int level, const char *text, size_t length);
	void (*partial)(struct job *job, const th_content *content);
	/* At the very end: nothing refers to `owner` any more. May be NULL. */
	void (*release)(struct job *job);
};

struct job {
	struct crew_job work; /* first */
	struct executor *executor;

	/* set by whoever asks; `gate` runs on the job's thread before the tool, fills
	 * request.arguments, and may answer a negative status with outcome->error set */
	struct execute_request request;
	int (*gate)(struct job *job, struct outcome *outcome);
	const struct job_listener *listener;
	void *owner;	   /* of the listener */
	json *sent;	   /* the arguments as they came; owned, may be NULL */
	bool repair;	   /* the gate may repair them */
	void *gate_limits; /* what the gate keeps to for this job; owned, may be NULL */
	size_t weight;	   /* bytes of what was asked, which the job holds on to */

	/* the executor's */
	pthread_mutex_t lock; /* of the partials, of whatever is sent before the answer, and of
				 stopping the tool */
	_Atomic(struct call *) call; /* while the tool runs */
	struct buffer partials; /* JSON text of blocks, joined by commas; dropped with a result */
	size_t partial_bytes;	/* the same without the commas */
	uint32_t partial_count;
	bool partials_over; /* there were more than are kept */
	_Atomic bool answered;
	_Atomic bool stopping; /* the tool has been told to */
	bool running;
	bool abandoned;
	bool cancelled;	 /* the caller gave up */
	bool serial;	 /* holds its pack while it runs */
	bool self_timed; /* whoever runs it looks after its deadline */
	int wake;	 /* an eventfd that the thread in a worker's call listens to; -1: none */
	enum isolation strategy;
	const char *reason; /* for the strategy; constant */
	double timeout;	    /* seconds */
	_Atomic int references;
	int64_t queued_ns, deadline_ns; /* CLOCK_MONOTONIC */
	_Atomic int64_t started_ns;	/* 0: not yet */
	struct job *before, *after;	/* among the executor's jobs */
	struct job *next_waiting;	/* for the same pack, or for any thread */

	_Alignas(max_align_t) unsigned char room[JOB_ROOM]; /* what the owner may lie in; zero at
							       first */
};

#endif
