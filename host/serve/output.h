/* SPDX-License-Identifier: MIT
 *
 * The protocol's output: whole messages from any thread, in the order in which they were sent,
 * never blocking.
 *
 * A message is written at once where the reader takes it; what it does not take waits in a backlog,
 * which the loop writes when the descriptor is ready again.
 */
#ifndef TOOLHOST_OUTPUT_H
#define TOOLHOST_OUTPUT_H

#include "base/buffer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct output {
	pthread_mutex_t lock;
	struct buffer backlog;
	size_t written; /* of the backlog */
	uint64_t taken; /* bytes that the reader has taken, ever */
	int fd;
	bool socket;
	bool widened;		/* the pipe, or there was no way to */
	bool gathering;		/* messages wait in the backlog for others */
	_Atomic bool gone;	/* the reader has left: nothing is sent any more */
	_Atomic size_t pending; /* bytes of the backlog that are not written, unless it has left */
	void (*wake)(void *context); /* the loop has to look at output_pending() or output_gone();
					any thread */
	void *wake_context;
};

/* Takes `fd` over and makes writing to it never block, without changing it for others who share it
 * where that is possible. */
void output_init(struct output *output, int fd, void (*wake)(void *context), void *wake_context);
void output_free(struct output *output);

void output_send(struct output *output, const char *data, size_t length);

/* The same for a long message, whose memory is taken over; leaves the buffer empty. */
void output_give(struct output *output, struct buffer *message);

/* While `gather` is on, messages wait in the backlog, so that many answers go out with one write.
 * Whoever turns it on turns it off again before it waits for anything; that writes them. */
void output_gather(struct output *output, bool gather);

/* For the loop: bytes that wait; writing them; whether the reader has left. */
static inline size_t output_pending(const struct output *output)
{
	return atomic_load(&output->pending);
}

static inline bool output_gone(const struct output *output)
{
	return atomic_load(&output->gone);
}

uint64_t output_taken(struct output *output); /* bytes that the reader has taken, ever */
void output_flush(struct output *output);
void output_leave(struct output *output); /* the reader was seen to leave */

/* Waits until the backlog is written, the reader has left, or it has taken nothing for so many
 * milliseconds, at first and then at a time; for the very end. */
void output_drain(struct output *output, int first, int then);

#endif
