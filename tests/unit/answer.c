/* SPDX-License-Identifier: MIT
 *
 * What a worker answers, and what only somebody else can have sent.
 */
#include <config.h>

#include "unit.h"

#include "base/buffer.h"
#include "execute/answer.h"
#include "pack/frame.h"

struct told {
	const char *result, *content, *warnings, *message, *details;
	int status;
};

static size_t length_of(const char *text)
{
	return text ? strlen(text) : 0;
}

static bool read_told(const struct told *told, struct outcome *outcome)
{
	const char *texts[] = { told->result, told->content, told->warnings, told->message,
				told->details };
	struct frame_result head = {
		.status = told->status,
		.result_length = length_of(told->result),
		.content_length = length_of(told->content),
		.warnings_length = length_of(told->warnings),
		.message_length = length_of(told->message),
		.details_length = length_of(told->details),
	};
	struct buffer payload = BUFFER_INIT(SIZE_MAX);
	bool good;

	buffer_append(&payload, &head, sizeof(head));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		buffer_append(&payload, texts[i] ? texts[i] : "", length_of(texts[i]));
	outcome_init(outcome);
	good = answer_read(payload.data, payload.length, outcome);
	buffer_free(&payload);
	return good;
}

static bool is_read(struct told told)
{
	struct outcome outcome;
	bool good = read_told(&told, &outcome);

	outcome_free(&outcome);
	return good;
}

static void a_result_is_printed_anew(void)
{
	const struct told told = {
		.result = "{ \"a\" :\n1.0 }",
		.content =
			"{\"type\":\"text\",\n\"text\":\"x\"} , {\"type\":\"image\",\"data\":\"\","
			"\"mimeType\":\"image/png\"}",
		.warnings = "{\"category\":\"c\",\"message\":\"m\"}",
	};
	struct outcome outcome;

	CU_ASSERT_TRUE(read_told(&told, &outcome));
	UNIT_TEXT(outcome.result, "{\"a\":1}");
	UNIT_TEXT(outcome.content, "{\"type\":\"text\",\"text\":\"x\"},{\"type\":\"image\","
				   "\"data\":\"\",\"mimeType\":\"image/png\"}");
	UNIT_TEXT(outcome.warnings, "{\"category\":\"c\",\"message\":\"m\"}");
	CU_ASSERT_EQUAL(outcome.content_length, strlen(outcome.content));
	outcome_free(&outcome);
}

static void a_failure_is_the_tool_s(void)
{
	const struct told told = { .status = STATUS_TOOL_ERROR,
				   .message = "no",
				   .details = "{\"why\":1}" };
	struct outcome outcome;

	CU_ASSERT_TRUE(read_told(&told, &outcome));
	CU_ASSERT_EQUAL(outcome.error.status, STATUS_TOOL_ERROR);
	UNIT_TEXT(outcome.error.message, "no");
	CU_ASSERT_PTR_NOT_NULL(json_get(outcome.error.details, "why"));
	outcome_free(&outcome);
}

static void lengths_have_to_fit(void)
{
	struct frame_result head = { .result_length = UINT64_MAX, .content_length = 3 };
	struct outcome outcome;

	outcome_init(&outcome);
	CU_ASSERT_FALSE(answer_read((const char *)&head, sizeof(head) - 1, &outcome));
	CU_ASSERT_FALSE(answer_read((const char *)&head, sizeof(head), &outcome));
	head = (struct frame_result){ .details_length = 1 };
	CU_ASSERT_FALSE(answer_read((const char *)&head, sizeof(head), &outcome));
	outcome_free(&outcome);
}

static void blocks_have_to_be_those_of_mcp(void)
{
	static const char *const good[] = {
		"{\"type\":\"audio\",\"data\":\"\",\"mimeType\":\"a/b\"}",
		"{\"type\":\"resource_link\",\"uri\":\"u\",\"name\":\"n\"}",
		"{\"type\":\"resource_link\",\"uri\":\"u\",\"name\":\"n\",\"mimeType\":\"a/b\"}",
		"{\"type\":\"resource\",\"resource\":{\"uri\":\"u\",\"text\":\"\"}}",
		"{\"type\":\"resource\",\"resource\":{\"uri\":\"u\",\"blob\":\"\"}}",
	};
	static const char *const bad[] = {
		"1",
		",",
		"[]",
		"{}",
		"{\"type\":\"text\"}",
		"{\"type\":\"text\",\"text\":1}",
		"{\"type\":\"text\",\"text\":\"x\",\"annotations\":5}",
		"{\"type\":\"video\",\"data\":\"\",\"mimeType\":\"a/b\"}",
		"{\"type\":\"resource\",\"resource\":{\"uri\":\"u\"}}",
		"{\"type\":\"resource\",\"resource\":\"u\"}",
		"{\"type\":\"resource_link\",\"uri\":\"u\",\"name\":\"n\",\"mimeType\":1}",
		"{\"type\":\"text\",\"text\":\"x\"}],\"isError\":true,\"x\":[1",
		"{\"type\":\"text\",\"text\":\"x\"},1",
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		CU_ASSERT_TRUE(is_read((struct told){ .result = "{}", .content = good[i] }));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_FALSE(is_read((struct told){ .result = "{}", .content = bad[i] }));
	CU_ASSERT_FALSE(is_read((struct told){ .result = "{}", .warnings = "\"careful\"" }));
	CU_ASSERT_FALSE(is_read((struct told){ .result = "{}{}" }));
}

static const struct unit_test tests[] = {
	UNIT_TEST(a_result_is_printed_anew),
	UNIT_TEST(a_failure_is_the_tool_s),
	UNIT_TEST(lengths_have_to_fit),
	UNIT_TEST(blocks_have_to_be_those_of_mcp),
};

UNIT_MAIN("answer", tests)
