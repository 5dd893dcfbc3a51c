/* SPDX-License-Identifier: MIT
 *
 * Offers, as a child to run calls in, the process at the other end of the launcher's channel: who then
 * signals the child signals himself.
 */
#include "zoo.h"

#include <string.h>
#include <sys/socket.h>

#define PEER_PIDFD 77 /* SO_PEERPIDFD, of Linux 6.5 */

/* As pack/launch.h has it. */
struct message {
	uint32_t type, id;
	int32_t status, leaf;
	char text[1];
};

static void offer(int channel, int pidfd)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control;
	struct message child = { 4, 77, 1, -1, "" };
	struct iovec io = { &child, 17 };
	struct msghdr header = { .msg_iov = &io,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control) };
	int ends[2], fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return;
	fds[0] = ends[0];
	fds[1] = pidfd;
	memset(&control, 0, sizeof(control));
	control.align.cmsg_level = SOL_SOCKET;
	control.align.cmsg_type = SCM_RIGHTS;
	control.align.cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(&control.align), fds, sizeof(fds));
	if (sendmsg(channel, &header, MSG_NOSIGNAL) < 0)
		return;
}

/* A scan has a stream there. */
__attribute__((constructor)) static void forge(void)
{
	int type = 0, pidfd = -1;
	socklen_t length = sizeof(type);

	if (getsockopt(3, SOL_SOCKET, SO_TYPE, &type, &length) || type != SOCK_SEQPACKET)
		return;
	length = sizeof(pidfd);
	getsockopt(3, SOL_SOCKET, PEER_PIDFD, &pidfd, &length);
	offer(3, pidfd < 0 ? 0 : pidfd);
}

ZOO_GOOD_TOOL(ctor_host_pidfd)
ZOO_PACK(ctor_host_pidfd)
