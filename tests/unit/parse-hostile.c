/* SPDX-License-Identifier: MIT
 *
 * Output that nobody means well with: it takes time in proportion to its length, and ends soundly
 * wherever it is cut.
 */
#include "parse-unit.h"

#include <time.h>

#define DS(words) "<\xEF\xBD\x9Ctool\xE2\x96\x81" words "\xEF\xBD\x9C>"
#define DS_BEGIN                                                                                   \
	DS("call\xE2\x96\x81"                                                                      \
	   "begin")

static const char *const repeated[] = {
	"<",
	"<tool ",
	"<tool>",
	"<tool name='a'>",
	"<tool name='a'>{\"x\":\"",
	"<tool a=\"",
	"<tool name='a' args='",
	"<tool name='a' args='{",
	"<tool name='a' args='{\"x",
	"<tool name=\"a\" args=\"{\\\"",
	"<tool name=\"a\" args=\"{&quot;",
	"<tool_call>",
	"<tool_call>{",
	"<tool_call>{\"a\":\"",
	"<tool_call>[\"",
	"<tool_call>a\n<arg_key>",
	"<tool_call>a\n<arg_key>k</arg_key><arg_value>",
	"<invoke name='a'>",
	"<invoke name='a'><parameter name='x'>",
	"<invoke name='a'><parameters><x>",
	"<invoke><tool_name>",
	"<function=a>",
	"<function=a>{",
	"<function=a><parameter=b>",
	"<function=a><parameter=",
	"```\n",
	"```json\n",
	"```json\n{\n",
	"``` ",
	"`",
	"`a``b```c",
	"[TOOL_CALLS]",
	"[TOOL_CALLS]a[ARGS]{",
	"[TOOL_CALLS][",
	DS_BEGIN,
	DS_BEGIN "a" DS("sep"),
	DS_BEGIN "a" DS("sep") "{",
	"<|python_tag|>",
	"<|python_tag|>{\"name\":",
	"<|python_tag|>a.call(",
	"<think>",
	"<tool_result>",
	"<tool_result></tool_result><tool_result>",
	"<!--",
	"</think>",
	"[",
	"{",
	"[\n",
	"{\n",
	"{\"a\":\n",
	"{\"tool\":\n",
	"{\"tool\" x\n",
	"{'tool'\n",
	"[f(",
	"[f(a=",
	"[f(a=[",
	"data: {\n",
	"data: {}\n",
	"> ",
	"\n",
	" ",
	"{\"tool\":\"a\"}\n",
	"[null]\n",
	"{\"choices\":[{\"message\":",
	"&quot;",
};

static double seconds_for(const char *piece, size_t length)
{
	size_t piece_length = strlen(piece);
	char *text = malloc(length);
	struct buffer out;
	clock_t began;
	int status;

	for (size_t i = 0; i < length; i++)
		text[i] = piece[i % piece_length];
	began = clock();
	status = parse_unit_read(text, length, false, &out);
	CU_ASSERT(status == STATUS_OK || status == STATUS_INPUT_TOO_LARGE);
	buffer_free(&out);
	free(text);
	return (double)(clock() - began) / CLOCKS_PER_SEC;
}

/* Four times the text takes four times the time, where comparing each place with each would take
 * sixteen; times too short to tell are not compared. */
static void time_is_in_proportion(void)
{
	for (size_t i = 0; i < sizeof(repeated) / sizeof(repeated[0]); i++) {
		double little = seconds_for(repeated[i], 60000);
		double much = seconds_for(repeated[i], 240000);

		if (much > 0.5 && much > 10 * little)
			fprintf(stderr, "%s: %.2f s, then %.2f s\n", repeated[i], little, much);
		CU_ASSERT(much <= 0.5 || much <= 10 * little);
	}
}

