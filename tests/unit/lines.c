/* SPDX-License-Identifier: MIT */
#include "serve/lines.h"

#include "unit.h"

/* Feeds text in pieces of `step` bytes and gathers the lines, each in brackets; a line that is too
 * long is "!". */
static void gather(const char *text, size_t length, size_t step, size_t maximum, char *ret,
		   size_t size)
{
	struct lines lines;
	size_t fed = 0, used = 0;

	lines_init(&lines, maximum);
	ret[0] = '\0';
	for (;;) {
		const char *line;
		size_t line_length, room;
		enum line found;

		while ((found = lines_next(&lines, &line, &line_length)) != LINE_NONE) {
			if (found == LINE_TOO_LONG)
				used += (size_t)snprintf(ret + used, size - used, "!");
			else
				used += (size_t)snprintf(ret + used, size - used, "[%.*s]",
							 (int)line_length, line);
		}
		if (lines.finished)
			break;
		if (fed == length) {
			lines_finish(&lines);
			continue;
		}
		room = length - fed < step ? length - fed : step;
		memcpy(lines_space(&lines, &(size_t){ 0 }), text + fed, room);
		lines_added(&lines, room);
		fed += room;
	}
	lines_free(&lines);
}

static void check(const char *text, size_t length, size_t maximum, const char *expected)
{
	char got[512];

	for (size_t step = 1; step <= length + 1; step++) {
		gather(text, length, step, maximum, got, sizeof(got));
		UNIT_TEXT(got, expected);
	}
}

#define CHECK(text, maximum, expected) check(text, sizeof(text) - 1, maximum, expected)

static void splits_lines(void)
{
	CHECK("a\nbb\n\nccc\n", 10, "[a][bb][][ccc]");
	CHECK("a\r\nb\r\n\r\n", 10, "[a][b][]");
	CHECK("last", 10, "[last]");
	CHECK("one\nlast", 10, "[one][last]");
	CHECK("", 10, "");
	CHECK("\n", 10, "[]");
	CHECK("\r", 10, "[]");
}

static void skips_one_byte_order_mark(void)
{
	CHECK("\xEF\xBB\xBF{}\n{}\n", 10, "[{}][{}]");
	CHECK("\xEF\xBB\xBF", 10, "");
	CHECK("\xEF\xBB", 10, "[\xEF\xBB]");
	CHECK("a\n\xEF\xBB\xBF{}\n", 10, "[a][\xEF\xBB\xBF{}]");
}

static void drops_what_is_too_long_and_goes_on(void)
{
	CHECK("1234\n12345\n1\n", 4, "[1234]![1]");
	CHECK("1234567890123456789\n1\n", 4, "![1]");
	CHECK("12345", 4, "!");
	CHECK("1234\r\n1\n", 4, "[1234][1]");
}

static void keeps_little_memory_after_a_long_line(void)
{
	struct lines lines;
	const char *line;
	size_t length, room;

	lines_init(&lines, (size_t)1 << 24);
	for (size_t fed = 0; fed < (size_t)1 << 23; fed += room) {
		char *space = lines_space(&lines, &room);

		memset(space, 'x', room);
		lines_added(&lines, room);
		CU_ASSERT_EQUAL(lines_next(&lines, &line, &length), LINE_NONE);
	}
	*lines_space(&lines, &room) = '\n';
	lines_added(&lines, 1);
	CU_ASSERT_EQUAL(lines_next(&lines, &line, &length), LINE_READY);
	CU_ASSERT(length >= (size_t)1 << 23);
	lines_space(&lines, &room);
	CU_ASSERT(lines.capacity <= (size_t)1 << 20);
	lines_free(&lines);
}

static const struct unit_test tests[] = {
	UNIT_TEST(splits_lines),
	UNIT_TEST(skips_one_byte_order_mark),
	UNIT_TEST(drops_what_is_too_long_and_goes_on),
	UNIT_TEST(keeps_little_memory_after_a_long_line),
};

UNIT_MAIN("lines", tests)
