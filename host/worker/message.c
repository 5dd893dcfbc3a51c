/* SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "worker/message.h"

#include "worker/worker.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool message_send(const struct launch_message *message, const int *fds, size_t fd_count)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(MESSAGE_FDS * sizeof(int))];
	} control = { 0 };
	struct iovec io = { (void *)(uintptr_t)message,
			    offsetof(struct launch_message, text) + strlen(message->text) + 1 };
	struct msghdr header = { .msg_iov = &io, .msg_iovlen = 1 };

	if (fd_count) {
		header.msg_control = &control;
		header.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
		control.align.cmsg_level = SOL_SOCKET;
		control.align.cmsg_type = SCM_RIGHTS;
		control.align.cmsg_len = CMSG_LEN(fd_count * sizeof(int));
		memcpy(CMSG_DATA(&control.align), fds, fd_count * sizeof(int));
	}
	return sendmsg(WORKER_CHANNEL, &header, MSG_NOSIGNAL) >= 0;
}

_Noreturn void message_refuse(const char *reason)
{
	struct launch_message message = { .type = LAUNCH_REFUSED };

	snprintf(message.text, sizeof(message.text), "%s", reason);
	message_send(&message, NULL, 0);
	_exit(0);
}
