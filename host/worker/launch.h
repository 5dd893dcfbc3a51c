/* SPDX-License-Identifier: MIT
 *
 * The mode of the worker that runs calls: a supervisor, a launcher, and a child for every call.
 *
 *	supervisor	watches the system calls of the others, kills who makes a forbidden one, and
 *tells the host launcher	stands behind the walls, has loaded the pack, forks children	put
 *a few more limits up, serve one call, end
 */
#ifndef TOOLHOST_WORKER_LAUNCH_H
#define TOOLHOST_WORKER_LAUNCH_H

int launch_main(int count, char **arguments);

#endif
