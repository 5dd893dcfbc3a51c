/* SPDX-License-Identifier: MIT
 *
 * One call of one tool: what th_call is to the host. It carries the services, collects the result,
 * and is the same in the host and in a worker.
 */
#ifndef TOOLHOST_CALL_H
#define TOOLHOST_CALL_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "pack/keys.h"

#include <toolhost/plugin.h>

#include <pthread.h>
#include <stdatomic.h>

/* Lists and objects of a result that may lie in one another. */
#define CALL_DEPTH_MOST 64

/* Blocks that a call may give ahead of its end; their JSON text together is bounded as a result is. */
#define CALL_PARTIALS_MOST 10000u

struct call;

/* What a call says while it runs; each may be NULL. Called on the tool's threads, one at a time. */
struct call_listener {
	void (*progress)(struct call *call, double done, double total, const char *message);
	void (*log)(struct call *call, int level, const char *text, size_t length);
	/* A block that was checked, and its JSON text, both borrowed; with NULL, once: the tool gave
	 * more than is kept. */
	void (*partial)(struct call *call, const th_content *content, const char *text,
			size_t length);
};

struct call {
	th_call public; /* first: the tool's th_call is this struct */

	/* set before the run; call_reset() keeps them */
	const struct call_listener *listener;
	void *owner;	       /* of the listener */
	const char *tool_name; /* borrowed */
	const char *pack_name; /* borrowed */
	const json *arguments; /* borrowed; what the caller sent, after repair */
	int64_t deadline_ns;   /* CLOCK_MONOTONIC; 0: none */
	uint64_t seed;	       /* of the generator */
	size_t max_result;     /* bytes of result and content; 0: no bound */
	size_t max_memory;     /* bytes of the arena; 0: no bound */
	void *registry; /* for tools of the host itself, which lie in a room above; else NULL */
	bool is_prompt; /* content blocks are messages: {"role", "content": the block} */

	/* shared with other threads */
	_Atomic int cancelled;
	pthread_mutex_t lock; /* of all below that a tool's threads may reach: not the result */

	/* the tool's own; results and the like are JSON text, several with commas between them */
	struct arena arena;
	struct buffer result;	/* the result object, or the whole result; "" with content only */
	struct buffer content;	/* content blocks */
	struct buffer warnings; /* {category, message} objects */
	struct error failure;
	uint64_t random[4];
	uint64_t refused; /* bytes that the arena did not have */
	double progress;
	uint32_t warning_count;
	bool seeded;		/* the generator was used */
	bool partial_over;	/* a block was left out, and so are those behind it */
	uint32_t partial_count; /* of blocks that were given ahead of the end */
	size_t partial_bytes;	/* of their JSON text */
	struct buffer partial;	/* the last of them */

	/* the writer's (result.c); what is open is known for each depth, [0] being the result */
	bool empty;	       /* nothing was written yet at this depth */
	_Atomic int32_t fault; /* the first TH_ code that a result function answered */
	const char *misuse;    /* what the tool did wrong, for the author; NULL: nothing */
	char misuse_key[48];   /* at which key; "" where there is none */
	struct keys keys;      /* of the objects that are open */
	uint32_t depth;	       /* of open lists and objects, the result object not counted */
	uint8_t open[CALL_DEPTH_MOST + 1];
	size_t start[CALL_DEPTH_MOST + 1]; /* where it begins in the text */
};

/* Prepares the struct for a run; call_free() undoes it, call_reset() readies it for the next. */
void call_init(struct call *call);
void call_reset(struct call *call);
void call_free(struct call *call);

/* Calls run(call, input) and settles the outcome: the result text is closed, or `failure` is set.
 * Answers its status:
 *
 * - STATUS_TOOL_ERROR: the tool said that it failed; the details are its own
 * - STATUS_INPUT_INVALID: it refused an argument (toolhost/arguments.h); details as of the gate
 * - STATUS_CANCELLED: it gave up because the caller did
 * - STATUS_TIMEOUT: it gave up because the deadline passed; tool_name, phase
 * - STATUS_RESULT_TOO_LARGE: limit, observed (bytes, as far as known)
 * - STATUS_RESULT_INVALID: it misused the result functions; the message is for its author
 * - STATUS_MEMORY_EXCEEDED: memory was refused; tool_name, memory_mb, observed (bytes) */
int call_run(struct call *call, th_run run, const void *input);

void call_cancel(struct call *call); /* any thread */

#endif
