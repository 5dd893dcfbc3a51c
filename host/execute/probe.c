/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "execute/probe.h"

#include "base/json.h"
#include "base/spawn.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ANSWER_MOST ((size_t)1 << 16)
#define PATIENCE_MS 5000

/* ---- The walls ------------------------------------------------------------------------------- */

#define NAMESPACES_CURE                                                                            \
	"allow user namespaces (sysctl user.max_user_namespaces, "                                 \
	"kernel.unprivileged_userns_clone, "                                                       \
	"kernel.apparmor_restrict_unprivileged_userns; in a container: its seccomp profile)"

static const struct probe_wall walls[PROBE_WALLS] = {
	{ .key = "descriptors",
	  .name = "descriptors",
	  .purpose = "a worker has none of the program's files and connections",
	  .cure = "use Linux 5.9 or later",
	  .needed_by = ISOLATION_ISOLATED },
	{ .key = "privileges",
	  .name = "no new privileges",
	  .purpose = "nothing that a worker starts gains a right",
	  .cure = "use Linux 3.5 or later",
	  .needed_by = ISOLATION_ISOLATED },
	{ .key = "calls",
	  .name = "system calls",
	  .purpose = "seccomp denies what no tool has business with, and tells which it was",
	  .cure = "use Linux 5.0 or later with CONFIG_SECCOMP_FILTER; in a container: allow "
		  "seccomp",
	  .needed_by = ISOLATION_ISOLATED },
	{ .key = "limits",
	  .name = "limits",
	  .purpose = "memory, processor time, files and descriptors of a call have an end",
	  .cure = "raise the limits that the program is started with",
	  .needed_by = ISOLATION_ISOLATED },
	{ .key = "files",
	  .name = "files",
	  .purpose = "Landlock leaves a sandboxed call only the files that are granted",
	  .cure = "use Linux 5.13 or later with landlock among its security modules (lsm=landlock,"
		  "... on the kernel's command line); in a container: allow the landlock calls",
	  .needed_by = ISOLATION_SANDBOXED },
	{ .key = "network",
	  .name = "network",
	  .purpose = "a sandboxed call is on no network",
	  .without = "its sockets are denied all the same",
	  .cure = NAMESPACES_CURE },
	{ .key = "communication",
	  .name = "shared memory",
	  .purpose = "calls see no message queues and shared memory of others",
	  .without = "calls see those of the program's user",
	  .cure = NAMESPACES_CURE },
	{ .key = "processes",
	  .name = "processes",
	  .purpose = "calls can name no other processes, and end with their launcher",
	  .without = "signals to others are denied all the same",
	  .cure = NAMESPACES_CURE },
	{ .key = "call",
	  .name = "call's processes",
	  .purpose = "what a call of a pack that is granted subprocesses has started ends with it",
	  .without = "such packs are not run",
	  .cure = NAMESPACES_CURE },
	{ .key = "user",
	  .name = "user",
	  .purpose = "workers have a user who owns nothing",
	  .without = "an isolated call may read and write what the program's user may, a sandboxed "
		     "one what is granted",
	  .cure = "only root can give workers another user: run the program as root for that" },
};

bool probe_runs(const struct probe *probe, enum isolation level)
{
	for (size_t i = 0; i < PROBE_WALLS; i++) {
		const struct probe_wall *wall = &probe->walls[i];

		if (!wall->stands && wall->needed_by && wall->needed_by <= level)
			return false;
	}
	return true;
}

bool probe_is_complete(const struct probe *probe, enum isolation level)
{
	for (size_t i = 0; i < PROBE_WALLS; i++)
		if (!probe->walls[i].stands && probe->walls[i].needed_by <= level)
			return false;
	return true;
}

/* ---- Asking ---------------------------------------------------------------------------------- */

struct asking {
	struct spawn child; /* first */
	uv_timer_t timer;
	struct buffer answer;
	char block[4096];
	bool late;
	bool ended;
};

