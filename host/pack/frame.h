/* SPDX-License-Identifier: MIT
 *
 * What the host and a worker say to each other over the channel: frames with a bound on their
 * length.
 *
 * The host sends one CALL; the worker answers with one RESULT, and before it with any number of the
 * others. Each frame of a call carries the token that came with the call, so that a pack that
 * writes to the channel itself is found out.
 */
#ifndef TOOLHOST_FRAME_H
#define TOOLHOST_FRAME_H

#include "base/buffer.h"
#include "base/text.h"
#include "pack/call.h"

#include <sys/uio.h>

#define FRAME_MAGIC 0x31465448u /* "HTF1" */
#define FRAME_TOKEN 16		/* bytes */

enum frame_type {
	FRAME_CALL = 1,
	FRAME_RESULT,
	FRAME_PROGRESS,
	FRAME_LOG,
	FRAME_MEMORY, /* an allocation was refused */
	FRAME_CRASH,  /* a signal is about to end the worker */
	FRAME_PARTIAL,
};

struct frame_header {
	uint32_t magic;
	uint32_t type;
	uint64_t length; /* of what follows */
	unsigned char token[FRAME_TOKEN];
};

/* What follows the header of each type. Texts come behind the struct, in the order of their
 * lengths. */
struct frame_call {
	uint64_t seed;
	int64_t time_left_ns;
	uint64_t max_result;
	uint64_t memory_bytes; /* what the call may add; 0: no limit */
	uint32_t cpu_seconds;
	uint32_t keep; /* 1: the worker reads another call afterwards */
	uint32_t reserved;
	uint32_t name_length; /* the arguments (json-wire.h) follow, and the tool's name is at the
				 end */
};

struct frame_result {
	int32_t status;
	uint32_t seeded;
	uint64_t result_length;
	uint64_t content_length;
	uint64_t warnings_length;
	uint64_t message_length; /* of a failure */
	uint64_t details_length; /* of a failure, as JSON text */
};

struct frame_progress {
	double done, total;
	uint64_t message_length;
};

struct frame_log {
	int64_t level;
	uint64_t length;
};

struct frame_memory {
	uint64_t wanted;
};

/* A content block (TH_CONTENT_), and behind it data, mime_type, uri, name. Kind 0, alone: the tool
 * gave more than is kept. */
struct frame_partial {
	uint32_t kind;
	uint32_t binary;
	uint64_t lengths[4]; /* UINT64_MAX: absent */
};

#define FRAME_PLACES 16

/* A return address, and where it lies in which file, if that is known. */
struct frame_place {
	uint64_t address;
	uint64_t offset;
	char file[48]; /* its name without folders; "" where it is not known */
};

struct frame_crash {
	int64_t signal;
	uint64_t address;
	uint64_t place_count;
	struct frame_place places[FRAME_PLACES];
};

/* Sends one frame made of parts. Blocks until it is sent, the deadline (CLOCK_MONOTONIC; 0: none)
 * has passed, or the other side is gone: STATUS_OK, STATUS_TIMEOUT, STATUS_WORKER_FAILED. */
int frame_send(int fd, enum frame_type type, const unsigned char token[FRAME_TOKEN],
	       const struct iovec *parts, int count, int64_t deadline_ns);

/* Reads the payload of a CALL, which begins at a multiple of 8: its head, the tool's name, and the
 * arguments, which are the caller's. False: it is none, and there are no arguments. */
bool frame_read_call(const char *payload, size_t length, struct frame_call *ret_head,
		     char ret_name[TEXT_TOOL_NAME_MOST + 1], json **ret_arguments);

/* As frame_send() for a block that was checked, or NULL for more that is not kept. */
int frame_send_partial(int fd, const unsigned char token[FRAME_TOKEN], const th_content *content,
		       int64_t deadline_ns);

/* Reads the payload of a PARTIAL. False: it is none. *ret_content has the kind 0, or is a block that
 * was checked, whose texts lie in the payload. */
bool frame_read_partial(const char *payload, size_t length, th_content *ret_content);

#define FRAME_AHEAD                                                                                \
	1024 /* bytes that are read beyond what is asked for, to take a short frame at once */

/* Collects one frame after the other. */
struct frame_reader {
	struct frame_header header;
	size_t got; /* bytes, of header and payload */
	struct buffer payload;
	size_t ahead_start, ahead_end; /* of the bytes in `ahead` that belong to what comes next */
	unsigned char ahead[FRAME_AHEAD];
};

/* Reads nothing yet. A frame of more than `max_payload` bytes behind its header is not taken. */
void frame_reader_init(struct frame_reader *reader, size_t max_payload);
void frame_reader_free(struct frame_reader *reader);
void frame_reader_next(struct frame_reader *reader); /* ready for the next frame */

/* Whether bytes have been read that frame_read() has not looked at: no poll() tells of them. */
static inline bool frame_reader_holds(const struct frame_reader *reader)
{
	return reader->ahead_start < reader->ahead_end;
}

enum frame_state { FRAME_MORE, FRAME_WHOLE, FRAME_END, FRAME_BROKEN, FRAME_TOO_LARGE };

/* Reads what is there without waiting (with `wait`, waits for some). FRAME_END: the other side
 * closed between two frames. */
enum frame_state frame_read(int fd, struct frame_reader *reader, bool wait);

#endif
