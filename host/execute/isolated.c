/* SPDX-License-Identifier: MIT
 *
 * One isolated call: hand it to a child, listen to the child, and say exactly what became of it.
 *
 * A child is believed nothing that it could forge to somebody else's harm: frames have to carry the
 * call's token, texts are checked again, and how it ended is asked of the kernel.
 */
#include "config.h"

#include "execute/isolated.h"

#include "base/clock.h"
#include "base/json-wire.h"
#include "base/log.h"
#include "base/settings.h"
#include "execute/answer.h"
#include "execute/executor-private.h"
#include "execute/verdict.h"
#include "pack/content.h"
#include "pack/frame.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE_NS INT64_C(1000000000)  /* between SIGTERM and SIGKILL */
#define END_NS INT64_C(2000000000)    /* how long the news of an end may take */
#define FRAME_ROOM ((size_t)64 << 10) /* that a result's frame may have beside the result */

struct isolated_call {
	struct job *job;
	struct launcher *launcher;
	struct launched child;
	struct frame_reader reader;
	struct observations seen;
	struct outcome *outcome;
	unsigned char token[FRAME_TOKEN];
	int wake;
	int64_t deadline_ns;
	double progress; /* the last that was passed on */
};

/* ---- The child ------------------------------------------------------------------------------- */

static void signal_child(const struct isolated_call *c, int number)
{
	syscall(SYS_pidfd_send_signal, c->child.pidfd, number, NULL, 0);
}

/* Waits for the child's end; true once it has ended. */
static bool wait_for_end(const struct isolated_call *c, int64_t deadline_ns)
{
	struct pollfd ended = { .fd = c->child.pidfd, .events = POLLIN };
	int64_t left;
	int n;

	do {
		left = deadline_ns - clock_now_ns();
		n = poll(&ended, 1, left > 0 ? (int)(left / 1000000) + 1 : 0);
	} while (n < 0 && errno == EINTR);
	return n > 0;
}

static void kill_child(const struct isolated_call *c)
{
	signal_child(c, SIGKILL);
	wait_for_end(c, clock_now_ns() + END_NS);
}

/* SIGTERM, grace, SIGKILL. */
static void end_child(const struct isolated_call *c)
{
	signal_child(c, SIGTERM);
	if (!wait_for_end(c, clock_now_ns() + GRACE_NS))
		kill_child(c);
}

/* ---- The call -------------------------------------------------------------------------------- */

/* Whether the child has another call to serve after this one. What a call has started ends with the
 * child, and so does not stay on for the next. */
static bool serves_another(const struct isolated_call *c)
{
	return c->child.calls + 1 < (uint32_t)setting_whole(SETTING_WORKER_CALLS) &&
	       !c->launcher->pack->grants->subprocess;
}

/* Asked for once, as the answer is read from a file. */
static uint32_t processor_count(void)
{
	static _Atomic uint32_t known;
	uint32_t count = atomic_load(&known);

	if (!count) {
		long online = sysconf(_SC_NPROCESSORS_ONLN);

		count = online > 1 ? (uint32_t)online : 1;
		atomic_store(&known, count);
	}
	return count;
}

static int send_call(struct isolated_call *c)
{
	const struct execute_request *request = &c->job->request;
	const struct tool_spec *spec = request->spec;
	struct buffer arguments = BUFFER_INIT(SIZE_MAX);
	struct frame_call head = {
		.seed = request->seed,
		.time_left_ns = c->deadline_ns - clock_now_ns(),
		.max_result = (uint64_t)setting_whole(SETTING_MAX_RESULT_MB) << 20,
		.memory_bytes = (uint64_t)request->memory_mb << 20,
		.keep = serves_another(c),
		.name_length = (uint32_t)spec->tool->name_length,
	};
	struct iovec parts[3];
	int r;

	/* The clock comes first, also where threads use all processors. */
	head.cpu_seconds = (uint32_t)(head.time_left_ns / 1000000000 + 2) * processor_count();
	c->outcome->seed = head.seed;
	json_wire_write(&arguments, request->arguments);
	launcher_group_bound(&c->launcher->group, &c->child.leaf, request->memory_mb,
			     arguments.length);
	parts[0] = (struct iovec){ &head, sizeof(head) };
	parts[1] = (struct iovec){ arguments.data, arguments.length };
	parts[2] = (struct iovec){ (char *)(uintptr_t)spec->tool->name, spec->tool->name_length };
	r = arguments.fault
		    ? STATUS_INTERNAL
		    : frame_send(c->child.channel, FRAME_CALL, c->token, parts, 3, c->deadline_ns);
	buffer_free(&arguments);
	return r;
}

