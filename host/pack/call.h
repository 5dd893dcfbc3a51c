/* SPDX-License-Identifier: MIT
 *
 * One call of one tool: what th_call is to the host. It carries the services, collects the result, and is
 * the same in the host and in a worker.
 */
#ifndef TOOLHOST_CALL_H
#define TOOLHOST_CALL_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"

#include <toolhost/plugin.h>

#include <stdatomic.h>

struct call;

/* What a call says while it runs; each may be NULL. Called on the tool's thread. */
struct call_listener {
	void (*progress)(struct call *call, double done, double total, const char *message);
	void (*log)(struct call *call, int level, const char *text, size_t length);
};

struct call {
	th_call public; /* first: the tool's th_call is this struct */

	/* set before the run */
	const struct call_listener *listener;
	void *owner; /* of the listener */
	const char *tool_name; /* borrowed */
	const char *pack_name; /* borrowed */
	const json *arguments; /* borrowed; what the caller sent, after repair */
	int64_t deadline_ns;   /* CLOCK_MONOTONIC; 0: none */
	uint64_t seed;	       /* of the generator */
	size_t max_result;     /* bytes */

	/* shared with other threads */
	_Atomic int cancelled;

	/* the tool's own */
	struct arena arena;
	struct buffer result;	/* JSON text: the result object, or the whole result */
	struct buffer content;	/* JSON text: the blocks, with commas between them */
	struct buffer warnings; /* JSON text: {category, message} objects, with commas between them */
	struct error failure;
	uint64_t random[4];
	double progress;
	uint32_t depth;	       /* of open lists and objects, the result object not counted */
	uint32_t warning_count;
	int32_t fault;	       /* the first TH_ code that a result function answered */
	uint8_t open[64];      /* what is open at each depth: '{' or '[' */
	bool empty;	       /* nothing was written yet at this depth */
	bool whole;	       /* the result was given as one value, not as keys */
	bool seeded;	       /* the generator was used */
	const char *misuse;    /* what the tool did wrong, for the author; NULL: nothing */
};

/* Prepares the struct for a run; call_free() undoes it, call_reset() readies it for the next. */
void call_init(struct call *call);
void call_reset(struct call *call);
void call_free(struct call *call);

/* Calls run(call, input) and settles the outcome: the result text is closed, or `failure` is set: STATUS_TOOL_ERROR, STATUS_CANCELLED,
 * STATUS_RESULT_TOO_LARGE, STATUS_RESULT_INVALID, STATUS_INTERNAL. Answers its status. */
int call_run(struct call *call, th_run run, const void *input);

void call_cancel(struct call *call); /* any thread */

int64_t call_now_ns(void); /* CLOCK_MONOTONIC */

#endif
