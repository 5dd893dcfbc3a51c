/* SPDX-License-Identifier: MIT
 *
 * The walls of a level, in the order in which supervisor, launcher and children put them up.
 */
#ifndef TOOLHOST_WORKER_WALLS_H
#define TOOLHOST_WORKER_WALLS_H

#include "base/error.h"
#include "base/isolation.h"
#include "pack/pack.h"

#define WALLS_PATHS 32 /* granted paths of each kind */

struct walls {
	bool own_user; /* it runs as a user, or in a user namespace, of its own */
	enum isolation level;
	bool alone;	 /* this process runs the call itself, and nobody stands by */
	bool network;	 /* granted */
	bool subprocess; /* granted */
	bool grouped;	 /* its calls have groups of their own */
	int processes;	 /* confine_processes_view() for the supervisor; nobody else keeps it */
	const char *readable[WALLS_PATHS + 1]; /* granted, NULL-ended */
	const char *writable[WALLS_PATHS + 1];
};

/* Adds a grant: "network", "subprocess", "read=PATH", "write=PATH". 0, or -1 for anything else. */
int walls_grant(struct walls *walls, const char *text);

/* What holds for supervisor and launcher alike: descriptors, rights, namespaces, a user. Before the
 * launcher is forked. */
int walls_prepare(struct walls *walls, struct error *error);

/* What the launcher adds before anything of the pack is loaded: limits, files, system calls. The
 * listener of forbidden calls is the caller's; where it is alone there is none, and such a call
 * raises SIGSYS. */
int walls_raise(const struct walls *walls, const char *path, int *ret_listener,
		struct error *error);

/* Hands the listener over to the supervisor, and takes it there. 0, or -1 where the other side is
 * gone. */
int walls_hand_over(int to, int listener);
int walls_receive(int from, int *ret_listener);

/* Loads the pack, and closes what was open only for that. NULL: error says why. */
struct pack *walls_load(const struct walls *walls, const char *path, struct error *error);

#endif
