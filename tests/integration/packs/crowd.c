/* SPDX-License-Identifier: MIT
 *
 * Tools that take memory of the kinds that no limit of a process counts, and many threads. What holds them is a group of
 * processes (cgroup v2).
 */
#include <toolhost/plugin.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEBIBYTE ((size_t)1 << 20)
#define THREADS_MOST 4096

struct size_in {
	int64_t mb;
};

static const th_param size_params[] = {
	TH_INTEGER(struct size_in, mb, "How many MiB.", {"minimum": 1, "maximum": 4096}),
	TH_END
};

/* ---- Files in memory ----------------------------------------------------------------------------- */

static char block[MEBIBYTE];

static int write_file(int fd, int64_t mb)
{
	while (mb > 0 && write(fd, block, MEBIBYTE) == (ssize_t)MEBIBYTE)
		mb--;
	return mb ? -1 : 0;
}

/* A file in /dev/shm that has no name any more. */
static int32_t crowd_file(th_call *call, const void *input)
{
	const struct size_in *in = (const struct size_in *)input;
	char name[] = "/dev/shm/crowd-XXXXXX";
	int fd = mkstemp(name);

	if (fd < 0)
		return th_fail(call, "no file in /dev/shm");
	unlink(name);
	if (write_file(fd, in->mb))
		return th_fail(call, "the file cannot be written");
	return th_put_integer(call, "mb", in->mb);
}

/* One that stays when the call is over: it is the test that removes it. */
static int32_t crowd_leave(th_call *call, const void *input)
{
	const struct size_in *in = (const struct size_in *)input;
	char name[] = "/dev/shm/crowd-left-XXXXXX";
	int fd = mkstemp(name);

	if (fd < 0)
		return th_fail(call, "no file in /dev/shm");
	if (write_file(fd, in->mb))
		return th_fail(call, "the file cannot be written");
	return th_put_string(call, "file", name);
}

/* A mapping of a file in memory, which is no data of the process. */
static int32_t crowd_map(th_call *call, const void *input)
{
	const struct size_in *in = (const struct size_in *)input;
	size_t bytes = (size_t)in->mb * MEBIBYTE;
	char name[] = "/dev/shm/crowd-XXXXXX";
	int fd = mkstemp(name);
	char *place;

	if (fd < 0)
		return th_fail(call, "no file in /dev/shm");
	unlink(name);
	if (ftruncate(fd, (off_t)bytes))
		return th_fail(call, "the file cannot grow");
	place = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (place == MAP_FAILED)
		return th_fail(call, "the file cannot be mapped");
	for (size_t i = 0; i < bytes; i += 4096)
		place[i] = 1;
	return th_put_integer(call, "mb", in->mb);
}

/* ---- Memory of the process ----------------------------------------------------------------------- */

static int32_t crowd_touch(th_call *call, const void *input)
{
	const struct size_in *in = (const struct size_in *)input;
	char *place = malloc((size_t)in->mb * MEBIBYTE);

	if (!place)
		return th_fail(call, "refused");
	memset(place, 1, (size_t)in->mb * MEBIBYTE);
	th_put_integer(call, "last", place[(size_t)in->mb * MEBIBYTE - 1]);
	free(place);
	return TH_OK;
}

/* Memory that several processes share; a pack has to be granted those. */
static int32_t crowd_share(th_call *call, const void *input)
{
	const struct size_in *in = (const struct size_in *)input;
	size_t bytes = (size_t)in->mb * MEBIBYTE;
	char *place = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (place == MAP_FAILED)
		return th_fail(call, "refused");
	memset(place, 1, bytes);
	return th_put_integer(call, "mb", in->mb);
}

/* Four processes, each of which has less than all may have together. */
static int32_t crowd_fork(th_call *call, const void *input)
{
	const struct size_in *in = (const struct size_in *)input;
	size_t bytes = (size_t)in->mb * MEBIBYTE / 4;
	int failed = 0, status;

	for (int i = 0; i < 4; i++) {
		pid_t pid = fork();

		if (!pid) {
			char *place = malloc(bytes);

			if (place)
				memset(place, 1, bytes);
			usleep(300000);
			_exit(place && !place[bytes / 2]);
		}
		failed += pid < 0;
	}
	while (wait(&status) > 0)
		failed += status != 0;
	return th_put_integer(call, "failed", failed);
}

/* ---- Threads ------------------------------------------------------------------------------------- */

struct threads_in {
	int64_t threads;
};

static const th_param threads_params[] = {
	TH_INTEGER(struct threads_in, threads, "How many to start.", {"minimum": 1, "maximum": 4096}),
	TH_END
};

static pthread_barrier_t never;

static void *rest(void *argument)
{
	pthread_barrier_wait(&never);
	return argument;
}

static int32_t crowd_threads(th_call *call, const void *input)
{
	const struct threads_in *in = (const struct threads_in *)input;
	pthread_attr_t small;
	pthread_t thread;
	int32_t started = 0;

	pthread_barrier_init(&never, NULL, THREADS_MOST + 1);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	while (started < in->threads && !pthread_create(&thread, &small, rest, NULL))
		started++;
	return th_put_integer(call, "started", started);
}

/* ---- Where it stands ----------------------------------------------------------------------------- */

static int32_t crowd_group(th_call *call, const void *input)
{
	char text[1024] = "";
	FILE *file = fopen("/proc/self/cgroup", "r");

	(void)input;
	if (file) {
		text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
		fclose(file);
	}
	return th_put_string(call, "group", text);
}

static const th_param no_params[] = { TH_END };

static const th_tool tools[] = {
	TH_TOOL(crowd_file, struct size_in, size_params, NULL, "File", "Fills a file in memory.", {}),
	TH_TOOL(crowd_leave, struct size_in, size_params, NULL, "Leave", "Leaves a file in memory.", {}),
	TH_TOOL(crowd_map, struct size_in, size_params, NULL, "Map", "Fills a mapped file in memory.", {}),
	TH_TOOL(crowd_touch, struct size_in, size_params, NULL, "Touch", "Fills memory of its own.", {}),
	TH_TOOL(crowd_share, struct size_in, size_params, NULL, "Share", "Fills shared memory.",
		{"needs": {"subprocess": true}}),
	TH_TOOL(crowd_fork, struct size_in, size_params, NULL, "Fork", "Fills memory of four processes.",
		{"needs": {"subprocess": true}}),
	TH_TOOL(crowd_threads, struct threads_in, threads_params, NULL, "Threads", "Starts threads that rest.", {}),
	TH_TOOL(crowd_group, th_no_input, no_params, NULL, "Group", "Says in which group it stands.", {}),
};

TH_PACK(tools, {"version": "1.0.0", "summary": "Tools that take what no limit of a process counts."})
