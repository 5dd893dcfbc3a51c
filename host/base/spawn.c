/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/spawn.h"

#include "base/array.h"
#include "base/log.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGUMENTS_MOST 128
#define ENVIRONMENT_MOST 128
/* What is read of a child's last output once it has ended: a pipe holds no more. */
#define DRAIN_MOST ((size_t)64 * 1024)

/* With LD_BIND_NOW a symbol that a pack lacks is found when it is loaded, and not in the middle of
 * a call. OpenBLAS starts threads at its load unless it is told not to. */
static const char *const usual_environment[] = {
	"LD_BIND_NOW=1",
	"LC_ALL=C",
	"OPENBLAS_NUM_THREADS=1",
	"OMP_NUM_THREADS=1",
#ifdef TH_ASAN
	/* AddressSanitizer turns a crash into an exit, and looks for leaks at a sudden end. */
	"ASAN_OPTIONS=detect_leaks=0:handle_abort=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0",
#endif
};

/* ---- Output ---------------------------------------------------------------------------------- */

static void line_end(struct spawn *child)
{
	size_t length = child->line_length;

	child->line_length = 0;
	while (length && (child->line[length - 1] == ' ' || child->line[length - 1] == '\r'))
		length--;
	if (!length)
		return;
	log_pack(LOG_LEVEL_INFO, child->name, child->line, length);
	memcpy(child->last_line, child->line, length);
	child->last_line[length] = '\0';
}

static void output_add(struct spawn *child, const char *data, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (data[i] == '\n') {
			line_end(child);
			continue;
		}
		if (child->line_length == sizeof(child->line) - 1)
			line_end(child);
		child->line[child->line_length++] = data[i];
	}
}

static void on_output_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *ret_buffer)
{
	struct spawn *child = handle->data;

	(void)suggested;
	*ret_buffer = uv_buf_init(child->bytes, sizeof(child->bytes));
}

static void on_output(uv_stream_t *stream, ssize_t length, const uv_buf_t *buffer)
{
	struct spawn *child = stream->data;

	if (length > 0)
		output_add(child, buffer->base, (size_t)length);
	else if (length < 0)
		uv_read_stop(stream);
}

/* Reads what a child that has ended left in the pipe, so that its last words are known when its end
 * is reported. A process that it left behind may hold the pipe open, so the end is not waited for.
 */
static void output_drain(struct spawn *child)
{
	size_t total = 0;
	uv_os_fd_t fd;

	if (uv_fileno((uv_handle_t *)&child->output, &fd))
		return;
	while (total < DRAIN_MOST) {
		ssize_t length = read(fd, child->bytes, sizeof(child->bytes));

		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0)
			break;
		output_add(child, child->bytes, (size_t)length);
		total += (size_t)length;
	}
	line_end(child);
}

/* ---- End ------------------------------------------------------------------------------------- */

void spawn_kill(struct spawn *child, int signal)
{
	if (child->running)
		kill(-uv_process_get_pid(&child->process), signal);
}

bool spawn_reap(const struct spawn *child)
{
	pid_t ended;

	do
		ended = waitpid(-uv_process_get_pid(&child->process), NULL, WNOHANG);
	while (ended > 0);
	return ended == 0;
}

static void on_handle_closed(uv_handle_t *handle)
{
	struct spawn *child = handle->data;

	if (--child->open_handles == 0)
		child->on_closed(child);
}

static void close_handles(struct spawn *child)
{
	if (child->has_process)
		uv_close((uv_handle_t *)&child->process, on_handle_closed);
	uv_close((uv_handle_t *)&child->channel, on_handle_closed);
	uv_close((uv_handle_t *)&child->output, on_handle_closed);
}

void spawn_close(struct spawn *child, void (*on_closed)(struct spawn *child))
{
	child->on_closed = on_closed;
	/* A process whose handle is closed while it runs would stay a zombie. */
	if (child->running)
		spawn_kill(child, SIGKILL);
	else
		close_handles(child);
}

void spawn_let_go(struct spawn *child, void (*on_closed)(struct spawn *child))
{
	child->on_closed = on_closed;
	close_handles(child);
}

/* ---- Start ----------------------------------------------------------------------------------- */

/* The machine that a program is for, as its ELF header says; 0 where it has none. */
static uint32_t program_machine(int fd)
{
	Elf64_Ehdr header; /* the fields that are looked at lie alike in both classes */

	if (pread(fd, &header, sizeof(header), 0) != (ssize_t)sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG))
		return 0;
	return (uint32_t)header.e_ident[EI_CLASS] << 16 | header.e_machine;
}

static uint32_t own_machine(void)
{
	uint32_t machine = 0;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		machine = program_machine(fd);
		close(fd);
	}
	return machine;
}

/* The errno with which execve() would refuse the program, or 0. libuv starts programs as a shell
 * does: what the kernel does not take as a program it hands to /bin/sh, so that a program for
 * another machine would look like one that ran and failed. */
static int program_fault(const char *program)
{
	uint32_t machine, own = own_machine();
	struct stat st;
	int fd;

	/* O_NONBLOCK: a FIFO would keep the caller waiting. */
	fd = open(program, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return errno;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || access(program, X_OK)) {
		close(fd);
		return EACCES;
	}
	machine = program_machine(fd);
	close(fd);
	return !machine || (own && machine != own) ? ENOEXEC : 0;
}

