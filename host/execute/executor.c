/* SPDX-License-Identifier: MIT
 *
 * Jobs: their turn, their deadline, their one answer.
 *
 * A job has a reference for the list of jobs, held until its thread has left the tool, so that an
 * answer at the deadline does not pull the ground from under a tool that is still running.
 */
#include "config.h"

#include "execute/executor-private.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/stricter.h"
#include "execute/verdict.h"
#include "pack/pack.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define GRACE_NS                                                                                   \
	INT64_C(1000000000) /* how long a tool may stay behind its deadline before its thread is   \
			       given up */

#define BATCH 16 /* jobs that are looked after without the lock, at once */

/* What may wait for a turn: of both, the deadlines alone are no bound where much comes in. */
#define WAITING_MOST 10000
#define WAITING_WEIGHT_MOST ((size_t)64 << 20)

/* ---- The answer ------------------------------------------------------------------------------ */

void job_hold(struct job *job)
{
	atomic_fetch_add(&job->references, 1);
}

static void job_free(struct job *job)
{
	buffer_free(&job->partials);
	pthread_mutex_destroy(&job->lock);
	free(job);
}

/* A job is used again: a call of a short tool would pay for making one. */
static void recycle(struct job *job)
{
	struct job *none = NULL;

	if (!atomic_compare_exchange_strong(&job->executor->spare_job, &none, job))
		job_free(job);
}

void job_release(struct job *job)
{
	if (!job)
		return;
	/* Whoever has the only reference need not count it down: nobody else finds the job. */
	if (atomic_load(&job->references) > 1 && atomic_fetch_sub(&job->references, 1) > 1)
		return;
	if (job->listener && job->listener->release)
		job->listener->release(job);
	json_drop(job->request.arguments);
	json_drop(job->sent);
	free(job->gate_limits);
	buffer_free(&job->partials);
	recycle(job);
}

static void one_less_pending(struct executor *x)
{
	void (*notify)(void *);

	if (atomic_fetch_sub(&x->pending, 1) > 1)
		return;
	notify = atomic_load(&x->notify);
	if (notify)
		notify(x->notify_context);
}

/* Claims the right to answer; true for one caller only. */
static bool claim_answer(struct job *job)
{
	return !atomic_exchange(&job->answered, true);
}

/* The same for a thread that does not run the job: what the tool is sending goes out first. */
static bool claim_answer_outside(struct job *job)
{
	bool claimed;

	pthread_mutex_lock(&job->lock);
	claimed = claim_answer(job);
	pthread_mutex_unlock(&job->lock);
	return claimed;
}

/* A call that failed is answered with what its tool gave until then as well. The tool's own details
 * go first. */
static void attach_partials(struct job *job, struct outcome *outcome)
{
	json *told;

	if (!outcome->error.status || (!job->partial_count && !job->partials_over))
		return;
	if (job->partial_count)
		outcome->partials = buffer_take(&job->partials, &outcome->partials_length);
	if (json_get(outcome->error.details, "partial"))
		return;
	told = json_new_object();
	json_set_integer(told, "blocks", job->partial_count);
	json_set_integer(told, "bytes", (int64_t)job->partial_bytes);
	json_set_boolean(told, "more", job->partials_over);
	error_detail(&outcome->error, "partial", told);
}

/* Gives the answer to whoever asked, where it is the caller's to give; frees the outcome. */
static void settle(struct job *job, struct outcome *outcome, bool claimed)
{
	if (claimed) {
		attach_partials(job, outcome);
		/* First, as the program may end with the answer. */
		recorder_note(job->executor->recorder, job, outcome);
		job->listener->done(job, outcome);
		one_less_pending(job->executor);
	}
	outcome_free(outcome);
}

void job_progress(struct job *job, double done, double total, const char *message)
{
	pthread_mutex_lock(&job->lock);
	if (!job->answered && job->listener->progress)
		job->listener->progress(job, done, total, message);
	pthread_mutex_unlock(&job->lock);
}

void job_log(struct job *job, int level, const char *text, size_t length)
{
	log_pack((enum log_level)level, job->request.spec->tool->pack->name, text, length);
	pthread_mutex_lock(&job->lock);
	if (!job->answered && job->listener->log)
		job->listener->log(job, level, text, length);
	pthread_mutex_unlock(&job->lock);
}

static bool keep_partial_locked(struct job *job, const char *text, size_t length)
{
	size_t most = (size_t)setting_whole(SETTING_MAX_RESULT_MB) << 20;

	if (job->partial_count >= CALL_PARTIALS_MOST || length > most - job->partial_bytes)
		return false;
	if (job->partial_count)
		buffer_byte(&job->partials, ',');
	buffer_append(&job->partials, text, length);
	job->partial_count++;
	job->partial_bytes += length;
	return true;
}

