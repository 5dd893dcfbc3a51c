/* SPDX-License-Identifier: MIT
 *
 * What the files of the executor share.
 */
#ifndef TOOLHOST_EXECUTOR_PRIVATE_H
#define TOOLHOST_EXECUTOR_PRIVATE_H

#include "execute/executor.h"
#include "execute/inprocess.h"
#include "execute/isolated.h"
#include "execute/launcher.h"
#include "execute/replay.h"

#define RESTS_MOST 8

/* What the executor knows of a pack. */
struct pack_slot {
	struct loaded_pack here;       /* in this process */
	struct launcher *launchers[2]; /* isolated, sandboxed; made when first used, under the
					  executor's lock */

	/* under the executor's lock */
	struct job *waiting, **last_waiting; /* for a serial pack */
	bool busy;
	_Atomic bool abandoned; /* a thread stayed in it */
};

struct executor {
	struct crew *crew;
	struct registry *registry;
	const struct paths *paths;
	struct pack_slot *slots; /* one a pack of the registry */
	size_t slot_count;
	pthread_mutex_t lock;
	_Atomic(struct job *) spare_job;     /* for the next call */
	struct job *jobs;		     /* all that are queued or running */
	struct job *waiting, **last_waiting; /* for any thread */
	_Atomic size_t waiting_count;	     /* for a thread, or for their pack */
	_Atomic size_t waiting_weight;	     /* of those, in bytes */
	_Atomic bool told_crowded;	     /* whoever asked is to be told when that has passed */
	_Atomic size_t pending;		     /* jobs without an answer */
	_Atomic size_t inside; /* jobs that have not been let go of, answered or not */
	size_t running;
	size_t most_running;
	int64_t next_check; /* when a deadline may have passed; 0: never */
	_Atomic(void (*)(void *context)) notify;
	void *notify_context;
	void (*notify_room)(void *context);
	bool (*has_room)(void *context); /* for more answers; NULL: always */
	void *room_context;

	struct recorder *recorder; /* of calls that ended badly; NULL: they are not recorded */
	struct warden *warden;	   /* made when first used */
	struct groups *groups;	   /* likewise; NULL: no memory */
	pthread_mutex_t rest_lock; /* of what calls have left to do */
	struct isolated_rest rests[RESTS_MOST];
	_Atomic unsigned rest_count;
	pthread_cond_t worker_free;
	size_t workers, most_workers; /* children that run a call */
};

/* What is known of the pack of the job's tool. */
struct pack_slot *executor_slot(const struct job *job);

/* strategy.c: decides where the job will run; runs it there. What the run leaves behind goes to
 * strategy_leave() once the answer is out. */
void strategy_choose(struct job *job);
void strategy_run(struct job *job, struct outcome *outcome, struct isolated_rest *ret_rest);
void strategy_leave(struct executor *executor, struct isolated_rest *rest);
void strategy_free(struct executor *executor);

/* Finishes what calls have left. That takes processes down, which the one who waits for an answer on
 * the same processor would feel: so it is done when the next call is under way, or at a look of the
 * watcher. */
void strategy_finish(struct executor *executor);

/* Has the tool of a job notice that its caller gave up. */
void job_tell_to_stop(struct job *job);

/* The tool of a job begins; it has ended, and nobody looks at its call any more. */
void job_enter_tool(struct job *job, struct call *call);
void job_leave_tool(struct job *job);

#endif
