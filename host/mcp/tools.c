/* SPDX-License-Identifier: MIT
 *
 * tools/list and tools/call.
 */
#include "config.h"

#include "mcp/session.h"

#include "base/scratch.h"
#include "base/settings.h"

#include <stdio.h>
#include <string.h>

/* ---- Listing --------------------------------------------------------------------------------- */

/* A cursor is "tools:" and the index of the first tool of the page. The order of a registry never
 * changes. */
static bool read_cursor(const json *params, size_t count, size_t *ret_first)
{
	const json *cursor = params ? json_get(params, "cursor") : NULL;
	unsigned long long first;
	char behind;

	*ret_first = 0;
	if (!cursor)
		return true;
	if (json_kind(cursor) != JSON_TEXT ||
	    sscanf(json_text(cursor, NULL), "tools:%llu%c", &first, &behind) != 1 || !first ||
	    first >= count)
		return false;
	*ret_first = (size_t)first;
	return true;
}

/* The enabled tools from `first` on, a page of them; answers the index behind the page. */
static size_t print_page(struct buffer *out, const struct registry *registry, size_t first,
			 size_t page)
{
	size_t count = registry_tool_count(registry), i, printed = 0;

	for (i = first; i < count && printed < page; i++) {
		const struct registry_tool *tool = registry_tool(registry, i);

		if (!tool->enabled)
			continue;
		if (printed++)
			buffer_byte(out, ',');
		buffer_append(out, tool->listing, tool->listing_length);
	}
	while (i < count && !registry_tool(registry, i)->enabled)
		i++;
	return i;
}

/* Room for a page, so that a long list is put together in one piece of memory. */
static size_t page_bytes(const struct registry *registry, size_t first, size_t page)
{
	size_t count = registry_tool_count(registry), bytes = 256;

	for (size_t i = first; i < count && i - first < page; i++)
		bytes += registry_tool(registry, i)->listing_length + 1;
	return bytes;
}

struct crew_job *mcp_list_tools(struct mcp_session *session, struct rpc_message *message)
{
	const struct registry *registry = session->server->registry;
	size_t page = (size_t)setting_whole(SETTING_PAGE_SIZE);
	size_t count = registry_tool_count(registry);
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	size_t first, next;

	if (!read_cursor(message->params, count, &first)) {
		mcp_send_error(session, &message->id, RPC_INVALID_PARAMS,
			       "cursor is none that tools/list has handed out: begin without one",
			       NULL);
		return NULL;
	}
	buffer_reserve(&out, page_bytes(registry, first, page));
	rpc_begin_result(&out, &message->id);
	buffer_text(&out, "{\"tools\":[");
	next = print_page(&out, registry, first, page);
	buffer_byte(&out, ']');
	if (next < count)
		buffer_format(&out, ",\"nextCursor\":\"tools:%zu\"", next);
	buffer_byte(&out, '}');
	rpc_end(&out);
	if (session->give)
		session->give(session->context, &out);
	else
		session->send(session->context, out.data, out.length);
	buffer_free(&out);
	return NULL;
}

/* ---- Calling --------------------------------------------------------------------------------- */

struct mcp_call {
	struct mcp_session *session;
	struct rpc_id id;
	struct rpc_id token; /* of progress */
	enum mcp_version version;
};

_Static_assert(sizeof(struct mcp_call) <= JOB_ROOM, "a call lies in its job");

static void call_done(struct job *job, const struct outcome *outcome)
{
	struct mcp_call *call = job->owner;
	struct buffer *out = scratch_buffer();

	rpc_begin_result(out, &call->id);
	mcp_print_result(out, outcome, job->request.spec->output != NULL, call->version);
	rpc_end(out);
	call->session->send(call->session->context, out->data, out->length);
}

/* What a tool says on the way is left out for a client that does not listen: nothing else bounds
 * how much it says. */
static bool is_behind(const struct mcp_session *session)
{
	return session->is_behind && session->is_behind(session->context);
}

static void end_notification(struct buffer *out, const struct mcp_call *call)
{
	buffer_byte(out, '}');
	rpc_end(out);
	call->session->send(call->session->context, out->data, out->length);
	buffer_free(out);
}

static void call_progress(struct job *job, double done, double total, const char *message)
{
	struct mcp_call *call = job->owner;
	struct buffer out = BUFFER_INIT(SIZE_MAX);

	if (!call->token.text || is_behind(call->session))
		return;
	buffer_text(&out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
			  "progress\",\"params\":{\"progressToken\":");
	buffer_append(&out, call->token.text, call->token.length);
	buffer_text(&out, ",\"progress\":");
	json_print_number(&out, done);
	if (total > 0) {
		buffer_text(&out, ",\"total\":");
		json_print_number(&out, total);
	}
	if (message && call->version >= MCP_2025_03_26) {
		buffer_text(&out, ",\"message\":");
		json_print_text(&out, message, strlen(message));
	}
	end_notification(&out, call);
}

