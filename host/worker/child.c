/* SPDX-License-Identifier: MIT
 *
 * A child lives for one call, and nothing of the pack runs in it before its walls stand.
 */
#include "config.h"

#include "worker/child.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/json-wire.h"
#include "base/settings.h"
#include "pack/frame.h"
#include "pack/pack.h"
#include "worker/memory.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#define CALL_MOST ((size_t)2048 << 20) /* the host bounds a call long before */
#define WIRE_GROWTH 5		       /* times the bytes of its text a value has here at most */
#define SMALL_SIZES 16		       /* that calls allocate most, and the step between them */
#define SMALL_STEP ((size_t)16)
#define AHEAD ((size_t)4096) /* of the top of the heap, and of the stack */
#define LEAVING_NICE 10
#define STACK_BYTES ((size_t)64 << 10) /* of the handler that tells of a crash */

/* What the signal handler and the memory watch need; there is one call in this process. */
static struct {
	int channel;
	const char *pack; /* its path */
	unsigned char token[FRAME_TOKEN];
} the_call = { .channel = -1, .pack = "" };

/* The thread that is sending, by the place of its own `thread`: frames go out whole, whichever
 * threads of the tool speak. A lock that a handler of signals may take, too. */
static _Atomic(const char *) speaker;
static _Thread_local char thread;

/* False in a handler that has interrupted this thread's own frame. */
static bool begin_speaking(void)
{
	const struct timespec moment = { .tv_nsec = 50000 };
	const char *nobody = NULL;

	while (!atomic_compare_exchange_weak(&speaker, &nobody, &thread)) {
		if (nobody == &thread)
			return false;
		if (nobody)
			nanosleep(&moment, NULL);
		nobody = NULL;
	}
	return true;
}

/* False: it could not be sent. */
static bool speak(enum frame_type type, const struct iovec *parts, int count)
{
	int r;

	if (the_call.channel < 0 || !begin_speaking())
		return false;
	r = frame_send(the_call.channel, type, the_call.token, parts, count, 0);
	atomic_store(&speaker, NULL);
	return !r;
}

static void tell(enum frame_type type, const void *payload, size_t length)
{
	const struct iovec part = { (void *)(uintptr_t)payload, length };

	speak(type, &part, 1);
}

/* ---- What goes wrong ------------------------------------------------------------------------- */

#ifndef TH_ASAN
static void tell_refusal(size_t wanted)
{
	const struct frame_memory memory = { .wanted = wanted };

	tell(FRAME_MEMORY, &memory, sizeof(memory));
}
#endif

/* Where an address lies, of the one function of the dynamic linker that a signal handler may call.
 */
static void describe_place(void *address, struct frame_place *ret_place)
{
	struct dl_find_object found;
	const char *path, *slash;

	ret_place->address = (uint64_t)(uintptr_t)address;
	if (_dl_find_object(address, &found) || !found.dlfo_link_map->l_name)
		return;
	path = found.dlfo_link_map->l_name;
	if (!*path)
		path = "toolhost-worker"; /* it is the program itself */
	else if (!strncmp(path, "/proc/", 6))
		path = the_call.pack; /* it was loaded by its descriptor */
	slash = strrchr(path, '/');
	strncpy(ret_place->file, slash ? slash + 1 : path, sizeof(ret_place->file) - 1);
	ret_place->offset = ret_place->address - (uint64_t)found.dlfo_link_map->l_addr;
}

/* The calls that led here. */
struct trace {
	void *frames[FRAME_PLACES];
	uint64_t count;
};

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *argument)
{
	struct trace *trace = argument;

	if (trace->count == FRAME_PLACES)
		return _URC_END_OF_STACK;
	trace->frames[trace->count++] = (void *)_Unwind_GetIP(context);
	return _URC_NO_REASON;
}

/* Ends the process by a signal, whether or not this is its handler. */
static void end_by(int number)
{
	sigset_t signals;

	signal(number, SIG_DFL);
	sigemptyset(&signals);
	sigaddset(&signals, number);
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
	raise(number);
}

static _Thread_local int crashing; /* the signal that this thread ends with; 0: none */

/* Tells of a crash before it ends the process as if nobody had looked. */
static void tell_crash(int number, siginfo_t *info, void *context)
{
	struct frame_crash crash = { .signal = number,
				     .address = (uint64_t)(uintptr_t)info->si_addr };
	struct trace trace = { .count = 0 };

	(void)context;
	if (crashing)
		end_by(crashing);
	crashing = number;
	/* In a stack that is overwritten, the search for the calls crashes as well. */
	tell(FRAME_CRASH, &crash, sizeof(crash));
	_Unwind_Backtrace(add_frame, &trace);
	for (uint64_t i = 0; i < trace.count; i++)
		describe_place(trace.frames[i], &crash.places[i]);
	crash.place_count = trace.count;
	tell(FRAME_CRASH, &crash, sizeof(crash));
	end_by(number);
}

