/* SPDX-License-Identifier: MIT
 *
 * Where a process stands in the tree of processes. A pidfd that came from a worker may be of any
 * process: each end of a socket can have one of the other, and with it the worker has ours.
 */
#ifndef TOOLHOST_KIN_H
#define TOOLHOST_KIN_H

#include <sys/types.h>

/* The parent of the process behind a pidfd, as it is numbered here. 0: that has ended, so that no
 * signal reaches it. -1: it is no pidfd, or nothing is known. */
pid_t kin_parent_behind(int pidfd);

/* The parent of a process. 0: there is no such process. */
pid_t kin_parent(pid_t process);

#endif
