/* SPDX-License-Identifier: MIT
 *
 * From a job to the place where it runs: this process, or a child of the pack's launcher.
 */
#include "config.h"

#include "execute/executor-private.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/settings.h"
#include "execute/isolated.h"
#include "execute/seed.h"
#include "execute/verdict.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

static void decide(struct job *job)
{
	const struct execute_request *request = &job->request;
	bool abandoned = executor_slot(job)->abandoned;

	policy_decide(request->spec, request->trust, request->at_least, abandoned, &job->strategy,
		      &job->reason);
}

void strategy_choose(struct job *job)
{
	decide(job);
	/* A fresh process for every call knows no other call, so those need not wait for each
	 * other. */
	job->serial = job->strategy == ISOLATION_IN_PROCESS &&
		      job->request.spec->threads == TOOL_SERIAL;
}

/* ---- Launchers ------------------------------------------------------------------------------- */

/* Once a second, on the warden's thread, which may not wait for a lock: whoever has it may be waiting
 * for the warden. */
static void look_after_launchers(void *context)
{
	struct executor *x = context;
	int64_t idle = (int64_t)(setting_real(SETTING_WORKER_IDLE) * 1e9);

	for (size_t i = 0; i < x->slot_count; i++) {
		for (int level = 0; level < 2; level++) {
			struct launcher *launcher;

			if (pthread_mutex_trylock(&x->lock))
				return;
			launcher = x->slots[i].launchers[level];
			pthread_mutex_unlock(&x->lock);
			if (launcher)
				launcher_retire(launcher, clock_now_ns(), idle);
		}
	}
}

static void make_warden_locked(struct executor *x, struct error *error)
{
	if (!x->warden && !warden_new(x->paths->worker, &x->warden, error))
		warden_every_second(x->warden, look_after_launchers, x);
	if (x->warden && !x->groups)
		x->groups = groups_new(x->warden);
}

const struct groups_home *executor_groups(struct executor *x, struct error *error)
{
	pthread_mutex_lock(&x->lock);
	make_warden_locked(x, error);
	pthread_mutex_unlock(&x->lock);
	return x->groups ? groups_state(x->groups) : NULL;
}

static struct launcher *find_launcher(struct job *job, struct error *error)
{
	struct executor *x = job->executor;
	struct launcher **place =
		&executor_slot(job)->launchers[job->strategy == ISOLATION_SANDBOXED];
	struct launcher *launcher;

	pthread_mutex_lock(&x->lock);
	make_warden_locked(x, error);
	if (x->groups && !*place && (*place = malloc(sizeof(**place))))
		launcher_init(*place, x->warden, x->groups, job->request.spec->tool->pack,
			      job->strategy, (unsigned)setting_whole(SETTING_SPARE_WORKERS));
	launcher = *place;
	pthread_mutex_unlock(&x->lock);
	return launcher;
}

/* ---- Bounds on what runs at once ------------------------------------------------------------- */

static int enter_worker(struct executor *x, int64_t deadline_ns)
{
	const struct timespec until = clock_timespec(deadline_ns);
	bool entered;
	int r = 0;

	pthread_mutex_lock(&x->lock);
	while (x->workers >= x->most_workers && r != ETIMEDOUT)
		r = pthread_cond_clockwait(&x->worker_free, &x->lock, CLOCK_MONOTONIC, &until);
	/* A wait that has timed out may have used up a signal, which nobody else would get. */
	entered = x->workers < x->most_workers;
	if (entered)
		x->workers++;
	pthread_mutex_unlock(&x->lock);
	return entered ? STATUS_OK : STATUS_TIMEOUT;
}

static void leave_worker(struct executor *x)
{
	pthread_mutex_lock(&x->lock);
	x->workers--;
	pthread_cond_signal(&x->worker_free);
	pthread_mutex_unlock(&x->lock);
}

/* ---- Cancelling ------------------------------------------------------------------------------ */

static pthread_key_t wake_key;
static pthread_once_t wake_once = PTHREAD_ONCE_INIT;

static void close_wake(void *value)
{
	close((int)(intptr_t)value - 1);
}

static void make_wake_key(void)
{
	pthread_key_create(&wake_key, close_wake);
}

/* An eventfd that this thread waits on beside its worker; empty. -1: no descriptor is left. */
static int thread_wake(void)
{
	uint64_t count;
	int fd;

	pthread_once(&wake_once, make_wake_key);
	fd = (int)(intptr_t)pthread_getspecific(wake_key) - 1;
	if (fd < 0) {
		fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		pthread_setspecific(wake_key, (void *)(intptr_t)(fd + 1));
	} else if (read(fd, &count, sizeof(count)) < 0) {
		return fd; /* it was empty, as it mostly is */
	}
	return fd;
}

void job_tell_to_stop(struct job *job)
{
	struct call *call;
	uint64_t one = 1;

	pthread_mutex_lock(&job->lock);
	atomic_store(&job->stopping, true);
	call = atomic_load(&job->call);
	if (call)
		call_cancel(call);
	if (job->wake >= 0 && write(job->wake, &one, sizeof(one)) < 0)
		log_debug("a worker was told twice to stop");
	pthread_mutex_unlock(&job->lock);
}

void job_enter_tool(struct job *job, struct call *call)
{
	atomic_store(&job->call, call);
	if (atomic_load(&job->stopping))
		call_cancel(call);
}