bool job_partial(struct job *job, const th_content *content, const char *text, size_t length)
{
	bool good = true;

	pthread_mutex_lock(&job->lock);
	if (!job->answered) {
		if (content)
			good = keep_partial_locked(job, text, length);
		else
			job->partials_over = true;
		if (content && good && job->listener->partial)
			job->listener->partial(job, content);
	}
	pthread_mutex_unlock(&job->lock);
	return good;
}

static void cancel(struct job *job)
{
	if (claim_answer_outside(job))
		one_less_pending(job->executor);
	job_tell_to_stop(job);
}

void executor_cancel(struct executor *x,
		     bool (*matches)(const struct job *job, const void *context),
		     const void *context)
{
	struct job *found[BATCH];
	size_t count;

	do {
		count = 0;
		pthread_mutex_lock(&x->lock);
		for (struct job *job = x->jobs; job && count < BATCH; job = job->after) {
			if (job->cancelled || !matches(job, context))
				continue;
			job->cancelled = true;
			job_hold(job);
			found[count++] = job;
		}
		pthread_mutex_unlock(&x->lock);
		for (size_t i = 0; i < count; i++) {
			cancel(found[i]);
			job_release(found[i]);
		}
	} while (count == BATCH);
}

static void answer_timeout(struct job *job)
{
	struct outcome outcome;

	outcome_init(&outcome);
	outcome.strategy = job->strategy;
	/* One that runs in a worker has a clock of its own. */
	verdict_timeout(job, !job->started_ns || job->strategy != ISOLATION_IN_PROCESS,
			&outcome.error);
	job_tell_to_stop(job);
	settle(job, &outcome, claim_answer_outside(job));
}

/* ---- Turns ----------------------------------------------------------------------------------- */

struct pack_slot *executor_slot(const struct job *job)
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

static void wait_locked(struct executor *x, struct job **first, struct job ***last, struct job *job)
{
	enqueue(first, last, job);
	atomic_fetch_add(&x->waiting_count, 1);
	atomic_fetch_add(&x->waiting_weight, job->weight);
}

static struct job *wait_no_more_locked(struct executor *x, struct job **first)
{
	struct job *job = dequeue(first);

	if (job) {
		atomic_fetch_sub(&x->waiting_count, 1);
		atomic_fetch_sub(&x->waiting_weight, job->weight);
	}
	return job;
}

static bool has_place_locked(struct executor *x)
{
	return x->running < x->most_running && (!x->has_room || x->has_room(x->room_context));
}

/* Whether the job may run now; if not, it waits where it will be found. */
static bool take_turn_locked(struct executor *x, struct job *job)
{
	struct pack_slot *slot = executor_slot(job);

	if (job->serial && slot->busy && !slot->abandoned) {
		wait_locked(x, &slot->waiting, &slot->last_waiting, job);
		return false;
	}
	if (!has_place_locked(x)) {
		wait_locked(x, &x->waiting, &x->last_waiting, job);
		return false;
	}
	if (job->serial)
		slot->busy = true;
	x->running++;
	job->running = true;
	return true;
}

/* The jobs whose turn it is now, of those that wait for the pack, if any, or for any thread, in a list.
 */
static struct job *give_turns_locked(struct executor *x, struct pack_slot *slot)
{
	struct job *ready = NULL, **last = &ready, *job;

	while (slot && (!slot->busy || slot->abandoned) &&
	       (job = wait_no_more_locked(x, &slot->waiting)))
		if (take_turn_locked(x, job))
			enqueue(&ready, &last, job);
	/* One of a pack that is busy goes on to wait for that, and leaves its place to the next. */
	while (has_place_locked(x) && (job = wait_no_more_locked(x, &x->waiting)))
		if (take_turn_locked(x, job))
			enqueue(&ready, &last, job);
	return ready;
}

static bool is_crowded(struct executor *x)
{
	return atomic_load(&x->waiting_count) >= WAITING_MOST ||
	       atomic_load(&x->waiting_weight) >= WAITING_WEIGHT_MOST;
}

bool executor_crowded(struct executor *x)
{
	if (!is_crowded(x))
		return false;
	/* Told first and looked at again, so that the end of it is not missed in between. */
	atomic_store(&x->told_crowded, true);
	if (is_crowded(x))
		return true;
	atomic_store(&x->told_crowded, false);
	return false;
}

static void tell_of_room(struct executor *x)
{
	if (atomic_load(&x->told_crowded) && !is_crowded(x) &&
	    atomic_exchange(&x->told_crowded, false) && x->notify_room)
		x->notify_room(x->room_context);
}