static void on_block(uv_handle_t *channel, size_t suggested, uv_buf_t *ret_buffer)
{
	struct asking *asking = channel->data;

	(void)suggested;
	*ret_buffer = uv_buf_init(asking->block, sizeof(asking->block));
}

static void on_bytes(uv_stream_t *channel, ssize_t length, const uv_buf_t *buffer)
{
	struct asking *asking = channel->data;

	if (length > 0)
		buffer_append(&asking->answer, buffer->base, (size_t)length);
	else if (length < 0)
		uv_read_stop(channel);
}

static void on_closed(struct spawn *child)
{
	(void)child;
}

static void finish(struct asking *asking)
{
	if (asking->ended)
		return;
	asking->ended = true;
	uv_close((uv_handle_t *)&asking->timer, NULL);
	spawn_close(&asking->child, on_closed);
}

/* What it has written before is read before its end is told of. */
static void on_exit(struct spawn *child, int64_t status, int signal)
{
	struct asking *asking = (struct asking *)child;
	uv_os_fd_t fd;
	ssize_t n;

	(void)status;
	(void)signal;
	while (!uv_fileno((uv_handle_t *)&child->channel, &fd) &&
	       (n = read(fd, asking->block, sizeof(asking->block))) > 0)
		buffer_append(&asking->answer, asking->block, (size_t)n);
	finish(asking);
}

static void on_late(uv_timer_t *timer)
{
	struct asking *asking = timer->data;

	asking->late = true;
	finish(asking);
}

static int ask(struct asking *asking, const char *worker, struct error *error)
{
	static const char *const arguments[] = { "probe", NULL };
	const struct spawn_options options = {
		.program = worker, .arguments = arguments, .name = "probe", .on_exit = on_exit
	};
	uv_loop_t loop;
	int r;

	if (uv_loop_init(&loop))
		return error_set(error, STATUS_INTERNAL, "no descriptor is left");
	uv_timer_init(&loop, &asking->timer);
	asking->timer.data = asking;
	r = spawn_start(&loop, &options, &asking->child, error);
	if (r || uv_read_start((uv_stream_t *)&asking->child.channel, on_block, on_bytes) ||
	    uv_timer_start(&asking->timer, on_late, PATIENCE_MS, 0))
		finish(asking);
	uv_run(&loop, UV_RUN_DEFAULT);
	uv_loop_close(&loop);
	if (!r && asking->late)
		r = error_set(error, STATUS_WORKER_FAILED, "%s does not answer", worker);
	return r;
}

static void take_answer(const json *answer, struct probe *probe)
{
	for (size_t i = 0; i < PROBE_WALLS; i++) {
		struct probe_wall *wall = &probe->walls[i];

		for (size_t j = 0; j < json_count(answer); j++) {
			const json *told = json_peek(answer, j);

			if (!json_text_is(json_get(told, "key"), wall->key))
				continue;
			wall->stands = json_boolean(json_get(told, "stands"));
			snprintf(wall->detail, sizeof(wall->detail), "%s",
				 json_text(json_get(told, "detail"), NULL));
		}
	}
}

int probe_machine(const char *worker, struct probe *ret_probe, struct error *error)
{
	struct asking asking = { .answer = BUFFER_INIT(ANSWER_MOST) };
	json *answer = NULL;
	int r;

	memcpy(ret_probe->walls, walls, sizeof(walls));
	r = ask(&asking, worker, error);
	if (!r && (asking.answer.fault || !asking.answer.length ||
		   json_read(asking.answer.data, asking.answer.length, NULL, &answer, NULL)))
		r = error_set(error, STATUS_WORKER_FAILED,
			      "%s ended without an answer: it is damaged, or of another version",
			      worker);
	if (!r)
		take_answer(answer, ret_probe);
	json_drop(answer);
	buffer_free(&asking.answer);
	return r;
}
