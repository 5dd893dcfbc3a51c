/* SPDX-License-Identifier: MIT
 *
 * Jobs: their turn, their deadline, their one answer.
 *
 * A job has a reference for the list of jobs, held until its thread has left the tool, so that an
 * answer at the deadline does not pull the ground from under a tool that is still running.
 */
#include "config.h"

#include "execute/executor.h"

#include "base/log.h"
#include "base/settings.h"
#include "execute/inprocess.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRACE_NS                                                                                   \
	INT64_C(1000000000) /* how long a tool may stay behind its deadline before its thread is   \
			       given up */

struct executor {
	struct crew *crew;
	struct registry *registry;
	const struct paths *paths;
	struct pack_slot *slots; /* one a pack of the registry */
	size_t slot_count;
	pthread_mutex_t lock;
	struct job *jobs;		     /* all that are queued or running */
	struct job *waiting, **last_waiting; /* for any thread */
	size_t pending;
	size_t running;
	size_t most_running;
	int64_t next_check; /* when a deadline may have passed; 0: never */
	void (*notify)(void *context);
	void *notify_context;
};

/* ---- The answer
 * ---------------------------------------------------------------------------------- */

void job_hold(struct job *job)
{
	atomic_fetch_add(&job->references, 1);
}

bool job_try_hold(struct job *job)
{
	int references = atomic_load(&job->references);

	while (references &&
	       !atomic_compare_exchange_weak(&job->references, &references, references + 1))
		;
	return references != 0;
}

void job_release(struct job *job)
{
	if (!job || atomic_fetch_sub(&job->references, 1) > 1)
		return;
	if (job->listener && job->listener->release)
		job->listener->release(job);
	outcome_free(&job->outcome);
	json_drop(job->request.arguments);
	json_drop(job->message);
	pthread_mutex_destroy(&job->lock);
	free(job);
}

static void one_less_pending(struct executor *x)
{
	void (*notify)(void *) = NULL;

	pthread_mutex_lock(&x->lock);
	if (!--x->pending)
		notify = x->notify;
	pthread_mutex_unlock(&x->lock);
	if (notify)
		notify(x->notify_context);
}

/* Claims the right to answer; true for one caller only. */
static bool claim_answer(struct job *job)
{
	bool claimed;

	pthread_mutex_lock(&job->lock);
	claimed = !job->answered;
	job->answered = true;
	pthread_mutex_unlock(&job->lock);
	return claimed;
}

void job_settle(struct job *job, struct outcome *outcome)
{
	if (!claim_answer(job)) {
		outcome_free(outcome);
		return;
	}
	job->outcome = *outcome;
	memset(outcome, 0, sizeof(*outcome));
	job->listener->done(job);
	one_less_pending(job->executor);
}

static void tell_tool_to_stop(struct job *job)
{
	pthread_mutex_lock(&job->lock);
	if (job->call)
		call_cancel(job->call);
	pthread_mutex_unlock(&job->lock);
}

void job_cancel(struct job *job)
{
	if (claim_answer(job))
		one_less_pending(job->executor);
	tell_tool_to_stop(job);
}

static void answer_timeout(struct job *job, int64_t now)
{
	struct outcome outcome = { 0 };
	double seconds = (double)(job->deadline_ns - job->queued_ns) / 1e9;

	error_set(&outcome.error, STATUS_TIMEOUT, "%s did not finish within %g seconds%s",
		  job->request.spec->tool->name, seconds,
		  job->started_ns ? "; send less data, or raise tool_timeout"
				  : ": it was still waiting for its turn");
	error_detail_text(&outcome.error, "tool_name", job->request.spec->tool->name);
	error_detail(&outcome.error, "timeout", json_new_number(seconds));
	error_detail_text(&outcome.error, "phase", job->started_ns ? "run" : "queue");
	outcome.queued_ms = (double)((job->started_ns ? job->started_ns : now) - job->queued_ns) /
			    1e6;
	tell_tool_to_stop(job);
	job_settle(job, &outcome);
}

/* ---- Turns
 * --------------------------------------------------------------------------------------- */

static struct pack_slot *slot_of(const struct job *job)
{
	return &job->executor->slots[job->request.spec->tool->pack->index];
}

static void enqueue(struct job **first, struct job ***last, struct job *job)
{
	job->next_waiting = NULL;
	if (!*first)
		*last = first;
	**last = job;
	*last = &job->next_waiting;
}

static struct job *dequeue(struct job **first)
{
	struct job *job = *first;

	if (job)
		*first = job->next_waiting;
	return job;
}

/* Whether the job may run now; if not, it waits where it will be found. */
static bool take_turn_locked(struct executor *x, struct job *job)
{
	struct pack_slot *slot = slot_of(job);

	if (job->serial && slot->busy && !slot->abandoned) {
		enqueue(&slot->waiting, &slot->last_waiting, job);
		return false;
	}
	if (x->running >= x->most_running) {
		enqueue(&x->waiting, &x->last_waiting, job);
		return false;
	}
	if (job->serial)
		slot->busy = true;
	x->running++;
	job->running = true;
	return true;
}