static void post_all(struct executor *x, struct job *ready)
{
	struct job *job;

	while ((job = dequeue(&ready)))
		crew_post(x->crew, &job->work);
}

/* Gives the places that `job` held to others that wait for them. */
static void pass_turn(struct executor *x, struct job *job)
{
	struct pack_slot *slot = executor_slot(job);
	struct job *ready;

	pthread_mutex_lock(&x->lock);
	if (job->before)
		job->before->after = job->after;
	else
		x->jobs = job->after;
	if (job->after)
		job->after->before = job->before;
	if (!job->abandoned)
		x->running--;
	if (job->serial)
		slot->busy = false;
	ready = give_turns_locked(x, slot);
	pthread_mutex_unlock(&x->lock);
	post_all(x, ready);
	tell_of_room(x);
}

static void job_run(struct crew_job *work)
{
	struct job *job = (struct job *)work;
	struct executor *x = job->executor;
	struct isolated_rest rest = { 0 };
	struct outcome outcome;

	outcome_init(&outcome);
	atomic_store_explicit(&job->started_ns, work->begun_ns, memory_order_relaxed);
	if (!atomic_load(&job->answered)) {
		if (!job->gate || !job->gate(job, &outcome))
			strategy_run(job, &outcome, &rest);
		if (log_get_level() >= LOG_LEVEL_DEBUG)
			log_debug("%s waited %.3f ms and took %.3f ms",
				  job->request.spec->tool->name,
				  (double)(job->started_ns - job->queued_ns) / 1e6,
				  (double)(clock_now_ns() - job->started_ns) / 1e6);
		settle(job, &outcome, claim_answer(job));
		strategy_leave(x, &rest);
	}
	pass_turn(x, job);
	job_release(job);
	atomic_fetch_sub(&x->inside, 1);
}

/* What the caller asks or the tool wishes, never above what the operator set. */
static void settle_wishes(struct job *job)
{
	struct execute_request *request = &job->request;
	double most = setting_real(SETTING_TOOL_TIMEOUT);
	double seconds = request->timeout > 0 ? request->timeout : request->spec->timeout;
	int64_t most_mb = setting_whole(SETTING_MAX_MEMORY_MB);
	int64_t mb = request->memory_mb > 0 ? request->memory_mb : request->spec->memory_mb;

	job->timeout = stricter(seconds, most);
	request->memory_mb = stricter_whole(mb, most_mb);
}

struct job *job_new(struct executor *x)
{
	struct job *job;

	job = atomic_exchange(&x->spare_job, NULL);
	if (!job && (job = malloc(sizeof(*job))))
		pthread_mutex_init(&job->lock, NULL);
	if (!job)
		return NULL;
	memset(job, 0, offsetof(struct job, lock));
	memset((char *)job + offsetof(struct job, call), 0,
	       sizeof(*job) - offsetof(struct job, call));
	job->work.run = job_run;
	job->executor = x;
	job->references = 1;
	job->wake = -1;
	buffer_init(&job->partials, SIZE_MAX);
	return job;
}

struct crew_job *job_submit(struct job *job)
{
	struct executor *x = job->executor;
	bool now;

	strategy_choose(job);
	settle_wishes(job);
	job->queued_ns = job->work.begun_ns = clock_now_ns();
	job->deadline_ns = job->queued_ns + (int64_t)(job->timeout * 1e9);
	pthread_mutex_lock(&x->lock);
	job->after = x->jobs;
	if (x->jobs)
		x->jobs->before = job;
	x->jobs = job;
	atomic_fetch_add(&x->pending, 1);
	atomic_fetch_add(&x->inside, 1);
	if (!x->next_check || job->deadline_ns < x->next_check)
		x->next_check = job->deadline_ns;
	now = take_turn_locked(x, job);
	pthread_mutex_unlock(&x->lock);
	return now ? &job->work : NULL;
}

/* ---- Deadlines ------------------------------------------------------------------------------- */

/* The thread of `job` has stayed in the tool: it is given up, and so is running the pack here. */
static void abandon_locked(struct executor *x, struct job *job)
{
	struct pack_slot *slot = executor_slot(job);

	log_warning("%s of pack %s does not come back; its thread is given up and the pack's next "
		    "calls are isolated",
		    job->request.spec->tool->name, job->request.spec->tool->pack->name);
	job->abandoned = true;
	x->running--;
	slot->abandoned = true;
	crew_abandon(x->crew, &job->work);
	post_all(x, give_turns_locked(x, slot));
}

