/* SPDX-License-Identifier: MIT
 *
 * Which walls this system lets a worker put up, found out by a worker that tries each.
 */
#ifndef TOOLHOST_PROBE_H
#define TOOLHOST_PROBE_H

#include "base/error.h"
#include "base/isolation.h"

#define PROBE_WALLS 10

struct probe_wall {
	const char *key;     /* for a program */
	const char *name;    /* "system calls" */
	const char *purpose; /* what comes of it */
	const char *without; /* what comes of its lack; NULL: the level that needs it is refused */
	const char *cure;    /* where it is missing */
	/* The least level that is refused without it; ISOLATION_IN_PROCESS: calls run without. */
	enum isolation needed_by;
	bool stands;
	char detail[256]; /* why it does not, or which one it is */
};

struct probe {
	struct probe_wall walls[PROBE_WALLS];
};

/* Asks a worker; blocks for some milliseconds. STATUS_WORKER_FAILED where none can be started, or
 * it does not answer. */
int probe_machine(const char *worker, struct probe *ret_probe, struct error *error);

/* Whether calls of a level run, and whether all walls of it stand. */
bool probe_runs(const struct probe *probe, enum isolation level);
bool probe_is_complete(const struct probe *probe, enum isolation level);

#endif
