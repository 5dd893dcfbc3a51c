/* SPDX-License-Identifier: MIT
 *
 * Reading a file, or standard input, up to the limit of a message.
 */
#include <config.h>

#include "command/input.h"

#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { READ_SIZE = 64 * 1024 };

static int read_stream(int fd, const char *name, struct buffer *text, struct error *error)
{
	for (;;) {
		char *room = buffer_reserve(text, READ_SIZE);
		ssize_t got;

		if (!room)
			return error_set(error, STATUS_INPUT_TOO_LARGE,
					 "%.256s holds more than max_message_mb allows (%lld MiB)",
					 name, (long long)setting_whole(SETTING_MAX_MESSAGE_MB));
		got = read(fd, room, READ_SIZE);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_set(error, STATUS_USAGE, "%.256s cannot be read: %s", name,
					 strerror(errno));
		if (got == 0)
			return STATUS_OK;
		buffer_commit(text, (size_t)got);
	}
}

int input_read(const char *path, struct buffer *text, struct error *error)
{
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	int r;

	buffer_init(text, (size_t)setting_whole(SETTING_MAX_MESSAGE_MB) * 1024 * 1024 + READ_SIZE);
	if (fd < 0)
		return error_set(error, STATUS_USAGE, "%.256s cannot be opened: %s", path,
				 strerror(errno));
	r = read_stream(fd, path ? path : "standard input", text, error);
	if (path)
		close(fd);
	return r;
}