void child_watch_crashes(void)
{
	static const int numbers[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP };
	struct sigaction action = { .sa_sigaction = tell_crash,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK };
	const stack_t stack = { .ss_sp = malloc(STACK_BYTES), .ss_size = STACK_BYTES };

	/* A stack that has run over is no place for a handler. */
	if (!stack.ss_sp || sigaltstack(&stack, NULL))
		action.sa_flags = SA_SIGINFO;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		sigaction(numbers[i], &action, NULL);
}

/* ---- What the tool says ---------------------------------------------------------------------- */

static void send_progress(struct call *call, double done, double total, const char *message)
{
	size_t length = message ? strnlen(message, 500) : 0;
	struct frame_progress head = { .done = done, .total = total, .message_length = length };
	const struct iovec parts[2] = { { &head, sizeof(head) },
					{ (void *)(uintptr_t)message, length } };

	(void)call;
	speak(FRAME_PROGRESS, parts, 2);
}

static void send_log(struct call *call, int level, const char *text, size_t length)
{
	struct frame_log head = { .level = level, .length = length };
	const struct iovec parts[2] = { { &head, sizeof(head) },
					{ (void *)(uintptr_t)text, length } };

	(void)call;
	speak(FRAME_LOG, parts, 2);
}

static void send_partial(struct call *call, const th_content *content, const char *text,
			 size_t length)
{
	(void)call;
	(void)text;
	(void)length;
	if (!begin_speaking())
		return;
	frame_send_partial(the_call.channel, the_call.token, content, 0);
	atomic_store(&speaker, NULL);
}

static const struct call_listener listener = {
	.progress = send_progress,
	.log = send_log,
	.partial = send_partial,
};

/* ---- The call -------------------------------------------------------------------------------- */

/* False: nobody has heard of it. */
static bool send_result(const struct call *call, int status)
{
	struct buffer details = BUFFER_INIT(1 << 16);
	struct frame_result head = { .status = status, .seeded = call->seeded };
	const char *message = call->failure.message;
	struct iovec parts[6];

	head.warnings_length = call->warnings.length;
	if (status) {
		if (call->failure.details)
			json_print(&details, call->failure.details);
		head.message_length = strlen(message);
		head.details_length = details.fault ? 0 : details.length;
	} else {
		head.result_length = call->result.length;
		head.content_length = call->content.length;
	}
	parts[0] = (struct iovec){ &head, sizeof(head) };
	parts[1] = (struct iovec){ call->result.data, head.result_length };
	parts[2] = (struct iovec){ call->content.data, head.content_length };
	parts[3] = (struct iovec){ call->warnings.data, head.warnings_length };
	parts[4] = (struct iovec){ (void *)(uintptr_t)message, head.message_length };
	parts[5] = (struct iovec){ details.data, head.details_length };
	return speak(FRAME_RESULT, parts, 6);
}

/* A failure before the tool could run. */
static void send_failure(int status, const char *message)
{
	static struct call call;

	call_init(&call);
	error_set(&call.failure, status, "%s", message);
	if (status == STATUS_WORKER_FAILED) {
		error_detail_text(&call.failure, "step", "run");
		error_detail_text(&call.failure, "reason", message);
	}
	send_result(&call, status);
}

/* Seconds of processor time that this process has had, rounded up. */
static rlim_t used_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (rlim_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1);
}

/* Bytes of memory that this process has had at most. */
static uint64_t peak_memory(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_maxrss * 1024;
}

/* AddressSanitizer bears no limit on memory. */
#ifdef TH_ASAN

static void limit_memory(const struct frame_call *head, const struct child_options *options,
			 size_t payload)
{
	(void)head;
	(void)options;
	(void)payload;
}

#else

/* Bytes of data that a call may have: beyond what the pack has when loaded, and what the arguments
 * take here. */
static rlim_t data_of(const struct child_options *options, uint64_t memory, uint64_t payload)
{
	return options->memory_base + 4 * payload + memory;
}

/* The same for the largest call that the operator allows. */
static rlim_t data_of_largest(const struct child_options *options)
{
	return data_of(options, (uint64_t)setting_whole(SETTING_MAX_MEMORY_MB) << 20,
		       WIRE_GROWTH * (uint64_t)setting_whole(SETTING_MAX_MESSAGE_MB) << 20);
}

static void limit_memory(const struct frame_call *head, const struct child_options *options,
			 size_t payload)
{
	const rlim_t most = data_of(options, head->memory_bytes, payload);
	struct rlimit data = { most, most };

	if (!head->memory_bytes)
		return;
	if (head->keep && data_of_largest(options) > most)
		data.rlim_max = data_of_largest(options);
	setrlimit(RLIMIT_DATA, &data);
	memory_watch(tell_refusal);
}

#endif

/* Of a child that serves further calls the limits have to be raised again. */
static void limit_call(const struct frame_call *head, const struct child_options *options,
		       size_t payload)
{
	struct rlimit cpu = { options->cpu_used + head->cpu_seconds, RLIM_INFINITY };

	if (!head->keep)
		cpu.rlim_max = cpu.rlim_cur + 1;
	setrlimit(RLIMIT_CPU, &cpu);
	limit_memory(head, options, payload);
}

