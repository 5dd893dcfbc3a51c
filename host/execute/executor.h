/* SPDX-License-Identifier: MIT
 *
 * The executor: all jobs in progress, their deadlines, and the packs that are loaded.
 */
#ifndef TOOLHOST_EXECUTOR_H
#define TOOLHOST_EXECUTOR_H

#include "execute/groups.h"
#include "execute/job.h"

/* An executor for this program. `registry` may be NULL, and is then handed in before the first job
 * by executor_set_registry(), as the scan may still be going on. Neither is the executor's. */
int executor_new(struct registry *registry, const struct paths *paths,
		 struct executor **ret_executor, struct error *error);
void executor_set_registry(struct executor *executor, struct registry *registry);

/* Only once crew_lead() has returned, or executor_wait() has, and the executor is not busy: a thread
 * that a tool holds uses it, and the registry. */
void executor_free(struct executor *executor);

/* The executor's own, and what it was given. */
struct crew *executor_crew(struct executor *executor);
struct registry *executor_registry(struct executor *executor);

/* A new job with one reference, which job_submit() takes over. NULL: no memory. */
struct job *job_new(struct executor *executor);
void job_hold(struct job *job);
void job_release(struct job *job);

/* Takes over a job whose request is filled in. Answers the job where the leader may run it now, or
 * NULL where it waits for its turn, or has its answer. */
struct crew_job *job_submit(struct job *job);

/* The caller gives up what `matches`, which is asked under the executor's lock: these jobs get no
 * answer, and their tools are told. */
void executor_cancel(struct executor *executor,
		     bool (*matches)(const struct job *job, const void *context),
		     const void *context);

/* What a tool says on the way goes to the caller while the call has no answer; a line of its log goes
 * to the host's log in any case. */
void job_progress(struct job *job, double done, double total, const char *message);
void job_log(struct job *job, int level, const char *text, size_t length);

/* A block that the tool gives ahead of its end, and its JSON text, is kept for the case that the call
 * fails; NULL: there were more. False where it passes the bounds that a call keeps to. */
bool job_partial(struct job *job, const th_content *content, const char *text, size_t length);

/* For the leader's timer: answers what is past its deadline, and gives up threads that stay in a
 * tool. Answers when to look again, in CLOCK_MONOTONIC nanoseconds; 0 for never. */
int64_t executor_tick(struct executor *executor, int64_t now);

/* What groups of processes the calls have; makes them where that has not been done. NULL: `error`
 * says why that cannot be told. */
const struct groups_home *executor_groups(struct executor *executor, struct error *error);

size_t executor_pending(struct executor *executor); /* jobs without an answer */
bool executor_busy(struct executor *executor);	    /* a thread still has a job, answered or not */

/* Whether so many calls wait for their turn, or such large ones, that no more should be taken on. Where
 * the answer is yes, notify() is called, on any thread, once it has become no. To be set before the
 * first job. */
bool executor_crowded(struct executor *executor);
void executor_on_room(struct executor *executor, void (*notify)(void *context),
		      bool (*has_room)(void *context), void *context);

/* No call begins while has_room(), asked on any thread, answers that there is no room for its answer.
 * Once there is again, this lets those begin that have waited for it. */
void executor_resume(struct executor *executor);

/* Waits, for a moment at most, until what is recorded of answered calls has been written. */
void executor_flush(struct executor *executor);

/* Told, on any thread, when the last pending job has been answered. */
void executor_on_idle(struct executor *executor, void (*notify)(void *context), void *context);

/* Runs a job to its answer on a thread of its own while the caller waits; for the command line,
 * which has no loop. The job's outcome is moved to *ret_outcome. */
void executor_wait(struct job *job, struct outcome *ret_outcome);

/* The same for many jobs of one executor, which run at once as far as their packs and the settings
 * allow. Each begins when its turn has come, so that waiting for others takes none of its time. The
 * outcome of each goes to its place in `outcomes`. STATUS_INTERNAL without memory: then none has
 * run, and they are the caller's still. */
int executor_wait_all(struct job *const *jobs, struct outcome *outcomes, size_t count);

#endif
