/* SPDX-License-Identifier: MIT
 *
 * One call in this very process, for a debugger: no launcher, no supervisor, no clock.
 */
#ifndef TOOLHOST_WORKER_RUN_H
#define TOOLHOST_WORKER_RUN_H

/* run LEVEL FILE [GRANT ...]: descriptor 3 is a file that holds the call, so that a debugger can
 * start it again. */
int run_main(int count, char **arguments);

#endif
