/* SPDX-License-Identifier: MIT
 *
 * Dispatch: which handler gets a message, and what waits until the registry is there.
 */
#include "config.h"

#include "mcp/session.h"

#include "base/array.h"
#include "base/settings.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELD_MOST 10000
#define HELD_BYTES_MOST ((size_t)64 << 20)

struct mcp_held {
	struct mcp_held *next;
	struct rpc_message message;
};

struct method {
	const char *name;
	struct crew_job *(*handle)(struct mcp_session *session, struct rpc_message *message);
	bool needs_registry;
};

static const struct method methods[] = {
	{ "tools/call", mcp_call_tool, true },	      { "tools/list", mcp_list_tools, true },
	{ "initialize", mcp_initialize, false },      { "ping", mcp_ping, false },
	{ "logging/setLevel", mcp_set_level, false },
};

void mcp_session_init(struct mcp_session *session, struct mcp_server *server,
		      void (*send)(void *context, const char *data, size_t length), void *context)
{
	memset(session, 0, sizeof(*session));
	session->server = server;
	session->send = send;
	session->context = context;
	session->version = MCP_NEWEST;
	session->log_level = -1;
	session->last_held = &session->held;
}

void mcp_session_free(struct mcp_session *session)
{
	struct mcp_held *held;

	while ((held = session->held)) {
		session->held = held->next;
		rpc_message_free(&held->message);
		free(held);
	}
}

void mcp_send_error(struct mcp_session *session, const struct rpc_id *id, int code,
		    const char *message, const json *data)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);

	rpc_write_error(&out, id, code, message, data);
	session->send(session->context, out.data, out.length);
	buffer_free(&out);
}

void mcp_refuse(struct mcp_session *session, int code, const char *reason)
{
	mcp_send_error(session, NULL, code, reason, NULL);
}

/* Keeps a message until the registry is there; it is empty afterwards. */
static void hold(struct mcp_session *session, struct rpc_message *message)
{
	struct mcp_held *held = malloc(sizeof(*held));

	if (!held || !rpc_message_keep(&held->message, message)) {
		mcp_send_error(session, &message->id, RPC_INTERNAL_ERROR, "out of memory", NULL);
		free(held);
		return;
	}
	held->next = NULL;
	*session->last_held = held;
	session->last_held = &held->next;
	session->held_count++;
	session->held_bytes += held->message.bytes;
}

/* Takes a message out of those that wait; `link` is what points at it. */
static struct mcp_held *take_out(struct mcp_session *session, struct mcp_held **link)
{
	struct mcp_held *held = *link;

	*link = held->next;
	if (!held->next)
		session->last_held = link;
	session->held_count--;
	session->held_bytes -= held->message.bytes;
	return held;
}

bool mcp_forget(struct mcp_session *session, const struct rpc_id *id)
{
	for (struct mcp_held **link = &session->held; *link; link = &(*link)->next) {
		struct mcp_held *held;

		if (!rpc_id_equal(&(*link)->message.id, id))
			continue;
		held = take_out(session, link);
		rpc_message_free(&held->message);
		free(held);
		return true;
	}
	return false;
}

static struct crew_job *dispatch(struct mcp_session *session, struct rpc_message *message)
{
	char reason[128];

	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		if (!rpc_is_method(message, methods[i].name))
			continue;
		if (!methods[i].needs_registry || session->server->registry)
			return methods[i].handle(session, message);
		hold(session, message);
		return NULL;
	}
	snprintf(reason, sizeof(reason), "there is no method %.*s",
		 (int)text_head(message->method, message->method_length, 80), message->method);
	mcp_send_error(session, &message->id, RPC_METHOD_NOT_FOUND, reason, NULL);
	return NULL;
}

struct crew_job *mcp_receive(struct mcp_session *session, const char *text, size_t length)
{
	size_t most = (size_t)setting_whole(SETTING_MAX_MESSAGE_MB) << 20;
	struct crew_job *job = NULL;
	struct rpc_message message;

	rpc_read(text, length, most, &message);
	switch (message.kind) {
	case RPC_REQUEST:
		job = dispatch(session, &message);
		break;
	case RPC_NOTIFICATION:
		if (rpc_is_method(&message, "notifications/cancelled"))
			mcp_cancelled(session, &message);
		break;
	case RPC_RESPONSE: /* we ask nothing yet, so this answers nothing */
		break;
	case RPC_INVALID:
		mcp_send_error(session, &message.id, message.code, message.reason, NULL);
		break;
	}
	rpc_message_free(&message);
	return job;
}

struct crew_job *mcp_resume(struct mcp_session *session)
{
	struct crew_job *job = NULL;
	struct mcp_held *held;

	while (!job && (held = session->held)) {
		take_out(session, &session->held);
		job = dispatch(session, &held->message);
		rpc_message_free(&held->message);
		free(held);
	}
	return job;
}

bool mcp_is_full(const struct mcp_session *session)
{
	return session->held_count >= HELD_MOST || session->held_bytes >= HELD_BYTES_MOST;
}

bool mcp_holds(const struct mcp_session *session)
{
	return session->held != NULL;
}