/* libuv wants lists of char pointers that are not const, and does not write to them. */
static int fill_list(const char **list, size_t most, size_t used, const char *const *more)
{
	for (size_t i = 0; more && more[i]; i++) {
		if (used + 1 >= most)
			return STATUS_INTERNAL;
		list[used++] = more[i];
	}
	list[used] = NULL;
	return STATUS_OK;
}

static void on_process_exit(uv_process_t *process, int64_t status, int signal)
{
	struct spawn *child = process->data;

	/* What it started and left behind ends with it. Its group's number cannot have gone to
	 * another one while a process of the group lives, and only then does the signal reach
	 * anybody. */
	kill(-uv_process_get_pid(process), SIGKILL);
	child->running = false;
	if (child->on_closed) {
		close_handles(child);
		return;
	}
	output_drain(child);
	child->on_exit(child, status, signal);
}

static int start_process(uv_loop_t *loop, const struct spawn_options *options, int output,
			 struct spawn *child)
{
	const char *arguments[ARGUMENTS_MOST] = { options->program };
	const char *environment[ENVIRONMENT_MOST];
	uv_stdio_container_t stdio[SPAWN_CHANNEL + 1] = {
		[0] = { .flags = UV_IGNORE },
		[1] = { .flags = UV_INHERIT_FD, .data.fd = output },
		[2] = { .flags = UV_INHERIT_FD, .data.fd = output },
		[SPAWN_CHANNEL] = { .flags = UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE,
				    .data.stream = (uv_stream_t *)&child->channel },
	};
	uv_process_options_t process = {
		.exit_cb = on_process_exit,
		.file = options->program,
		.args = (char **)arguments,
		.env = (char **)environment,
		.cwd = "/",
		.flags = UV_PROCESS_DETACHED,
		.stdio = stdio,
		.stdio_count = SPAWN_CHANNEL + 1,
	};

	if (options->inherited_channel) {
		stdio[SPAWN_CHANNEL].flags = UV_INHERIT_FD;
		stdio[SPAWN_CHANNEL].data.fd = options->inherited_channel;
	}
	/* Ours close at exec in any case; those that the program was started with, and those that a
	 * pack in this process has opened, may not. */
	close_range(SPAWN_CHANNEL, ~0u, CLOSE_RANGE_CLOEXEC);
	memcpy(environment, usual_environment, sizeof(usual_environment));
	if (fill_list(arguments, ARGUMENTS_MOST, 1, options->arguments) ||
	    fill_list(environment, ENVIRONMENT_MOST, ARRAY_SIZE(usual_environment),
		      options->environment))
		return UV_E2BIG;
	/* Also where it fails, the handle is the loop's from here on. */
	child->has_process = true;
	child->open_handles++;
	return uv_spawn(loop, &child->process, &process);
}

static int start_failed(const char *program, int fault, struct error *error)
{
	error_set(error, STATUS_WORKER_FAILED, "cannot start %s: %s", program, strerror(fault));
	error_detail_text(error, "step", "start");
	error_detail_text(error, "reason", strerror(fault));
	return STATUS_WORKER_FAILED;
}

int spawn_start(uv_loop_t *loop, const struct spawn_options *options, struct spawn *child,
		struct error *error)
{
	int pipe_ends[2] = { -1, -1 };
	int fault;

	memset(child, 0, sizeof(*child));
	child->name = options->name;
	child->on_exit = options->on_exit;
	uv_pipe_init(loop, &child->channel, 0);
	uv_pipe_init(loop, &child->output, 0);
	child->channel.data = child->output.data = child->process.data = child;
	child->open_handles = 2;

	fault = program_fault(options->program);
	if (!fault && pipe2(pipe_ends, O_CLOEXEC))
		fault = errno;
	if (fault)
		goto out;
	/* The read end becomes non-blocking; each end has its own flags, so the child's stays as it
	 * is. */
	fault = -uv_pipe_open(&child->output, pipe_ends[0]);
	if (fault)
		goto out;
	pipe_ends[0] = -1;
	fault = -start_process(loop, options, pipe_ends[1], child);
	if (fault)
		goto out;
	child->running = true;
	fault = -uv_read_start((uv_stream_t *)&child->output, on_output_buffer, on_output);
out:
	for (int i = 0; i < 2; i++)
		if (pipe_ends[i] >= 0)
			close(pipe_ends[i]);
	return fault ? start_failed(options->program, fault, error) : STATUS_OK;
}

/* ---- Another program ------------------------------------------------------------------------- */

int spawn_become(const char *const *arguments, const char *const *environment, int channel,
		 struct error *error)
{
	/* putenv() wants texts that are not const, and does not write to them. */
	for (size_t i = 0; i < ARRAY_SIZE(usual_environment); i++)
		putenv((char *)(uintptr_t)usual_environment[i]);
	for (size_t i = 0; environment[i]; i++)
		putenv((char *)(uintptr_t)environment[i]);
	if (channel == SPAWN_CHANNEL)
		fcntl(channel, F_SETFD, 0);
	else if (dup2(channel, SPAWN_CHANNEL) < 0)
		return error_set(error, STATUS_INTERNAL, "no descriptor is left");
	close_range(SPAWN_CHANNEL + 1, ~0u, CLOSE_RANGE_CLOEXEC);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	execvp(arguments[0], (char **)(uintptr_t)arguments);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return error_set(error, STATUS_USAGE, "%s cannot be started: %s; is it installed?",
			 arguments[0], strerror(errno));
}
