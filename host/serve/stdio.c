/* SPDX-License-Identifier: MIT
 *
 * The loop of the stdio server. Whoever leads the crew runs it: server_next() drives libuv until a
 * line holds a call, and hands that call to the crew.
 */
#include "config.h"

#include "serve/stdio.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/settings.h"
#include "mcp/session.h"
#include "serve/lines.h"
#include "serve/output.h"
#include "serve/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#define BACKLOG_MOST                                                                               \
	((size_t)64 << 20) /* bytes that wait for the reader before we stop listening to it */
#define NOTICES_MOST ((size_t)1 << 20) /* bytes that wait before tools are heard no more */
#define PATIENCE_MS 10000 /* with a reader that takes nothing, once the input has ended */

static int protocol_input = -1;
static int protocol_output = -1;

struct server {
	uv_loop_t loop;
	uv_poll_t input;    /* a pipe, a socket, a terminal */
	uv_idle_t file;	    /* in its place where the input cannot be polled: a file */
	uv_poll_t writable; /* while a backlog waits, and to notice that the reader left */
	uv_async_t wake;
	uv_timer_t timer;
	uv_signal_t terminate, interrupt, hangup;
	struct lines lines;
	struct output output;
	struct mcp_server mcp;
	struct mcp_session session;
	const struct serve_options *options;
	struct executor *executor;

	pthread_t scan;
	struct registry *registry; /* the scan's, until `scanned` */
	struct error scan_error;
	_Atomic bool scanned;

	int direct_input;  /* the input once more, for reads that wait; -1: there is none */
	int64_t timer_due; /* what the timer is set to; 0: it does not run */
	uint64_t taken;	   /* by the reader, when it was last looked at */
	int64_t taken_at;  /* when that last changed; 0: never looked at */
	bool gathering;	   /* answers wait for others */
	bool polled;	   /* input is watched by `input`, not by `file` */
	bool listening;	   /* the watch is on */
	bool busy;	   /* messages come one soon after the other */
	bool watched;	   /* output is watched by `writable` */
	bool half_closed;  /* the peer of a socket writes no more, and still reads */
	bool closed;	   /* the client sends no more; what it has sent may wait */
	bool ended;	   /* no more input */
	bool stopped;	   /* by a signal */
	bool given_up;	   /* the reader takes nothing */
	int status;
};

/* ---- Streams --------------------------------------------------------------------------------- */

int serve_claim_stdio(struct error *error)
{
	int null;

	/* Where 0, 1 or 2 is closed, the next file opened would get its number, and a tool's
	 * output. */
	do
		null = open("/dev/null", O_RDWR);
	while (null >= 0 && null <= 2);
	if (null < 0)
		return error_set(error, STATUS_INTERNAL, "cannot open /dev/null: %s",
				 strerror(errno));
	protocol_input = fcntl(0, F_DUPFD_CLOEXEC, 3);
	protocol_output = fcntl(1, F_DUPFD_CLOEXEC, 3);
	/* A client may never read what tools write there. */
	stream_unblock(2);
	if (protocol_input < 0 || protocol_output < 0 || dup2(null, 0) < 0 || dup2(2, 1) < 0)
		return error_set(error, STATUS_INTERNAL, "cannot move the standard streams: %s",
				 strerror(errno));
	close(null);
	return STATUS_OK;
}

int serve_output(void)
{
	return protocol_output;
}

static void send_message(void *context, const char *data, size_t length)
{
	output_send(context, data, length);
}

static void give_message(void *context, struct buffer *message)
{
	output_give(context, message);
}

static bool is_behind(void *context)
{
	return output_pending(context) > NOTICES_MOST;
}

/* For the answers of calls that have not begun. */
static bool has_room(void *context)
{
	struct server *server = context;

	return output_pending(&server->output) < BACKLOG_MOST;
}

static void wake_loop(void *context)
{
	struct server *server = context;

	uv_async_send(&server->wake);
}

/* ---- Events ---------------------------------------------------------------------------------- */

static void end_input(struct server *server)
{
	server->ended = true;
	lines_finish(&server->lines);
	executor_on_idle(server->executor, wake_loop, server);
	if (server->polled)
		uv_poll_stop(&server->input);
	else
		uv_idle_stop(&server->file);
	server->listening = false;
}

/* A socket has one descriptor for both kinds of reading. */
static ssize_t read_now(const struct server *server, char *space, size_t room)
{
	if (server->direct_input == protocol_input)
		return recv(protocol_input, space, room, MSG_DONTWAIT);
	return stream_get(protocol_input, space, room);
}

