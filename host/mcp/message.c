/* SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "mcp/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_DEPTH                                                                              \
	512 /* of a whole message; the arguments of a call have a limit of their own */

/* ---- Ids
 * ----------------------------------------------------------------------------------------- */

void rpc_id_set(struct rpc_id *id, const json *value)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);

	memset(id, 0, sizeof(*id));
	if (json_kind(value) != JSON_TEXT && json_kind(value) != JSON_INTEGER)
		return;
	json_print(&text, value);
	if (text.length < sizeof(id->small)) {
		memcpy(id->small, text.data, text.length + 1);
		id->text = id->small;
		id->length = text.length;
		buffer_free(&text);
	} else {
		id->text = buffer_take(&text, &id->length);
	}
}

void rpc_id_move(struct rpc_id *to, struct rpc_id *from)
{
	*to = *from;
	if (from->text == from->small)
		to->text = to->small;
	from->text = NULL;
}

void rpc_id_free(struct rpc_id *id)
{
	if (id->text != id->small)
		free(id->text);
	id->text = NULL;
}

bool rpc_id_equal(const struct rpc_id *a, const struct rpc_id *b)
{
	return a->text && b->text && a->length == b->length && !memcmp(a->text, b->text, a->length);
}

/* ---- Reading
 * ------------------------------------------------------------------------------------- */

static void invalid(struct rpc_message *message, int code, const char *reason)
{
	message->kind = RPC_INVALID;
	message->code = code;
	snprintf(message->reason, sizeof(message->reason), "%s", reason);
}

static void read_broken(const char *text, size_t length, const struct json_fault *fault,
			struct rpc_message *message)
{
	json *id = NULL;

	if (json_salvage_id(text, length, &id)) {
		rpc_id_set(&message->id, id);
		json_drop(id);
	}
	message->kind = RPC_INVALID;
	message->code = fault->too_deep || fault->too_long ? RPC_INVALID_REQUEST : RPC_PARSE_ERROR;
	snprintf(message->reason, sizeof(message->reason), "%s: %s (byte %zu)",
		 message->code == RPC_PARSE_ERROR ? "no JSON" : "refused", fault->reason,
		 fault->offset);
}

static void read_parts(struct rpc_message *message)
{
	json *root = message->root;
	json *method = json_get(root, "method");
	json *params = json_get(root, "params");

	rpc_id_set(&message->id, json_get(root, "id"));
	if (!json_text_is(json_get(root, "jsonrpc"), "2.0"))
		invalid(message, RPC_INVALID_REQUEST, "\"jsonrpc\" has to be \"2.0\"");
	else if (json_has(root, "id") && !message->id.text)
		invalid(message, RPC_INVALID_REQUEST, "\"id\" has to be a string or an integer");
	else if (!json_has(root, "method"))
		if (message->id.text && (json_has(root, "result") || json_has(root, "error")))
			message->kind = RPC_RESPONSE;
		else
			invalid(message, RPC_INVALID_REQUEST, "\"method\" is missing");
	else if (json_kind(method) != JSON_TEXT)
		invalid(message, RPC_INVALID_REQUEST, "\"method\" has to be a string");
	else if (params && json_kind(params) != JSON_OBJECT && message->id.text)
		invalid(message, RPC_INVALID_PARAMS, "\"params\" has to be an object");
	else
		message->kind = message->id.text ? RPC_REQUEST : RPC_NOTIFICATION;
	message->method = json_kind(method) == JSON_TEXT ? json_text(method, NULL) : "";
	message->params = json_kind(params) == JSON_OBJECT ? params : NULL;
}

void rpc_read(const char *text, size_t length, size_t max_bytes, struct rpc_message *ret_message)
{
	const struct json_limits limits = { .max_bytes = max_bytes, .max_depth = MESSAGE_DEPTH };
	struct json_fault fault;

	memset(ret_message, 0, sizeof(*ret_message));
	if (json_read(text, length, &limits, &ret_message->root, &fault))
		read_broken(text, length, &fault, ret_message);
	else if (json_kind(ret_message->root) == JSON_LIST)
		invalid(ret_message, RPC_INVALID_REQUEST,
			"batches are not taken: send one message at a time");
	else if (json_kind(ret_message->root) != JSON_OBJECT)
		invalid(ret_message, RPC_INVALID_REQUEST, "a message has to be an object");
	else
		read_parts(ret_message);
}

void rpc_message_free(struct rpc_message *message)
{
	rpc_id_free(&message->id);
	json_drop(message->root);
	message->root = NULL;
}

/* ---- Writing
 * ------------------------------------------------------------------------------------- */

static void begin(struct buffer *out, const struct rpc_id *id)
{
	buffer_text(out, "{\"jsonrpc\":\"2.0\"");
	if (id && id->text) {
		buffer_text(out, ",\"id\":");
		buffer_append(out, id->text, id->length);
	}
}

void rpc_begin_result(struct buffer *out, const struct rpc_id *id)
{
	begin(out, id);
	buffer_text(out, ",\"result\":");
}

void rpc_end(struct buffer *out)
{
	buffer_append(out, "}\n", 2);
}

void rpc_write_error(struct buffer *out, const struct rpc_id *id, int code, const char *message,
		     const json *data)
{
	begin(out, id);
	buffer_format(out, ",\"error\":{\"code\":%d,\"message\":", code);
	json_print_text(out, message, strlen(message));
	if (data) {
		buffer_text(out, ",\"data\":");
		json_print(out, data);
	}
	buffer_byte(out, '}');
	rpc_end(out);
}
