/* SPDX-License-Identifier: MIT
 *
 * Leader and followers. The lead is a token. While the leader runs a job, `run` holds the number of
 * that run, and whoever swaps it for 0 holds the token: the thread itself when the job is done, or
 * the watcher when it takes too long.
 */
#include "config.h"

#include "execute/crew.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"

#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOMENT_NS INT64_C(1000000)     /* how long the leader may stay in a job */
#define FAREWELL_NS INT64_C(100000000) /* for the founder, at the end */
#define IDLE_MOST 4		       /* threads that wait for work */
#define QUIET_MOST 8 /* looks of the watcher without a new job, before it sleeps on */

/* One thread of the crew; lives on that thread's stack. */
struct crew_thread {
	struct crew_thread *next;
	_Atomic(const struct crew_job *) running; /* NULL: none */
};

/* What a thread is said to run whose job has been given up. */
static const struct crew_job abandoned_job;

struct crew {
	pthread_mutex_t lock;
	pthread_cond_t work; /* a job waits, the watch is vacant, or the end has come */
	pthread_cond_t left; /* at the end: a thread has ended, or is free */
	struct crew_thread *threads;
	struct crew_job *first, **last;
	const struct crew_driver *driver;
	void (*stranded)(void *context);
	void (*look)(void *context);
	void *look_context;
	struct crew_thread *founder; /* the thread in crew_lead(), while it is there */
	locale_t locale;
	unsigned most;
	unsigned alive; /* not abandoned, founder and watcher included */
	unsigned idle;
	unsigned called; /* idle threads that were signalled and have not woken up yet */
	bool watched;	 /* a thread watches */
	_Atomic bool over;
	pthread_mutex_t watch_lock;
	pthread_cond_t watch_moved; /* to be earlier, maybe */
	int64_t watch_due;	    /* when the watcher looks next; INT64_MAX: it sleeps */
	uint64_t runs;		    /* of leaders, so far; the leader's own */
	_Atomic uint64_t run;
	_Atomic int64_t run_since;
	_Atomic bool awake;
	_Atomic int rest; /* a REST_ */
	pthread_t resting;
};

/* A leader that rests is called back by a signal, which has to have come to it before it goes on: a
 * tool is not to be interrupted. */
enum { REST_NOT, REST_ON, REST_CALLING, REST_CALLED };

/* By default ignored, so that nothing but a rest goes wrong where a pack takes the handler away. */
#define REST_SIGNAL SIGURG

static _Thread_local struct crew_thread *self;

/* Has the watcher look after so long a time, and not when it would have. */
static void look_in(struct crew *crew, int64_t nanoseconds)
{
	pthread_mutex_lock(&crew->watch_lock);
	crew->watch_due = clock_now_ns() + nanoseconds;
	pthread_mutex_unlock(&crew->watch_lock);
	pthread_cond_signal(&crew->watch_moved);
}

/* Of the watcher: sleeps until it has to look. */
static void await_look(struct crew *crew)
{
	pthread_mutex_lock(&crew->watch_lock);
	while (crew->watch_due > clock_now_ns()) {
		const struct timespec until = clock_timespec(crew->watch_due);

		if (crew->watch_due == INT64_MAX)
			pthread_cond_wait(&crew->watch_moved, &crew->watch_lock);
		else
			pthread_cond_clockwait(&crew->watch_moved, &crew->watch_lock,
					       CLOCK_MONOTONIC, &until);
	}
	crew->watch_due = INT64_MAX;
	pthread_mutex_unlock(&crew->watch_lock);
}

static void *follow_thread(void *argument);

/* Signals go to the founder; a thread of the crew may be inside a tool that does not expect one. But for
 * those of its own faults, whose handler the pack may have: held back, they end the program. */
static void hold_signals(sigset_t *ret_before)
{
	static const int own[] = { REST_SIGNAL, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS };
	sigset_t held;

	sigfillset(&held);
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		sigdelset(&held, own[i]);
	pthread_sigmask(SIG_SETMASK, &held, ret_before);
}

/* One more thread, unless enough of them are alive. The watcher runs no jobs and so does not count.
 */