/* One job: what its deadline asks for now, or when it will ask. */
static int64_t check_locked(struct executor *x, struct job *job, int64_t now, bool *ret_overdue)
{
	bool answered, self_timed;
	int64_t deadline;

	*ret_overdue = false;
	pthread_mutex_lock(&job->lock);
	answered = job->answered;
	self_timed = job->self_timed;
	deadline = job->deadline_ns;
	pthread_mutex_unlock(&job->lock);
	if (self_timed)
		return 0;
	if (!answered) {
		*ret_overdue = deadline <= now;
		return *ret_overdue ? now + GRACE_NS : deadline;
	}
	if (!job->running || job->abandoned)
		return 0;
	if (deadline + GRACE_NS > now)
		return deadline + GRACE_NS;
	abandon_locked(x, job);
	return 0;
}

/* Answers how many jobs are past their deadline, each of which is held for the caller; where there
 * are BATCH, there may be more. */
static size_t find_overdue_locked(struct executor *x, int64_t now, struct job **overdue)
{
	size_t count = 0;
	int64_t next = 0;

	for (struct job *job = x->jobs; job && count < BATCH; job = job->after) {
		bool late;
		int64_t when = check_locked(x, job, now, &late);

		if (when && (!next || when < next))
			next = when;
		if (late) {
			job_hold(job);
			overdue[count++] = job;
		}
	}
	x->next_check = count == BATCH ? now : next;
	return count;
}

int64_t executor_tick(struct executor *x, int64_t now)
{
	struct job *overdue[BATCH];
	size_t count;
	int64_t next;

	do {
		pthread_mutex_lock(&x->lock);
		next = x->next_check;
		if (!next || now < next) {
			pthread_mutex_unlock(&x->lock);
			return next;
		}
		count = find_overdue_locked(x, now, overdue);
		next = x->next_check;
		pthread_mutex_unlock(&x->lock);
		tell_of_room(x);
		for (size_t i = 0; i < count; i++) {
			answer_timeout(overdue[i]);
			job_release(overdue[i]);
		}
	} while (count == BATCH);
	return next;
}

void executor_flush(struct executor *x)
{
	recorder_flush(x->recorder);
}

size_t executor_pending(struct executor *x)
{
	return atomic_load(&x->pending);
}

bool executor_busy(struct executor *x)
{
	return atomic_load(&x->inside) > 0;
}

void executor_on_idle(struct executor *x, void (*notify)(void *context), void *context)
{
	x->notify_context = context;
	atomic_store(&x->notify, notify);
}

void executor_on_room(struct executor *x, void (*notify)(void *context),
		      bool (*has_room)(void *context), void *context)
{
	x->notify_room = notify;
	x->has_room = has_room;
	x->room_context = context;
}

void executor_resume(struct executor *x)
{
	struct job *ready;

	if (!atomic_load(&x->waiting_count))
		return;
	pthread_mutex_lock(&x->lock);
	ready = give_turns_locked(x, NULL);
	pthread_mutex_unlock(&x->lock);
	post_all(x, ready);
	tell_of_room(x);
}

/* ---- The executor ---------------------------------------------------------------------------- */

void executor_set_registry(struct executor *x, struct registry *registry)
{
	x->registry = registry;
	x->slot_count = registry ? registry_pack_count(registry) : 0;
	x->slots = calloc(x->slot_count ? x->slot_count : 1, sizeof(*x->slots));
	if (!x->slots)
		abort();
	for (size_t i = 0; i < x->slot_count; i++)
		pthread_mutex_init(&x->slots[i].here.lock, NULL);
}

static void finish_rests(void *context)
{
	strategy_finish(context);
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
	pthread_mutex_init(&x->rest_lock, NULL);
	x->paths = paths;
	pthread_cond_init(&x->worker_free, NULL);
	x->most_running = (size_t)setting_whole(SETTING_MAX_CALLS);
	x->most_workers = (size_t)setting_whole(SETTING_MAX_WORKERS);
	r = crew_new((unsigned)x->most_running, &x->crew, error);
	if (r) {
		free(x);
		return r;
	}
	crew_on_look(x->crew, finish_rests, x);
	x->recorder = recorder_new(paths);
	if (registry)
		executor_set_registry(x, registry);
	*ret_executor = x;
	return STATUS_OK;
}

void executor_free(struct executor *x)
{
	if (!x)
		return;
	assert(!executor_busy(x));
	recorder_free(x->recorder);
	crew_free(x->crew); /* first, as its watcher finishes what calls have left */
	strategy_free(x);
	if (x->spare_job)
		job_free(x->spare_job);
	for (size_t i = 0; i < x->slot_count; i++) {
		if (!x->slots[i].here.linked)
			pack_free(x->slots[i].here.pack);
		error_clear(&x->slots[i].here.failure);
		pthread_mutex_destroy(&x->slots[i].here.lock);
	}
	free(x->slots);
	pthread_cond_destroy(&x->worker_free);
	pthread_mutex_destroy(&x->rest_lock);
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
