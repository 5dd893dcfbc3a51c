/* SPDX-License-Identifier: MIT
 *
 * The standard streams are open files that we share with whoever started us.
 */
#ifndef TOOLHOST_STREAM_H
#define TOOLHOST_STREAM_H

#include <sys/types.h>

/* A descriptor for the same file that never blocks, in place of `fd`, which is closed then. A pipe
 * or a terminal is opened anew, so that O_NONBLOCK is not set for others too; anything else is left
 * as it is. `access` is O_RDONLY or O_WRONLY. */
int stream_own(int fd, int access);

/* A descriptor for the same input whose reads wait; -1 where there is none. A pipe or a terminal is
 * opened anew. A socket cannot be: it is `fd` itself, whose O_NONBLOCK is cleared, and from which
 * recv() reads without waiting. */
int stream_waiting(int fd);

/* Has writing to `fd` never wait for a reader, where it is a pipe or a terminal and that can be had
 * without changing it for others: what is not read in time is lost then. */
void stream_unblock(int fd);

/* read() and write(), but no points where a thread can be cancelled, which nobody here is: being ready
 * for that costs them, in a program of several threads, as much as some of the tools. */
ssize_t stream_get(int fd, char *space, size_t room);
ssize_t stream_put(int fd, const char *data, size_t length);

#endif
