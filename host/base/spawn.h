/* SPDX-License-Identifier: MIT
 *
 * Child processes. spawn.c is the one file of the host that starts any.
 *
 * A child has a session of its own, a small environment, the root folder as its working directory,
 * and four descriptors: 0 is the null device, 1 and 2 are a pipe whose lines go to the log in the
 * child's name, 3 is its channel: one end of a socket pair, whose other end is a stream of the
 * caller's loop.
 */
#ifndef TOOLHOST_SPAWN_H
#define TOOLHOST_SPAWN_H

#include "base/error.h"

#include <uv.h>

#define SPAWN_CHANNEL 3 /* the descriptor of the channel in the child */
#define SPAWN_LINE_MOST 1024

struct spawn;

struct spawn_options {
	const char *program;		/* absolute */
	const char *const *arguments;	/* what follows the program's name, NULL-ended */
	const char *const *environment; /* "NAME=value" beyond the usual, NULL-ended; NULL: none */
	const char *name;		/* whom the log names for its output; outlives the child */
	int inherited_channel;		/* the child's end of a channel that the caller made, and
					   closes after the start; 0: the child gets `channel` */
	/* On the loop's thread, once: the child has ended, by a signal or, where that is 0, with a
	 * status. Bytes that it sent may still wait in the channel. */
	void (*on_exit)(struct spawn *child, int64_t status, int signal);
};

/* A child, in memory of the caller, where it must not move. */
struct spawn {
	uv_process_t process;
	uv_pipe_t channel; /* the caller reads and writes it; its `data` is the child, its closing
			      is that of spawn_close() */
	uv_pipe_t output;  /* what the child writes to 1 and 2 */
	const char *name;
	void (*on_exit)(struct spawn *child, int64_t status, int signal);
	void (*on_closed)(struct spawn *child);
	void *user; /* the caller's */
	uint32_t open_handles;
	uint32_t line_length;
	bool has_process;
	bool running;
	char bytes[4096];		 /* what was read of its output */
	char line[SPAWN_LINE_MOST];	 /* of its output, as far as it has come */
	char last_line[SPAWN_LINE_MOST]; /* its last line that is not blank, or "" */
};

/* Starts a child. STATUS_WORKER_FAILED with the program's path and the system's reason where it
 * cannot be started: a program that is missing or is none is told here, and never mistaken for a
 * child that ended. After a failure too, `child` belongs to the loop until spawn_close() has let it
 * go. */
int spawn_start(uv_loop_t *loop, const struct spawn_options *options, struct spawn *child,
		struct error *error);

/* Sends a signal to the child and to the other processes of its group. */
void spawn_kill(struct spawn *child, int signal);

/* Kills the child where it still runs, waits for its end, closes its handles, and calls `on_closed`
 * once the loop has let go of them. No other callback comes after this call. */
void spawn_close(struct spawn *child, void (*on_closed)(struct spawn *child));

/* The same without killing it: it runs on, and is reaped by whoever inherits it. For the end of the
 * program. */
void spawn_let_go(struct spawn *child, void (*on_closed)(struct spawn *child));

/* Where this process inherits orphans, as the first one of a container does, those that a child has left
 * in its group are waited for here. Answers whether one of them lives; without any, at once false. */
bool spawn_reap(const struct spawn *child);

/* Becomes another program, found as a shell finds it, with the environment of a worker
 * (`environment`: "NAME=value" beyond the usual, NULL-ended) added to this one's, the standard
 * streams, and `channel` as descriptor 3. Answers only where there is none: STATUS_USAGE. */
int spawn_become(const char *const *arguments, const char *const *environment, int channel,
		 struct error *error);

#endif
