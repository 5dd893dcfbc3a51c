/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/buffer.h"

#include "unit.h"

static void appends_in_order(void)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);

	buffer_append(&b, "ab", 2);
	buffer_append(&b, NULL, 0);
	buffer_byte(&b, 'c');
	buffer_text(&b, "def");
	buffer_format(&b, "%d-%s", 42, "x");
	UNIT_TEXT(b.data, "abcdef42-x");
	CU_ASSERT_EQUAL(b.length, 10);
	CU_ASSERT_EQUAL(b.fault, BUFFER_GOOD);
	buffer_free(&b);
	CU_ASSERT_PTR_NULL(b.data);
	CU_ASSERT_EQUAL(b.maximum, SIZE_MAX);
}

static void long_formats_are_whole(void)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);

	for (size_t width = 250; width < 260; width++) {
		buffer_reset(&b);
		buffer_format(&b, "%*d", (int)width, 7);
		CU_ASSERT_EQUAL(b.length, width);
		CU_ASSERT_EQUAL(strlen(b.data), width);
		CU_ASSERT_EQUAL(b.data[width - 1], '7');
	}
	buffer_free(&b);
}

static void maximum_is_exact(void)
{
	struct buffer b = BUFFER_INIT(1000);

	for (int i = 0; i < 100; i++)
		buffer_append(&b, "0123456789", 10);
	CU_ASSERT_EQUAL(b.fault, BUFFER_GOOD);
	CU_ASSERT_EQUAL(b.length, 1000);
	CU_ASSERT(b.capacity <= 1001);
	buffer_byte(&b, 'x');
	CU_ASSERT_EQUAL(b.fault, BUFFER_FULL);
	CU_ASSERT_EQUAL(b.length, 1000);
	CU_ASSERT_EQUAL(b.wanted, 1001);
	/* Appends after the first failure change nothing but the count of what was wanted. */
	buffer_text(&b, "more");
	CU_ASSERT_EQUAL(b.length, 1000);
	CU_ASSERT_EQUAL(b.wanted, 1005);
	CU_ASSERT_PTR_NULL(buffer_take(&b, NULL));
	CU_ASSERT_EQUAL(b.fault, BUFFER_GOOD);
	buffer_text(&b, "again");
	UNIT_TEXT(b.data, "again");
	buffer_free(&b);
}

static void impossible_sizes_fail(void)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);

	buffer_byte(&b, 'x');
	CU_ASSERT_PTR_NULL(buffer_reserve(&b, SIZE_MAX - 1));
	CU_ASSERT_EQUAL(b.fault, BUFFER_FULL);
#ifndef TH_ASAN /* which ends the program where more is asked for than there can be */
	buffer_reset(&b);
	CU_ASSERT_PTR_NULL(buffer_reserve(&b, (size_t)1 << 46));
	CU_ASSERT_EQUAL(b.fault, BUFFER_NO_MEMORY);
#endif
	buffer_free(&b);
}

static void reserve_and_commit(void)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);
	char *place = buffer_reserve(&b, 5);

	CU_ASSERT_PTR_NOT_NULL_FATAL(place);
	memcpy(place, "hello", 5);
	buffer_commit(&b, 5);
	UNIT_TEXT(b.data, "hello");
	buffer_free(&b);
}

static void reset_lets_large_memory_go(void)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);

	buffer_text(&b, "small");
	buffer_reset(&b);
	CU_ASSERT_PTR_NOT_NULL(b.data);
	UNIT_TEXT(b.data, "");
	CU_ASSERT_PTR_NOT_NULL(buffer_reserve(&b, 4 << 20));
	buffer_reset(&b);
	CU_ASSERT_PTR_NULL(b.data);
	buffer_free(&b);
}

static void take_hands_over(void)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);
	size_t length;
	char *text;

	buffer_append(&b, "a\0b", 3);
	text = buffer_take(&b, &length);
	CU_ASSERT_EQUAL(length, 3);
	CU_ASSERT(text && !memcmp(text, "a\0b", 4));
	free(text);
	text = buffer_take(&b, &length);
	UNIT_TEXT(text, "");
	CU_ASSERT_EQUAL(length, 0);
	free(text);
}

static const struct unit_test tests[] = {
	UNIT_TEST(appends_in_order),   UNIT_TEST(long_formats_are_whole),
	UNIT_TEST(maximum_is_exact),   UNIT_TEST(impossible_sizes_fail),
	UNIT_TEST(reserve_and_commit), UNIT_TEST(reset_lets_large_memory_go),
	UNIT_TEST(take_hands_over),
};

UNIT_MAIN("buffer", tests)
