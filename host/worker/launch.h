/* SPDX-License-Identifier: MIT
 *
 * The mode of the worker that runs calls: a supervisor, a launcher, and a child for every call.
 *
 * - The supervisor watches the system calls of the others, kills whoever makes a forbidden one, and
 *   tells the host.
 * - The launcher stands behind the walls, has loaded the pack, and forks.
 * - A child puts a few more limits up, serves one call, and ends.
 */
#ifndef TOOLHOST_WORKER_LAUNCH_H
#define TOOLHOST_WORKER_LAUNCH_H

int launch_main(int count, char **arguments);

#endif
