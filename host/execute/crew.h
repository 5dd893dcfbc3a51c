/* SPDX-License-Identifier: MIT
 *
 * The crew: the threads that run jobs, one of which at a time leads.
 *
 * The leader drives the event loop, and runs a job itself as soon as one is ready: for a short
 * call, which most are, no other thread has to wake up, and waking one costs more than the call.
 * When a job takes longer than a moment (a millisecond), the watcher, a thread that sleeps
 * meanwhile, takes the lead over and the loop goes on; the thread of the long job joins the
 * others when it is done. So a tool can hold up neither the loop nor another call, even if it never
 * comes back.
 */
#ifndef TOOLHOST_CREW_H
#define TOOLHOST_CREW_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct crew;

/* One piece of work, embedded in what it is about. The crew does not touch it once run() has begun.
 */
struct crew_job {
	void (*run)(struct crew_job *job);
	struct crew_job *next; /* of the crew, while the job waits */
	int64_t begun_ns;      /* CLOCK_MONOTONIC, when run() is called; the driver may have set it
				  for the job that it answers, 0: the crew does */
};

/* The leader may wait for what comes next in a read() of its own, which takes less than a turn of an
 * event loop: between crew_rest() and crew_wake(). As nothing else wakes it there, the watcher calls
 * it back after a few moments, by a signal: the read() then fails with EINTR, and the driver turns
 * to its loop. crew_wake() answers whether it was called. */
void crew_rest(struct crew *crew);
bool crew_wake(struct crew *crew);

/* Has the watcher do something small at each of its looks, which come every moment while there are
 * calls, and a few times after the last. Before the first job. */
void crew_on_look(struct crew *crew, void (*look)(void *context), void *context);

/* Sees to it that there is a look within a moment, also where no job runs. Any thread. */
void crew_look_soon(struct crew *crew);

/* What the leader does between jobs. Called by one thread at a time, but not always the same one.
 */
struct crew_driver {
	/* Drives the loop until a job is ready, and answers it; NULL: the end has come. */
	struct crew_job *(*next)(void *context);
	void *context;
};

/* `most` bounds the threads that run jobs at once, the leader among them. STATUS_INTERNAL where
 * memory is missing. */
int crew_new(unsigned most, struct crew **ret_crew, struct error *error);

/* Leads from this thread until the driver's end. Where this thread is held by a job that does not
 * come back, `stranded` is called on another thread instead of returning here, and has to end the
 * program. */
void crew_lead(struct crew *crew, const struct crew_driver *driver,
	       void (*stranded)(void *context));

/* Has a job run by another thread, as soon as one is free. Any thread. */
void crew_post(struct crew *crew, struct crew_job *job);

/* The calling job is going to block: the lead, if this thread has it, moves on now and not after a
 * moment. */
void crew_will_block(struct crew *crew);

/* The thread that runs `job` is given up: it no longer counts, until it comes back after all. */
void crew_abandon(struct crew *crew, const struct crew_job *job);

/* Ends the idle threads and frees the crew, once crew_lead() has returned. Threads that are held by
 * a job are left behind, and so is then the crew's memory. */
void crew_free(struct crew *crew);

#endif
