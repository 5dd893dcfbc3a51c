/* SPDX-License-Identifier: MIT
 *
 * Each wall is put up as a launcher does it, in the same order, and what comes of it is written
 * down before the next one. No pack is loaded, so nothing is lost where one is missing.
 */
#include <config.h>

#include "worker/probe.h"

#include "base/json.h"
#include "base/write.h"
#include "worker/confine.h"
#include "worker/worker.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- What is written down ----------------------------------------------------------------------
 */

static void tell(json *walls, const char *key, bool stands, const char *detail)
{
	json *wall = json_new_object();

	json_set_text(wall, "key", key);
	json_set_boolean(wall, "stands", stands);
	json_set_text(wall, "detail", detail);
	json_append(walls, wall);
}

/* A wall, by what putting it up answered. */
static void tell_result(json *walls, const char *key, int status, struct error *error)
{
	tell(walls, key, !status, status ? error->message : "");
	error_clear(error);
}

/* ---- The walls ---------------------------------------------------------------------------------
 */

static void try_namespace(json *walls, const char *key, struct confine_namespaces kind)
{
	struct error error = ERROR_INIT;

	tell_result(walls, key, confine_namespaces(&kind, &error), &error);
}

static void try_user(json *walls)
{
	struct error error = ERROR_INIT;
	bool root = geteuid() == 0;
	int status = confine_user(CONFINE_NOTHING, &error);

	if (status || root)
		tell_result(walls, "user", status, &error);
	else
		tell(walls, "user", false, "the program is not run by root");
}

static void try_limits(json *walls)
{
	const struct confine_limits limits = { .cpu_seconds = 60,
					       .file_bytes = 1 << 20,
					       .descriptors = 256,
					       .data_bytes = (rlim_t)1 << 30 };
	struct error error = ERROR_INIT;
	int status = confine_limits(&limits, &error);

#ifdef TH_ASAN
	if (!status) {
		tell(walls, "limits", true,
		     "but that of memory, which AddressSanitizer does not bear");
		return;
	}
#endif
	tell_result(walls, "limits", status, &error);
}

/* Landlock, and that it denies what it says. */
static void try_files(json *walls)
{
	static const char *const nothing[] = { NULL };
	const struct confine_files files = { .readable = nothing, .writable = nothing };
	struct error error = ERROR_INIT;
	char detail[64];
	long version =
		syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	int status = confine_files(&files, &error);
	int fd = status ? -1 : open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		close(fd);
		tell(walls, "files", false, "Landlock lets through what it should deny");
	} else if (status) {
		tell_result(walls, "files", status, &error);
	} else {
		snprintf(detail, sizeof(detail), "Landlock, version %ld%s", version,
			 version < 6 ? "; from 6 on it keeps signals, too" : "");
		tell(walls, "files", true, detail);
	}
}

/* The last one: after it a forbidden call would wait for an answer that nobody gives. */
static void try_calls(json *walls)
{
	struct error error = ERROR_INIT;
	int listener = -1;
	const struct confine_calls calls = { .writing = true, .ret_listener = &listener };

	tell_result(walls, "calls", confine_calls(&calls, &error), &error);
}

int probe_main(int count, char **arguments)
{
	struct buffer out = BUFFER_INIT(1 << 16);
	struct error error = ERROR_INIT;
	json *walls = json_new_list();

	(void)count;
	(void)arguments;
	tell_result(walls, "descriptors", confine_descriptors(WORKER_CHANNEL, &error), &error);
	tell_result(walls, "privileges", confine_privileges(&error), &error);
	confine_signals();
	try_namespace(walls, "network", (struct confine_namespaces){ .network = true });
	try_namespace(walls, "communication", (struct confine_namespaces){ .communication = true });
	try_namespace(walls, "processes", (struct confine_namespaces){ .processes = true });
	try_user(walls);
	/* As a call gets one whose pack may start processes, without a capability; of another kind,
	 * since a second namespace of processes cannot be had in one process. */
	try_namespace(walls, "call", (struct confine_namespaces){ .communication = true });
	try_limits(walls);
	try_files(walls);
	try_calls(walls);
	json_print(&out, walls);
	buffer_byte(&out, '\n');
	write_all(WORKER_CHANNEL, out.data, out.length); /* or nobody asks any more */
	_exit(EXIT_SUCCESS);
}