/* Gives the places that `job` held to others that wait for them. */
static void pass_turn(struct executor *x, struct job *job)
{
	struct pack_slot *slot = slot_of(job);
	struct job *next[2] = { NULL, NULL };

	pthread_mutex_lock(&x->lock);
	if (job->before)
		job->before->after = job->after;
	else
		x->jobs = job->after;
	if (job->after)
		job->after->before = job->before;
	if (!job->abandoned)
		x->running--;
	if (job->serial) {
		slot->busy = false;
		next[0] = dequeue(&slot->waiting);
	}
	next[1] = dequeue(&x->waiting);
	for (int i = 0; i < 2; i++)
		if (next[i] && !take_turn_locked(x, next[i]))
			next[i] = NULL;
	pthread_mutex_unlock(&x->lock);
	for (int i = 0; i < 2; i++)
		if (next[i])
			crew_post(x->crew, &next[i]->work);
}

static void run_strategy(struct job *job, struct outcome *outcome)
{
	struct pack_slot *slot = slot_of(job);
	const struct execute_request *request = &job->request;
	const char *reason;

	if (policy_decide(request->spec, request->trust, request->at_least, slot->abandoned,
			  &outcome->strategy, &reason, &outcome->error))
		return;
	log_debug("%s runs %s: %s", request->spec->tool->name, isolation_name(outcome->strategy),
		  reason);
	inprocess_run(job, slot, outcome);
}

static void job_run(struct crew_job *work)
{
	struct job *job = (struct job *)work;
	struct outcome outcome = { 0 };
	bool answered;

	pthread_mutex_lock(&job->lock);
	answered = job->answered;
	job->started_ns = call_now_ns();
	pthread_mutex_unlock(&job->lock);
	if (!answered) {
		if (!job->gate || !job->gate(job, &outcome))
			run_strategy(job, &outcome);
		outcome.queued_ms = (double)(job->started_ns - job->queued_ns) / 1e6;
		outcome.run_ms = (double)(call_now_ns() - job->started_ns) / 1e6;
		job_settle(job, &outcome);
	}
	pass_turn(job->executor, job);
	job_release(job);
}

/* Seconds that a job may take: what the caller asks or the tool wishes, never above what the
 * operator set. */
static double job_timeout(const struct execute_request *request)
{
	double most = setting_real(SETTING_TOOL_TIMEOUT);
	double wish = request->timeout > 0 ? request->timeout : request->spec->timeout;

	return wish > 0 && wish < most ? wish : most;
}

struct job *job_new(struct executor *x)
{
	struct job *job = calloc(1, sizeof(*job));

	if (!job)
		return NULL;
	job->work.run = job_run;
	job->executor = x;
	job->references = 1;
	pthread_mutex_init(&job->lock, NULL);
	return job;
}

struct crew_job *job_submit(struct job *job)
{
	struct executor *x = job->executor;
	bool now;

	job->serial = job->request.spec->threads == TOOL_SERIAL;
	job->queued_ns = call_now_ns();
	job->deadline_ns = job->queued_ns + (int64_t)(job_timeout(&job->request) * 1e9);
	pthread_mutex_lock(&x->lock);
	job->after = x->jobs;
	if (x->jobs)
		x->jobs->before = job;
	x->jobs = job;
	x->pending++;
	if (!x->next_check || job->deadline_ns < x->next_check)
		x->next_check = job->deadline_ns;
	now = take_turn_locked(x, job);
	pthread_mutex_unlock(&x->lock);
	return now ? &job->work : NULL;
}

/* ---- Deadlines
 * ----------------------------------------------------------------------------------- */

/* The thread of `job` has stayed in the tool: it is given up, and so is running the pack here. */
static void abandon_locked(struct executor *x, struct job *job)
{
	struct pack_slot *slot = slot_of(job);
	struct job *waiting;

	log_warning("%s of pack %s does not come back; its thread is given up and the pack's next "
		    "calls are isolated",
		    job->request.spec->tool->name, job->request.spec->tool->pack->name);
	job->abandoned = true;
	x->running--;
	slot->abandoned = true;
	crew_abandon(x->crew, &job->work);
	while ((waiting = dequeue(&slot->waiting)))
		if (take_turn_locked(x, waiting))
			crew_post(x->crew, &waiting->work);
}

/* One job of executor_tick(): what its deadline asks for now, or when it will ask. */
static int64_t check_locked(struct executor *x, struct job *job, int64_t now, bool *ret_overdue)
{
	bool answered;

	*ret_overdue = false;
	pthread_mutex_lock(&job->lock);
	answered = job->answered;
	pthread_mutex_unlock(&job->lock);
	if (!answered) {
		*ret_overdue = job->deadline_ns <= now;
		return *ret_overdue ? now + GRACE_NS : job->deadline_ns;
	}
	if (!job->running || job->abandoned)
		return 0;
	if (job->deadline_ns + GRACE_NS > now)
		return job->deadline_ns + GRACE_NS;
	abandon_locked(x, job);
	return 0;
}