/* All formats in one text, which is cut at every place and spoilt at every byte. */
static const char sample[] =
	"Hm <think>x</think>\n<tool name=\"a\" args='{\"x\":\"\\u00e9\\ud83c\\udfb2\"}' id='1'/>"
	"<tool name='b'>{\"y\":[1,2,3,4,5,6,7,8.5e3]}</tool>\n`<tool>` <!-- c -->\n"
	"<function_calls><invoke name=\"c\"><parameter name=\"p\">v</parameter></invoke>"
	"</function_calls><tool_call>{\"name\":\"d\",\"arguments\":\"{}\"}</tool_call>\n"
	"<tool_call>e\n<arg_key>k</arg_key><arg_value>v</arg_value></tool_call>"
	"<function=f><parameter=p>\nv\n</parameter></function><function=g>{}</function>"
	"[TOOL_CALLS]h[CALL_ID]2[ARGS]{\"z\":null}\n" DS_BEGIN "i" DS("sep") "{}" DS(
		"call\xE2\x96\x81"
		"end") "\n{\"tool_calls\":[{\"id\":3,\"function\":{\"name\":\"j\"}}]}\n"
		       "~~~\nx\n~~~\n```json\n[{\"tool\":\"k\",\"arguments\":{}}]\n```\n"
		       "<|python_tag|>l.call(q='s', n=[1.5, True, None, {'m': 2}])<|eom_id|>";

static bool is_sound(const char *text, size_t length)
{
	char *copy = malloc(length ? length : 1);
	struct parse_options options = { 0 };
	struct parse_list list;
	bool sound;

	memcpy(copy, text, length);
	sound = parse_output(copy, length, &options, &list, NULL) == STATUS_OK;
	for (size_t i = 0; i < list.count; i++) {
		const struct parse_entry *entry = &list.entries[i];
		bool call = entry->reason == PARSE_CALL;

		sound = sound && entry->offset < length &&
			call == (json_kind(entry->arguments) == JSON_OBJECT) &&
			(!call || json_kind(entry->tool) == JSON_TEXT);
	}
	parse_list_free(&list);
	free(copy);
	return sound;
}

static void every_cut_is_sound(void)
{
	static const char bytes[] = "\0\n\"'\\/{}[]<>,:=`| \x80\xC3\xEF\xFF";
	unsigned unsound = 0;
	char text[sizeof(sample)];

	for (size_t i = 0; i < sizeof(sample); i++)
		unsound += !is_sound(sample, i);
	for (size_t i = 0; i < sizeof(sample) - 1; i++) {
		for (size_t j = 0; j < sizeof(bytes) - 1; j++) {
			memcpy(text, sample, sizeof(sample));
			text[i] = bytes[j];
			unsound += !is_sound(text, sizeof(sample) - 1);
		}
	}
	CU_ASSERT_EQUAL(unsound, 0);
}

static void the_sample_is_read(void)
{
	struct buffer out;

	CU_ASSERT_EQUAL(parse_unit_read(sample, sizeof(sample) - 1, false, &out), STATUS_OK);
	UNIT_TEXT(
		out.data,
		"a{\"x\":\"\xC3\xA9\xF0\x9F\x8E\xB2\"} #1 b{\"y\":[1,2,3,4,5,6,7,8500]} "
		"c{\"p\":\"v\"} d{} e{\"k\":\"v\"} f{\"p\":\"v\"} g{} h{\"z\":null} #2 i{} j{} #3 "
		"k{} l{\"q\":\"s\",\"n\":[1.5,true,null,{\"m\":2}]}");
	buffer_free(&out);
}

static void entries_are_bounded(void)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX), out;

	for (int i = 0; i < PARSE_ENTRIES_MAX; i++)
		buffer_text(&text, "<tool name='a'/>");
	CU_ASSERT_EQUAL(parse_unit_read(text.data, text.length, false, &out), STATUS_OK);
	buffer_free(&out);
	buffer_text(&text, "<tool name='a'/>");
	CU_ASSERT_EQUAL(parse_unit_read(text.data, text.length, false, &out),
			STATUS_INPUT_TOO_LARGE);
	buffer_free(&out);
	buffer_free(&text);
}

static void depth_is_bounded(void)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX), out;

	buffer_text(&text, "<tool name='a' args='{\"x\":");
	for (int i = 0; i < 100000; i++)
		buffer_byte(&text, '[');
	for (int i = 0; i < 100000; i++)
		buffer_byte(&text, ']');
	buffer_text(&text, "}'/><tool name='b'/>");
	CU_ASSERT_EQUAL(parse_unit_read(text.data, text.length, false, &out), STATUS_OK);
	UNIT_TEXT(out.data, "!a:arguments_not_json b{}");
	buffer_free(&out);
	buffer_free(&text);
}

static const struct unit_test tests[] = {
	UNIT_TEST(the_sample_is_read),	  UNIT_TEST(every_cut_is_sound),
	UNIT_TEST(time_is_in_proportion), UNIT_TEST(entries_are_bounded),
	UNIT_TEST(depth_is_bounded),
};

UNIT_MAIN("parse-hostile", tests)