static void pass_progress(struct isolated_call *c, const char *payload, size_t length)
{
	struct frame_progress head;
	char message[512] = "";

	if (length < sizeof(head))
		return;
	memcpy(&head, payload, sizeof(head));
	if (head.message_length != length - sizeof(head) || head.message_length >= sizeof(message))
		return;
	memcpy(message, payload + sizeof(head), head.message_length);
	/* Only what grows is passed on, whatever the child claims. */
	if (!(head.done > c->progress))
		return;
	c->progress = head.done;
	job_progress(c->job, head.done, head.total, message[0] ? message : NULL);
}

static void pass_log(struct isolated_call *c, const char *payload, size_t length)
{
	struct frame_log head;

	if (length < sizeof(head))
		return;
	memcpy(&head, payload, sizeof(head));
	if (head.length != length - sizeof(head) || head.level < LOG_LEVEL_ERROR ||
	    head.level > LOG_LEVEL_DEBUG)
		return;
	job_log(c->job, (int)head.level, payload + sizeof(head), head.length);
}

/* Printed here, whatever the child says it is. False where it is no block, or one too many: then no
 * worker has sent it. */
static bool pass_partial(struct isolated_call *c, const char *payload, size_t length)
{
	struct buffer text = BUFFER_INIT(c->reader.payload.maximum);
	th_content content;
	bool good;

	if (!frame_read_partial(payload, length, &content))
		return false;
	if (!content.kind)
		return job_partial(c->job, NULL, NULL, 0);
	content_print(&text, &content);
	good = !text.fault && job_partial(c->job, &content, text.data, text.length);
	buffer_free(&text);
	return good;
}

/* Whether what was read so far of a frame is none of the worker's. A frame that only lacks its end is
 * one: the process has ended while another thread was sending it. */
static bool is_forged(const struct frame_reader *reader, const unsigned char token[FRAME_TOKEN])
{
	return reader->got >= sizeof(reader->header) &&
	       (reader->header.magic != FRAME_MAGIC ||
		memcmp(reader->header.token, token, FRAME_TOKEN));
}

/* One whole frame; false ends the listening. */
static bool take_frame(struct isolated_call *c)
{
	const struct buffer *payload = &c->reader.payload;

	c->seen.forged = is_forged(&c->reader, c->token);
	if (c->seen.forged)
		return false;
	switch (c->reader.header.type) {
	case FRAME_RESULT:
		c->seen.unsupervised = !life_lasts(c->child.life);
		if (!c->seen.unsupervised) {
			c->seen.answered = answer_read(payload->data, payload->length, c->outcome);
			c->seen.forged = !c->seen.answered;
		}
		return false;
	case FRAME_PROGRESS:
		pass_progress(c, payload->data, payload->length);
		break;
	case FRAME_LOG:
		pass_log(c, payload->data, payload->length);
		break;
	case FRAME_PARTIAL:
		c->seen.forged = !pass_partial(c, payload->data, payload->length);
		if (c->seen.forged)
			return false;
		break;
	case FRAME_MEMORY:
		if (payload->length == sizeof(c->seen.memory))
			memcpy(&c->seen.memory, payload->data, sizeof(c->seen.memory));
		c->seen.memory_refused = true;
		break;
	case FRAME_CRASH:
		if (payload->length == sizeof(c->seen.crash))
			memcpy(&c->seen.crash, payload->data, sizeof(c->seen.crash));
		c->seen.crash_told = true;
		break;
	default:
		c->seen.forged = true;
		return false;
	}
	frame_reader_next(&c->reader);
	return true;
}

/* What has come on the channel, one frame at most, so that a child that never stops talking is
 * still stopped at its deadline; false ends the listening. */
static bool listen_once(struct isolated_call *c)
{
	switch (frame_read(c->child.channel, &c->reader, false)) {
	case FRAME_MORE:
		return true;
	case FRAME_WHOLE:
		return take_frame(c);
	case FRAME_BROKEN:
		c->seen.forged = is_forged(&c->reader, c->token);
		break;
	case FRAME_TOO_LARGE:
		c->seen.forged = is_forged(&c->reader, c->token);
		c->seen.too_large = c->reader.header.length;
		break;
	case FRAME_END:
		break;
	}
	return false;
}

/* Listens to the child until it has answered, has ended, or has to be ended. */
static void listen_to_child(struct isolated_call *c)
{
	struct pollfd fds[2] = {
		{ .fd = c->child.channel, .events = POLLIN },
		{ .fd = c->wake, .events = POLLIN },
	};

	for (;;) {
		int64_t left = c->deadline_ns - clock_now_ns();
		bool held = frame_reader_holds(&c->reader);

		if (left <= 0) {
			c->seen.timed_out = true;
			return;
		}
		if (poll(fds, 2, held ? 0 : (int)(left / 1000000) + 1) < 0 && errno != EINTR)
			return;
		if ((held || fds[0].revents) && !listen_once(c))
			return;
		if (fds[1].revents) {
			c->seen.cancelled = true;
			return;
		}
	}
}

