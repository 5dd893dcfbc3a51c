/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include "unit.h"

#define LITERAL(text) text, sizeof(text) - 1

static void utf8_is_told_from_the_rest(void)
{
	CU_ASSERT(text_is_utf8(LITERAL("")));
	CU_ASSERT(text_is_utf8(LITERAL("plain text that is longer than eight bytes")));
	CU_ASSERT(text_is_utf8(LITERAL("a\0b")));
	CU_ASSERT(text_is_utf8(LITERAL("gr\xC3\xBC\xC3\x9F"
				       "e \xE2\x82\xAC \xF0\x9F\x98\x80")));
	CU_ASSERT(text_is_utf8(LITERAL("\xED\x9F\xBF\xEE\x80\x80"))); /* around the surrogates */
	CU_ASSERT(text_is_utf8(LITERAL("\xF4\x8F\xBF\xBF")));	      /* U+10FFFF */
	CU_ASSERT_FALSE(text_is_utf8(LITERAL("\xF4\x90\x80\x80")));   /* U+110000 */
	CU_ASSERT_FALSE(text_is_utf8(LITERAL("\xED\xA0\x80")));	      /* U+D800 */
	CU_ASSERT_FALSE(text_is_utf8(LITERAL("\xC0\x80")));	      /* overlong */
	CU_ASSERT_FALSE(text_is_utf8(LITERAL("\xE0\x9F\xBF")));
	CU_ASSERT_FALSE(text_is_utf8(LITERAL("\xF0\x8F\xBF\xBF")));
	CU_ASSERT_FALSE(text_is_utf8(LITERAL("\xFF")));
	CU_ASSERT_FALSE(text_is_utf8(LITERAL("12345678\x80")));
	CU_ASSERT_FALSE(text_is_utf8(LITERAL("1234567\xE2\x82"))); /* cut */
}

/* Every sequence of up to four bytes out of those that matter, against the table spelled out. */
static void sequences_agree_with_decoding(void)
{
	static const unsigned char some[] = { 0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0,
					      0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED,
					      0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF };
	const size_t count = sizeof(some);

	for (size_t i = 0; i < count * count * count * count; i++) {
		unsigned char b[4] = { some[i % count], some[i / count % count],
				       some[i / count / count % count],
				       some[i / count / count / count] };
		uint32_t least = 0, point = 0;
		int bytes = b[0] < 0x80	  ? 1
			    : b[0] < 0xC0 ? 0
			    : b[0] < 0xE0 ? 2
			    : b[0] < 0xF0 ? 3
			    : b[0] < 0xF8 ? 4
					  : 0;
		bool good = bytes > 0;
		int found = text_sequence((const char *)b, 4);

		if (bytes > 1) {
			point = b[0] & (0x7Fu >> bytes);
			least = bytes == 2 ? 0x80 : bytes == 3 ? 0x800 : 0x10000;
		}
		for (int j = 1; j < bytes; j++) {
			good = good && (b[j] & 0xC0) == 0x80;
			point = point << 6 | (b[j] & 0x3F);
		}
		if (bytes > 1)
			good = good && point >= least && point <= 0x10FFFF &&
			       !(point >= 0xD800 && point <= 0xDFFF);
		if (good ? found != bytes : found >= 0) {
			CU_FAIL("a sequence was misjudged");
			return;
		}
	}
}

static void replaced_parts_are_the_longest(void)
{
	CU_ASSERT_EQUAL(text_sequence(LITERAL("\xE2\x82")), -2);
	CU_ASSERT_EQUAL(text_sequence(LITERAL("\xE2\x82x")), -2);
	CU_ASSERT_EQUAL(text_sequence(LITERAL("\xF0\x9F\x98")), -3);
	CU_ASSERT_EQUAL(text_sequence(LITERAL("\xF0\x9F\x98x")), -3);
	CU_ASSERT_EQUAL(text_sequence(LITERAL("\xED\xA0\x80")), -1);
	CU_ASSERT_EQUAL(text_sequence(LITERAL("\xC0\x80")), -1);
	CU_ASSERT_EQUAL(text_sequence(LITERAL("\xF0\x80\x80\x80")), -1);
	CU_ASSERT_EQUAL(text_sequence(LITERAL("\xE2")), -1);
}

static void points_and_heads(void)
{
	const char text[] = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";

	CU_ASSERT_EQUAL(text_points(text, sizeof(text) - 1), 4);
	CU_ASSERT_EQUAL(text_points("", 0), 0);
	CU_ASSERT_EQUAL(text_head(text, 10, 100), 10);
	CU_ASSERT_EQUAL(text_head(text, 10, 10), 10);
	CU_ASSERT_EQUAL(text_head(text, 10, 9), 6);
	CU_ASSERT_EQUAL(text_head(text, 10, 6), 6);
	CU_ASSERT_EQUAL(text_head(text, 10, 5), 3);
	CU_ASSERT_EQUAL(text_head(text, 10, 2), 1);
	CU_ASSERT_EQUAL(text_head(text, 10, 0), 0);
}