static void start_thread_locked(struct crew *crew)
{
	pthread_attr_t attributes;
	sigset_t before;
	pthread_t thread;

	if (crew->alive > crew->most)
		return;
	hold_signals(&before);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	crew->alive++;
	if (pthread_create(&thread, &attributes, follow_thread, crew)) {
		crew->alive--;
		log_error("no more threads can be started; calls will wait for each other");
	}
	pthread_attr_destroy(&attributes);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Sees to it that a thread that is free looks for work. */
static void call_for_thread_locked(struct crew *crew)
{
	if (crew->idle > crew->called) {
		crew->called++;
		pthread_cond_signal(&crew->work);
	} else {
		start_thread_locked(crew);
	}
}

/* ---- Leading --------------------------------------------------------------------------------- */

/* Runs a job that this thread is said to run already. */
static void run_job(struct crew *crew, struct crew_job *job)
{
	bool counts;

	job->run(job);
	counts = atomic_exchange(&self->running, NULL) != &abandoned_job;
	if (counts && !atomic_load(&crew->over))
		return;
	pthread_mutex_lock(&crew->lock);
	if (!counts)
		crew->alive++;
	if (crew->over)
		pthread_cond_broadcast(&crew->left);
	pthread_mutex_unlock(&crew->lock);
}

/* Wakes the watcher, or finds one, where it is not looking every moment as it is: a leader with many
 * jobs pays for neither. */
void crew_look_soon(struct crew *crew)
{
	if (atomic_load(&crew->awake) || atomic_exchange(&crew->awake, true))
		return;
	look_in(crew, MOMENT_NS);
	pthread_mutex_lock(&crew->lock);
	if (!crew->watched)
		call_for_thread_locked(crew);
	pthread_mutex_unlock(&crew->lock);
}

/* Waits a moment for the founder: the job that holds it may be about to return. */
static bool founder_is_held_locked(struct crew *crew)
{
	const struct timespec until = clock_timespec(clock_now_ns() + FAREWELL_NS);

	while (crew->founder && crew->founder->running)
		if (pthread_cond_clockwait(&crew->left, &crew->lock, CLOCK_MONOTONIC, &until))
			break;
	return crew->founder && crew->founder->running;
}

static void end_all(struct crew *crew)
{
	bool held;

	pthread_mutex_lock(&crew->lock);
	crew->over = true;
	pthread_cond_broadcast(&crew->work);
	look_in(crew, 0); /* wakes the watcher */
	held = founder_is_held_locked(crew);
	pthread_mutex_unlock(&crew->lock);
	if (held)
		crew->stranded(crew->driver->context);
}

/* Leads until the lead is lost to the watcher, or the end has come. */
static void lead(struct crew *crew)
{
	struct crew_job *job;

	while ((job = crew->driver->next(crew->driver->context))) {
		uint64_t run = ++crew->runs;

		if (!job->begun_ns)
			job->begun_ns = clock_now_ns();
		atomic_store_explicit(&self->running, job, memory_order_relaxed);
		atomic_store_explicit(&crew->run_since, job->begun_ns, memory_order_relaxed);
		/* A watcher that is about to sleep sees these, or crew_look_soon() that it is. */
		atomic_store(&crew->run, run);
		crew_look_soon(crew);
		run_job(crew, job);
		if (!atomic_compare_exchange_strong(&crew->run, &run, 0))
			return;
	}
	end_all(crew);
}

/* ---- Resting --------------------------------------------------------------------------------- */

static void come_back(int number)
{
	(void)number; /* that it came is enough: read() ends */
}

void crew_rest(struct crew *crew)
{
	crew->resting = pthread_self();
	atomic_store(&crew->rest, REST_ON);
	crew_look_soon(crew);
}

bool crew_wake(struct crew *crew)
{
	int was = REST_ON;

	while (!atomic_compare_exchange_strong(&crew->rest, &was, REST_NOT)) {
		if (was == REST_CALLING) { /* about to be called: the next look tells */
			sched_yield();
			was = REST_ON;
		}
	}
	if (was == REST_CALLED)
		sched_yield(); /* a signal that is still on its way arrives here at the latest */
	return was == REST_CALLED;
}

/* Calls a leader that rests; called again if that was too early, before its read(). Answers whether
 * there was one. */
static bool call_back(struct crew *crew)
{
	int was = atomic_load(&crew->rest);

	if (was == REST_NOT || !atomic_compare_exchange_strong(&crew->rest, &was, REST_CALLING))
		return false;
	pthread_kill(crew->resting, REST_SIGNAL);
	atomic_store(&crew->rest, REST_CALLED);
	return true;
}

/* ---- Watching -------------------------------------------------------------------------------- */

/* Sleeps until the leader has stayed in a job for a moment, and takes the lead: true. False at the
 * end. */
static bool watch(struct crew *crew)
{
	int64_t last = 0; /* when the job began that was the last one to be seen */
	unsigned quiet = 0;

	for (;;) {
		uint64_t run;
		int64_t since, left = MOMENT_NS;

		await_look(crew);
		if (atomic_load(&crew->over))
			return false;
		if (crew->look)
			crew->look(crew->look_context);
		run = atomic_load(&crew->run);
		since = atomic_load(&crew->run_since);
		if (run) {
			left = MOMENT_NS - (clock_now_ns() - since);
			if (left <= 0 && atomic_compare_exchange_strong(&crew->run, &run, 0)) {
				atomic_store(&crew->awake, false);
				return true;
			}
			if (left <= 0)
				left = MOMENT_NS;
		}
		quiet = run || since != last ? 0 : quiet + 1;
		last = since;
		if (quiet < QUIET_MOST || call_back(crew)) {
			look_in(crew, left);
			continue;
		}
		/* The next job or rest wakes it again, unless it has just found it awake. */
		atomic_store(&crew->awake, false);
		if ((atomic_load(&crew->run_since) != since || atomic_load(&crew->rest)) &&
		    !atomic_exchange(&crew->awake, true))
			look_in(crew, MOMENT_NS);
	}
}

/* ---- Following ------------------------------------------------------------------------------- */

static struct crew_job *take_job_locked(struct crew *crew)
{
	struct crew_job *job = crew->first;

	if (!job)
		return NULL;
	if (!(crew->first = job->next))
		crew->last = &crew->first;
	atomic_store(&self->running, job);
	return job;
}

/* Runs jobs, watches, and leads when it has to, until the end; threads that are not needed leave
 * before. */
static void follow(struct crew *crew)
{
	struct crew_job *job;

	pthread_mutex_lock(&crew->lock);
	while (!crew->over) {
		if ((job = take_job_locked(crew))) {
			pthread_mutex_unlock(&crew->lock);
			job->begun_ns = clock_now_ns();
			run_job(crew, job);
			pthread_mutex_lock(&crew->lock);
		} else if (!crew->watched) {
			bool took;

			crew->watched = true;
			pthread_mutex_unlock(&crew->lock);
			took = watch(crew);
			pthread_mutex_lock(&crew->lock);
			crew->watched = false;
			if (!took)
				continue;
			call_for_thread_locked(crew); /* for the watch */
			pthread_mutex_unlock(&crew->lock);
			lead(crew);
			pthread_mutex_lock(&crew->lock);
		} else if (crew->idle >= IDLE_MOST && self != crew->founder) {
			break;
		} else {
			crew->idle++;
			pthread_cond_wait(&crew->work, &crew->lock);
			crew->idle--;
			if (crew->called)
				crew->called--;
		}
	}
	pthread_mutex_unlock(&crew->lock);
}

static void join_crew(struct crew *crew, struct crew_thread *thread)
{
	self = thread;
	pthread_mutex_lock(&crew->lock);
	thread->next = crew->threads;
	crew->threads = thread;
	pthread_mutex_unlock(&crew->lock);
	/* A pack may call setlocale() at any time; a thread with a locale of its own does not
	 * notice. */
	uselocale(crew->locale);
}

static void leave_crew(struct crew *crew, struct crew_thread *thread)
{
	struct crew_thread **link;

	uselocale(LC_GLOBAL_LOCALE);
	pthread_mutex_lock(&crew->lock);
	for (link = &crew->threads; *link != thread; link = &(*link)->next)
		;
	*link = thread->next;
	crew->alive--;
	if (thread == crew->founder)
		crew->founder = NULL;
	pthread_cond_broadcast(&crew->left);
	pthread_mutex_unlock(&crew->lock);
	self = NULL;
}

static void *follow_thread(void *argument)
{
	struct crew *crew = argument;
	struct crew_thread thread = { 0 };

	join_crew(crew, &thread);
	follow(crew);
	leave_crew(crew, &thread);
	return NULL;
}

/* ---- The crew -------------------------------------------------------------------------------- */

int crew_new(unsigned most, struct crew **ret_crew, struct error *error)
{
	const struct sigaction action = { .sa_handler = come_back }; /* no SA_RESTART */
	struct crew *crew;

	*ret_crew = NULL;
	crew = calloc(1, sizeof(*crew));
	if (!crew)
		return error_set(error, STATUS_INTERNAL, "out of memory");
	crew->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!crew->locale) {
		free(crew);
		return error_set(error, STATUS_INTERNAL, "out of memory");
	}
	sigaction(REST_SIGNAL, &action, NULL);
	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->work, NULL);
	pthread_cond_init(&crew->left, NULL);
	pthread_mutex_init(&crew->watch_lock, NULL);
	pthread_cond_init(&crew->watch_moved, NULL);
	crew->watch_due = INT64_MAX;
	crew->last = &crew->first;
	crew->most = most ? most : 1;
	*ret_crew = crew;
	return STATUS_OK;
}