/* The operator may demand that a call has a group of its own. */
static int refuse_without_group(struct isolated_call *c, const struct groups_leaf *leaf)
{
	const char *reason = launcher_group_refusal(&c->launcher->group, leaf);

	if (!reason)
		return STATUS_OK;
	error_set(&c->outcome->error, STATUS_WORKER_FAILED,
		  "no isolated call without a group of processes (cgroup v2), since demand_cgroup "
		  "is on: %s; see toolhost doctor",
		  reason);
	error_detail_text(&c->outcome->error, "step", "group");
	error_detail_text(&c->outcome->error, "reason", reason);
	return STATUS_WORKER_FAILED;
}

/* Finds a child and hands it the call. A spare may have died while it waited, so a second one is
 * tried. */
static int begin_call(struct isolated_call *c)
{
	int r = STATUS_WORKER_FAILED;

	if (refuse_without_group(c, NULL))
		return STATUS_WORKER_FAILED;
	/* Where the launcher was killed, all of its spare children are found so. */
	for (int attempt = 0; attempt < LAUNCHER_SPARES + 2 && r == STATUS_WORKER_FAILED;
	     attempt++) {
		error_clear(&c->outcome->error);
		r = launcher_take(c->launcher, c->deadline_ns, &c->child, &c->outcome->error);
		if (r)
			return r;
		if (refuse_without_group(c, &c->child.leaf)) {
			launcher_give_back(c->launcher, &c->child);
			return STATUS_WORKER_FAILED;
		}
		r = send_call(c);
		if (r) {
			error_set(&c->outcome->error, r,
				  "the worker of pack %s ended before its call began",
				  c->launcher->pack->name);
			signal_child(c, SIGKILL);
			launcher_give_back(c->launcher, &c->child);
		}
	}
	return r;
}

/* Ends what has not ended by itself, and learns how it did. */
static void settle_end(struct isolated_call *c)
{
	struct observations *seen = &c->seen;

	if (seen->timed_out || seen->cancelled) {
		end_child(c);
		return;
	}
	if (seen->forged || seen->too_large) {
		kill_child(c);
		return;
	}
	shutdown(c->child.channel, SHUT_RDWR); /* one that has said all waits for this */
	seen->stayed = !wait_for_end(c, clock_now_ns() + GRACE_NS);
	if (seen->stayed)
		kill_child(c); /* it closed its channel and lives on */
	seen->has_status = launcher_status(c->launcher, &c->child, clock_now_ns() + END_NS,
					   &seen->wait_status);
	seen->unsupervised = !life_lasts(c->child.life);
	if (seen->has_status && WIFSIGNALED(seen->wait_status) &&
	    WTERMSIG(seen->wait_status) == SIGKILL) {
		seen->blocked_call = launcher_blocked(c->launcher, &c->child);
		seen->killed_itself = seen->blocked_call == LAUNCHER_KILLED_ITSELF;
		launcher_memory(c->launcher, &c->child, &seen->group);
	}
}

void isolated_run(struct job *job, struct launcher *launcher, int wake, struct outcome *outcome,
		  struct isolated_rest *ret_rest)
{
	struct isolated_call c = {
		.job = job,
		.launcher = launcher,
		.outcome = outcome,
		.seen = OBSERVATIONS_INIT,
		.wake = wake,
		.deadline_ns = job->deadline_ns,
	};
	int r;

	if (getrandom(c.token, sizeof(c.token), 0) != sizeof(c.token)) {
		error_set(&outcome->error, STATUS_INTERNAL, "no random bytes");
		return;
	}
	frame_reader_init(&c.reader,
			  ((size_t)setting_whole(SETTING_MAX_RESULT_MB) << 20) + FRAME_ROOM);
	r = begin_call(&c);
	if (r == STATUS_TIMEOUT)
		verdict_timeout(job, true, &outcome->error);
	if (r)
		goto out;
	strategy_finish(job->executor);
	listen_to_child(&c);
	if (!c.seen.answered)
		settle_end(&c);
	verdict_settle(job, &c.seen, outcome);
	/* Which call a child's memory is short of, or wild in, only the first one can say; and one
	 * that goes on talking after its answer is not to be believed a second one. */
	if (c.seen.answered && !c.seen.memory_refused && !frame_reader_holds(&c.reader) &&
	    serves_another(&c)) {
		c.child.calls++;
		launcher_keep(launcher, &c.child);
	} else {
		*ret_rest = (struct isolated_rest){ .launcher = launcher, .child = c.child };
	}
out:
	frame_reader_free(&c.reader);
}

void isolated_finish(struct isolated_rest *rest)
{
	if (rest->launcher)
		launcher_give_back(rest->launcher, &rest->child);
	rest->launcher = NULL;
}
