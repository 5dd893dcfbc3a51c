/* SPDX-License-Identifier: MIT
 *
 * Calls in messages, responses and stored streams.
 */
#include "parse-unit.h"

#define CALL(id, name)                                                                             \
	"{\"id\":\"" id "\",\"function\":{\"name\":\"" name "\",\"arguments\":\"{}\"}}"

static void chat_completions(void)
{
	static const struct reading readings[] = {
		{ "{\"tool_calls\":[" CALL("1", "a") "," CALL("2", "b") "]}", "a{} #1 b{} #2" },
		{ "[" CALL("1", "a") "]", "a{} #1" },
		{ "{\"choices\":[{\"index\":1,\"message\":{\"tool_calls\":[" CALL(
			  "2", "b") "]}},"
				    "{\"index\":0,\"message\":{\"tool_calls\":[" CALL("1",
										      "a") "]}}]}",
		  "a{} #1" },
		{ "{\"choices\":[{\"finish_reason\":\"length\",\"message\":{\"tool_calls\":["
		  "{\"function\":{\"name\":\"a\",\"arguments\":\"{}\"}},"
		  "{\"function\":{\"name\":\"b\",\"arguments\":\"{\\\"x\\\":1\"}}]}}]}",
		  "a{} !b:truncated" },
		{ "{\"role\":\"assistant\",\"content\":\"<tool name='a'/>\",\"tool_calls\":[]}",
		  "a{}" },
		{ "{\"role\":\"assistant\",\"content\":\"<tool name='x'/>\",\"tool_calls\":[" CALL(
			  "1", "a") "]}",
		  "a{} #1" },
		{ "{\"tool_calls\":[{\"type\":\"custom\",\"custom\":{\"name\":\"a\"}},3,{}]}",
		  "!a:unsupported_type !?:not_an_object !?:no_name" },
		{ "{\"tool_calls\":\"a\"}\n{\"tool_calls\":3}", "!?:not_a_list" },
		{ "{\"function_call\":{\"name\":\"a\",\"arguments\":\"{x}\"}}",
		  "!a:arguments_not_json" },
		{ "{\"function_call\":\"auto\"}", "" },
	};

	PARSE_CHECK(readings);
}

static void transcripts(void)
{
	static const struct reading readings[] = {
		{ "[{\"role\":\"user\",\"content\":\"<tool name='x'/>\"},"
		  "{\"role\":\"assistant\",\"tool_calls\":[" CALL("1", "a") "]}]",
		  "a{} #1" },
		{ "{\"role\":\"assistant\",\"tool_calls\":[" CALL(
			  "1", "a") "]}\n"
				    "{\"role\":\"tool\",\"content\":\"{\\\"tool\\\":\\\"x\\\"}\"}",
		  "" },
		{ "{\"role\":\"assistant\",\"tool_calls\":[" CALL(
			  "1", "a") "]}\n"
				    "{\"role\":\"assistant\",\"tool_calls\":[" CALL("2", "b") "]}",
		  "a{} #1 b{} #2" },
		{ "[{\"type\":\"function_call\",\"call_id\":\"1\",\"name\":\"a\",\"arguments\":\"{}"
		  "\"},"
		  "{\"type\":\"function_call_output\",\"call_id\":\"1\",\"output\":\"\"},"
		  "{\"type\":\"function_call\",\"call_id\":\"2\",\"name\":\"b\",\"arguments\":\"\"}"
		  "]",
		  "b{} #2" },
	};

	PARSE_CHECK(readings);
}

