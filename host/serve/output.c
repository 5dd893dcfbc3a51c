/* SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "serve/output.h"

#include "base/clock.h"
#include "serve/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define GATHER_MOST ((size_t)64 * 1024) /* bytes of answers that wait for others */
#define MS INT64_C(1000000)
#define PIPE_USUAL ((size_t)64 * 1024)
#define PIPE_WIDE (1024 * 1024) /* what anybody may have */

void output_init(struct output *output, int fd, void (*wake)(void *context), void *wake_context)
{
	struct stat what = { 0 };

	memset(output, 0, sizeof(*output));
	pthread_mutex_init(&output->lock, NULL);
	buffer_init(&output->backlog, SIZE_MAX);
	fstat(fd, &what);
	output->socket = S_ISSOCK(what.st_mode);
	output->fd = stream_own(fd, O_WRONLY);
	output->wake = wake;
	output->wake_context = wake_context;
}

void output_free(struct output *output)
{
	if (output->fd >= 0)
		close(output->fd);
	buffer_free(&output->backlog);
	pthread_mutex_destroy(&output->lock);
}

/* A pipe that is too narrow for what waits is widened, once, where the system lets us: with each
 * pipeful, reader and writer have to wake each other. */
static bool widen_locked(struct output *output, size_t waiting)
{
	if (output->widened || waiting < PIPE_USUAL)
		return false;
	output->widened = true;
	return fcntl(output->fd, F_SETPIPE_SZ, PIPE_WIDE) > 0;
}

/* Writes what the reader takes now; answers how much that was. */
static size_t write_some_locked(struct output *output, const char *data, size_t length)
{
	size_t done = 0;

	while (done < length && !output->gone) {
		ssize_t n = output->socket ? send(output->fd, data + done, length - done,
						  MSG_DONTWAIT | MSG_NOSIGNAL)
					   : stream_put(output->fd, data + done, length - done);

		if (n > 0)
			done += (size_t)n;
		else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
			if (!widen_locked(output, length - done))
				break;
		} else if (n < 0 && errno != EINTR)
			output->gone = true;
	}
	output->taken += done;
	return done;
}

/* At the end of whatever changes what waits. */
static void tell_pending_locked(struct output *output)
{
	atomic_store(&output->pending, output->gone ? 0 : output->backlog.length - output->written);
}

/* A reader that never quite catches up must not make the backlog grow for ever. */
static void drop_written_locked(struct output *output)
{
	struct buffer *backlog = &output->backlog;

	if (output->written < GATHER_MOST || output->written < backlog->length / 2)
		return;
	backlog->length -= output->written;
	memmove(backlog->data, backlog->data + output->written, backlog->length);
	output->written = 0;
}

/* Puts a message into the backlog, but for the first `done` bytes. `given`, where there is one,
 * holds it and may be emptied. */
static void keep_locked(struct output *output, const char *data, size_t length, size_t done,
			struct buffer *given)
{
	if (given && !output->backlog.length) {
		struct buffer empty = output->backlog;

		output->backlog = *given;
		output->written = done;
		*given = empty;
	} else {
		drop_written_locked(output);
		buffer_append(&output->backlog, data + done, length - done);
	}
	if (output->backlog.fault)
		output->gone = true; /* half a message would spoil all that follow */
}

static void send_message(struct output *output, const char *data, size_t length,
			 struct buffer *given)
{
	bool wake = false;
	size_t done = 0;

	pthread_mutex_lock(&output->lock);
	if (!output->gone) {
		if (!output->backlog.length && !output->gathering)
			done = write_some_locked(output, data, length);
		if (done < length) {
			wake = !output->backlog.length && !output->gathering;
			if (!output->gone)
				keep_locked(output, data, length, done, given);
			tell_pending_locked(output);
		}
	}
	pthread_mutex_unlock(&output->lock);
	if (wake)
		output->wake(output->wake_context);
}

void output_send(struct output *output, const char *data, size_t length)
{
	send_message(output, data, length, NULL);
}

void output_give(struct output *output, struct buffer *message)
{
	send_message(output, message->data, message->length, message);
	buffer_free(message);
}

uint64_t output_taken(struct output *output)
{
	uint64_t taken;

	pthread_mutex_lock(&output->lock);
	taken = output->taken;
	pthread_mutex_unlock(&output->lock);
	return taken;
}

static void flush_locked(struct output *output)
{
	output->written += write_some_locked(output, output->backlog.data + output->written,
					     output->backlog.length - output->written);
	if (output->gone || output->written == output->backlog.length) {
		buffer_reset(&output->backlog);
		output->written = 0;
	}
	tell_pending_locked(output);
}

void output_flush(struct output *output)
{
	pthread_mutex_lock(&output->lock);
	flush_locked(output);
	pthread_mutex_unlock(&output->lock);
}

void output_gather(struct output *output, bool gather)
{
	bool wake;

	pthread_mutex_lock(&output->lock);
	output->gathering = gather;
	if (!gather || output->backlog.length > GATHER_MOST)
		flush_locked(output);
	wake = !gather && output->backlog.length;
	pthread_mutex_unlock(&output->lock);
	if (wake)
		output->wake(output->wake_context);
}

void output_leave(struct output *output)
{
	pthread_mutex_lock(&output->lock);
	output->gone = true;
	tell_pending_locked(output);
	pthread_mutex_unlock(&output->lock);
}

void output_drain(struct output *output, int first, int then)
{
	int64_t until = clock_now_ns() + first * MS;
	uint64_t taken = output_taken(output), before;

	while (output_pending(output)) {
		struct pollfd ready = { .fd = output->fd, .events = POLLOUT };
		int64_t left = until - clock_now_ns();

		if (left < 0 || poll(&ready, 1, (int)(left / MS)) == 0)
			break;
		output_flush(output);
		before = taken;
		taken = output_taken(output);
		if (taken != before)
			until = clock_now_ns() + then * MS;
	}
}
