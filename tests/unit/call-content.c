/* SPDX-License-Identifier: MIT
 *
 * Blocks of content, in the result and ahead of the end.
 */
#include "call-unit.h"

/* ---- In the result ------------------------------------------------------------------------- */

static th_content content;

static int32_t put_content(th_call *c, const void *input)
{
	(void)input;
	th_put_content(c, &content);
	return TH_OK;
}

static const char *content_of(uint32_t kind, th_text data, th_text mime_type, th_text uri,
			      uint32_t binary)
{
	content = (th_content){ .struct_size = sizeof(content),
				.kind = kind,
				.data = data,
				.binary = binary,
				.mime_type = mime_type,
				.uri = uri };
	return run(put_content) ? call.failure.message : call.content.data;
}

static void test_blocks(void)
{
	const th_text none = TH_NO_TEXT, text = TH_TEXT("a\"b"), png = TH_TEXT("image/png"),
		      wav = TH_TEXT("audio/wav"), uri = TH_TEXT("file:///x");

	UNIT_TEXT(content_of(TH_CONTENT_TEXT, text, none, none, 0),
		  "{\"type\":\"text\",\"text\":\"a\\\"b\"}");
	UNIT_TEXT(content_of(TH_CONTENT_IMAGE, text, png, none, 0),
		  "{\"type\":\"image\",\"data\":\"YSJi\",\"mimeType\":\"image/png\"}");
	UNIT_TEXT(content_of(TH_CONTENT_AUDIO, text, wav, none, 0),
		  "{\"type\":\"audio\",\"data\":\"YSJi\",\"mimeType\":\"audio/wav\"}");
	UNIT_TEXT(
		content_of(TH_CONTENT_RESOURCE, text, none, uri, 0),
		"{\"type\":\"resource\",\"resource\":{\"uri\":\"file:///x\",\"text\":\"a\\\"b\"}}");
	UNIT_TEXT(content_of(TH_CONTENT_RESOURCE, text, png, uri, 1),
		  "{\"type\":\"resource\",\"resource\":{\"uri\":\"file:///x\",\"mimeType\":\"image/"
		  "png\","
		  "\"blob\":\"YSJi\"}}");
	UNIT_TEXT(content_of(TH_CONTENT_LINK, none, png, uri, 0),
		  "{\"type\":\"resource_link\",\"uri\":\"file:///x\",\"name\":\"file:///x\","
		  "\"mimeType\":\"image/png\"}");
	/* With content only there is no result object beside it. */
	CU_ASSERT_EQUAL(call.result.length, 0);
}

/* RFC 4648, section 10. */
static void test_base64(void)
{
	static const struct {
		th_text plain;
		const char *encoded;
	} cases[] = {
		{ TH_TEXT(""), "" },
		{ TH_TEXT("f"), "Zg==" },
		{ TH_TEXT("fo"), "Zm8=" },
		{ TH_TEXT("foo"), "Zm9v" },
		{ TH_TEXT("foob"), "Zm9vYg==" },
		{ TH_TEXT("fooba"), "Zm9vYmE=" },
		{ TH_TEXT("foobar"), "Zm9vYmFy" },
		{ TH_TEXT("\xff\xfe\xfb"), "//77" },
	};
	const th_text type = TH_TEXT("x/y"), none = TH_NO_TEXT;
	char expected[100];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(expected, sizeof(expected),
			 "{\"type\":\"image\",\"data\":\"%s\",\"mimeType\":\"x/y\"}",
			 cases[i].encoded);
		UNIT_TEXT(content_of(TH_CONTENT_IMAGE, cases[i].plain, type, none, 0), expected);
	}
}

static int32_t put_two_roles(th_call *c, const void *input)
{
	th_content block = { sizeof(block), TH_CONTENT_TEXT, 0,		 0,
			     TH_TEXT("q"),  TH_NO_TEXT,	     TH_NO_TEXT, TH_NO_TEXT };

	(void)input;
	th_put_content(c, &block);
	block.role = 1;
	return th_put_content(c, &block);
}

static void test_prompt_messages(void)
{
	call.is_prompt = true;
	CU_ASSERT_EQUAL(run(put_two_roles), STATUS_OK);
	UNIT_TEXT(call.content.data,
		  "{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"q\"}},"
		  "{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"q\"}}");
	call.is_prompt = false;
	CU_ASSERT_EQUAL(run(put_two_roles), STATUS_OK);
	UNIT_TEXT(call.content.data,
		  "{\"type\":\"text\",\"text\":\"q\"},{\"type\":\"text\",\"text\":\"q\"}");
}

