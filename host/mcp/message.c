/* SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "mcp/message.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_DEPTH                                                                              \
	512 /* of a whole message; the arguments of a call have a limit of their own */

/* ---- Ids ------------------------------------------------------------------------------------- */

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

/* An id that is JSON text already. */
static void set_id_text(struct rpc_id *id, const char *text, size_t length)
{
	memset(id, 0, sizeof(*id));
	id->text = length < sizeof(id->small) ? id->small : malloc(length + 1);
	if (!id->text)
		return;
	memcpy(id->text, text, length);
	id->text[length] = '\0';
	id->length = length;
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

/* ---- Reading --------------------------------------------------------------------------------- */

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
	json *name;

	rpc_id_set(&message->id, json_get(root, "id"));
	if (!json_text_is(json_get(root, "jsonrpc"), "2.0"))
		invalid(message, RPC_INVALID_REQUEST, "\"jsonrpc\" has to be \"2.0\"");
	else if (json_has(root, "id") && !message->id.text)
		invalid(message, RPC_INVALID_REQUEST,
			"\"id\" has to be a string, or an integer of at most 64 bits");
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
	message->method =
		json_kind(method) == JSON_TEXT ? json_text(method, &message->method_length) : NULL;
	if (json_kind(params) != JSON_OBJECT)
		return;
	name = json_get(params, "name");
	message->params = json_hold(params);
	message->name = json_kind(name) == JSON_TEXT ? json_text(name, &message->name_length)
						     : NULL;
	message->arguments = json_hold(json_get(params, "arguments"));
	message->meta = json_hold(json_get(params, "_meta"));
}

/* The form that nearly every message has. */
static bool read_usual(const char *text, size_t length, const struct json_limits *limits,
		       struct rpc_message *message)
{
	struct json_part params[] = {
		JSON_PART("name", JSON_PART_TEXT),
		JSON_PART("arguments", JSON_PART_VALUE),
		JSON_PART("_meta", JSON_PART_VALUE),
	};
	struct json_part parts[] = {
		JSON_PART("jsonrpc", JSON_PART_TEXT),
		JSON_PART("id", JSON_PART_SCALAR),
		JSON_PART("method", JSON_PART_TEXT),
		JSON_PART("params", JSON_PART_PARTS),
	};

	parts[3].inside = params;
	parts[3].inside_count = 3;
	if (!json_read_parts(text, length, limits, parts, 4))
		return false;
	if (!parts[2].there || parts[0].length != 3 || memcmp(parts[0].text, "2.0", 3)) {
		json_drop(params[1].value);
		json_drop(params[2].value);
		return false;
	}
	message->kind = parts[1].there ? RPC_REQUEST : RPC_NOTIFICATION;
	if (parts[1].there)
		set_id_text(&message->id, parts[1].text, parts[1].length);
	message->method = parts[2].text;
	message->method_length = parts[2].length;
	message->name = params[0].text;
	message->name_length = params[0].length;
	message->arguments = params[1].value;
	message->meta = params[2].value;
	return true;
}

void rpc_read(const char *text, size_t length, size_t max_bytes, struct rpc_message *ret_message)
{
	const struct json_limits limits = { .max_bytes = max_bytes, .max_depth = MESSAGE_DEPTH };
	struct json_fault fault;

	memset(ret_message, 0, offsetof(struct rpc_message, reason));
	ret_message->bytes = length;
	if (read_usual(text, length, &limits, ret_message))
		return;
	memset(ret_message, 0, sizeof(*ret_message));
	ret_message->bytes = length;
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
	json_drop(message->params);
	json_drop(message->arguments);
	json_drop(message->meta);
	json_drop(message->root);
	message->params = message->arguments = message->meta = message->root = NULL;
}

bool rpc_message_keep(struct rpc_message *to, struct rpc_message *from)
{
	*to = *from;
	rpc_id_move(&to->id, &from->id);
	from->params = from->arguments = from->meta = from->root = NULL;
	if (to->root)
		return true;
	/* The texts lie in what was read: they move into an object, as those of unusual messages
	 * do. */
	to->root = json_new_object();
	json_set(to->root, "method", json_new_text_n(to->method, to->method_length));
	if (to->name)
		json_set(to->root, "name", json_new_text_n(to->name, to->name_length));
	to->method = json_text(json_get(to->root, "method"), NULL);
	if (to->name)
		to->name = json_text(json_get(to->root, "name"), NULL);
	return to->method != NULL;
}

bool rpc_is_method(const struct rpc_message *message, const char *name)
{
	return message->method && message->method_length == strlen(name) &&
	       !memcmp(message->method, name, message->method_length);
}

/* ---- Writing --------------------------------------------------------------------------------- */

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
