/* SPDX-License-Identifier: MIT
 *
 * The warden: a thread that starts the launchers of isolated packs, passes on what they write to
 * stderr, and retires those that nobody has used for a while.
 */
#ifndef TOOLHOST_WARDEN_H
#define TOOLHOST_WARDEN_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

struct warden;

/* A launcher as the warden sees it: what to start, and the host's end of its channel. */
struct warden_task {
	const char *name;		/* for the log; outlives the launcher */
	const char *const *arguments;	/* of toolhost-worker, NULL-ended */
	const char *const *environment; /* beyond the usual, NULL-ended; may be NULL */
	bool outlives; /* it ends by itself once its channel is closed, and is not waited for */
	/* Called on the warden's thread when it has ended, or could not be started; may be NULL. */
	void (*ended)(void *context, unsigned number);
	void *context;
	unsigned number;
};

/* `worker` is the absolute path of toolhost-worker. */
int warden_new(const char *worker, struct warden **ret_warden, struct error *error);

/* Ends all launchers, and with them their children, and waits for that. */
void warden_free(struct warden *warden);

/* Starts a launcher. *ret_channel is the host's end of its channel and the caller's: closing it ends
 * the launcher. *ret_process is its process; `ret_process` may be NULL. Any thread; waits for the
 * warden. STATUS_WORKER_FAILED, or STATUS_INTERNAL without memory; task->ended is called then, as at
 * any end. */
int warden_start(struct warden *warden, const struct warden_task *task, int *ret_channel,
		 pid_t *ret_process, struct error *error);

/* Has `look` called on the warden's thread now and then (every second). One such function. */
void warden_every_second(struct warden *warden, void (*look)(void *context), void *context);

#endif
