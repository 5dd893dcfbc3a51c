/* SPDX-License-Identifier: MIT
 *
 * Exact and distinct: what is not known is not guessed.
 */
#include "config.h"

#include "execute/verdict.h"

#include "base/array.h"
#include "base/log.h"
#include "base/settings.h"

#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* ---- Blocked calls --------------------------------------------------------------------------- */

/* Whether a pack that is granted subprocesses may make the call, then in a namespace of its own.
 * Nothing else that is held has a grant: the network and files are denied with an error. */
static bool is_of_processes(int number)
{
	static const int numbers[] = {
		SYS_fork,    SYS_vfork, SYS_clone, SYS_execve, SYS_execveat,	    SYS_setsid,
		SYS_setpgid, SYS_kill,	SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo,
	};

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (numbers[i] == number)
			return true;
	return false;
}

static void say_blocked(const struct job *job, int number, struct error *error)
{
	const struct registry_tool *tool = job->request.spec->tool;
	const struct registry_pack *pack = tool->pack;
	char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
	bool grantable = is_of_processes(number) && !pack->grants->subprocess;
	char grant[192];

	snprintf(grant, sizeof(grant), "pack \"%.64s\" { subprocess = true }", pack->name);
	error_set(error, STATUS_BLOCKED,
		  "%s made the system call %s, which is not allowed in a worker%s%s%s", tool->name,
		  name ? name : "(unknown)",
		  grantable ? "; the operator can allow it in the config with " : "",
		  grantable ? grant : "",
		  grantable && !pack->needs->subprocess
			  ? ", once the pack says that it needs subprocesses"
			  : "");
	error_detail_text(error, "syscall", name ? name : "unknown");
	error_detail(error, "grant", grantable ? json_new_text(grant) : NULL);
	free(name);
}

/* The denial of a file or of the network is the tool's to see, and to make of it what it will. What
 * its pack may use stands beside that in the log. */
static void tell_grants(const struct job *job, const struct error *error)
{
	const struct tool_spec *spec = job->request.spec;
	const struct registry_pack *pack = spec->tool->pack;
	struct buffer line = BUFFER_INIT(SIZE_MAX);
	struct rights missing;

	buffer_format(&line, "%s failed in the sandbox: %s; pack %s is granted ", spec->tool->name,
		      error->message, pack->name);
	rights_print(&line, pack->grants);
	rights_lack(&spec->needs, pack->grants, &missing);
	if (rights_any(&missing)) {
		buffer_text(&line, ", and the tool needs ");
		rights_print(&line, &missing);
		buffer_text(&line, ": the config grants that with ");
		rights_print_section(&line, pack->name, &missing);
	}
	if (!line.fault && rights_any(&missing))
		log_warning("%s", line.data);
	else if (!line.fault)
		log_info("%s", line.data);
	buffer_free(&line);
}

/* ---- The others ------------------------------------------------------------------------------ */

void verdict_timeout(const struct job *job, bool queued, struct error *error)
{
	double seconds = job->timeout;

	error_set(error, STATUS_TIMEOUT, "%s did not finish within %g seconds%s",
		  job->request.spec->tool->name, seconds,
		  queued ? ": it was still waiting for its turn"
			 : "; send less data, or raise tool_timeout");
	error_detail_text(error, "tool_name", job->request.spec->tool->name);
	error_detail(error, "timeout", json_new_number(seconds));
	error_detail_text(error, "phase", queued ? "queue" : "run");
}

void verdict_gave_up(const struct job *job, struct error *error)
{
	if (error->status != STATUS_TIMEOUT)
		return;
	error_clear(error);
	verdict_timeout(job, false, error);
}

/* What a tool asks for may be more than a number of JSON's readers can hold. */
static int64_t bounded(uint64_t bytes)
{
	return bytes < INT64_MAX ? (int64_t)bytes : INT64_MAX;
}

static void say_memory(const struct job *job, const struct observations *seen, struct error *error)
{
	uint64_t observed = seen->memory_refused ? seen->memory.wanted : seen->group.observed;

	error_set(error, STATUS_MEMORY_EXCEEDED,
		  seen->memory_refused
			  ? "%s was refused %llu bytes of memory: its limit is %lld MiB"
			  : "%s held %llu bytes of memory with all that it shares, and was ended: "
			    "its limit is %lld MiB beyond what its pack has when loaded",
		  job->request.spec->tool->name, (unsigned long long)observed,
		  (long long)job->request.memory_mb);
	error_detail_text(error, "tool_name", job->request.spec->tool->name);
	error_detail_integer(error, "memory_mb", job->request.memory_mb);
	error_detail_integer(error, "observed", bounded(observed));
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
	error_detail_integer(error, "observed", bounded(observed));
}

/* It ended without an answer: how? */
static void say_ended(const struct job *job, const struct observations *seen, struct error *error)
{
	int status = seen->wait_status;

	if (!seen->has_status) {
		say_failed(job, "it was lost together with its launcher", error);
	} else if (seen->unsupervised) {
		say_failed(job, "its supervisor has ended, without which what it did is not known",
			   error);
	} else if (seen->memory_refused || seen->group.exceeded) {
		say_memory(job, seen, error);
	} else if (seen->group.system) {
		say_failed(job, "the system had no memory left, and killed it", error);
	} else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && seen->stayed) {
		say_failed(job, "it closed its channel, and did not end", error);
	} else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && !seen->killed_itself) {
		say_failed(job, "it was killed from outside, or by a limit that it set itself",
			   error);
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
		else if (error->status == STATUS_TOOL_ERROR && job->strategy == ISOLATION_SANDBOXED)
			tell_grants(job, error);
		else
			verdict_gave_up(job, error);
		return;
	}
	if (seen->cancelled)
		error_set(error, STATUS_CANCELLED, "the call was given up");
	else if (seen->timed_out)
		verdict_timeout(job, false, error);
	else if (seen->blocked_call >= 0)
		say_blocked(job, seen->blocked_call, error);
	else if (seen->forged)
		say_failed(job, "something else than the worker wrote to its channel", error);
	else if (seen->too_large)
		say_too_large(job, seen->too_large, error);
	else
		say_ended(job, seen, error);
}
