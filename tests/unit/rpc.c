/* SPDX-License-Identifier: MIT */
#include "mcp/message.h"

#include "unit.h"

static struct rpc_message message;

static enum rpc_kind take(const char *text)
{
	rpc_message_free(&message);
	rpc_read(text, strlen(text), 1 << 20, &message);
	return message.kind;
}

static void tells_requests_from_notifications(void)
{
	CU_ASSERT_EQUAL(take("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"), RPC_REQUEST);
	CU_ASSERT_TRUE(rpc_is_method(&message, "ping"));
	CU_ASSERT_PTR_NULL(message.params);
	CU_ASSERT_EQUAL(take("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":null}"),
			RPC_REQUEST);
	CU_ASSERT_PTR_NULL(message.params);
	CU_ASSERT_EQUAL(take("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}"),
			RPC_NOTIFICATION);
	CU_ASSERT_EQUAL(take("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":3}"),
			RPC_NOTIFICATION);
	CU_ASSERT_EQUAL(take("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"), RPC_RESPONSE);
	CU_ASSERT_EQUAL(take("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}"), RPC_RESPONSE);
}

static void keeps_ids_as_they_came(void)
{
	static const char *const good[] = {
		"0",
		"\"\"",
		"\"a\"",
		"-1",
		"9007199254740993",
		"\"a text that is longer than the small place for short ids\""
	};
	static const char *const bad[] = {
		"null", "true", "1.5", "[1]", "{}", "1e3", "99999999999999999999"
	};
	char text[256];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		snprintf(text, sizeof(text), "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}",
			 good[i]);
		CU_ASSERT_EQUAL(take(text), RPC_REQUEST);
		UNIT_TEXT(message.id.text, good[i]);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}",
			 bad[i]);
		CU_ASSERT_EQUAL(take(text), RPC_INVALID);
		CU_ASSERT_EQUAL(message.code, RPC_INVALID_REQUEST);
		CU_ASSERT_PTR_NULL(message.id.text);
	}
}

static void refuses_what_is_no_message(void)
{
	static const struct {
		const char *text;
		int code;
		const char *id;
	} cases[] = {
		{ "", RPC_PARSE_ERROR, NULL },
		{ "{\"jsonrpc\":\"2.0\",\"id\":7,", RPC_PARSE_ERROR, "7" },
		{ "{\"jsonrpc\":\"2.0\",\"method\":x,\"id\":\"late\"}", RPC_PARSE_ERROR,
		  "\"late\"" },
		{ "{\"id\":1,\"id\":2}", RPC_PARSE_ERROR, NULL },
		{ "[]", RPC_INVALID_REQUEST, NULL },
		{ "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", RPC_INVALID_REQUEST,
		  NULL },
		{ "3", RPC_INVALID_REQUEST, NULL },
		{ "{}", RPC_INVALID_REQUEST, NULL },
		{ "{\"id\":1,\"method\":\"ping\"}", RPC_INVALID_REQUEST, "1" },
		{ "{\"jsonrpc\":2,\"id\":1,\"method\":\"ping\"}", RPC_INVALID_REQUEST, "1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1}", RPC_INVALID_REQUEST, "1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":3}", RPC_INVALID_REQUEST, "1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":[]}",
		  RPC_INVALID_PARAMS, "1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":\"\"}",
		  RPC_INVALID_PARAMS, "1" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CU_ASSERT_EQUAL(take(cases[i].text), RPC_INVALID);
		CU_ASSERT_EQUAL(message.code, cases[i].code);
		CU_ASSERT(strlen(message.reason) > 0);
		if (cases[i].id)
			UNIT_TEXT(message.id.text, cases[i].id);
		else
			CU_ASSERT_PTR_NULL(message.id.text);
	}
}

static void refuses_depth_and_answers_with_the_id(void)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);

	buffer_text(&text, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"x\",\"params\":{\"a\":");
	for (int i = 0; i < 100000; i++)
		buffer_byte(&text, '[');
	CU_ASSERT_EQUAL(take(text.data), RPC_INVALID);
	CU_ASSERT_EQUAL(message.code, RPC_INVALID_REQUEST);
	UNIT_TEXT(message.id.text, "5");
	buffer_free(&text);
}

static void writes_errors(void)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	json *data = json_new_object();

	json_set_text(data, "why", "x");
	take("{\"jsonrpc\":\"2.0\",\"id\":\"q\\\"\",\"method\":\"ping\"}");
	rpc_write_error(&out, &message.id, -32601, "no \"such\" method", data);
	UNIT_TEXT(out.data, "{\"jsonrpc\":\"2.0\",\"id\":\"q\\\"\",\"error\":{\"code\":-32601,"
			    "\"message\":\"no \\\"such\\\" method\",\"data\":{\"why\":\"x\"}}}\n");
	buffer_reset(&out);
	rpc_write_error(&out, NULL, -32700, "x", NULL);
	UNIT_TEXT(out.data,
		  "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"x\"}}\n");
	buffer_free(&out);
	json_drop(data);
	rpc_message_free(&message);
}

static const struct unit_test tests[] = {
	UNIT_TEST(tells_requests_from_notifications),
	UNIT_TEST(keeps_ids_as_they_came),
	UNIT_TEST(refuses_what_is_no_message),
	UNIT_TEST(refuses_depth_and_answers_with_the_id),
	UNIT_TEST(writes_errors),
};

UNIT_MAIN("rpc", tests)