static void read_input(struct server *server, bool wait)
{
	size_t room;
	char *space = lines_space(&server->lines, &room);
	ssize_t n;

	if (!space) {
		log_error("out of memory for a message; the connection ends");
		end_input(server);
		return;
	}
	n = wait ? stream_get(server->direct_input, space, room) : read_now(server, space, room);
	if (n > 0)
		lines_added(&server->lines, (size_t)n);
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		end_input(server);
}

static void on_input(uv_poll_t *handle, int status, int events)
{
	struct server *server = handle->data;

	(void)status; /* whatever it is, read() says the same */
	(void)events;
	server->busy = true;
	read_input(server, false);
}

static void on_file(uv_idle_t *handle)
{
	read_input(handle->data, false);
}

/* While nothing is read: what was sent may still wait, and be followed by nothing more. */
static void on_input_closed(uv_poll_t *handle, int status, int events)
{
	struct server *server = handle->data;

	(void)status;
	(void)events;
	server->closed = true;
	uv_poll_stop(handle);
}

/* Whether nothing can happen but that input comes, which is then waited for without the loop. */
static bool may_rest(struct server *server)
{
	return server->busy && server->listening && server->direct_input >= 0 &&
	       !executor_pending(server->executor) && !output_pending(&server->output);
}

/* Waits for input in read(). The loop is turned to after a few moments without any, as it knows of
 * signals, and of a client that is gone. */
static void rest(struct server *server)
{
	struct crew *crew = executor_crew(server->executor);

	crew_rest(crew);
	read_input(server, true);
	server->busy = !crew_wake(crew);
}

static void on_writable(uv_poll_t *handle, int status, int events);

/* Watches the output for room while a backlog waits, else only for the reader's leaving. */
static void watch_output(struct server *server)
{
	int events = (output_pending(&server->output) ? UV_WRITABLE : 0) |
		     (server->half_closed ? 0 : UV_DISCONNECT);

	if (events)
		uv_poll_start(&server->writable, events, on_writable);
	else
		uv_poll_stop(&server->writable);
}

/* Where input and output are one socket, its peer may be done with writing and go on to read. */
static bool reader_has_left(const struct server *server)
{
	struct pollfd peer = { .fd = server->output.fd };

	return poll(&peer, 1, 0) < 0 || peer.revents;
}

static void on_writable(uv_poll_t *handle, int status, int events)
{
	struct server *server = handle->data;

	if (status >= 0 && events & UV_DISCONNECT && !reader_has_left(server)) {
		server->half_closed = true;
	} else if (status < 0 || events & UV_DISCONNECT) {
		output_leave(&server->output);
		uv_poll_stop(handle);
		return;
	}
	output_flush(&server->output);
	watch_output(server);
}

static void on_wake(uv_async_t *handle)
{
	struct server *server = handle->data;

	if (server->watched && !output_gone(&server->output) && output_pending(&server->output))
		watch_output(server);
}

static void on_timer(uv_timer_t *handle)
{
	struct server *server = handle->data;

	server->timer_due = 0; /* server_next() looks at the deadlines before every turn */
}

static void on_signal(uv_signal_t *handle, int number)
{
	struct server *server = handle->data;

	log_info("ending on signal %d", number);
	server->stopped = true;
}

/* ---- The scan -------------------------------------------------------------------------------- */

static void *scan(void *context)
{
	struct server *server = context;

	registry_build(server->options->registry, &server->registry, &server->scan_error);
	atomic_store(&server->scanned, true);
	uv_async_send(&server->wake);
	return NULL;
}

static void say_hello(const struct registry *registry)
{
	size_t refused = 0;

	for (size_t i = 0; i < registry_pack_count(registry); i++) {
		const struct registry_pack *pack = registry_pack(registry, i);

		if (pack->state != PACK_REFUSED)
			continue;
		refused++;
		log_warning("pack %s is refused: %s", pack->name, pack->reason);
	}
	log_info("toolhost %s: %zu packs, %zu tools, %zu packs refused", PACKAGE_VERSION,
		 registry_pack_count(registry), registry_tool_count(registry), refused);
}

/* Takes what the scan has found. A scan that fails (a critical pack is refused) ends the program.
 */
static void take_registry(struct server *server)
{
	if (server->mcp.registry || server->status || !atomic_load(&server->scanned))
		return;
	pthread_join(server->scan, NULL);
	if (server->scan_error.status) {
		log_error("%s", server->scan_error.message);
		server->status = status_exit(server->scan_error.status);
		return;
	}
	say_hello(server->registry);
	executor_set_registry(server->executor, server->registry);
	server->mcp.registry = server->registry;
}

