/* SPDX-License-Identifier: MIT
 *
 * toolhost-worker probe: which walls this system lets a worker put up.
 */
#ifndef TOOLHOST_WORKER_PROBE_H
#define TOOLHOST_WORKER_PROBE_H

int probe_main(int count, char **arguments);

#endif
