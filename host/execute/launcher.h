/* SPDX-License-Identifier: MIT
 *
 * A launcher, seen from the host: a process that has loaded one pack behind walls and forks a child
 * for every call.
 */
#ifndef TOOLHOST_LAUNCHER_H
#define TOOLHOST_LAUNCHER_H

#include "execute/launcher-group.h"
#include "execute/life.h"
#include "execute/warden.h"
#include "registry/registry.h"

#include <pthread.h>

#define LAUNCHER_SPARES 64  /* children that a launcher can have ready at most */
#define LAUNCHER_EXITS 256  /* ends of children that are remembered */
#define LAUNCHER_LEAVING 16 /* children that have been let go, and may have to be ended */

/* A child that waits for a call, or runs one. The descriptors and `life` are the holder's. */
struct launched {
	int channel;
	int pidfd;
	uint32_t id;
	int32_t process;     /* its number in the launcher's namespace */
	uint32_t generation; /* of the launcher that forked it */
	uint32_t calls;	     /* that it has served */
	struct groups_leaf leaf;
	struct life *life; /* of its supervisor */
};

/* How a child has ended. */
struct launcher_exit {
	uint32_t id, generation;
	int32_t status;
	struct groups_memory memory;
};

struct launcher {
	pthread_mutex_t lock;
	struct warden *warden;
	const struct registry_pack *pack;
	enum isolation level;
	int control;	     /* the host's end of its channel; -1: it does not run */
	struct life *life;   /* of its supervisor; NULL: nothing is known of that */
	pid_t supervisor;    /* its process */
	pid_t process;	     /* the launcher's own; 0: not known yet */
	uint32_t generation; /* counts the launchers that ran in this place */
	unsigned barren;     /* launchers that have ended since one last offered a child */
	unsigned target;     /* children that it was asked to keep alive */
	unsigned ahead;	     /* how many of those are ahead of the calls; 0: fork on demand */
	unsigned in_use;
	unsigned hungry; /* calls that wait for a child */
	bool starved;	 /* a message has lost its descriptors, as this process may have no more */
	unsigned asked;	 /* children that have been asked for one by one, and have not come */
	int64_t used_ns; /* when a call last took a child */
	int64_t failed_ns; /* when it last could not be started; 0: never */
	struct error failure;
	struct launcher_group group;
	struct launched spares[LAUNCHER_SPARES];
	unsigned spare_count;
	struct launcher_exit exits[LAUNCHER_EXITS];
	unsigned next_exit;
	struct {
		int32_t process;
		uint32_t generation;
		int32_t number;
	} blocked[LAUNCHER_EXITS];
	unsigned next_blocked;
	struct {
		int pidfd; /* where `since_ns` is not 0 */
		int64_t since_ns;
	} leaving[LAUNCHER_LEAVING];
	unsigned next_leaving;
};

/* A launcher of the pack, which is started for the first call. `spares`: children to keep ahead of
 * the calls; 0: none. What is given here is borrowed, and outlives it. */
void launcher_init(struct launcher *launcher, struct warden *warden, struct groups *groups,
		   const struct registry_pack *pack, enum isolation level, unsigned spares);
void launcher_free(struct launcher *launcher); /* ends it; no call uses it any more */

/* A child for one call, started if there is none ready. STATUS_WORKER_FAILED, STATUS_TIMEOUT. */
int launcher_take(struct launcher *launcher, int64_t deadline_ns, struct launched *ret_child,
		  struct error *error);

/* The wait status of a child that has ended, waiting for the news until the deadline; false where
 * it cannot be had. */
bool launcher_status(struct launcher *launcher, const struct launched *child, int64_t deadline_ns,
		     int *ret_status);

/* What the memory of its group tells of its end, once its status is known. */
void launcher_memory(struct launcher *launcher, const struct launched *child,
		     struct groups_memory *ret_memory);

#define LAUNCHER_KILLED_ITSELF (-2)

/* The forbidden system call that a child was killed for; LAUNCHER_KILLED_ITSELF; -1: none of these.
 * Once its status is known. */
int launcher_blocked(struct launcher *launcher, const struct launched *child);

/* The call has left the child, which serves another one: it is the first to be taken again. */
void launcher_keep(struct launcher *launcher, struct launched *child);

/* The call has left the child: closes its descriptors. */
void launcher_give_back(struct launcher *launcher, struct launched *child);

/* Ends a launcher that no call has used for `idle_ns`. */
void launcher_retire(struct launcher *launcher, int64_t now_ns, int64_t idle_ns);

#endif
