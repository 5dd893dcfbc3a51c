/* SPDX-License-Identifier: MIT
 *
 * Calls among prose, a format at a time: what is one, what is malformed, what is quotation.
 */
#include "parse-unit.h"

static void tags(void)
{
	static const struct reading readings[] = {
		{ "<tool name=\"a\" args='{\"x\": 1}'/>", "a{\"x\":1}" },
		{ "<TOOL Args='{}' id='7' NameSpace=\"n\" name='a' more=\"x < y\" />",
		  "n::a{} #7" },
		{ "<tool name='a'/><tool name='b'></tool><tool name='c'>{\"d\":\"</tool>\"}</tool>",
		  "a{} b{} c{\"d\":\"</tool>\"}" },
		{ "<tool name='a' args='{\"d\": \"it'/> <tool name=\\\"rm\\\"/>\"}'/>",
		  "a{\"d\":\"it'/> <tool name=\\\"rm\\\"/>\"}" },
		{ "<tool name=\"a\" args=\"{\\\"t\\\": \\\"say \\\\\\\"hi\\\\\\\"\\\"}\"/>",
		  "a{\"t\":\"say \\\"hi\\\"\"}" },
		{ "<tool name='a' args='{&quot;t&quot;: &quot;&#x41;&amp;&#66;&quot;}'/>",
		  "a{\"t\":\"A&B\"}" },
		{ "<tool name='a' args='{\"x\":\"half'/> <tool name='b' args='{}'/>",
		  "!a:arguments_not_json b{}" },
		{ "<tool name='a' args='{\"x\":\"it'/> and so o", "!a:truncated" },
		{ "<tool name='a' args='{\"x\":\"<tool name=\\\"rm\\\"/>\",}'/>",
		  "!a:arguments_not_json" },
		{ "<tool name='a' args='{\"x\":1}{\"x\":2}'/>", "!a:arguments_not_json" },
		{ "<tool name='a' args={\"x\":1}/>", "!a:arguments_not_json" },
		{ "<tool name='a' args='[1]'/>", "!a:arguments_not_object" },
		{ "<tool name='a' name='b'/>", "!a:duplicate_key" },
		{ "<tool name='a' args='{}'", "!a:truncated" },
		{ "<tool name='a' args='{}' <tool name='b'/>", "!a:truncated b{}" },
		{ "<tool name='a'>{\"x\":1}\n<tool name='b'>{}</tool>", "!a:truncated b{}" },
		{ "<tool name='a'>{\"x\":\"<tool name='rm'/>\"}", "!a:truncated" },
		{ "<tool id='1'/>", "!?:no_name" },
		{ "<tool name='a\xff'/>", "!?:no_name" },
		{ "<tool name='a", "!?:truncated" },
		{ "the <tool> tag, <tool name and <tools name='a'/>", "" },
	};

	PARSE_CHECK(readings);
}

static void elements(void)
{
	static const struct reading readings[] = {
		{ "<function_calls><invoke name=\"a\"><parameter name=\"x\">1 < 2\n</parameter>"
		  "</invoke></function_calls>",
		  "a{\"x\":\"1 < 2\\n\"}" },
		{ "<m:invoke name='a'><m:parameter name='x'>&amp;</m:parameter></m:invoke>",
		  "a{\"x\":\"&amp;\"}" },
		{ "<invoke><tool_name>a</tool_name><parameters><k>v</k></parameters></invoke>",
		  "a{\"k\":\"v\"}" },
		{ "<invoke name='a'><parameter name='x'>1</invoke>"
		  "<invoke name='b'><parameter name='y'>2</parameter></invoke>",
		  "!a:truncated b{\"y\":\"2\"}" },
		{ "<invoke name='a'><parameter name='x'>1</parameter><invoke name='b'></invoke>",
		  "!a:truncated b{}" },
		{ "<invoke name='a'>text</invoke> <invoke name='b'/>",
		  "!a:arguments_not_json b{}" },
		{ "<invoke name='a'><parameter name='x'>once <tool name='rm'/>", "!a:truncated" },
		{ "<invoke name='a'><parameter>1</parameter></invoke>", "!a:arguments_not_json" },
		{ "<invoke><parameters><x>1</x></parameters></invoke>", "!?:no_name" },
		{ "<invoke name='a'><parameter name='x'>1</parameter>"
		  "<parameter name='x'>2</parameter></invoke>",
		  "!a:duplicate_key" },
	};

	PARSE_CHECK(readings);
}