/* ---- The loop -------------------------------------------------------------------------------- */

static bool is_blank(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
			return false;
	return true;
}

/* With more requests in hand, their answers go out together. */
static void gather(struct server *server, bool on)
{
	if (on == server->gathering && !on)
		return;
	server->gathering = on;
	output_gather(&server->output, on);
}

/* Whether so much is under way that the client has to wait: it does not read its answers, or calls
 * wait for their turn. */
static bool has_to_wait(struct server *server)
{
	return !has_room(server) || executor_crowded(server->executor);
}

/* Whether lines are left where they are, and the client is not listened to: also where much waits for
 * the scan. */
static bool is_full(struct server *server)
{
	return has_to_wait(server) || mcp_is_full(&server->session);
}

static void refuse_long_line(struct server *server)
{
	char reason[128];

	snprintf(reason, sizeof(reason),
		 "the message is longer than max_message_mb allows, which is %lld MiB",
		 (long long)setting_whole(SETTING_MAX_MESSAGE_MB));
	mcp_refuse(&server->session, RPC_INVALID_REQUEST, reason);
}

/* The next line's job, or NULL when no whole line is there, or none of those held a call. */
static struct crew_job *take_lines(struct server *server)
{
	struct crew_job *job = NULL;
	const char *text;
	size_t length;

	while (!job) {
		enum line line = is_full(server) ? LINE_NONE
						 : lines_next(&server->lines, &text, &length);

		if (line == LINE_NONE) {
			gather(server, false);
			return NULL;
		}
		gather(server, lines_more(&server->lines));
		if (line == LINE_TOO_LONG)
			refuse_long_line(server);
		else if (!is_blank(text, length))
			job = mcp_receive(&server->session, text, length);
	}
	return job;
}

/* Listens while the client keeps up, and stops listening while it does not. */
static void balance(struct server *server)
{
	bool listen = !server->ended && !is_full(server);

	if (listen == server->listening)
		return;
	server->listening = listen;
	if (server->polled && listen)
		uv_poll_start(&server->input, UV_READABLE | UV_DISCONNECT, on_input);
	else if (server->polled && !server->ended && !server->closed)
		uv_poll_start(&server->input, UV_DISCONNECT, on_input_closed);
	else if (server->polled)
		uv_poll_stop(&server->input);
	else if (listen)
		uv_idle_start(&server->file, on_file);
	else
		uv_idle_stop(&server->file);
}

/* When to give up a reader that takes nothing though the input has ended; 0: never. One that is slow
 * gets all of its answers. */
static int64_t patience_ends(struct server *server)
{
	uint64_t taken = output_taken(&server->output);

	if (!(server->ended || server->closed) || !output_pending(&server->output)) {
		server->taken_at = 0;
		return 0;
	}
	if (!server->taken_at || taken != server->taken)
		server->taken_at = clock_now_ns();
	server->taken = taken;
	return server->taken_at + PATIENCE_MS * INT64_C(1000000);
}

static void arm_timer(struct server *server)
{
	int64_t now = clock_now_ns();
	int64_t when = executor_tick(server->executor, now);
	int64_t patience = patience_ends(server);

	if (patience && (!when || patience < when))
		when = patience;
	if (when == server->timer_due)
		return;
	server->timer_due = when;
	if (!when) {
		uv_timer_stop(&server->timer);
		return;
	}
	uv_update_time(&server->loop);
	uv_timer_start(&server->timer, on_timer,
		       when > now ? (uint64_t)((when - now) / 1000000) + 1 : 0, 0);
}

static bool at_end(struct server *server)
{
	int64_t patience;

	if (server->status || server->stopped || output_gone(&server->output))
		return true;
	if (server->ended && !lines_left(&server->lines) && !mcp_holds(&server->session) &&
	    !executor_pending(server->executor))
		return true;
	patience = patience_ends(server);
	server->given_up = patience && patience <= clock_now_ns();
	return server->given_up;
}

static struct crew_job *server_next(void *context)
{
	struct server *server = context;
	struct crew_job *job;