static void test_blocks_that_are_none(void)
{
	const th_text none = TH_NO_TEXT, text = TH_TEXT("x"), long_nothing = { NULL, 3 };
	const struct {
		uint32_t kind;
		th_text data, mime_type, uri;
		const char *phrase;
	} cases[] = {
		{ TH_CONTENT_TEXT, none, none, none, "has no text" },
		{ TH_CONTENT_IMAGE, text, none, none, "no mime_type" },
		{ TH_CONTENT_AUDIO, none, text, none, "has no data" },
		{ TH_CONTENT_LINK, none, none, none, "has no uri" },
		{ 99, text, none, none, "unknown kind" },
		{ TH_CONTENT_RESOURCE, long_nothing, none, text, "NULL data with a length" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *message = content_of(cases[i].kind, cases[i].data, cases[i].mime_type,
						 cases[i].uri, 0);

		CU_ASSERT_EQUAL(call.failure.status, STATUS_RESULT_INVALID);
		if (!strstr(message, cases[i].phrase))
			UNIT_TEXT(message, cases[i].phrase);
	}
	content = (th_content){ .struct_size = 8, .kind = TH_CONTENT_TEXT, .data = text };
	CU_ASSERT_EQUAL(run(put_content), STATUS_RESULT_INVALID);
	CU_ASSERT_PTR_NOT_NULL(strstr(call.failure.message, "struct_size"));
}

/* ---- Parts ahead of the end --------------------------------------------------------------- */

static struct {
	struct buffer text; /* of the blocks, each on a line */
	uint64_t data_bytes;
	unsigned over; /* times that the listener was told of more */
	unsigned logged;
} parts = { .text = { .maximum = SIZE_MAX } };

static void hear_partial(struct call *c, const th_content *block, const char *text, size_t length)
{
	CU_ASSERT_PTR_EQUAL(c, &call);
	if (!block) {
		parts.over++;
		return;
	}
	parts.data_bytes += block->data.length;
	buffer_append(&parts.text, text, length);
	buffer_byte(&parts.text, '\n');
}

static void hear_misuse(struct call *c, int level, const char *text, size_t length)
{
	(void)c;
	CU_ASSERT_EQUAL(level, TH_LOG_WARNING);
	CU_ASSERT(length > 14 && !strncmp(text, "th_partial(): ", 14));
	parts.logged++;
}

static const struct call_listener partial_listener = { .partial = hear_partial,
						       .log = hear_misuse };

static int run_with_parts(th_run tool)
{
	int r;

	buffer_reset(&parts.text);
	parts.data_bytes = parts.over = parts.logged = 0;
	call.listener = &partial_listener;
	r = run(tool);
	call.listener = NULL;
	return r;
}

static th_content text_block(const char *text, uint64_t length)
{
	return (th_content){ .struct_size = sizeof(th_content),
			     .kind = TH_CONTENT_TEXT,
			     .data = { text, length } };
}

/* What a kind does not use is left out, also of what crosses a border. */
static int32_t give_parts(th_call *c, const void *input)
{
	const th_text uri = TH_TEXT("file:///x"), png = TH_TEXT("image/png");
	th_content block = text_block("a\"b", 3);

	(void)input;
	block.uri = uri;
	if (th_partial(c, &block) != TH_OK)
		return th_fail(c, "text");
	block.kind = TH_CONTENT_IMAGE;
	block.mime_type = png;
	if (th_partial(c, &block) != TH_OK)
		return th_fail(c, "image");
	block.kind = TH_CONTENT_LINK;
	if (th_partial(c, &block) != TH_OK)
		return th_fail(c, "link");
	return th_put_boolean(c, "done", 1);
}

static void test_parts_are_heard(void)
{
	CU_ASSERT_EQUAL(run_with_parts(give_parts), STATUS_OK);
	UNIT_TEXT(parts.text.data,
		  "{\"type\":\"text\",\"text\":\"a\\\"b\"}\n"
		  "{\"type\":\"image\",\"data\":\"YSJi\",\"mimeType\":\"image/png\"}\n"
		  "{\"type\":\"resource_link\",\"uri\":\"file:///x\",\"name\":\"file:///x\","
		  "\"mimeType\":\"image/png\"}\n");
	CU_ASSERT_EQUAL(parts.data_bytes, 6);
	/* They are no part of the result. */
	UNIT_TEXT(call.result.data, "{\"done\":true}");
	CU_ASSERT_EQUAL(call.content.length, 0);
}

static int32_t give_what_is_none(th_call *c, const void *input)
{
	th_content block = text_block(NULL, 0);

	(void)input;
	if (th_partial(c, NULL) != TH_MISUSE || th_partial(c, &block) != TH_MISUSE)
		return th_fail(c, "no text");
	block = text_block("x", 1);
	block.kind = TH_CONTENT_LINK + 1;
	if (th_partial(c, &block) != TH_MISUSE)
		return th_fail(c, "no kind");
	block.kind = TH_CONTENT_TEXT;
	block.struct_size = 8;
	if (th_partial(c, &block) != TH_MISUSE)
		return th_fail(c, "no size");
	return th_put_boolean(c, "done", 1);
}

/* It is told of, and the call goes on. */
static void test_parts_that_are_none(void)
{
	CU_ASSERT_EQUAL(run_with_parts(give_what_is_none), STATUS_OK);
	UNIT_TEXT(call.failure.message, "");
	CU_ASSERT_EQUAL(parts.text.length, 0);
	CU_ASSERT_EQUAL(parts.logged, 4);
}

/* A block is {"type":"text","text":""} and its text: 100 bytes hold three of 10. */
static int32_t give_too_much(th_call *c, const void *input)
{
	const th_content block = text_block("ten bytes.", 10), small = text_block("", 0);

	(void)input;
	for (int i = 0; i < 2; i++)
		if (th_partial(c, &block) != TH_OK)
			return th_fail(c, "those that fit");
	for (int i = 0; i < 3; i++)
		if (th_partial(c, &block) != TH_TOO_LARGE)
			return th_fail(c, "one too many");
	if (th_partial(c, &small) != TH_TOO_LARGE)
		return th_fail(c, "one that would fit, behind one that did not");
	return th_put_boolean(c, "done", 1);
}

static int32_t give_many(th_call *c, const void *input)
{
	const th_content block = text_block("", 0);

	(void)input;
	for (unsigned i = 0; i < CALL_PARTIALS_MOST; i++)
		if (th_partial(c, &block) != TH_OK)
			return th_fail(c, "block %u", i);
	return th_partial(c, &block) == TH_TOO_LARGE ? TH_OK : TH_FAILED;
}

static void test_parts_are_bounded(void)
{
	call.max_result = 100;
	CU_ASSERT_EQUAL(run_with_parts(give_too_much), STATUS_OK);
	UNIT_TEXT(call.failure.message, "");
	CU_ASSERT_EQUAL(parts.data_bytes, 20);
	CU_ASSERT_EQUAL(parts.over, 1);
	/* The next call begins anew. */
	CU_ASSERT_EQUAL(run_with_parts(give_too_much), STATUS_OK);
	CU_ASSERT_EQUAL(parts.data_bytes, 20);
	call.max_result = 0;
	CU_ASSERT_EQUAL(run_with_parts(give_many), STATUS_OK);
	UNIT_TEXT(call.failure.message, "");
	CU_ASSERT_EQUAL(parts.over, 1);
}

static int32_t give_late(th_call *c, const void *input)
{
	const th_content block = text_block("late", 4);

	(void)input;
	call_cancel(&call);
	return th_partial(c, &block);
}

static int32_t give_in_prompt(th_call *c, const void *input)
{
	const th_content block = text_block("text", 4);

	(void)input;
	return th_partial(c, &block) == TH_UNSUPPORTED ? TH_OK : TH_FAILED;
}

static void test_parts_that_nobody_hears(void)
{
	CU_ASSERT_EQUAL(run_with_parts(give_late), STATUS_CANCELLED);
	call.deadline_ns = 1;
	CU_ASSERT_EQUAL(run_with_parts(give_late), STATUS_CANCELLED);
	call.deadline_ns = 0;
	call.is_prompt = true;
	CU_ASSERT_EQUAL(run_with_parts(give_in_prompt), STATUS_OK);
	call.is_prompt = false;
	CU_ASSERT_EQUAL(run(give_in_prompt), STATUS_OK);
	CU_ASSERT_EQUAL(parts.text.length, 0);
	buffer_free(&parts.text);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_blocks),
	UNIT_TEST(test_base64),
	UNIT_TEST(test_prompt_messages),
	UNIT_TEST(test_blocks_that_are_none),
	UNIT_TEST(test_parts_are_heard),
	UNIT_TEST(test_parts_that_are_none),
	UNIT_TEST(test_parts_are_bounded),
	UNIT_TEST(test_parts_that_nobody_hears),
};

CALL_UNIT_MAIN("call-content", tests)
