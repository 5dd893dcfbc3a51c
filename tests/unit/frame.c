/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "base/json-wire.h"
#include "pack/content.h"
#include "pack/frame.h"

#include "unit.h"

#include <sys/socket.h>
#include <unistd.h>

static const unsigned char token[FRAME_TOKEN] = "sixteen bytes ok";

static void round_trip(const char *text)
{
	struct buffer wire = BUFFER_INIT(SIZE_MAX);
	json *value = NULL, *back = NULL;

	CU_ASSERT_EQUAL_FATAL(json_read(text, strlen(text), NULL, &value, NULL), STATUS_OK);
	json_wire_write(&wire, value);
	CU_ASSERT_TRUE_FATAL(json_wire_read(wire.data, wire.length, &back));
	CU_ASSERT_TRUE(json_equal(value, back));
	json_drop(back);
	/* Cut short anywhere, it is refused, and nothing beyond it is read. */
	for (size_t length = 0; length < wire.length; length++) {
		char *part = malloc(length ? length : 1);

		memcpy(part, wire.data, length);
		CU_ASSERT_FALSE(json_wire_read(part, length, &back));
		CU_ASSERT_PTR_NULL(back);
		free(part);
	}
	buffer_free(&wire);
	json_drop(value);
}

static void values_cross_as_they_are(void)
{
	round_trip("null");
	round_trip("true");
	round_trip("9007199254740993");
	round_trip("-0.1");
	round_trip("\"a \\u0000 text\"");
	round_trip("[1,2,3,4,5,6,7,8,9,10.5]");
	round_trip("{\"a\":[1,2.5,3,4,5,6,7,8,9],\"b\":{\"c\":[[],{}]},\"d\":null,\"e\":false,\"\":"
		   "\"\"}");
}

static void wire_refuses_what_is_none(void)
{
	static const char huge[] = "l\xff\xff\xff\xff\xff\xff\xff\xff",
			  packed[] = "p\xff\xff\xff\xff\xff\xff\xff\x1f";
	struct buffer deep = BUFFER_INIT(SIZE_MAX);
	const uint64_t one = 1;
	json *value;

	CU_ASSERT_FALSE(json_wire_read("x", 1, &value));
	CU_ASSERT_FALSE(json_wire_read("nn", 2, &value));
	CU_ASSERT_FALSE(json_wire_read(huge, sizeof(huge) - 1, &value));
	CU_ASSERT_FALSE(json_wire_read(packed, sizeof(packed) - 1, &value));
	for (int i = 0; i < 100000; i++) {
		buffer_byte(&deep, 'l');
		buffer_append(&deep, &one, sizeof(one));
	}
	CU_ASSERT_FALSE(json_wire_read(deep.data, deep.length, &value));
	buffer_free(&deep);
}

static void frames_cross_in_pieces(void)
{
	char text[] = "payload";
	struct iovec parts[2] = { { text, 3 }, { text + 3, 4 } };
	struct frame_reader reader;
	char bytes[128];
	ssize_t length;
	int ends[2], slow[2];

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, slow), 0);
	CU_ASSERT_EQUAL(frame_send(ends[0], FRAME_LOG, token, parts, 2, 0), STATUS_OK);
	length = recv(ends[1], bytes, sizeof(bytes), 0);
	CU_ASSERT_EQUAL_FATAL(length, (ssize_t)sizeof(struct frame_header) + 7);
	frame_reader_init(&reader, 100);
	for (ssize_t i = 0; i < length; i++) {
		CU_ASSERT_EQUAL(frame_read(slow[1], &reader, false), FRAME_MORE);
		CU_ASSERT_EQUAL(write(slow[0], bytes + i, 1), 1);
	}
	CU_ASSERT_EQUAL(frame_read(slow[1], &reader, false), FRAME_WHOLE);
	CU_ASSERT_EQUAL(reader.header.type, FRAME_LOG);
	CU_ASSERT_EQUAL(memcmp(reader.header.token, token, FRAME_TOKEN), 0);
	UNIT_TEXT(reader.payload.data, "payload");
	frame_reader_next(&reader);
	close(slow[0]);
	CU_ASSERT_EQUAL(frame_read(slow[1], &reader, false), FRAME_END);
	frame_reader_free(&reader);
	close(slow[1]);
	close(ends[0]);
	close(ends[1]);
}