void crew_lead(struct crew *crew, const struct crew_driver *driver, void (*stranded)(void *context))
{
	struct crew_thread thread = { 0 };

	crew->driver = driver;
	crew->stranded = stranded;
	crew->founder = &thread;
	crew->alive++;
	join_crew(crew, &thread);
	lead(crew);
	follow(crew);
	leave_crew(crew, &thread);
}

void crew_on_look(struct crew *crew, void (*look)(void *context), void *context)
{
	crew->look = look;
	crew->look_context = context;
}

void crew_post(struct crew *crew, struct crew_job *job)
{
	job->next = NULL;
	pthread_mutex_lock(&crew->lock);
	*crew->last = job;
	crew->last = &job->next;
	call_for_thread_locked(crew);
	pthread_mutex_unlock(&crew->lock);
}

void crew_will_block(struct crew *crew)
{
	if (!self || !atomic_load(&crew->run))
		return;
	/* It does no harm where another thread leads by now: its run merely counts as a long one.
	 */
	atomic_store(&crew->run_since, 0);
	look_in(crew, 0);
}

void crew_abandon(struct crew *crew, const struct crew_job *job)
{
	pthread_mutex_lock(&crew->lock);
	for (struct crew_thread *t = crew->threads; t; t = t->next) {
		const struct crew_job *running = job;

		if (atomic_compare_exchange_strong(&t->running, &running, &abandoned_job))
			crew->alive--;
	}
	pthread_mutex_unlock(&crew->lock);
}

/* Whether every thread that is left is held by a job; one that has been given up already does not
 * count. */
static bool only_held_threads_locked(const struct crew *crew)
{
	unsigned held = 0;

	for (const struct crew_thread *t = crew->threads; t; t = t->next)
		held += t->running && t->running != &abandoned_job;
	return held == crew->alive;
}

void crew_free(struct crew *crew)
{
	bool held;

	if (!crew)
		return;
	pthread_mutex_lock(&crew->lock);
	crew->over = true;
	pthread_cond_broadcast(&crew->work);
	look_in(crew, 0);
	while (!only_held_threads_locked(crew))
		pthread_cond_wait(&crew->left, &crew->lock);
	held = crew->threads != NULL;
	pthread_mutex_unlock(&crew->lock);
	if (held)
		return;
	freelocale(crew->locale);
	pthread_cond_destroy(&crew->watch_moved);
	pthread_mutex_destroy(&crew->watch_lock);
	pthread_cond_destroy(&crew->left);
	pthread_cond_destroy(&crew->work);
	pthread_mutex_destroy(&crew->lock);
	free(crew);
}
