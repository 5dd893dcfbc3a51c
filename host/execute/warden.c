/* SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "execute/warden.h"

#include "base/log.h"
#include "base/spawn.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FAREWELL_MS 500 /* for launchers to end by themselves */

/* A launcher that runs. */
struct ward {
	struct spawn child; /* first */
	struct warden *warden;
	struct ward *next;
	bool outlives;
	bool survived; /* it has ended, and others of its group that are ours now have not */
	void (*ended)(void *context, unsigned number);
	void *context;
	unsigned number;
};

/* A start that somebody waits for. */
struct order {
	const struct warden_task *task;
	int channel;
	pid_t process;
	struct error *error;
	int status;
	bool done;
	struct order *next;
};

struct warden {
	char *worker;
	pthread_t thread;
	uv_loop_t loop;
	uv_async_t wake;
	uv_timer_t second;
	struct ward *wards;
	bool leaving;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t answered;
	struct order *orders;
	void (*look)(void *context);
	void *look_context;
	bool over;
};

/* ---- On the warden's thread ------------------------------------------------------------------ */

static void ward_closed(struct spawn *child)
{
	struct ward *ward = (struct ward *)child;
	struct ward **link;

	for (link = &ward->warden->wards; *link != ward; link = &(*link)->next)
		;
	*link = ward->next;
	if (ward->ended)
		ward->ended(ward->context, ward->number);
	free(ward);
}

static void ward_ended(struct spawn *child, int64_t status, int signal)
{
	struct ward *ward = (struct ward *)child;

	if (signal)
		log_debug("the launcher of %s ended by signal %d", child->name, signal);
	else if (status)
		log_debug("the launcher of %s ended with status %lld", child->name,
			  (long long)status);
	/* Killed with it, they may need a moment. */
	ward->survived = !ward->warden->leaving && spawn_reap(child);
	if (!ward->survived)
		spawn_close(child, ward_closed);
}

static void reap_survivors(struct warden *warden)
{
	for (struct ward *ward = warden->wards; ward; ward = ward->next) {
		if (!ward->survived || spawn_reap(&ward->child))
			continue;
		ward->survived = false;
		spawn_close(&ward->child, ward_closed);
	}
}

/* It has not even begun. */
static void end_task(const struct warden_task *task)
{
	if (task->ended)
		task->ended(task->context, task->number);
}

static int start(struct warden *warden, struct order *order)
{
	const struct warden_task *task = order->task;
	struct ward *ward;
	int ends[2], r;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) {
		end_task(task);
		return error_set(order->error, STATUS_WORKER_FAILED, "cannot make a channel: %s",
				 strerror(errno));
	}
	ward = calloc(1, sizeof(*ward));
	if (!ward) {
		end_task(task);
		close(ends[0]);
		close(ends[1]);
		return error_set(order->error, STATUS_INTERNAL, "out of memory");
	}
	ward->warden = warden;
	ward->next = warden->wards;
	ward->outlives = task->outlives;
	ward->ended = task->ended;
	ward->context = task->context;
	ward->number = task->number;
	warden->wards = ward;
	r = spawn_start(&warden->loop,
			&(struct spawn_options){ .program = warden->worker,
						 .arguments = task->arguments,
						 .environment = task->environment,
						 .name = task->name,
						 .inherited_channel = ends[1],
						 .on_exit = ward_ended },
			&ward->child, order->error);
	close(ends[1]);
	if (r) {
		close(ends[0]);
		spawn_close(&ward->child, ward_closed);
		return r;
	}
	order->channel = ends[0];
	order->process = uv_process_get_pid(&ward->child.process);
	return STATUS_OK;
}

static void on_wake(uv_async_t *handle)
{
	struct warden *warden = handle->data;
	struct order *order;

	pthread_mutex_lock(&warden->lock);
	while ((order = warden->orders)) {
		warden->orders = order->next;
		order->status = start(warden, order);
		order->done = true;
		pthread_cond_broadcast(&warden->answered);
	}
	if (warden->over)
		uv_stop(&warden->loop);
	pthread_mutex_unlock(&warden->lock);
}