static void short_frames_are_read_together(void)
{
	static char much[FRAME_AHEAD * 3];
	struct iovec part = { (char *)(uintptr_t) "one", 3 }, large = { much, sizeof(much) };
	struct frame_reader reader;
	int ends[2];

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	frame_reader_init(&reader, sizeof(much));
	memset(much, 'x', sizeof(much));
	CU_ASSERT_EQUAL(frame_send(ends[0], FRAME_LOG, token, &part, 1, 0), STATUS_OK);
	CU_ASSERT_EQUAL(frame_send(ends[0], FRAME_LOG, token, &part, 0, 0), STATUS_OK);
	CU_ASSERT_EQUAL(frame_send(ends[0], FRAME_RESULT, token, &large, 1, 0), STATUS_OK);
	CU_ASSERT_EQUAL(frame_read(ends[1], &reader, false), FRAME_WHOLE);
	UNIT_TEXT(reader.payload.data, "one");
	frame_reader_next(&reader);
	CU_ASSERT_TRUE(frame_reader_holds(&reader));
	CU_ASSERT_EQUAL(frame_read(ends[1], &reader, false), FRAME_WHOLE);
	CU_ASSERT_EQUAL(reader.payload.length, 0);
	frame_reader_next(&reader);
	CU_ASSERT_EQUAL(frame_read(ends[1], &reader, false), FRAME_WHOLE);
	CU_ASSERT_EQUAL(reader.header.type, FRAME_RESULT);
	CU_ASSERT_EQUAL_FATAL(reader.payload.length, sizeof(much));
	CU_ASSERT_EQUAL(memcmp(reader.payload.data, much, sizeof(much)), 0);
	CU_ASSERT_FALSE(frame_reader_holds(&reader));
	frame_reader_free(&reader);
	close(ends[0]);
	close(ends[1]);
}

/* Sends a block and reads the payload, which lives until the next call. */
static struct frame_reader cross(const th_content *content)
{
	struct frame_reader reader;
	int ends[2];

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	frame_reader_init(&reader, 1000);
	CU_ASSERT_EQUAL(frame_send_partial(ends[0], token, content, 0), STATUS_OK);
	CU_ASSERT_EQUAL_FATAL(frame_read(ends[1], &reader, false), FRAME_WHOLE);
	CU_ASSERT_EQUAL(reader.header.type, FRAME_PARTIAL);
	close(ends[0]);
	close(ends[1]);
	return reader;
}

static void blocks_cross(void)
{
	const th_content given[] = {
		{ .struct_size = sizeof(th_content), .kind = TH_CONTENT_TEXT, .data = TH_TEXT("") },
		{ .struct_size = sizeof(th_content),
		  .kind = TH_CONTENT_RESOURCE,
		  .binary = 1,
		  .data = { "a\0b", 3 },
		  .mime_type = TH_TEXT("image/png"),
		  .uri = TH_TEXT("file:///x") },
		{ .struct_size = sizeof(th_content),
		  .kind = TH_CONTENT_LINK,
		  .uri = TH_TEXT("file:///x"),
		  .name = TH_TEXT("x") },
	};

	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
		struct buffer expected = BUFFER_INIT(SIZE_MAX), got = BUFFER_INIT(SIZE_MAX);
		struct frame_reader reader = cross(&given[i]);
		th_content content;

		CU_ASSERT_TRUE_FATAL(
			frame_read_partial(reader.payload.data, reader.payload.length, &content));
		content_print(&expected, &given[i]);
		content_print(&got, &content);
		UNIT_TEXT(got.data, expected.data);
		/* Cut short, or with something behind it, it is none. */
		for (size_t length = 0; length < reader.payload.length; length++)
			CU_ASSERT_FALSE(frame_read_partial(reader.payload.data, length, &content));
		buffer_byte(&reader.payload, 'x');
		CU_ASSERT_FALSE(
			frame_read_partial(reader.payload.data, reader.payload.length, &content));
		frame_reader_free(&reader);
		buffer_free(&expected);
		buffer_free(&got);
	}
}

static void what_is_no_block_is_refused(void)
{
	struct frame_partial head = { .kind = TH_CONTENT_TEXT };
	struct frame_reader reader = cross(NULL);
	th_content content;

	CU_ASSERT_TRUE(frame_read_partial(reader.payload.data, reader.payload.length, &content));
	CU_ASSERT_EQUAL(content.kind, 0);
	frame_reader_free(&reader);
	CU_ASSERT_TRUE(frame_read_partial((char *)&head, sizeof(head), &content));
	head.kind = TH_CONTENT_LINK + 1;
	CU_ASSERT_FALSE(frame_read_partial((char *)&head, sizeof(head), &content));
	head.kind = TH_CONTENT_TEXT;
	head.lengths[0] = UINT64_MAX; /* absent */
	CU_ASSERT_FALSE(frame_read_partial((char *)&head, sizeof(head), &content));
	head.lengths[0] = UINT64_MAX - 1;
	CU_ASSERT_FALSE(frame_read_partial((char *)&head, sizeof(head), &content));
	head.lengths[0] = 0;
	head.lengths[3] = UINT64_MAX - sizeof(head) + 1;
	CU_ASSERT_FALSE(frame_read_partial((char *)&head, sizeof(head), &content));
}

