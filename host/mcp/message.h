/* SPDX-License-Identifier: MIT
 *
 * JSON-RPC 2.0: one message in, one message out.
 */
#ifndef TOOLHOST_MCP_MESSAGE_H
#define TOOLHOST_MCP_MESSAGE_H

#include "base/buffer.h"
#include "base/error.h"

/* Codes of JSON-RPC. */
#define RPC_PARSE_ERROR (-32700)
#define RPC_INVALID_REQUEST (-32600)
#define RPC_METHOD_NOT_FOUND (-32601)
#define RPC_INVALID_PARAMS (-32602)
#define RPC_INTERNAL_ERROR (-32603)

/* A request id or a progress token: the JSON text of a string or an integer, as it came. */
struct rpc_id {
	char *text; /* NULL: none; points at `small`, or is owned */
	size_t length;
	char small[32];
};

void rpc_id_set(struct rpc_id *id,
		const json *value); /* any value but a string or an integer sets none */
void rpc_id_move(struct rpc_id *to, struct rpc_id *from);
void rpc_id_free(struct rpc_id *id);
bool rpc_id_equal(const struct rpc_id *a, const struct rpc_id *b);

enum rpc_kind { RPC_REQUEST, RPC_NOTIFICATION, RPC_RESPONSE, RPC_INVALID };

struct rpc_message {
	enum rpc_kind kind;
	int code;     /* RPC_INVALID: what to answer */
	size_t bytes; /* of the text that it was read from */
	struct rpc_id id;

	/* Texts live as long as the message, and as the text that it was read from: NULL where they
	 * are absent. */
	const char *method;
	size_t method_length;
	const char *name; /* params.name */
	size_t name_length;

	/* Owned. `params` is an object, or NULL where it is absent or null; it may be NULL too
	 * where it holds nothing but name, arguments and _meta, as most messages do. */
	json *params;
	json *arguments, *meta; /* of params */
	json *root;		/* what the others lie in; NULL: in the text */
	char reason[256];	/* RPC_INVALID: why */
};

/* Reads one message. Always fills *ret_message; a text that is no JSON, or no message, is
 * RPC_INVALID with the id where exactly one could be read. */
void rpc_read(const char *text, size_t length, size_t max_bytes, struct rpc_message *ret_message);
void rpc_message_free(struct rpc_message *message);
/* Keeps a message beyond the text that it was read from; `from` is empty afterwards. False: no
 * memory. */
bool rpc_message_keep(struct rpc_message *to, struct rpc_message *from);
bool rpc_is_method(const struct rpc_message *message, const char *name);

/* Messages are written into an empty buffer, and end in a newline. */
void rpc_begin_result(struct buffer *out, const struct rpc_id *id); /* up to and with `"result":` */
void rpc_end(struct buffer *out); /* the closing brace and the newline */
/* `data`, an object, may be NULL; `id` may be NULL or none. */
void rpc_write_error(struct buffer *out, const struct rpc_id *id, int code, const char *message,
		     const json *data);

#endif
