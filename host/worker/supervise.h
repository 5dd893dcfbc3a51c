/* SPDX-License-Identifier: MIT
 *
 * The supervisor's half of a launch.
 */
#ifndef TOOLHOST_WORKER_SUPERVISE_H
#define TOOLHOST_WORKER_SUPERVISE_H

#include <sys/types.h>

/* Answers the launcher's and its children's forbidden system calls, which `blocked` listens for,
 * until the launcher has ended; then ends too. `launcher` is its process id here, `processes` what
 * confine_processes_view() has answered. */
_Noreturn void supervise(pid_t launcher, int blocked, int processes);

#endif