static void nearest_name(void)
{
	static const char *const names[] = { "robust_summary_stats", "detect_outliers", "echo",
					     "add", "" };
	const size_t count = sizeof(names) / sizeof(names[0]);
	char longest[200];

	UNIT_TEXT(text_nearest("detect_outlier", names, count), "detect_outliers");
	UNIT_TEXT(text_nearest("Detect_Outliers", names, count), "detect_outliers");
	UNIT_TEXT(text_nearest("robust_sumary_stat", names, count), "robust_summary_stats");
	UNIT_TEXT(text_nearest("ehco", names, count), "echo"); /* one transposition */
	UNIT_TEXT(text_nearest("ad", names, count), "add");
	CU_ASSERT_PTR_NULL(text_nearest("xx", names, count));
	CU_ASSERT_PTR_NULL(text_nearest("something else", names, count));
	UNIT_TEXT(text_nearest("", names, count), "");
	CU_ASSERT_PTR_NULL(text_nearest("echo", names, 0));
	memset(longest, 'a', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	CU_ASSERT_PTR_NULL(text_nearest(longest, (const char *const[]){ longest }, 1));
	longest[128] = '\0';
	CU_ASSERT_PTR_EQUAL(text_nearest(longest, (const char *const[]){ longest }, 1), longest);
}

static void folding(void)
{
	CU_ASSERT(text_same_folded("AbC", "aBc", 3));
	CU_ASSERT_FALSE(text_same_folded("abc", "abd", 3));
	CU_ASSERT(text_same_folded("abc", "abd", 2));
	CU_ASSERT_FALSE(text_same_folded("@", "`", 1)); /* 32 apart, and no letters */
	CU_ASSERT_FALSE(text_same_folded("[", "{", 1));
}

static void tool_names(void)
{
	char name[200];

	CU_ASSERT(text_is_tool_name(LITERAL("echo")));
	CU_ASSERT(text_is_tool_name(LITERAL("Aa0_-")));
	CU_ASSERT(text_is_tool_name(LITERAL("stats.robust.mean")));
	CU_ASSERT_FALSE(text_is_tool_name(LITERAL("")));
	CU_ASSERT_FALSE(text_is_tool_name(LITERAL("new tool")));
	CU_ASSERT_FALSE(text_is_tool_name(LITERAL("a/b")));
	CU_ASSERT_FALSE(text_is_tool_name(LITERAL(".a")));
	CU_ASSERT_FALSE(text_is_tool_name(LITERAL("a.")));
	CU_ASSERT_FALSE(text_is_tool_name(LITERAL("a..b")));
	CU_ASSERT_FALSE(text_is_tool_name(LITERAL("a\0b")));
	CU_ASSERT_FALSE(text_is_tool_name(LITERAL("m\xC3\xA4h")));
	memset(name, 'x', sizeof(name));
	CU_ASSERT(text_is_tool_name(name, 64));
	CU_ASSERT_FALSE(text_is_tool_name(name, 65));
	name[63] = '.';
	CU_ASSERT(text_is_tool_name(name, 127));
	name[127] = '.';
	CU_ASSERT_FALSE(text_is_tool_name(name, 130));
}

static void globs(void)
{
	CU_ASSERT(text_glob("", ""));
	CU_ASSERT(text_glob("*", ""));
	CU_ASSERT(text_glob("*", "anything"));
	CU_ASSERT(text_glob("echo", "echo"));
	CU_ASSERT_FALSE(text_glob("echo", "echos"));
	CU_ASSERT_FALSE(text_glob("echo", "ech"));
	CU_ASSERT(text_glob("e?ho", "echo"));
	CU_ASSERT_FALSE(text_glob("e?ho", "eho"));
	CU_ASSERT(text_glob("*_test_*", "t_test_two"));
	CU_ASSERT(text_glob("a*b*c", "aXbXbXc"));
	CU_ASSERT_FALSE(text_glob("a*b*c", "aXbXbX"));
	CU_ASSERT(text_glob("**a", "ba"));
	CU_ASSERT_FALSE(text_glob("[a]", "a"));
	CU_ASSERT_FALSE(text_glob("A", "a"));
	/* Many stars must not take forever. */
	CU_ASSERT_FALSE(text_glob("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b",
				  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
}

static const struct unit_test tests[] = {
	UNIT_TEST(utf8_is_told_from_the_rest),
	UNIT_TEST(sequences_agree_with_decoding),
	UNIT_TEST(replaced_parts_are_the_longest),
	UNIT_TEST(points_and_heads),
	UNIT_TEST(nearest_name),
	UNIT_TEST(folding),
	UNIT_TEST(tool_names),
	UNIT_TEST(globs),
};

UNIT_MAIN("text", tests)
