/* SPDX-License-Identifier: MIT
 *
 * Exact and distinct: what is not known is not guessed.
 */
#include "config.h"

#include "execute/verdict.h"

#include "base/settings.h"

#include <errno.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* ---- Blocked calls
 * ------------------------------------------------------------------------------- */

/* The key of a pack's section in the config that allows the call; NULL: nothing does. */
static const char *grant_for(int number)
{
	switch (number) {
	case SYS_fork:
	case SYS_vfork:
	case SYS_clone:
	case SYS_execve:
	case SYS_execveat:
		return "subprocess";
	case SYS_socket:
	case SYS_connect:
	case SYS_bind:
	case SYS_listen:
		return "network";
	default:
		return NULL;
	}
}

static void say_blocked(const struct job *job, int number, struct error *error)
{
	const struct registry_tool *tool = job->request.spec->tool;
	char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
	const char *key = grant_for(number);
	char grant[192];

	if (key)
		snprintf(grant, sizeof(grant), "pack \"%.64s\" { %s = true }", tool->pack->name,
			 key);
	error_set(error, STATUS_BLOCKED,
		  "%s made the system call %s, which is not allowed in a worker%s%s", tool->name,
		  name ? name : "(unknown)",
		  key ? "; the operator can allow it in the config with " : "", key ? grant : "");
	error_detail_text(error, "syscall", name ? name : "unknown");
	error_detail(error, "grant", key ? json_new_text(grant) : NULL);
	free(name);
}

/* ---- The others
 * ---------------------------------------------------------------------------------- */

int verdict_timeout(const struct job *job, bool queued, struct error *error)
{
	double seconds = job->timeout;

	error_set(error, STATUS_TIMEOUT, "%s did not finish within %g seconds%s",
		  job->request.spec->tool->name, seconds,
		  queued ? ": it was still waiting for its turn"
			 : "; send less data, or raise tool_timeout");
	error_detail_text(error, "tool_name", job->request.spec->tool->name);
	error_detail(error, "timeout", json_new_number(seconds));
	error_detail_text(error, "phase", queued ? "queue" : "run");
	return STATUS_TIMEOUT;
}

static void say_memory(const struct job *job, const struct observations *seen, struct error *error)
{
	error_set(error, STATUS_MEMORY_EXCEEDED,
		  "%s was refused %llu bytes of memory: its limit is %lld MiB",
		  job->request.spec->tool->name, (unsigned long long)seen->memory.wanted,
		  (long long)job->request.memory_mb);
	error_detail_text(error, "tool_name", job->request.spec->tool->name);
	error_detail_integer(error, "memory_mb", job->request.memory_mb);
	error_detail_integer(error, "observed", (int64_t)seen->memory.wanted);
}

static void add_backtrace(const struct frame_crash *crash, struct error *error)
{
	json *frames = json_new_list();
	char text[96];

	for (uint64_t i = 0; i < crash->place_count && i < FRAME_PLACES; i++) {
		const struct frame_place *place = &crash->places[i];

		/* In a file, as addr2line(1) takes it: where that was loaded helps nobody. */
		if (place->file[0])
			snprintf(text, sizeof(text), "%.47s+0x%llx", place->file,
				 (unsigned long long)place->offset);
		else
			snprintf(text, sizeof(text), "0x%llx", (unsigned long long)place->address);
		json_append(frames, json_new_text(text));
	}
	error_detail(error, "backtrace", frames);
}

static void say_crashed(const struct job *job, const struct observations *seen, int number,
			struct error *error)
{
	char address[32];

	error_set(error, STATUS_CRASHED, "%s crashed with signal %d (%s); only this call is lost",
		  job->request.spec->tool->name, number, strsignal(number));
	error_detail_integer(error, "signal", number);
	if (seen->crash_told && seen->crash.signal == number && number != SIGABRT) {
		snprintf(address, sizeof(address), "0x%llx",
			 (unsigned long long)seen->crash.address);
		error_detail_text(error, "address", address);
	} else {
		error_detail(error, "address", NULL);
	}
	if (seen->crash_told && seen->crash.place_count)
		add_backtrace(&seen->crash, error);
}

static void say_failed(const struct job *job, const char *reason, struct error *error)
{
	error_set(error, STATUS_WORKER_FAILED, "the worker of %s failed: %s",
		  job->request.spec->tool->name, reason);
	error_detail_text(error, "step", "run");
	error_detail_text(error, "reason", reason);
}

static void say_too_large(const struct job *job, uint64_t observed, struct error *error)
{
	int64_t limit = setting_whole(SETTING_MAX_RESULT_MB) << 20;

	error_set(error, STATUS_RESULT_TOO_LARGE,
		  "the result of %s has %llu bytes, more than max_result_mb allows (%lld); ask for "
		  "less",
		  job->request.spec->tool->name, (unsigned long long)observed, (long long)limit);
	error_detail_integer(error, "limit", limit);
	error_detail_integer(error, "observed", (int64_t)observed);
}

/* It ended without an answer: how? */
static void say_ended(const struct job *job, const struct observations *seen, struct error *error)
{
	int status = seen->wait_status;

	if (!seen->has_status) {
		say_failed(job, "it was lost together with its launcher", error);
	} else if (seen->memory_refused) {
		say_memory(job, seen, error);
	} else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
		say_failed(job, "it was killed from outside", error);
	} else if (WIFSIGNALED(status)) {
		say_crashed(job, seen, WTERMSIG(status), error);
	} else {
		error_set(error, STATUS_EXITED,
			  "%s ended its process with status %d before it had answered",
			  job->request.spec->tool->name, WEXITSTATUS(status));
		error_detail_integer(error, "status", WEXITSTATUS(status));
	}
}

void verdict_settle(const struct job *job, const struct observations *seen, struct outcome *outcome)
{
	struct error *error = &outcome->error;

	if (seen->answered) {
		if (error->status && seen->memory_refused)
			say_memory(job, seen, error);
		return;
	}
	if (seen->cancelled)
		error_set(error, STATUS_CANCELLED, "the call was given up");
	else if (seen->timed_out)
		verdict_timeout(job, false, error);
	else if (seen->blocked_call >= 0)
		say_blocked(job, seen->blocked_call, error);
	else if (seen->too_large)
		say_too_large(job, seen->too_large, error);
	else if (seen->forged)
		say_failed(job, "something else than the worker wrote to its channel", error);
	else
		say_ended(job, seen, error);
}