/* Runs the call in `payload`. Answers whether the child may serve another one. */
static bool run_call(const struct pack *pack, const struct child_options *options,
		     const struct buffer *payload, struct call *call)
{
	struct frame_call head;
	char name[TEXT_TOOL_NAME_MOST + 1];
	json *arguments;
	int tool;

	if (!frame_read_call(payload->data, payload->length, &head, name, &arguments)) {
		send_failure(STATUS_INTERNAL, "the worker could not read its call");
		return false;
	}
	tool = pack_find_tool(pack, name);
	if (tool < 0) {
		send_failure(STATUS_WORKER_FAILED,
			     "the pack in the worker has no such tool: its file has changed");
		return false;
	}
	call->listener = &listener;
	call->tool_name = name;
	call->pack_name = "";
	call->arguments = arguments;
	call->deadline_ns = clock_now_ns() + head.time_left_ns;
	call->seed = head.seed;
	call->max_result = head.max_result;
	limit_call(&head, options, payload->length);
	if (!send_result(call, pack_run_tool(pack, tool, call)) || !head.keep)
		return false; /* nothing is freed: the process ends */
	call_reset(call);
	json_drop(arguments);
	return peak_memory() < options->memory_peak + head.memory_bytes / 2;
}

/* ---- The child ---------------------------------------------------------------------------- */

/* Waits for a call. False: the host has none after all. */
static bool read_call(int channel, struct frame_reader *reader)
{
	return frame_read(channel, reader, true) == FRAME_WHOLE &&
	       reader->header.type == FRAME_CALL;
}

static void know_call(int channel, const struct frame_reader *reader)
{
	memcpy(the_call.token, reader->header.token, FRAME_TOKEN);
	the_call.channel = channel; /* before that, nobody could tell what is ours */
}

/* Leaves a free block of each small size, which malloc() hands out first: their pages are then this
 * process's own already, and so are some beyond, and below the stack. */
static void warm_memory(void)
{
	volatile char below[AHEAD];
	volatile char *above = malloc(AHEAD);
	void *blocks[SMALL_SIZES];

	below[0] = 0;
	(void)below[0];
	if (above)
		above[AHEAD - 1] = 0;
	free((void *)(uintptr_t)above);
	for (size_t i = 0; i < SMALL_SIZES; i++)
		blocks[i] = malloc((i + 1) * SMALL_STEP);
	for (size_t i = 0; i < SMALL_SIZES; i++)
		free(blocks[i]);
}

/* Goes through what every call does, while no caller waits: this process shares its memory with the
 * launcher, and each page is faulted in when it is first touched, which is most of what a short
 * call would take. */
static void warm_up(struct call *call, struct frame_reader *reader)
{
	struct buffer wire = BUFFER_INIT(SIZE_MAX);
	json *sent = json_new_object(), *read = NULL;

	json_set(sent, "warm", json_new_text("up"));
	json_wire_write(&wire, sent);
	json_wire_read(wire.data, wire.length, &read);
	json_drop(read);
	json_drop(sent);
	buffer_free(&wire);
	buffer_reserve(&reader->payload, FRAME_AHEAD);
	call_init(call);
	call->deadline_ns = clock_now_ns();
	arena_allocate(&call->arena, 1);
	arena_reset(&call->arena);
	buffer_reserve(&call->result, 1);
	memory_watch(NULL);
	warm_memory();
}

/* Waits until the host has closed the channel, as taking a process down takes longer than a short
 * call, and may take this very processor from those who pass the answer on. For the same reason
 * everybody else goes first then, too. */
static void await_dismissal(int channel)
{
	char ignored[64];

	shutdown(channel, SHUT_WR); /* this was all, whether or not it makes an answer */
	setpriority(PRIO_PROCESS, 0, LEAVING_NICE);
	while (recv(channel, ignored, sizeof(ignored), 0) > 0)
		;
}

_Noreturn void child_serve(int channel, const struct child_options *options)
{
	static struct call call;
	struct error error = ERROR_INIT;
	struct child_options mine = *options;
	struct frame_reader reader;
	bool another = true;

	if (!mine.pack) {
		mine.pack = walls_load(options->walls, options->path, &error);
		mine.memory_base = memory_data();
	}
	mine.memory_peak = peak_memory();
	the_call.pack = options->path;
	frame_reader_init(&reader, CALL_MOST);
	warm_up(&call, &reader);
	if (mine.pack)
		pack_touch(mine.pack);
	mine.cpu_used = used_seconds();
	while (another && read_call(channel, &reader)) {
		know_call(channel, &reader);
		another = mine.pack && run_call(mine.pack, &mine, &reader.payload, &call);
		if (!mine.pack)
			send_failure(STATUS_WORKER_FAILED, error.message);
		mine.cpu_used = used_seconds();
		frame_reader_next(&reader);
	}
	await_dismissal(channel);
	_exit(0);
}

_Noreturn void child_refuse(int channel, const char *reason)
{
	struct frame_reader reader;

	frame_reader_init(&reader, CALL_MOST);
	if (read_call(channel, &reader)) {
		know_call(channel, &reader);
		send_failure(STATUS_WORKER_FAILED, reason);
	}
	await_dismissal(channel);
	_exit(0);
}