/* Answers false for a client that does not want the level. */
static bool begin_log(struct buffer *out, const struct job *job, int level)
{
	const struct mcp_call *call = job->owner;
	const struct registry_tool *tool = job->request.spec->tool;

	if (level > call->session->log_level || is_behind(call->session))
		return false;
	buffer_format(out,
		      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
		      "message\",\"params\":{\"level\":\"%s\",\"logger\":",
		      mcp_level_name(level));
	json_print_text(out, tool->name, tool->name_length);
	buffer_text(out, ",\"data\":");
	return true;
}

static void call_log(struct job *job, int level, const char *text, size_t length)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);

	if (!begin_log(&out, job, level))
		return;
	json_print_text(&out, text, length);
	end_notification(&out, job->owner);
}

/* The protocol has no message for a part of a result, so text goes out as a line of the log, which
 * says whose it is. */
static void call_partial(struct job *job, const th_content *content)
{
	const struct mcp_call *call = job->owner;
	struct buffer out = BUFFER_INIT(SIZE_MAX);

	if (content->kind != TH_CONTENT_TEXT || !begin_log(&out, job, TH_LOG_INFO))
		return;
	json_print_text(&out, content->data.data, content->data.length);
	buffer_text(&out, ",\"_meta\":{\"toolhost/partial\":");
	buffer_append(&out, call->id.text, call->id.length);
	buffer_byte(&out, '}');
	end_notification(&out, call);
}

static void call_release(struct job *job)
{
	struct mcp_call *call = job->owner;

	rpc_id_free(&call->id);
	rpc_id_free(&call->token);
}

static const struct job_listener call_listener = {
	.done = call_done,
	.progress = call_progress,
	.log = call_log,
	.partial = call_partial,
	.release = call_release,
};

/* Ties a job to the request that asked for it. */
static void attach(struct mcp_session *session, struct rpc_message *message, struct job *job)
{
	struct mcp_call *call = (struct mcp_call *)job->room;

	call->session = session;
	call->version = session->version;
	rpc_id_move(&call->id, &message->id);
	rpc_id_set(&call->token, json_kind(message->meta) == JSON_OBJECT
					 ? json_get(message->meta, "progressToken")
					 : NULL);
	job->listener = &call_listener;
	job->owner = call;
}

/* Why the params are none of tools/call; NULL: they are. Arguments that are text may be repaired,
 * so they go on to the gate. */
static const char *refuse_params(const struct rpc_message *message)
{
	enum json_kind kind = json_kind(message->arguments);

	if (!message->name)
		return "tools/call needs params with the name of a tool";
	if (kind != JSON_NULL && kind != JSON_OBJECT &&
	    !(kind == JSON_TEXT && setting_switch(SETTING_REPAIR_ARGUMENTS)))
		return "arguments has to be an object";
	return NULL;
}

struct crew_job *mcp_call_tool(struct mcp_session *session, struct rpc_message *message)
{
	const struct mcp_server *server = session->server;
	const char *refusal = refuse_params(message);
	struct call_request request = {
		.trust = server->trust,
		.at_least = server->at_least,
		.timeout = server->timeout,
		.over_mcp = true,
	};
	struct call_limits limits;
	char reason[MCP_REASON];
	struct error error;
	struct job *job = NULL;
	bool limited;

	if (!refusal && !mcp_read_limits(message->meta, &limits, &limited, reason))
		refusal = reason;
	if (refusal) {
		mcp_send_error(session, &message->id, RPC_INVALID_PARAMS, refusal, NULL);
		return NULL;
	}
	error_init(&error);
	request.tool = message->name;
	request.tool_length = message->name_length;
	request.arguments = json_hold(message->arguments);
	request.limits = limited ? &limits : NULL;
	if (pipeline_job(server->executor, &request, &job, &error)) {
		json *data = error_to_json(&error);

		mcp_send_error(session, &message->id,
			       error.status == STATUS_UNKNOWN_TOOL ? RPC_INVALID_PARAMS
								   : RPC_INTERNAL_ERROR,
			       error.message, data);
		json_drop(data);
		error_clear(&error);
		return NULL;
	}
	job->weight = message->bytes;
	attach(session, message, job);
	/* From here on the arguments belong to the job's thread alone: counting references is not
	 * atomic. */
	rpc_message_free(message);
	return job_submit(job);
}

/* ---- Cancelling ------------------------------------------------------------------------------ */

/* Which calls of a session. */
struct choice {
	const struct mcp_session *session;
	const struct rpc_id *id; /* NULL: all */
};

static bool is_chosen(const struct job *job, const void *context)
{
	const struct choice *choice = context;
	const struct mcp_call *call = job->owner;

	return job->listener == &call_listener && call->session == choice->session &&
	       (!choice->id || rpc_id_equal(&call->id, choice->id));
}

void mcp_cancelled(struct mcp_session *session, const struct rpc_message *message)
{
	struct rpc_id id;

	rpc_id_set(&id, message->params ? json_get(message->params, "requestId") : NULL);
	if (!mcp_forget(session, &id))
		executor_cancel(session->server->executor, is_chosen,
				&(struct choice){ session, &id });
	rpc_id_free(&id);
}

void mcp_session_end(struct mcp_session *session)
{
	executor_cancel(session->server->executor, is_chosen, &(struct choice){ session, NULL });
}
