/* SPDX-License-Identifier: MIT
 *
 * The mode of the worker that outlives the host, to remove the groups of processes that it has made
 * (execute/groups.h), in whatever way it ends.
 *
 *	tidy HOME NAME [CONTROLLERS] 3<CHANNEL
 *
 * Waits for the end of the channel, then removes the group NAME in the group HOME, and with
 * CONTROLLERS ("-memory -pids") turns these off in HOME, where the host had turned them on.
 */
#ifndef TOOLHOST_WORKER_TIDY_H
#define TOOLHOST_WORKER_TIDY_H

int tidy_main(int count, char **arguments);

#endif