	for (;;) {
		take_registry(server);
		if (server->mcp.registry && mcp_holds(&server->session) && !has_to_wait(server) &&
		    (job = mcp_resume(&server->session)))
			return job;
		if (!server->stopped && (job = take_lines(server)))
			return job;
		if (at_end(server))
			return NULL;
		executor_resume(server->executor);
		balance(server);
		if (server->mcp.registry && may_rest(server)) {
			rest(server);
			continue;
		}
		arm_timer(server);
		uv_run(&server->loop, UV_RUN_ONCE);
	}
}

/* ---- Start and end --------------------------------------------------------------------------- */

static void start_streams(struct server *server)
{
	uv_loop_t *loop = &server->loop;
	struct sigaction before;

	uv_async_init(loop, &server->wake, on_wake);
	uv_timer_init(loop, &server->timer);
	server->wake.data = server->timer.data = server;
	output_init(&server->output, protocol_output, wake_loop, server);
	/* epoll takes no files; those are always ready, for reading and for writing. */
	protocol_input = stream_own(protocol_input, O_RDONLY);
	server->polled = uv_poll_init(loop, &server->input, protocol_input) == 0;
	if (!server->polled)
		uv_idle_init(loop, &server->file);
	server->direct_input = server->polled ? stream_waiting(protocol_input) : -1;
	server->input.data = server->file.data = server;
	server->watched = uv_poll_init(loop, &server->writable, server->output.fd) == 0;
	if (server->watched) {
		server->writable.data = server;
		watch_output(server);
		uv_unref((uv_handle_t *)&server->writable);
	}
	uv_signal_init(loop, &server->terminate);
	uv_signal_init(loop, &server->interrupt);
	uv_signal_init(loop, &server->hangup);
	server->terminate.data = server->interrupt.data = server->hangup.data = server;
	uv_signal_start(&server->terminate, on_signal, SIGTERM);
	uv_signal_start(&server->interrupt, on_signal, SIGINT);
	/* nohup(1) and the like have it ignored, and mean it. */
	if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN)
		uv_signal_start(&server->hangup, on_signal, SIGHUP);
	balance(server);
}

static void drain(struct server *server)
{
	int64_t left = patience_ends(server) - clock_now_ns();

	if (server->stopped || server->given_up || left < 0)
		left = 0;
	output_drain(&server->output, (int)(left / 1000000), PATIENCE_MS);
	server->given_up = output_pending(&server->output) > 0;
}

/* The end that needs no thread's consent: the founder of the crew is held by a tool, or the scan is
 * still going on. */
static void end_now(void *context)
{
	struct server *server = context;

	drain(server);
	executor_flush(server->executor);
	fflush(stderr);
	_exit(server->status);
}

static void close_handle(uv_handle_t *handle, void *context)
{
	(void)context;
	if (!uv_is_closing(handle))
		uv_close(handle, NULL);
}

static void free_server(struct server *server)
{
	executor_free(server->executor);
	uv_walk(&server->loop, close_handle, NULL);
	uv_run(&server->loop, UV_RUN_DEFAULT);
	uv_loop_close(&server->loop);
	mcp_session_free(&server->session);
	lines_free(&server->lines);
	output_free(&server->output);
	registry_free(server->registry);
	error_clear(&server->scan_error);
}

int serve_stdio(const struct serve_options *options)
{
	static struct server server; /* a held thread may look at it to the very end */
	const struct crew_driver driver = { .next = server_next, .context = &server };
	struct error error = ERROR_INIT;

	server.options = options;
	server.mcp.trust = TRUST_TRUSTED;
	server.mcp.at_least = options->at_least;
	server.mcp.timeout = options->timeout;
	if (uv_loop_init(&server.loop) ||
	    executor_new(NULL, options->paths, &server.executor, &error)) {
		log_error("cannot start: %s",
			  error.status ? error.message : "no descriptor is left");
		return EXIT_MISUSED;
	}
	server.mcp.executor = server.executor;
	executor_on_room(server.executor, wake_loop, has_room, &server);
	lines_init(&server.lines, (size_t)setting_whole(SETTING_MAX_MESSAGE_MB) << 20);
	start_streams(&server);
	mcp_session_init(&server.session, &server.mcp, send_message, &server.output);
	server.session.give = give_message;
	server.session.is_behind = is_behind;
	if (pthread_create(&server.scan, NULL, scan, &server)) {
		log_error("cannot start a thread for the scan");
		return EXIT_MISUSED;
	}
	crew_lead(executor_crew(server.executor), &driver, end_now);
	mcp_session_end(&server.session);
	drain(&server);
	if (executor_busy(server.executor) || !server.mcp.registry)
		end_now(&server);
	free_server(&server);
	return server.status;
}