static void hermes_and_its_kin(void)
{
	static const struct reading readings[] = {
		{ "<tool_call>{\"name\":\"a\",\"arguments\":{\"t\":\"</tool_call>\"}}</tool_call>",
		  "a{\"t\":\"</tool_call>\"}" },
		{ "<tool_call>{\"name\":\"a\"}\n{\"name\":\"b\"}</tool_call>", "a{} b{}" },
		{ "<tool_call>{\"name\":\"a\"} and</tool_call>", "!?:not_json" },
		{ "<tool_call>{\"name\":\"a\",\"arguments\":{\"t\":\"lost}}</tool_call>\n"
		  "<tool_call>{\"name\":\"b\"}</tool_call>",
		  "!?:not_json b{}" },
		{ "<tool_call>{\"name\":\"a\",\"arguments\":{\"t\":\"x</tool_call>y\",}}</"
		  "tool_call>"
		  "<tool_call>{\"name\":\"b\"}</tool_call>",
		  "!?:not_json b{}" },
		{ "<tool_call>[1,{\"name\":\"b\"}]</tool_call>", "!?:not_an_object b{}" },
		{ "<tool_call>{\"arguments\":{}}</tool_call>", "!?:no_name" },
		{ "<tool_call>{\"name\":\"a\",\"arguments\":{\"x\":", "!?:truncated" },
		{ "<tool_call>no JSON</tool_call><tool_call>42</tool_call>",
		  "!?:not_json !?:not_an_object" },
		{ "I use the <tool_call> tag.", "" },
		/* Qwen */
		{ "<tool_call>\n<function=a>\n<parameter=x>\n1\n\n</parameter>\n</function>\n</"
		  "tool_call>",
		  "a{\"x\":\"1\\n\"}" },
		{ "<tool_call>\n<function=a>\n</function>\n</tool_call>", "a{}" },
		{ "<function=a>\n<parameter=x>\n1", "!a:truncated" },
		{ "<function=a>{\"x\":\"</function>\"}</function>", "a{\"x\":\"</function>\"}" },
		{ "<function=a>{\"x\":1}", "!a:truncated" },
		{ "<function=a>[1]</function><function=b>x</function>",
		  "!a:arguments_not_object !b:arguments_not_json" },
		/* GLM */
		{ "<tool_call>a\n<arg_key>x</arg_key>\n<arg_value>1</arg_value>\n</tool_call>",
		  "a{\"x\":\"1\"}" },
		{ "<tool_call>a\n</tool_call>", "a{}" },
		{ "<tool_call>a\n<arg_key>x</arg_key>\n<arg_value>1", "!a:truncated" },
	};

	PARSE_CHECK(readings);
}

#define DS(words) "<\xEF\xBD\x9Ctool\xE2\x96\x81" words "\xEF\xBD\x9C>"
#define DS_BEGIN                                                                                   \
	DS("call\xE2\x96\x81"                                                                      \
	   "begin")
#define DS_END                                                                                     \
	DS("call\xE2\x96\x81"                                                                      \
	   "end")
#define DS_SEP DS("sep")

