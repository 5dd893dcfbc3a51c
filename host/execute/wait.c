/* SPDX-License-Identifier: MIT
 *
 * One job without a loop, for the command line.
 */
#include "config.h"

#include "execute/executor-private.h"

#include "base/log.h"

#include <time.h>

#define LEAVING_MOMENTS 1000 /* of 50 us */

struct waiter {
	pthread_mutex_t lock;
	pthread_cond_t answered;
	struct outcome *outcome;
	bool done;
};

static void waiter_done(struct job *job, const struct outcome *outcome)
{
	struct waiter *waiter = job->owner;

	pthread_mutex_lock(&waiter->lock);
	outcome_copy(waiter->outcome, outcome);
	waiter->done = true;
	pthread_cond_signal(&waiter->answered);
	pthread_mutex_unlock(&waiter->lock);
}

/* Whoever asks to be told more sees text as it comes. */
static void waiter_partial(struct job *job, const th_content *content)
{
	if (content->kind == TH_CONTENT_TEXT)
		log_pack(LOG_LEVEL_INFO, job->request.spec->tool->pack->name, content->data.data,
			 content->data.length);
}

/* The thread that has answered is about to leave the job, unless its tool holds it. */
static void wait_until_left(struct executor *x)
{
	const struct timespec moment = { .tv_nsec = 50000 };

	for (int i = 0; i < LEAVING_MOMENTS && executor_busy(x); i++)
		nanosleep(&moment, NULL);
}

/* Waits for the answer, until `when` at most; 0: as long as it takes. */
static void wait_locked(struct waiter *waiter, int64_t when)
{
	struct timespec until = { .tv_sec = when / INT64_C(1000000000),
				  .tv_nsec = when % INT64_C(1000000000) };

	if (waiter->done)
		return;
	if (when)
		pthread_cond_timedwait(&waiter->answered, &waiter->lock, &until);
	else
		pthread_cond_wait(&waiter->answered, &waiter->lock);
}

void executor_wait(struct job *job, struct outcome *ret_outcome)
{
	static const struct job_listener listener = { .done = waiter_done,
						      .partial = waiter_partial };
	struct executor *x = job->executor;
	struct waiter waiter = { .lock = PTHREAD_MUTEX_INITIALIZER, .outcome = ret_outcome };
	pthread_condattr_t clock;
	struct crew_job *work;

	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&waiter.answered, &clock);
	pthread_condattr_destroy(&clock);
	job->listener = &listener;
	job->owner = &waiter;
	job_hold(job);
	work = job_submit(job);
	if (work)
		crew_post(x->crew, work);
	pthread_mutex_lock(&waiter.lock);
	while (!waiter.done) {
		int64_t next;

		/* A timeout is answered in there, and so takes the lock. */
		pthread_mutex_unlock(&waiter.lock);
		next = executor_tick(x, call_now_ns());
		pthread_mutex_lock(&waiter.lock);
		wait_locked(&waiter, next);
	}
	pthread_mutex_unlock(&waiter.lock);
	recorder_flush(x->recorder); /* the program may end at once */
	job_release(job);
	pthread_cond_destroy(&waiter.answered);
	wait_until_left(x);
}
