/* SPDX-License-Identifier: MIT
 *
 * Writing to a descriptor until all is written.
 */
#ifndef TOOLHOST_WRITE_H
#define TOOLHOST_WRITE_H

#include <stddef.h>

/* Writes `length` bytes to a descriptor that blocks; interrupted writes go on. Answers 0, or -1 with
 * errno, after which some bytes may be written. Safe in a signal handler. */
int write_all(int fd, const void *data, size_t length);

#endif
