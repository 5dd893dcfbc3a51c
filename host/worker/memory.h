/* SPDX-License-Identifier: MIT
 *
 * Seeing allocations refused: the worker defines the malloc family itself, so that packs' and
 * libraries' calls come here.
 */
#ifndef TOOLHOST_WORKER_MEMORY_H
#define TOOLHOST_WORKER_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* From now on the first refusal is told, once. `tell` runs where memory is short: it may allocate
 * nothing. */
void memory_watch(void (*tell)(size_t wanted));

/* Bytes of data that this process has, as RLIMIT_DATA counts them; 0 where /proc does not say. */
uint64_t memory_data(void);

#endif
