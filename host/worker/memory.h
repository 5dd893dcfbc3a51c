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

/* Takes up the small pieces of the heap that are free between what is in use, so that what is
 * allocated after it lies side by side: a child copies each page of its launcher's that it writes
 * to. */
void memory_fill(void);

/* Bytes of data that this process has, as RLIMIT_DATA counts them; 0 where /proc does not say. */
uint64_t memory_data(void);

#endif
