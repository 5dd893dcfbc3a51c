/* SPDX-License-Identifier: MIT
 *
 * The stateful era: what a session agrees on at its start, and how much of the log it wants.
 */
#include "config.h"

#include "base/array.h"
#include "mcp/session.h"

#include <toolhost/plugin.h>

#include <string.h>

const char *const mcp_version_names[MCP_VERSION_COUNT] = {
	[MCP_2024_11_05] = "2024-11-05",
	[MCP_2025_03_26] = "2025-03-26",
	[MCP_2025_06_18] = "2025-06-18",
	[MCP_2025_11_25] = "2025-11-25",
};

static const char instructions[] = "Tools of native packs for analysis and more. Arguments are "
				   "checked strictly: a refusal names the "
				   "argument, what was expected and what to send instead.";

/* The revision that the client asks for, where we speak it, else our newest: the client decides
 * whether to stay. */
static enum mcp_version agree(const json *params)
{
	const json *wanted = json_get(params, "protocolVersion");

	for (int v = 0; v < MCP_VERSION_COUNT; v++)
		if (json_text_is(wanted, mcp_version_names[v]))
			return (enum mcp_version)v;
	return MCP_NEWEST;
}

struct crew_job *mcp_initialize(struct mcp_session *session, struct rpc_message *message)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);

	if (!message->params ||
	    json_kind(json_get(message->params, "protocolVersion")) != JSON_TEXT) {
		mcp_send_error(
			session, &message->id, RPC_INVALID_PARAMS,
			"initialize needs params with protocolVersion, capabilities and clientInfo",
			NULL);
		return NULL;
	}
	session->version = agree(message->params);
	rpc_begin_result(&out, &message->id);
	buffer_format(&out,
		      "{\"protocolVersion\":\"%s\",\"capabilities\":{\"logging\":{},\"tools\":{}},"
		      "\"serverInfo\":{\"name\":\"toolhost\",\"title\":\"toolhost\",\"version\":\"%"
		      "s\"},\"instructions\":",
		      mcp_version_names[session->version], PACKAGE_VERSION);
	json_print_text(&out, instructions, sizeof(instructions) - 1);
	buffer_byte(&out, '}');
	rpc_end(&out);
	session->send(session->context, out.data, out.length);
	buffer_free(&out);
	return NULL;
}

static void send_empty(struct mcp_session *session, const struct rpc_id *id)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);

	rpc_begin_result(&out, id);
	buffer_text(&out, "{}");
	rpc_end(&out);
	session->send(session->context, out.data, out.length);
	buffer_free(&out);
}

struct crew_job *mcp_ping(struct mcp_session *session, struct rpc_message *message)
{
	send_empty(session, &message->id);
	return NULL;
}

/* ---- Logging --------------------------------------------------------------------------------- */

/* The eight levels of MCP, most severe first, and which of ours each lets through. */
static const struct {
	const char *name;
	int level;
} levels[] = {
	{ "emergency", -1 },
	{ "alert", -1 },
	{ "critical", -1 },
	{ "error", TH_LOG_ERROR },
	{ "warning", TH_LOG_WARNING },
	{ "notice", TH_LOG_WARNING },
	{ "info", TH_LOG_INFO },
	{ "debug", TH_LOG_DEBUG },
};

const char *mcp_level_name(int level)
{
	switch (level) {
	case TH_LOG_ERROR:
		return "error";
	case TH_LOG_WARNING:
		return "warning";
	case TH_LOG_INFO:
		return "info";
	default:
		return "debug";
	}
}

struct crew_job *mcp_set_level(struct mcp_session *session, struct rpc_message *message)
{
	const json *wanted = message->params ? json_get(message->params, "level") : NULL;

	for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
		if (!json_text_is(wanted, levels[i].name))
			continue;
		session->log_level = levels[i].level;
		send_empty(session, &message->id);
		return NULL;
	}
	mcp_send_error(session, &message->id, RPC_INVALID_PARAMS,
		       "level has to be one of emergency, alert, critical, error, warning, notice, "
		       "info, debug",
		       NULL);
	return NULL;
}