static void tokens(void)
{
	static const struct reading readings[] = {
		{ "[TOOL_CALLS] [{\"name\":\"a\",\"arguments\":{},\"id\":\"1\"}]</s>", "a{} #1" },
		{ "[TOOL_CALLS]a[CALL_ID]9[ARGS]{\"x\":1}[TOOL_CALLS]b{}", "a{\"x\":1} #9 b{}" },
		{ "[TOOL_CALLS]a[ARGS]{x}[TOOL_CALLS]b[ARGS]{}", "!a:arguments_not_json b{}" },
		{ "[TOOL_CALLS]a[ARGS]{\"x\":", "!a:truncated" },
		{ "[TOOL_CALLS] [{},]", "!?:not_json" },
		{ "the [TOOL_CALLS] token is one", "" },
		{ DS_BEGIN "function" DS_SEP "a\n```json\n{\"x\":1}\n```" DS_END, "a{\"x\":1}" },
		{ DS_BEGIN "a" DS_SEP "{\"x\":1}" DS_END DS_BEGIN "b" DS_SEP DS_END,
		  "a{\"x\":1} b{}" },
		{ DS_BEGIN "code" DS_SEP "a\n```json\n{}\n```" DS_END, "!a:unsupported_type" },
		{ DS_BEGIN "a" DS_SEP "{x}" DS_END DS_BEGIN "b" DS_SEP "{}" DS_END,
		  "!a:arguments_not_json b{}" },
		{ DS_BEGIN "a" DS_SEP "{\"x\":1}", "!a:truncated" },
		{ "<|python_tag|>{\"name\":\"a\",\"parameters\":{}}; "
		  "{\"name\":\"b\",\"parameters\":{\"x\":1}}<|eom_id|>",
		  "a{} b{\"x\":1}" },
		{ "<|python_tag|>a.call(q='x \\'y\\'', n=[1, {'k': None}, True])<|eom_id|>",
		  "a{\"q\":\"x 'y'\",\"n\":[1,{\"k\":null},true]}" },
		{ "<|python_tag|>a.call(q=", "!a:truncated" },
		{ "<|python_tag|>print(\"<tool name='x'/>\")<|eom_id|>", "" },
		{ "[a(x=-1.5e3), b()]<|eot_id|>", "a{\"x\":-1500} b{}" },
		{ "[a(x=y), b(z=1, z=2), c(k=')')]",
		  "!a:arguments_not_json !b:duplicate_key c{\"k\":\")\"}" },
		{ "[a(x=\"y", "!a:truncated" },
		{ "[see](http://example.org)", "" },
	};

	PARSE_CHECK(readings);
}

static void blocks(void)
{
	static const struct reading readings[] = {
		{ "Sure:\n  {\"tool\":\"a\"} {\"tool\":\"b\"}\nDone.", "a{} b{}" },
		{ "{\"tool\":\"a\"} is what I would write.\nSo: {\"tool\":\"b\"}", "" },
		{ "{\"tool\":\"a\"}; {\"tool\":\"b\"}<|eot_id|>", "a{} b{}" },
		{ "{\"name\":\"a\",\"parameters\":{}}<|eom_id|>\n", "a{}" },
		{ "> {\"tool\":\"a\"}\n* {\"tool\":\"b\"}", "" },
		{ "x\n{\"tool\":\"a\", oops}\n{\"tool\":\"b\"}\ny", "!?:not_json b{}" },
		{ "x\n{\"tool\":\"a\",\"arguments\":{\"t\":\"lost}}\n{\"tool\":\"b\"}\ny",
		  "!?:not_json b{}" },
		{ "x\n{\"tool\":\"a\",\"arguments\":{}\n{\"tool\":\"b\"}\ny", "!?:not_json b{}" },
		{ "x\n[\n  {\"tool\":\"a\",},\n  {\"tool\":\"b\"}\n]\ny", "!?:not_json" },
		{ "x\n{'tool': 'a'}\ny", "!?:not_json" },
		{ "x\n{\"choices\":[{\"message\":{\"tool_calls\":[{", "!?:truncated" },
		{ "x\n{\"debug\":{\"tool\":\"a\", oops\ny", "" },
		{ "x\n{ f(); }\n[1] note\n[link](y)\n{\"html\":\"<tool name='rm'/>\"}\ny", "" },
		{ "{\"tool\":\"a\"}\n42\n{\"tool\":\"b\"}", "a{} b{}" },
	};

	PARSE_CHECK(readings);
}

static void fences(void)
{
	static const struct reading readings[] = {
		{ "```json\n{\"tool\":\"a\"}\n```", "a{}" },
		{ "```JSON {\"tool\":\"a\"}```", "a{}" },
		{ "```json\n{\"tool\":\"a\"}```\n", "a{}" },
		{ "```tool_call\n<tool name='a'/>\n{\"tool\":\"b\"}\n````<|im_end|>", "a{} b{}" },
		{ "```json\n{\"tool\":\"a\"}\n```\nand then:\n```\n{\"tool\":\"b\"}\n```",
		  "a{} b{}" },
		{ "```json\n{\"tool\":\"a\"}\n```\nThat was one.\n```\n{\"tool\":\"b\"}\n```",
		  "b{}" },
		{ "```json\n{\"tool\":\"a\"}\n```\nNow: <tool name='b'/>", "b{}" },
		{ "<tool name='a'/>\n```json\n{\"tool\":\"b\"}\n```\nOk?", "a{}" },
		{ "```json\n{\"tool\":\"a\"}\n```\n```python\nx\n```", "" },
		{ "```json\n{\"tool\":\"a\"}\nmore\n```", "" },
		{ "```json title\n{\"tool\":\"a\"}\n```", "" },
		{ "~~~json\n{\"tool\":\"a\"}\n~~~", "" },
		{ "````\n```json\n{\"tool\":\"a\"}\n```\n````", "" },
		{ "```json\n{\"tool\":\"a\",}\n```", "!?:not_json" },
		{ "```json\n{\"tool\":\"a\",\"arguments\":{", "!?:truncated" },
		{ "```json\n{\"tool\":\"a\",\"arguments\":{\n```", "!?:not_json" },
	};
	struct buffer out;

	PARSE_CHECK(readings);
	for (size_t i = 0; i < sizeof(readings) / sizeof(readings[0]); i++) {
		parse_unit_read(readings[i].text, strlen(readings[i].text), true, &out);
		CU_ASSERT_PTR_NULL(strchr(out.data, '?'));
		CU_ASSERT(!strcmp(out.data, "") || strstr(readings[i].text, "<tool name"));
		buffer_free(&out);
	}
}