int64_t executor_tick(struct executor *x, int64_t now)
{
	struct job *overdue[16];
	size_t count;
	int64_t next;

	do {
		count = 0;
		next = 0;
		pthread_mutex_lock(&x->lock);
		if (!x->next_check || now < x->next_check) {
			next = x->next_check;
			pthread_mutex_unlock(&x->lock);
			return next;
		}
		for (struct job *job = x->jobs; job && count < 16; job = job->after) {
			bool late;
			int64_t when = check_locked(x, job, now, &late);

			if (when && (!next || when < next))
				next = when;
			if (late) {
				job_hold(job);
				overdue[count++] = job;
			}
		}
		x->next_check = count == 16 ? now : next;
		pthread_mutex_unlock(&x->lock);
		for (size_t i = 0; i < count; i++) {
			answer_timeout(overdue[i], now);
			job_release(overdue[i]);
		}
	} while (count == 16);
	return next;
}

size_t executor_pending(struct executor *x)
{
	size_t pending;

	pthread_mutex_lock(&x->lock);
	pending = x->pending;
	pthread_mutex_unlock(&x->lock);
	return pending;
}

bool executor_busy(struct executor *x)
{
	bool busy;

	pthread_mutex_lock(&x->lock);
	busy = x->jobs != NULL;
	pthread_mutex_unlock(&x->lock);
	return busy;
}

void executor_on_idle(struct executor *x, void (*notify)(void *context), void *context)
{
	pthread_mutex_lock(&x->lock);
	x->notify = notify;
	x->notify_context = context;
	pthread_mutex_unlock(&x->lock);
}

/* ---- The executor
 * -------------------------------------------------------------------------------- */

void executor_set_registry(struct executor *x, struct registry *registry)
{
	x->registry = registry;
	x->slot_count = registry ? registry_pack_count(registry) : 0;
	x->slots = calloc(x->slot_count ? x->slot_count : 1, sizeof(*x->slots));
	if (!x->slots)
		abort();
	for (size_t i = 0; i < x->slot_count; i++)
		pthread_mutex_init(&x->slots[i].lock, NULL);
}

int executor_new(struct registry *registry, const struct paths *paths,
		 struct executor **ret_executor, struct error *error)
{
	struct executor *x;
	int r;

	*ret_executor = NULL;
	x = calloc(1, sizeof(*x));
	if (!x)
		return error_set(error, STATUS_INTERNAL, "out of memory");
	pthread_mutex_init(&x->lock, NULL);
	x->paths = paths;
	x->most_running = (size_t)setting_whole(SETTING_MAX_CALLS);
	r = crew_new((unsigned)x->most_running, &x->crew, error);
	if (r) {
		free(x);
		return r;
	}
	if (registry)
		executor_set_registry(x, registry);
	*ret_executor = x;
	return STATUS_OK;
}

void executor_free(struct executor *x)
{
	bool busy;

	if (!x)
		return;
	busy = executor_busy(x);
	crew_free(x->crew);
	if (busy)
		return;
	for (size_t i = 0; i < x->slot_count; i++) {
		error_clear(&x->slots[i].failure);
		pthread_mutex_destroy(&x->slots[i].lock);
	}
	free(x->slots);
	pthread_mutex_destroy(&x->lock);
	free(x);
}

struct crew *executor_crew(struct executor *x)
{
	return x->crew;
}

struct registry *executor_registry(struct executor *x)
{
	return x->registry;
}

/* ---- One job without a loop
 * ---------------------------------------------------------------------- */

struct waiter {
	pthread_mutex_t lock;
	pthread_cond_t answered;
	bool done;
};

static void waiter_done(struct job *job)
{
	struct waiter *waiter = job->owner;

	pthread_mutex_lock(&waiter->lock);
	waiter->done = true;
	pthread_cond_signal(&waiter->answered);
	pthread_mutex_unlock(&waiter->lock);
}

void executor_wait(struct job *job, struct outcome *ret_outcome)
{
	static const struct job_listener listener = { .done = waiter_done };
	struct executor *x = job->executor;
	struct waiter waiter = { .lock = PTHREAD_MUTEX_INITIALIZER };
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
		struct timespec until = { .tv_sec = job->deadline_ns / INT64_C(1000000000),
					  .tv_nsec = job->deadline_ns % INT64_C(1000000000) };

		if (pthread_cond_timedwait(&waiter.answered, &waiter.lock, &until) == ETIMEDOUT &&
		    !waiter.done) {
			pthread_mutex_unlock(&waiter.lock);
			executor_tick(x, call_now_ns());
			pthread_mutex_lock(&waiter.lock);
		}
	}
	pthread_mutex_unlock(&waiter.lock);
	*ret_outcome = job->outcome;
	memset(&job->outcome, 0, sizeof(job->outcome));
	job_release(job);
	pthread_cond_destroy(&waiter.answered);
}
