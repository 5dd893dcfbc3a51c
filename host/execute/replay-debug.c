/* SPDX-License-Identifier: MIT
 *
 * A call under gdb: the worker reads it from a file in memory, as often as it is started.
 */
#include "config.h"

#include "execute/replay.h"

#include "base/json-wire.h"
#include "base/settings.h"
#include "base/spawn.h"
#include "base/write.h"
#include "execute/launch-task.h"
#include "pack/frame.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ARGUMENTS_MOST 128

/* The CALL frame of a request. */
static void compose_call(struct buffer *out, const struct execute_request *request)
{
	const struct registry_tool *tool = request->spec->tool;
	struct frame_header header = { .magic = FRAME_MAGIC, .type = FRAME_CALL };
	struct frame_call head = {
		.seed = request->seed,
		.max_result = (uint64_t)setting_whole(SETTING_MAX_RESULT_MB) << 20,
		.memory_bytes = (uint64_t)request->memory_mb << 20,
		.name_length = (uint32_t)tool->name_length,
	};

	buffer_append(out, &header, sizeof(header));
	buffer_append(out, &head, sizeof(head));
	json_wire_write(out, request->arguments);
	buffer_append(out, tool->name, tool->name_length);
	if (out->fault)
		return;
	header.length = out->length - sizeof(header);
	memcpy(out->data, &header, sizeof(header));
}

static int write_call(const struct execute_request *request, int *ret_file, struct error *error)
{
	struct buffer call = BUFFER_INIT(SIZE_MAX);
	int file, r = STATUS_OK;

	*ret_file = -1;
	compose_call(&call, request);
	file = memfd_create("call", MFD_CLOEXEC);
	if (file < 0 || call.fault || write_all(file, call.data, call.length)) {
		r = error_set(error, STATUS_INTERNAL, "no memory for the call");
		if (file >= 0)
			close(file);
	} else {
		*ret_file = file;
	}
	buffer_free(&call);
	return r;
}

int replay_debug(const struct paths *paths, const struct execute_request *request,
		 enum isolation level, struct error *error)
{
	const char *arguments[ARGUMENTS_MOST] = { "gdb",    "-q",	   "-ex", "run",
						  "--args", paths->worker, "run" };
	size_t count = 7;
	struct warden_task task;
	struct arena arena;
	int file, r;

	arena_init(&arena, SIZE_MAX);
	r = write_call(request, &file, error);
	if (!r && launch_task_make(request->spec->tool->pack, level, "", &arena, &task))
		r = error_set(error, STATUS_INTERNAL, "out of memory");
	if (!r) {
		/* The worker is told the same as a launcher, but for what to do. */
		for (size_t i = 1; task.arguments[i] && count + 1 < ARGUMENTS_MOST; i++)
			arguments[count++] = task.arguments[i];
		r = spawn_become(arguments, task.environment, file, error);
	}
	if (file >= 0)
		close(file);
	arena_free(&arena);
	return r;
}
