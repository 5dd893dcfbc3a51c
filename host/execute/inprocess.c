/* SPDX-License-Identifier: MIT
 *
 * Calls in this process. Each thread keeps one struct call and uses it again, so that a short call
 * allocates little.
 */
#include "config.h"

#include "execute/inprocess.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/settings.h"
#include "execute/executor-private.h"
#include "execute/verdict.h"
#include "pack/pack.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- The pack -------------------------------------------------------------------------------- */

/* Whether the file is the one that was scanned. */
static int compare_file(const struct registry_pack *scanned, const struct pack_file *file,
			struct error *error)
{
	if ((int64_t)file->device == scanned->device && (int64_t)file->inode == scanned->inode &&
	    (int64_t)file->size == scanned->size &&
	    clock_ns(file->modified) == scanned->modified_ns)
		return STATUS_OK;
	return error_set(error, STATUS_WORKER_FAILED,
			 "pack %s has changed since it was scanned: start the server again to use "
			 "the new file",
			 scanned->name);
}

/* Whether the pack says now what it said at the scan. */
static int compare_manifest(struct registry *registry, const struct registry_pack *scanned,
			    const struct pack *pack, struct error *error)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	json *manifest = NULL, *tools;
	size_t next = 0;
	int r;

	r = pack_describe(pack, &manifest, error);
	if (r)
		goto out;
	tools = json_get(manifest, "tools");
	for (size_t i = 0; i < registry_tool_count(registry); i++) {
		const struct registry_tool *tool = registry_tool(registry, i);

		if (tool->pack != scanned)
			continue;
		buffer_reset(&text);
		json_print(&text, next < json_count(tools) ? json_peek(tools, next) : NULL);
		next++;
		if (text.length == tool->manifest_length &&
		    !memcmp(text.data, tool->manifest, text.length))
			continue;
		r = error_set(error, STATUS_WORKER_FAILED,
			      "pack %s describes its tool %s in another way than at the scan; it "
			      "is not run here",
			      scanned->name, tool->name);
		goto out;
	}
out:
	buffer_free(&text);
	json_drop(manifest);
	return r;
}

static int load(struct registry *registry, const struct registry_pack *scanned,
		struct pack **ret_pack, struct error *error)
{
	struct pack_file file;
	struct pack *pack = NULL;
	int fd = -1;
	int r;

	if (scanned->linked) {
		*ret_pack = scanned->linked;
		return STATUS_OK;
	}
	r = pack_file_open(scanned->path, &file, &fd, error);
	if (!r)
		r = compare_file(scanned, &file, error);
	if (!r)
		r = pack_load(scanned->path, fd, &file, &pack, error);
	if (!r)
		r = compare_manifest(registry, scanned, pack, error);
	if (fd >= 0)
		close(fd);
	if (!r)
		*ret_pack = pack;
	return r;
}

/* The pack, loaded at its first call. A failure is remembered, and is the answer to every
 * later call. */
static struct pack *loaded_pack_get(struct registry *registry, struct loaded_pack *here,
				    const struct registry_pack *scanned, struct error *error)
{
	struct pack *pack = atomic_load_explicit(&here->pack, memory_order_acquire);

	if (pack)
		return pack;
	pthread_mutex_lock(&here->lock);
	if (!here->tried) {
		here->tried = true;
		here->linked = scanned->linked != NULL;
		if (load(registry, scanned, &pack, &here->failure)) {
			here->failure.status = STATUS_WORKER_FAILED;
			log_error("pack %s cannot be loaded: %s", scanned->name,
				  here->failure.message);
		}
		atomic_store_explicit(&here->pack, pack, memory_order_release);
	}
	pack = here->pack;
	if (!pack) {
		error_set(error, here->failure.status, "%s", here->failure.message);
		error_detail_text(error, "step", "load");
		error_detail_text(error, "reason", here->failure.message);
	}
	pthread_mutex_unlock(&here->lock);
	return pack;
}

/* ---- The call -------------------------------------------------------------------------------- */

static _Thread_local struct call *thread_call;
static pthread_key_t call_key; /* has it freed with its thread */
static pthread_once_t call_once = PTHREAD_ONCE_INIT;

static void free_thread_call(void *call)
{
	call_free(call);
	free(call);
}

static void make_call_key(void)
{
	pthread_key_create(&call_key, free_thread_call);
}

static struct call *fresh_call(void)
{
	struct call *call = thread_call;

	if (call) {
		call_reset(call);
		return call;
	}
	call = malloc(sizeof(*call));
	if (!call)
		return NULL;
	call_init(call);
	pthread_once(&call_once, make_call_key);
	pthread_setspecific(call_key, call);
	thread_call = call;
	return call;
}

static void pass_progress(struct call *call, double done, double total, const char *message)
{
	job_progress(call->owner, done, total, message);
}

static void pass_log(struct call *call, int level, const char *text, size_t length)
{
	job_log(call->owner, level, text, length);
}

static void pass_partial(struct call *call, const th_content *content, const char *text,
			 size_t length)
{
	(void)job_partial(call->owner, content, text, length);
}

static const struct call_listener call_listener = {
	.progress = pass_progress,
	.log = pass_log,
	.partial = pass_partial,
};

static void prepare(struct call *call, struct job *job)
{
	const struct execute_request *request = &job->request;

	call->listener = &call_listener;
	call->owner = job;
	call->tool_name = request->spec->tool->name;
	call->pack_name = request->spec->tool->pack->name;
	call->arguments = request->arguments;
	call->deadline_ns = job->deadline_ns;
	call->seed = request->seed;
	call->max_result = (size_t)setting_whole(SETTING_MAX_RESULT_MB) << 20;
	call->registry = NULL;
	if (request->spec->tool->pack->linked)
		call->registry = executor_registry(job->executor);
}

/* The texts stay this thread's until the answer has gone out. */
static void lend_texts(struct call *call, struct outcome *outcome)
{
	outcome->borrowed = true;
	if (!outcome->error.status) {
		outcome->seed = call->seed;
		outcome->seeded = call->seeded;
		outcome->result = call->result.data;
		outcome->result_length = call->result.length;
		outcome->content = call->content.length ? call->content.data : NULL;
		outcome->content_length = call->content.length;
	}
	outcome->warnings = call->warnings.length ? call->warnings.data : NULL;
	outcome->warnings_length = call->warnings.length;
}

void inprocess_run(struct job *job, struct loaded_pack *here, struct outcome *outcome)
{
	const struct tool_spec *spec = job->request.spec;
	struct registry *registry = executor_registry(job->executor);
	struct pack *pack;
	struct call *call;
	int tool;

	pack = loaded_pack_get(registry, here, spec->tool->pack, &outcome->error);
	if (!pack)
		return;
	tool = pack_find_tool(pack, spec->tool->name);
	call = tool < 0 ? NULL : fresh_call();
	if (!call) {
		error_set(&outcome->error, STATUS_INTERNAL, "out of memory");
		return;
	}
	prepare(call, job);
	job_enter_tool(job, call);
	if (pack_run_tool(pack, tool, call))
		error_move(&outcome->error, &call->failure);
	job_leave_tool(job);
	verdict_gave_up(job, &outcome->error);
	lend_texts(call, outcome);
}
