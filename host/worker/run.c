/* SPDX-License-Identifier: MIT
 *
 * The walls are those of a launcher, but for what needs a second process: whoever debugs a call
 * that a wall has ended wants to see it hit the wall. Without a supervisor a forbidden system call
 * raises SIGSYS, where a debugger stops.
 */
#include "config.h"

#include "worker/run.h"

#include "base/log.h"
#include "base/status.h"
#include "pack/frame.h"
#include "worker/memory.h"
#include "worker/walls.h"
#include "worker/worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define CALL_MOST ((size_t)2048 << 20)

struct run {
	struct frame_call head;
	char name[TEXT_TOOL_NAME_MOST + 1]; /* of the tool */
	json *arguments;
	size_t bytes; /* of the call */
};

static bool read_bytes(struct buffer *call)
{
	struct stat st;
	char *room;

	if (fstat(WORKER_CHANNEL, &st) || st.st_size < 1 ||
	    !(room = buffer_reserve(call, (size_t)st.st_size)))
		return false;
	while (call->length < (size_t)st.st_size) {
		ssize_t n = pread(WORKER_CHANNEL, room, (size_t)st.st_size - call->length,
				  (off_t)call->length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		buffer_commit(call, (size_t)n);
		room += n;
	}
	return true;
}

/* The CALL frame in descriptor 3. */
static bool read_call(struct run *run)
{
	struct buffer call = BUFFER_INIT(CALL_MOST);
	struct frame_header header;
	bool good = read_bytes(&call) && call.length >= sizeof(header);

	if (good) {
		memcpy(&header, call.data, sizeof(header));
		good = header.magic == FRAME_MAGIC && header.type == FRAME_CALL &&
		       header.length == call.length - sizeof(header) &&
		       frame_read_call(call.data + sizeof(header), header.length, &run->head,
				       run->name, &run->arguments);
	}
	run->bytes = call.length;
	buffer_free(&call);
	return good;
}

static void limit_memory(const struct run *run)
{
#ifndef TH_ASAN
	rlim_t most = memory_data() + 4 * run->bytes + run->head.memory_bytes;

	if (run->head.memory_bytes)
		setrlimit(RLIMIT_DATA, &(struct rlimit){ most, most });
#else
	(void)run;
#endif
}

static int run_call(const struct run *run, const struct pack *pack)
{
	static struct call call;
	int tool = pack_find_tool(pack, run->name);
	int status;

	if (tool < 0) {
		log_error("the pack has no tool %s: its file has changed", run->name);
		return EXIT_MISUSED;
	}
	call_init(&call);
	call.tool_name = run->name;
	call.pack_name = "";
	call.arguments = run->arguments;
	call.seed = run->head.seed;
	call.max_result = run->head.max_result;
	limit_memory(run);
	status = pack_run_tool(pack, tool, &call);
	if (status)
		fprintf(stderr, "%s: %s: %s\n", run->name, status_code(status),
			call.failure.message);
	else
		fprintf(stderr, "%s answered: %.*s\n", run->name, (int)call.result.length,
			call.result.data ? call.result.data : "");
	return status_exit(status);
}

static int fail(const struct error *error)
{
	log_error("%s", error->message);
	return EXIT_MISUSED;
}

int run_main(int count, char **arguments)
{
	struct walls walls = { .alone = true };
	struct error error = ERROR_INIT;
	struct run run = { .arguments = NULL };
	struct pack *pack;

	if (!isolation_parse(arguments[0], &walls.level) || walls.level == ISOLATION_IN_PROCESS) {
		log_error("%s is no level of a worker", arguments[0]);
		return EXIT_MISUSED;
	}
	for (int i = 2; i < count; i++) {
		/* When a pack is loaded makes no difference to its one call. */
		if (strcmp(arguments[i], "late") && walls_grant(&walls, arguments[i])) {
			log_error("%s is no grant", arguments[i]);
			return EXIT_MISUSED;
		}
	}
	if (!read_call(&run)) {
		log_error("descriptor 3 holds no call: start this by toolhost replay --gdb");
		return EXIT_MISUSED;
	}
	if (walls_prepare(&walls, &error) || walls_raise(&walls, arguments[1], NULL, &error))
		return fail(&error);
	pack = walls_load(&walls, arguments[1], &error);
	return pack ? run_call(&run, pack) : fail(&error);
}
