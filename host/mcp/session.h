/* SPDX-License-Identifier: MIT
 *
 * The protocol, spoken with one client over any transport.
 *
 * Laid out for two eras. What a session remembers is the stateful one's (2024-11-05 to 2025-11-25,
 * legacy.c); tools.c and result.c know no state and serve both.
 */
#ifndef TOOLHOST_MCP_SESSION_H
#define TOOLHOST_MCP_SESSION_H

#include "execute/executor.h"
#include "mcp/message.h"
#include "pipeline/pipeline.h"

/* Revisions, in order of age. */
enum mcp_version {
	MCP_2024_11_05,
	MCP_2025_03_26,
	MCP_2025_06_18,
	MCP_2025_11_25,
	MCP_VERSION_COUNT,
	MCP_NEWEST = MCP_2025_11_25,
};

/* What all sessions of a program share. */
struct mcp_server {
	struct executor *executor;
	struct registry *registry; /* NULL while the scan goes on */
	enum trust trust;
	enum isolation at_least;
	double timeout; /* seconds; 0: default */
};

struct mcp_held; /* a message that waits for the registry */

struct mcp_session {
	struct mcp_server *server;
	/* Sends one message, which ends in a newline. Any thread. */
	void (*send)(void *context, const char *data, size_t length);
	/* The same for a long one, whose memory is taken over; leaves the buffer empty. NULL: there
	 * is no such way. */
	void (*give)(void *context, struct buffer *message);
	/* Whether the client is so far behind that what can be left out is. Any thread; NULL:
	 * never. */
	bool (*is_behind)(void *context);
	void *context;

	enum mcp_version version;
	_Atomic int log_level; /* a TH_LOG_ that is passed on, or -1 for none */
	struct mcp_held *held, **last_held;
	size_t held_count, held_bytes;
};

void mcp_session_init(struct mcp_session *session, struct mcp_server *server,
		      void (*send)(void *context, const char *data, size_t length), void *context);

/* Cancels what is in progress. The session's memory has to stay until executor_pending() is 0. */
void mcp_session_end(struct mcp_session *session);
void mcp_session_free(struct mcp_session *session);

/* Takes one message in. Answers a job that the calling leader may run now, or NULL. */
struct crew_job *mcp_receive(struct mcp_session *session, const char *text, size_t length);

/* A message that the transport could not take whole: it is answered without an id. */
void mcp_refuse(struct mcp_session *session, int code, const char *reason);

/* Once the registry is there: takes up the messages that waited for it, up to the next job.
 * mcp_holds() says whether any are left. */
struct crew_job *mcp_resume(struct mcp_session *session);
bool mcp_holds(const struct mcp_session *session);
/* Whether so much waits that no more should be taken in. */
bool mcp_is_full(const struct mcp_session *session);

/* ---- Between the files of this room ---------------------------------------------------------- */

extern const char *const mcp_version_names[MCP_VERSION_COUNT];

/* Handlers of requests; each answers through the session, or with a job that will. */
struct crew_job *mcp_initialize(struct mcp_session *session, struct rpc_message *message);
struct crew_job *mcp_ping(struct mcp_session *session, struct rpc_message *message);
struct crew_job *mcp_set_level(struct mcp_session *session, struct rpc_message *message);
struct crew_job *mcp_list_tools(struct mcp_session *session, struct rpc_message *message);
struct crew_job *mcp_call_tool(struct mcp_session *session, struct rpc_message *message);
void mcp_cancelled(struct mcp_session *session, const struct rpc_message *message);

/* Drops the request of that id where it waits for the registry: true. */
bool mcp_forget(struct mcp_session *session, const struct rpc_id *id);

void mcp_send_error(struct mcp_session *session, const struct rpc_id *id, int code,
		    const char *message, const json *data);

#define MCP_LIMITS "toolhost/limits" /* the key in _meta */
#define MCP_REASON 200

/* What one call asks for. False, with the reason, where it cannot be read; *ret_there tells whether
 * there is anything. */
bool mcp_read_limits(const json *meta, struct call_limits *ret_limits, bool *ret_there,
		     char ret_reason[MCP_REASON]);

/* A CallToolResult. */
void mcp_print_result(struct buffer *out, const struct outcome *outcome, bool has_output_schema,
		      enum mcp_version version);

/* The level of MCP that a TH_LOG_ is sent as. */
const char *mcp_level_name(int level);

#endif
