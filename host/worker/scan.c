/* SPDX-License-Identifier: MIT
 *
 * The scan: one pack, in a process that exists for nothing else. Its constructors run when it is
 * loaded, so the walls stand before; what happens then that a process can see of itself is told as
 * the reason of the refusal. A crash, a loop and a silent end are seen by the parent.
 */
#include <config.h>

#include "worker/scan.h"

#include "base/array.h"
#include "base/log.h"
#include "base/write.h"
#include "pack/pack.h"
#include "worker/confine.h"
#include "worker/worker.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MANIFEST_BYTES_MOST ((size_t)32 << 20)
#define MEBIBYTE ((rlim_t)1 << 20)

/* The parent has a limit of wall-clock time; these bound what it does not see, or not in time. */
static const struct confine_limits limits = {
	.cpu_seconds = 60,
	.file_bytes = 64 * MEBIBYTE,
	.descriptors = 256,
	.data_bytes = 1024 * MEBIBYTE,
};

/* Set while code of the pack may run: an end of the process is the pack's then. */
static volatile sig_atomic_t loading;

/* ---- Answering ---------------------------------------------------------------------------- */

/* Ends without the handlers and destructors that the pack may have. Where the parent is gone, there
 * is nobody else to tell. */
static _Noreturn void refuse(const char *reason)
{
	struct buffer out = BUFFER_INIT(MANIFEST_BYTES_MOST);

	buffer_text(&out, "{\"refused\":");
	json_print_text(&out, reason, strlen(reason));
	buffer_text(&out, "}\n");
	write_all(WORKER_CHANNEL, out.data, out.length);
	_exit(EXIT_FAILURE);
}

static _Noreturn void answer(json *manifest)
{
	struct buffer out = BUFFER_INIT(MANIFEST_BYTES_MOST);

	buffer_text(&out, "{\"manifest\":");
	json_print(&out, manifest);
	buffer_text(&out, "}\n");
	if (out.fault != BUFFER_GOOD)
		refuse("The pack says more about itself than 32 MiB: shorten its descriptions and "
		       "examples.");
	write_all(WORKER_CHANNEL, out.data, out.length);
	_exit(EXIT_SUCCESS);
}

/* ---- What a constructor does -------------------------------------------------------------- */

static void on_forbidden_call(int signal, siginfo_t *info, void *context)
{
	/* Put together from constants without quotes, so that it is JSON. */
	const char *parts[] = {
		"{\"refused\":\"While it is loaded, the pack tries to ",
		confine_call_purpose(info->si_syscall),
		" (system call ",
		confine_call_name(info->si_syscall),
		"), which no pack may do then: do that in a tool, or not at all.\"}\n",
	};

	(void)signal;
	(void)context;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		write_all(WORKER_CHANNEL, parts[i], strlen(parts[i]));
	_exit(EXIT_FAILURE);
}

static void on_end(int status, void *context)
{
	char reason[160];

	(void)context;
	if (!loading)
		return;
	loading = 0;
	snprintf(reason, sizeof(reason),
		 "While it is loaded, the pack calls exit(%d): a constructor returns, whatever "
		 "happens.",
		 status);
	refuse(reason);
}

static void watch(void)
{
	struct sigaction forbidden = { .sa_sigaction = on_forbidden_call, .sa_flags = SA_SIGINFO };

	sigfillset(&forbidden.sa_mask);
	sigaction(SIGSYS, &forbidden, NULL);
	on_exit(on_end, NULL);
}

/* Whether there is a second thread; before the pack was loaded there was none. The kernel counts
 * threads as links of this folder, beside the two that every folder has. */
static bool has_threads(void)
{
	struct stat folder;

	return stat("/proc/self/task", &folder) || folder.st_nlink > 3;
}

/* ---- The walls ---------------------------------------------------------------------------- */

/* A wall that this system does not have; the others still stand. */
static void missing_wall(struct error *error)
{
	log_info("scan without a wall: %s", error->message);
	error_clear(error);
}

/* Reading is allowed, since libraries may lie anywhere; writing, sockets, processes are not. */
static void close_in(void)
{
	static const char *const writable[] = { "/dev/null", NULL };
	static const struct confine_namespaces namespaces = { .network = true,
							      .communication = true };
	struct confine_calls calls = { .writing = true, .sharing = true };
	struct error error = ERROR_INIT;

	if (confine_descriptors(WORKER_CHANNEL, &error) || confine_privileges(&error))
		goto failed;
	confine_signals();
	if (confine_namespaces(&namespaces, &error))
		missing_wall(&error);
	if (confine_user(CONFINE_ACCESS, &error))
		missing_wall(&error);
	confine_lifetime();
	if (confine_is_orphan(WORKER_CHANNEL))
		_exit(EXIT_FAILURE);
	if (confine_limits(&limits, &error))
		goto failed;
	/* Where Landlock is missing, the filter keeps files from being written. */
	if (confine_files(&(struct confine_files){ .writable = writable }, &error)) {
		missing_wall(&error);
		calls.writing = false;
	}
	if (confine_calls(&calls, &error))
		goto failed;
	return;
failed:
	log_error("cannot scan a pack safely: %s", error.message);
	_exit(EXIT_FAILURE);
}

/* ---- The scan ----------------------------------------------------------------------------- */

static int scan(const char *path, json **ret_manifest, struct error *error)
{
	struct pack_file file;
	struct pack *pack = NULL;
	int fd = -1;
	int r = pack_file_open(path, &file, &fd, error);

	if (!r && confine_can_read(path))
		r = confine_rights(CONFINE_NOTHING, error);
	if (r)
		return r;
	loading = 1;
	r = pack_load(path, fd, &file, &pack, error);
	loading = 0;
	if (!r)
		r = pack_describe(pack, ret_manifest, error);
	if (!r)
		json_set_boolean(*ret_manifest, "starts_threads", has_threads());
	pack_free(pack);
	close(fd);
	return r;
}

int scan_main(int count, char **arguments)
{
	struct error error = ERROR_INIT;
	json *manifest = NULL;
	char *path;

	(void)count;
	path = realpath(arguments[0], NULL);
	close_in();
	watch();
	if (scan(path ? path : arguments[0], &manifest, &error))
		refuse(error.message);
	answer(manifest);
}