static void quotation(void)
{
	static const struct reading readings[] = {
		{ "`<tool name='a'/>` and ``x ` <tool name='b'/>``", "" },
		{ "one ` tick <tool name='a'/>", "a{}" },
		{ "one ` tick\n\n<tool name='a'/>` tick", "a{}" },
		{ "<!-- <tool name='a'/> --><tool name='b'/><!-- <tool name='c'/>", "b{}" },
		{ "<think><tool name='a'/></think><tool name='a'/>", "a{}" },
		{ "<tool name='a'/></think><tool name='b'/>", "b{}" },
		{ "<thinking>\n<tool name='a'/>", "" },
		{ "<Tool_Result id='1'><tool_result>x</tool_result><tool name='a'/></Tool_Result>"
		  "<tool name='b'/>",
		  "b{}" },
		{ "<tool_response>the <tool_response> tag</tool_response><tool name='b'/>", "b{}" },
		{ "<function_results><tool name='a'/>", "" },
		{ DS("outputs\xE2\x96\x81"
		     "begin") "<tool name='a'/>",
		  "" },
	};

	PARSE_CHECK(readings);
}

static void arguments(void)
{
	static const struct reading readings[] = {
		{ "{\"name\":\"a\",\"arguments\":\"\\\"{}\\\"\"}", "a{}" },
		{ "{\"tool\":\"a\",\"arguments\":\"\\\"\\\\\\\"{}\\\\\\\"\\\"\"}",
		  "!a:arguments_not_object" },
		{ "{\"tool\":\"a\",\"arguments\":\" \"}", "a{}" },
		{ "{\"tool\":\"a\",\"arguments\":{\"n\":123456789012345678901}}",
		  "a{\"n\":1.2345678901234568e+20}" },
		{ "{\"tool\":\"a\",\"id\":1}\n{\"tool\":\"b\",\"id\":\"1\"}\n{\"tool\":\"a\","
		  "\"id\":1}",
		  "a{} #1 !b:duplicate_id" },
		{ "{\"tool\":\"a\"}\n{\"tool\":\"a\"}", "a{} a{}" },
	};

	PARSE_CHECK(readings);
}

static void offsets_are_of_the_input(void)
{
	static const char text[] =
		"\xEF\xBB\xBF \n<tool/>\nx\n{\"tool\":\"a\"}\n```\n<tool name='b' "
		"args='x'/>\n{\"tool\":\"\"}\n```";
	static const size_t offsets[] = { 5, 15, 32, 58 };
	struct parse_options options = { 0 };
	struct parse_list list;

	CU_ASSERT_EQUAL(parse_output(text, sizeof(text) - 1, &options, &list, NULL), STATUS_OK);
	CU_ASSERT_EQUAL(list.count, 4);
	for (size_t i = 0; i < list.count && i < 4; i++)
		CU_ASSERT_EQUAL(list.entries[i].offset, offsets[i]);
	CU_ASSERT_PTR_NOT_NULL(list.entries[2].message);
	parse_list_free(&list);
}

static const struct unit_test tests[] = {
	UNIT_TEST(tags),      UNIT_TEST(elements),  UNIT_TEST(hermes_and_its_kin),
	UNIT_TEST(tokens),    UNIT_TEST(blocks),    UNIT_TEST(fences),
	UNIT_TEST(quotation), UNIT_TEST(arguments), UNIT_TEST(offsets_are_of_the_input),
};

UNIT_MAIN("parse-text", tests)
