/* SPDX-License-Identifier: MIT
 *
 * Messages to the host (pack/launch.h), from every process that has the launcher's channel.
 */
#ifndef TOOLHOST_WORKER_MESSAGE_H
#define TOOLHOST_WORKER_MESSAGE_H

#include "pack/launch.h"

#include <stdbool.h>
#include <stddef.h>

#define MESSAGE_FDS 2 /* that may go beside a message */

/* Sends copies of the descriptors along. False: the host is gone. */
bool message_send(const struct launch_message *message, const int *fds, size_t fd_count);

/* Says why the launcher cannot be, and ends this process. */
_Noreturn void message_refuse(const char *reason);

#endif