static void on_second(uv_timer_t *handle)
{
	struct warden *warden = handle->data;
	void (*look)(void *);

	reap_survivors(warden);
	pthread_mutex_lock(&warden->lock);
	look = warden->look;
	pthread_mutex_unlock(&warden->lock);
	if (look)
		look(warden->look_context);
}

static void end_wards(uv_timer_t *handle)
{
	struct warden *warden = handle->data;

	for (struct ward *ward = warden->wards; ward; ward = ward->next)
		if (!ward->child.on_closed)
			spawn_close(&ward->child, ward_closed);
}

static void *keep_watch(void *context)
{
	struct warden *warden = context;

	uv_run(&warden->loop, UV_RUN_DEFAULT);
	warden->leaving = true;
	/* A launcher that is asked to end takes its children along and waits for them; one that
	 * does not is killed. */
	for (struct ward *ward = warden->wards; ward; ward = ward->next) {
		if (ward->survived)
			spawn_close(&ward->child, ward_closed);
		else if (!ward->outlives)
			spawn_kill(&ward->child, SIGTERM);
		else if (!ward->child.on_closed)
			spawn_let_go(&ward->child, ward_closed);
	}
	uv_close((uv_handle_t *)&warden->wake, NULL);
	uv_timer_start(&warden->second, end_wards, FAREWELL_MS, 0);
	while (warden->wards)
		uv_run(&warden->loop, UV_RUN_ONCE);
	uv_close((uv_handle_t *)&warden->second, NULL);
	uv_run(&warden->loop, UV_RUN_DEFAULT);
	uv_loop_close(&warden->loop);
	return NULL;
}

/* ---- For others ------------------------------------------------------------------------------ */

int warden_new(const char *worker, struct warden **ret_warden, struct error *error)
{
	struct warden *warden;

	*ret_warden = NULL;
	warden = calloc(1, sizeof(*warden));
	if (!warden || !(warden->worker = strdup(worker)) || uv_loop_init(&warden->loop)) {
		free(warden ? warden->worker : NULL);
		free(warden);
		return error_set(
			error, STATUS_INTERNAL,
			"cannot make the launchers' loop: no memory or descriptor is left");
	}
	pthread_mutex_init(&warden->lock, NULL);
	pthread_cond_init(&warden->answered, NULL);
	uv_async_init(&warden->loop, &warden->wake, on_wake);
	uv_timer_init(&warden->loop, &warden->second);
	warden->wake.data = warden->second.data = warden;
	uv_timer_start(&warden->second, on_second, 1000, 1000);
	if (pthread_create(&warden->thread, NULL, keep_watch, warden)) {
		uv_stop(&warden->loop);
		keep_watch(warden); /* closes what the loop holds */
		pthread_cond_destroy(&warden->answered);
		pthread_mutex_destroy(&warden->lock);
		free(warden->worker);
		free(warden);
		return error_set(error, STATUS_INTERNAL, "cannot start the launchers' thread");
	}
	*ret_warden = warden;
	return STATUS_OK;
}

void warden_free(struct warden *warden)
{
	if (!warden)
		return;
	pthread_mutex_lock(&warden->lock);
	warden->over = true;
	pthread_mutex_unlock(&warden->lock);
	uv_async_send(&warden->wake);
	pthread_join(warden->thread, NULL);
	pthread_cond_destroy(&warden->answered);
	pthread_mutex_destroy(&warden->lock);
	free(warden->worker);
	free(warden);
}

int warden_start(struct warden *warden, const struct warden_task *task, int *ret_channel,
		 pid_t *ret_process, struct error *error)
{
	struct order order = { .task = task, .channel = -1, .error = error };

	pthread_mutex_lock(&warden->lock);
	order.next = warden->orders;
	warden->orders = &order;
	uv_async_send(&warden->wake);
	while (!order.done)
		pthread_cond_wait(&warden->answered, &warden->lock);
	pthread_mutex_unlock(&warden->lock);
	*ret_channel = order.channel;
	if (ret_process)
		*ret_process = order.process;
	return order.status;
}

void warden_every_second(struct warden *warden, void (*look)(void *context), void *context)
{
	pthread_mutex_lock(&warden->lock);
	warden->look = look;
	warden->look_context = context;
	pthread_mutex_unlock(&warden->lock);
}
