/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include "unit.h"

static void memory_is_zeroed_and_aligned(void)
{
	struct arena a;

	arena_init(&a, SIZE_MAX);
	for (size_t size = 1; size < 300; size += 7) {
		unsigned char *memory = arena_allocate(&a, size);

		CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
		CU_ASSERT_EQUAL((uintptr_t)memory % 16, 0);
		for (size_t i = 0; i < size; i++)
			CU_ASSERT_EQUAL(memory[i], 0);
		memset(memory, 0xFF, size); /* the next ones have to be clean all the same */
	}
	arena_free(&a);
	CU_ASSERT_PTR_NULL(a.block);
	CU_ASSERT_EQUAL(a.used, 0);
}

static void alignment_is_kept(void)
{
	struct arena a;

	arena_init(&a, SIZE_MAX);
	for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
		char *memory = arena_allocate_raw(&a, 24, alignment);

		CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
		CU_ASSERT_EQUAL((uintptr_t)memory % alignment, 0);
		memset(memory, 1, 24);
	}
	CU_ASSERT_PTR_NULL(arena_allocate_raw(&a, 24, 8192));
	arena_free(&a);
}

static void pieces_do_not_overlap(void)
{
	struct arena a;
	char *pieces[200];

	arena_init(&a, SIZE_MAX);
	for (int i = 0; i < 200; i++) {
		pieces[i] = arena_allocate_raw(&a, 1000, 16);
		CU_ASSERT_PTR_NOT_NULL_FATAL(pieces[i]);
		memset(pieces[i], i, 1000);
	}
	for (int i = 0; i < 200; i++)
		CU_ASSERT(pieces[i][0] == (char)i && pieces[i][999] == (char)i);
	arena_free(&a);
}

static void maximum_is_never_passed(void)
{
	struct arena a;

	arena_init(&a, 10000);
	CU_ASSERT_PTR_NOT_NULL(arena_allocate(&a, 6000));
	CU_ASSERT_PTR_NULL(arena_allocate(&a, 4001));
	CU_ASSERT_PTR_NOT_NULL(arena_allocate(&a, 4000));
	CU_ASSERT_EQUAL(a.used, 10000);
	CU_ASSERT_PTR_NULL(arena_allocate(&a, 1));
	arena_free(&a);
	CU_ASSERT_EQUAL(a.maximum, 10000);
}

static void overflow_is_refused(void)
{
	struct arena a;

	arena_init(&a, SIZE_MAX);
	CU_ASSERT_PTR_NULL(arena_array(&a, SIZE_MAX / 8 + 2, 8));
	CU_ASSERT_PTR_NULL(arena_array(&a, SIZE_MAX, SIZE_MAX));
	CU_ASSERT_PTR_NULL(arena_allocate_raw(&a, SIZE_MAX - 8, 4096));
	CU_ASSERT_PTR_NULL(arena_copy(&a, "", SIZE_MAX));
	CU_ASSERT_PTR_NOT_NULL(arena_array(&a, 0, SIZE_MAX));
	arena_free(&a);
}

static void reset_keeps_one_small_block(void)
{
	struct arena a;
	char *first, *second;

	arena_init(&a, 1 << 20);
	first = arena_allocate(&a, 16);
	CU_ASSERT_PTR_NOT_NULL(arena_allocate(&a, 100000));
	arena_reset(&a);
	CU_ASSERT_EQUAL(a.used, 0);
	second = arena_allocate(&a, 16);
	CU_ASSERT_PTR_EQUAL(first, second);
	arena_free(&a);

	/* A large first block is not worth keeping. */
	CU_ASSERT_PTR_NOT_NULL(arena_allocate(&a, 100000));
	arena_reset(&a);
	CU_ASSERT_PTR_NULL(a.block);
	arena_free(&a);
}

static void copy_ends_in_a_nul(void)
{
	struct arena a;
	char *copy;

	arena_init(&a, 100);
	copy = arena_copy(&a, "abcdef", 3);
	UNIT_TEXT(copy, "abc");
	copy = arena_copy(&a, NULL, 0);
	UNIT_TEXT(copy, "");
	CU_ASSERT_PTR_NULL(arena_copy(&a, "", 100));
	arena_free(&a);
}

static const struct unit_test tests[] = {
	UNIT_TEST(memory_is_zeroed_and_aligned), UNIT_TEST(alignment_is_kept),
	UNIT_TEST(pieces_do_not_overlap),	 UNIT_TEST(maximum_is_never_passed),
	UNIT_TEST(overflow_is_refused),		 UNIT_TEST(reset_keeps_one_small_block),
	UNIT_TEST(copy_ends_in_a_nul),
};

UNIT_MAIN("arena", tests)