static void other_services(void)
{
	static const struct reading readings[] = {
		{ "{\"type\":\"message\",\"role\":\"assistant\",\"stop_reason\":\"max_tokens\","
		  "\"content\":[{\"type\":\"text\",\"text\":\"<tool name='a'/>\"},"
		  "{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"b\",\"input\":{}}]}",
		  "a{} !b:truncated" },
		{ "[{\"type\":\"server_tool_use\",\"id\":\"1\",\"name\":\"x\",\"input\":{}},"
		  "{\"type\":\"tool_use\",\"id\":\"2\",\"name\":\"a\",\"input\":\"{}\"}]",
		  "a{} #2" },
		{ "{\"object\":\"response\",\"output\":[{\"type\":\"mcp_call\",\"name\":\"x\","
		  "\"arguments\":\"{}\"},{\"type\":\"function_call\",\"call_id\":\"c\",\"id\":"
		  "\"f\","
		  "\"name\":\"a\",\"arguments\":\"{}\"},{\"type\":\"custom_tool_call\",\"name\":"
		  "\"b\","
		  "\"input\":\"x\"},{\"type\":\"function_call\",\"name\":\"d\",\"arguments\":\"{\","
		  "\"status\":\"incomplete\"}]}",
		  "a{} #c !b:unsupported_type !d:truncated" },
		{ "{\"candidates\":[{\"content\":{\"parts\":[{\"thought\":true,\"text\":\"<tool "
		  "name='x'/>\"},{\"text\":\"<tool name='a'/>\"},{\"functionCall\":{\"name\":\"b\","
		  "\"args\":{\"x\":1}}}]}}]}",
		  "a{} b{\"x\":1}" },
		{ "{\"role\":\"user\",\"parts\":[{\"functionCall\":{\"name\":\"x\"}}]}", "" },
	};

	PARSE_CHECK(readings);
}

static void plain_objects(void)
{
	static const struct reading readings[] = {
		{ "[{\"tool\":\"a\",\"arguments\":{},\"namespace\":\"n\"},null]",
		  "n::a{} !?:not_an_object" },
		{ "{\"name\":\"a\",\"parameters\":{\"x\":1},\"type\":\"function\"}", "a{\"x\":1}" },
		{ "{\"name\":\"a\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}", "" },
		{ "{\"name\":\"a\",\"parameters\":{},\"description\":\"x\"}", "" },
		{ "{\"name\":\"gdb\",\"arguments\":\"-q\"}", "" },
		{ "{\"tool\":\"hammer\",\"price\":5}", "" },
		{ "{\"tool\":7,\"arguments\":{}}", "!?:no_name" },
		{ "[1,2,3,4,5,6,7,8,9]", "" },
		{ "\"{\\\"tool\\\":\\\"x\\\"}\"", "" },
	};

	PARSE_CHECK(readings);
}

#define CHUNK(delta, rest) "data: {\"choices\":[{\"index\":0,\"delta\":" delta rest "}]}\n\n"
#define PIECE(text) "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"" text "\"}}]}"

static void streams(void)
{
	static const struct reading readings[] = {
		{ CHUNK("{\"content\":\"hm\"}", "") CHUNK("{\"tool_calls\":[{\"index\":0,\"id\":"
							  "\"1\",\"function\":{\"name\":\"a\"}}]}",
							  "") CHUNK(PIECE("{\\\"x\\\":"), "")
			  CHUNK(PIECE("1}"), "")
				  CHUNK("{}", ",\"finish_reason\":\"tool_calls\"") "data: [DONE]\n",
		  "a{\"x\":1} #1" },
		{ CHUNK("{\"content\":\"<tool na\"}", "") CHUNK("{\"content\":\"me='a'/>\"}", ""),
		  "a{}" },
		{ CHUNK("{\"function_call\":{\"name\":\"a\",\"arguments\":\"{}\"}}", ""),
		  "!a:truncated" },
		{ "event: content_block_start\r\ndata: "
		  "{\"type\":\"content_block_start\",\"index\":0,"
		  "\"content_block\":{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"a\",\"input\":{"
		  "}}}"
		  "\r\n\r\ndata: {\"type\":\"content_block_stop\",\"index\":0}\r\n\r\n",
		  "a{} #1" },
		{ "data: "
		  "{\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":"
		  "\"function_call\",\"call_id\":\"1\",\"name\":\"a\",\"arguments\":\"\"}}\n\n"
		  "data: {\"type\":\"response.function_call_arguments.delta\",\"output_index\":0,"
		  "\"delta\":\"{\"}\n\n",
		  "!a:truncated" },
		{ "data: "
		  "{\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"a\"}}]"
		  "}}]}\n\n",
		  "a{}" },
	};

	PARSE_CHECK(readings);
}

static const struct unit_test tests[] = {
	UNIT_TEST(chat_completions), UNIT_TEST(transcripts), UNIT_TEST(other_services),
	UNIT_TEST(plain_objects),    UNIT_TEST(streams),
};

UNIT_MAIN("parse-values", tests)