static void calls_are_read(void)
{
	struct frame_call head = { .seed = 7, .name_length = TEXT_TOOL_NAME_MOST };
	struct buffer payload = BUFFER_INIT(SIZE_MAX), wire = BUFFER_INIT(SIZE_MAX);
	char name[TEXT_TOOL_NAME_MOST + 1], read_name[TEXT_TOOL_NAME_MOST + 1];
	json *sent = json_new_text("text"), *arguments;

	memset(name, 'n', TEXT_TOOL_NAME_MOST);
	name[TEXT_TOOL_NAME_MOST] = '\0';
	json_wire_write(&wire, sent);
	buffer_append(&payload, &head, sizeof(head));
	buffer_append(&payload, wire.data, wire.length);
	buffer_append(&payload, name, TEXT_TOOL_NAME_MOST);
	memset(&head, 0, sizeof(head));
	CU_ASSERT_TRUE(frame_read_call(payload.data, payload.length, &head, read_name, &arguments));
	CU_ASSERT_EQUAL(head.seed, 7);
	UNIT_TEXT(read_name, name);
	CU_ASSERT_TRUE(json_equal(arguments, sent));
	json_drop(arguments);
	/* Cut short anywhere, it is none, and neither is one with a longer name. */
	for (size_t length = 0; length < payload.length; length++) {
		char *part = malloc(length ? length : 1);

		memcpy(part, payload.data, length);
		CU_ASSERT_FALSE(frame_read_call(part, length, &head, read_name, &arguments));
		CU_ASSERT_PTR_NULL(arguments);
		free(part);
	}
	head.name_length++;
	memcpy(payload.data, &head, sizeof(head));
	buffer_byte(&payload, 'n');
	CU_ASSERT_FALSE(
		frame_read_call(payload.data, payload.length, &head, read_name, &arguments));
	json_drop(sent);
	buffer_free(&wire);
	buffer_free(&payload);
}

static void frames_are_refused_that_are_none(void)
{
	struct frame_header header = { .magic = FRAME_MAGIC, .type = FRAME_LOG, .length = 101 };
	struct frame_reader reader;
	int ends[2];

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	frame_reader_init(&reader, 100);
	CU_ASSERT_EQUAL(write(ends[0], &header, sizeof(header)), (ssize_t)sizeof(header));
	CU_ASSERT_EQUAL(frame_read(ends[1], &reader, false), FRAME_TOO_LARGE);
	frame_reader_next(&reader);
	header.magic = 1;
	CU_ASSERT_EQUAL(write(ends[0], &header, sizeof(header)), (ssize_t)sizeof(header));
	CU_ASSERT_EQUAL(frame_read(ends[1], &reader, false), FRAME_BROKEN);
	frame_reader_next(&reader);
	CU_ASSERT_EQUAL(write(ends[0], "abc", 3), 3);
	close(ends[0]);
	CU_ASSERT_EQUAL(frame_read(ends[1], &reader, false), FRAME_BROKEN);
	frame_reader_free(&reader);
	close(ends[1]);
}

static void sending_ends_at_its_deadline(void)
{
	static char much[1 << 22];
	struct iovec part = { much, sizeof(much) };
	int ends[2];

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	CU_ASSERT_EQUAL(frame_send(ends[0], FRAME_LOG, token, &part, 1, clock_now_ns() + 20000000),
			STATUS_TIMEOUT);
	close(ends[1]);
	CU_ASSERT_EQUAL(frame_send(ends[0], FRAME_LOG, token, &part, 1, 0), STATUS_WORKER_FAILED);
	close(ends[0]);
}

static const struct unit_test tests[] = {
	UNIT_TEST(values_cross_as_they_are),
	UNIT_TEST(wire_refuses_what_is_none),
	UNIT_TEST(frames_cross_in_pieces),
	UNIT_TEST(short_frames_are_read_together),
	UNIT_TEST(frames_are_refused_that_are_none),
	UNIT_TEST(sending_ends_at_its_deadline),
	UNIT_TEST(calls_are_read),
	UNIT_TEST(blocks_cross),
	UNIT_TEST(what_is_no_block_is_refused),
};

UNIT_MAIN("frame", tests)