void job_leave_tool(struct job *job)
{
	atomic_store(&job->call, NULL);
	if (!atomic_load(&job->stopping))
		return;
	/* Whoever stops it may have found the call before that. */
	pthread_mutex_lock(&job->lock);
	pthread_mutex_unlock(&job->lock);
}

/* ---- Running --------------------------------------------------------------------------------- */

/* From here on the job looks after its own deadline, which counts from its start: waiting for a
 * worker is not the tool's. */
static int take_clock(struct job *job, int wake)
{
	int r = STATUS_CANCELLED;

	pthread_mutex_lock(&job->lock);
	if (!job->answered) {
		job->self_timed = true;
		job->wake = wake;
		job->deadline_ns = clock_now_ns() + (int64_t)(job->timeout * 1e9);
		r = STATUS_OK;
	}
	pthread_mutex_unlock(&job->lock);
	return r;
}

static void fail_start(struct outcome *outcome)
{
	static const char reason[] = "no memory or descriptor is left";

	if (outcome->error.status)
		return;
	error_set(&outcome->error, STATUS_WORKER_FAILED, "cannot start a worker: %s", reason);
	error_detail_text(&outcome->error, "step", "start");
	error_detail_text(&outcome->error, "reason", reason);
}

static void run_isolated(struct job *job, struct outcome *outcome, struct isolated_rest *ret_rest)
{
	struct executor *x = job->executor;
	struct launcher *launcher = find_launcher(job, &outcome->error);
	int wake;

	if (!launcher) {
		fail_start(outcome);
		return;
	}
	/* With more calls in flight the loop cannot wait for this one, not even for a moment. */
	if (executor_pending(x) > 1)
		crew_will_block(x->crew);
	if (enter_worker(x, job->deadline_ns)) {
		verdict_timeout(job, true, &outcome->error);
		return;
	}
	/* Those that wait for their turn need none yet. */
	wake = thread_wake();
	if (wake < 0)
		fail_start(outcome);
	else if (!take_clock(job, wake))
		isolated_run(job, launcher, wake, outcome, ret_rest);
	pthread_mutex_lock(&job->lock);
	job->wake = -1;
	pthread_mutex_unlock(&job->lock);
	leave_worker(x);
}

/* Checks the result against the tool's output schema, where the operator wants that. */
static void check_result(const struct tool_spec *spec, struct outcome *outcome)
{
	struct schema_problems *problems;
	json *result = NULL;

	if (!spec->output || !setting_switch(SETTING_STRICT_RESULTS))
		return;
	problems = calloc(1, sizeof(*problems));
	if (!problems || json_read(outcome->result ? outcome->result : "", outcome->result_length,
				   NULL, &result, NULL))
		error_set(&outcome->error, STATUS_RESULT_INVALID, "the result of %s is no JSON",
			  spec->tool->name);
	else if (!schema_validate(spec->output, result, problems))
		error_set(&outcome->error, STATUS_RESULT_INVALID,
			  "the result of %s breaks its own output schema at \"%s\": expected "
			  "%s, found %s",
			  spec->tool->name, problems->items[0].path, problems->items[0].expected,
			  problems->items[0].found);
	json_drop(result);
	free(problems);
}

void strategy_run(struct job *job, struct outcome *outcome, struct isolated_rest *ret_rest)
{
	struct pack_slot *slot = executor_slot(job);

	/* Its pack may have been given up while it waited. */
	if (job->strategy == ISOLATION_IN_PROCESS && slot->abandoned)
		decide(job);
	if (!job->request.seeded)
		job->request.seed = seed_choose(job->request.spec, job->request.arguments);
	outcome->strategy = job->strategy;
	log_debug("%s runs %s: %s", job->request.spec->tool->name, isolation_name(job->strategy),
		  job->reason);
	if (job->strategy == ISOLATION_IN_PROCESS)
		inprocess_run(job, &slot->here, outcome);
	else
		run_isolated(job, outcome, ret_rest);
	if (!outcome->error.status)
		check_result(job->request.spec, outcome);
}

void strategy_leave(struct executor *x, struct isolated_rest *rest)
{
	bool left = false;

	if (!rest->launcher)
		return;
	pthread_mutex_lock(&x->rest_lock);
	left = x->rest_count < RESTS_MOST;
	if (left)
		x->rests[x->rest_count++] = *rest;
	pthread_mutex_unlock(&x->rest_lock);
	if (left)
		crew_look_soon(x->crew);
	else
		isolated_finish(rest);
}

void strategy_finish(struct executor *x)
{
	struct isolated_rest rests[RESTS_MOST];
	unsigned count;

	if (!atomic_load(&x->rest_count))
		return;
	pthread_mutex_lock(&x->rest_lock);
	count = x->rest_count;
	memcpy(rests, x->rests, count * sizeof(rests[0]));
	x->rest_count = 0;
	pthread_mutex_unlock(&x->rest_lock);
	for (unsigned i = 0; i < count; i++)
		isolated_finish(&rests[i]);
}

void strategy_free(struct executor *x)
{
	strategy_finish(x);
	/* First, as its thread looks after the launchers. */
	warden_free(x->warden);
	x->warden = NULL;
	for (size_t i = 0; i < x->slot_count; i++) {
		for (int level = 0; level < 2; level++) {
			if (x->slots[i].launchers[level])
				launcher_free(x->slots[i].launchers[level]);
			free(x->slots[i].launchers[level]);
			x->slots[i].launchers[level] = NULL;
		}
	}
	groups_free(x->groups);
	x->groups = NULL;
}
