/* SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "pack/frame.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#define PARTS_MOST 8

/* ---- Sending --------------------------------------------------------------------------------- */

/* Takes `sent` bytes off the front of the parts. */
static void advance(struct iovec **parts, int *count, size_t sent)
{
	while (*count && sent >= (*parts)->iov_len) {
		sent -= (*parts)->iov_len;
		(*parts)++;
		(*count)--;
	}
	if (*count) {
		(*parts)->iov_base = (char *)(*parts)->iov_base + sent;
		(*parts)->iov_len -= sent;
	}
}

/* Waits until the other side takes more. */
static int wait_for_room(int fd, int64_t deadline_ns)
{
	struct pollfd ready = { .fd = fd, .events = POLLOUT };
	int milliseconds = -1;

	if (deadline_ns) {
		int64_t left = deadline_ns - clock_now_ns();

		if (left <= 0)
			return STATUS_TIMEOUT;
		milliseconds = left / 1000000 > 60000 ? 60000 : (int)(left / 1000000) + 1;
	}
	if (poll(&ready, 1, milliseconds) < 0 && errno != EINTR)
		return STATUS_WORKER_FAILED;
	return STATUS_OK;
}

int frame_send(int fd, enum frame_type type, const unsigned char token[FRAME_TOKEN],
	       const struct iovec *parts, int count, int64_t deadline_ns)
{
	struct frame_header header = { .magic = FRAME_MAGIC, .type = type };
	struct iovec all[PARTS_MOST + 1], *next = all;
	int left = 1;

	memcpy(header.token, token, FRAME_TOKEN);
	all[0] = (struct iovec){ &header, sizeof(header) };
	for (int i = 0; i < count && i < PARTS_MOST; i++) {
		header.length += parts[i].iov_len;
		if (parts[i].iov_len)
			all[left++] = parts[i];
	}
	while (left) {
		struct msghdr message = { .msg_iov = next, .msg_iovlen = (size_t)left };
		ssize_t n = sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
		int r;

		if (n >= 0) {
			advance(&next, &left, (size_t)n);
			continue;
		}
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN && errno != EWOULDBLOCK)
			return STATUS_WORKER_FAILED;
		r = wait_for_room(fd, deadline_ns);
		if (r)
			return r;
	}
	return STATUS_OK;
}

/* ---- Reading --------------------------------------------------------------------------------- */

void frame_reader_init(struct frame_reader *reader, size_t max_payload)
{
	reader->got = reader->ahead_start = reader->ahead_end = 0;
	buffer_init(&reader->payload, max_payload);
}

void frame_reader_free(struct frame_reader *reader)
{
	buffer_free(&reader->payload);
}

void frame_reader_next(struct frame_reader *reader)
{
	reader->got = 0;
	buffer_reset(&reader->payload);
}

/* Where the next bytes belong. NULL: the frame is whole, or cannot be taken, as *ret_state says. */
static char *next_place(struct frame_reader *reader, size_t *ret_room, enum frame_state *ret_state)
{
	uint64_t length = reader->header.length;
	size_t have;

	if (reader->got < sizeof(reader->header)) {
		*ret_room = sizeof(reader->header) - reader->got;
		return (char *)&reader->header + reader->got;
	}
	have = reader->got - sizeof(reader->header);
	*ret_state = FRAME_WHOLE;
	if (reader->header.magic != FRAME_MAGIC)
		*ret_state = FRAME_BROKEN;
	else if (length > reader->payload.maximum)
		*ret_state = FRAME_TOO_LARGE;
	else if (have < length) {
		*ret_room = (size_t)length - have;
		return buffer_reserve(&reader->payload, *ret_room);
	}
	return NULL;
}

/* As recv(), but out of what has been read ahead, where there is some. */
static ssize_t receive(int fd, struct frame_reader *reader, char *place, size_t room, int flags)
{
	size_t held = reader->ahead_end - reader->ahead_start;
	ssize_t n;

	if (!held && room < sizeof(reader->ahead)) {
		n = recv(fd, reader->ahead, sizeof(reader->ahead), flags);
		if (n <= 0)
			return n;
		reader->ahead_start = 0;
		reader->ahead_end = held = (size_t)n;
	}
	if (!held)
		return recv(fd, place, room, flags);
	if (held > room)
		held = room;
	memcpy(place, reader->ahead + reader->ahead_start, held);
	reader->ahead_start += held;
	return (ssize_t)held;
}

enum frame_state frame_read(int fd, struct frame_reader *reader, bool wait)
{
	for (;;) {
		enum frame_state state = FRAME_BROKEN;
		size_t room;
		char *place = next_place(reader, &room, &state);
		ssize_t n;

		if (!place)
			return state;
		n = receive(fd, reader, place, room, wait ? 0 : MSG_DONTWAIT);
		if (n > 0) {
			if (reader->got >= sizeof(reader->header))
				buffer_commit(&reader->payload, (size_t)n);
			reader->got += (size_t)n;
		} else if (n == 0) {
			return reader->got ? FRAME_BROKEN : FRAME_END;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			return FRAME_MORE;
		} else if (errno != EINTR) {
			return reader->got ? FRAME_BROKEN : FRAME_END;
		}
	}
}
