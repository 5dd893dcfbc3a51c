/* SPDX-License-Identifier: MIT
 *
 * Jobs without a loop, for the command line.
 */
#include "config.h"

#include "execute/executor-private.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/settings.h"

#include <stdlib.h>
#include <time.h>

#define LEAVING_MOMENTS 1000 /* of 50 us */

/* Whoever waits for jobs. */
struct waiter {
	pthread_mutex_t lock;
	pthread_cond_t answered;
	size_t answers; /* that have not been looked at */
};

/* One of the jobs that are waited for. */
struct waiting {
	struct waiter *waiter;
	struct job *job;
	struct outcome *outcome;
	bool submitted;
	bool done;
};

static void waiter_done(struct job *job, const struct outcome *outcome)
{
	struct waiting *waiting = job->owner;
	struct waiter *waiter = waiting->waiter;

	pthread_mutex_lock(&waiter->lock);
	outcome_copy(waiting->outcome, outcome);
	waiting->done = true;
	waiter->answers++;
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

/* Waits for an answer, until `when` at most; 0: as long as it takes. */
static void wait_locked(struct waiter *waiter, int64_t when)
{
	const struct timespec until = clock_timespec(when);

	if (waiter->answers)
		return;
	if (when)
		pthread_cond_clockwait(&waiter->answered, &waiter->lock, CLOCK_MONOTONIC, &until);
	else
		pthread_cond_wait(&waiter->answered, &waiter->lock);
}

/* ---- Many ------------------------------------------------------------------------------------ */

#define IN_FLIGHT_MOST 64
#define LOOK_AHEAD 256 /* jobs that may begin ahead of one that has to wait */

/* The jobs, and those of them that are on their way. */
struct batch {
	struct executor *executor;
	struct waiting *all;
	size_t count;
	size_t first; /* all before it have been submitted */
	size_t done;
	struct waiting *in_flight[IN_FLIGHT_MOST];
	size_t in_flight_count, in_flight_most, isolated_most;
};

/* Whether a job would run now. One that had to wait for its pack, or for a worker, would do so on its
 * own time. */
static bool may_begin(const struct batch *batch, struct job *job)
{
	size_t isolated = 0;

	strategy_choose(job);
	for (size_t i = 0; i < batch->in_flight_count; i++) {
		const struct job *other = batch->in_flight[i]->job;

		isolated += other->strategy != ISOLATION_IN_PROCESS;
		if (job->serial && other->serial && executor_slot(job) == executor_slot(other))
			return false;
	}
	return job->strategy == ISOLATION_IN_PROCESS || isolated < batch->isolated_most;
}

static void begin(struct batch *batch, struct waiting *waiting)
{
	static const struct job_listener listener = { .done = waiter_done,
						      .partial = waiter_partial };
	struct crew_job *work;

	waiting->submitted = true;
	batch->in_flight[batch->in_flight_count++] = waiting;
	waiting->job->listener = &listener;
	waiting->job->owner = waiting;
	job_hold(waiting->job);
	work = job_submit(waiting->job);
	if (work)
		crew_post(batch->executor->crew, work);
}

static void begin_ready(struct batch *batch)
{
	for (size_t i = batch->first; i < batch->count && i < batch->first + LOOK_AHEAD &&
				      batch->in_flight_count < batch->in_flight_most;
	     i++)
		if (!batch->all[i].submitted && may_begin(batch, batch->all[i].job))
			begin(batch, &batch->all[i]);
	while (batch->first < batch->count && batch->all[batch->first].submitted)
		batch->first++;
}

static void let_go_locked(struct batch *batch, struct waiter *waiter)
{
	size_t kept = 0;

	for (size_t i = 0; i < batch->in_flight_count; i++) {
		struct waiting *waiting = batch->in_flight[i];

		if (waiting->done)
			job_release(waiting->job);
		else
			batch->in_flight[kept++] = waiting;
	}
	batch->done += batch->in_flight_count - kept;
	batch->in_flight_count = kept;
	waiter->answers = 0;
}

static size_t at_most(enum setting setting)
{
	int64_t most = setting_whole(setting);

	return most < IN_FLIGHT_MOST ? (size_t)most : IN_FLIGHT_MOST;
}

static void wait_for_all(struct waiting *all, size_t count)
{
	struct waiter waiter = { .lock = PTHREAD_MUTEX_INITIALIZER,
				 .answered = PTHREAD_COND_INITIALIZER };
	struct batch batch = {
		.executor = all[0].job->executor,
		.all = all,
		.count = count,
		.in_flight_most = at_most(SETTING_MAX_CALLS),
		.isolated_most = at_most(SETTING_MAX_WORKERS),
	};

	for (size_t i = 0; i < count; i++)
		all[i].waiter = &waiter;
	while (batch.done < count) {
		int64_t next;

		/* An answer is given in both, and so takes the lock. */
		begin_ready(&batch);
		next = executor_tick(batch.executor, clock_now_ns());
		pthread_mutex_lock(&waiter.lock);
		wait_locked(&waiter, next);
		let_go_locked(&batch, &waiter);
		pthread_mutex_unlock(&waiter.lock);
	}
	recorder_flush(batch.executor->recorder); /* the program may end at once */
	pthread_cond_destroy(&waiter.answered);
	wait_until_left(batch.executor);
}

int executor_wait_all(struct job *const *jobs, struct outcome *outcomes, size_t count)
{
	struct waiting *all = count ? calloc(count, sizeof(*all)) : NULL;

	if (!count)
		return STATUS_OK;
	if (!all)
		return STATUS_INTERNAL;
	for (size_t i = 0; i < count; i++) {
		all[i].job = jobs[i];
		all[i].outcome = &outcomes[i];
	}
	wait_for_all(all, count);
	free(all);
	return STATUS_OK;
}

void executor_wait(struct job *job, struct outcome *ret_outcome)
{
	struct waiting one = { .job = job, .outcome = ret_outcome };

	wait_for_all(&one, 1);
}
