/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include "unit.h"

static struct json_part inside[] = {
	JSON_PART("name", JSON_PART_TEXT),
	JSON_PART("arguments", JSON_PART_VALUE),
};

static struct json_part parts[] = {
	JSON_PART("id", JSON_PART_SCALAR),
	JSON_PART("method", JSON_PART_TEXT),
	{ .key = "params",
	  .key_length = 6,
	  .form = JSON_PART_PARTS,
	  .inside = inside,
	  .inside_count = 2 },
};

static bool take(const char *text)
{
	/* Exactly as long as the text, so that a byte beyond it is noticed. */
	size_t length = strlen(text);
	char *copy = malloc(length ? length : 1);
	bool taken;

	memcpy(copy, text, length);
	taken = json_read_parts(copy, length, NULL, parts, 3);
	if (!taken) {
		for (int i = 0; i < 3; i++)
			CU_ASSERT_PTR_NULL(parts[i].value);
		CU_ASSERT_PTR_NULL(inside[1].value);
	}
	json_drop(inside[1].value);
	free(copy);
	return taken;
}

static void takes_the_known_form(void)
{
	static const char text[] =
		" { \"id\" : -12 , \"params\":{\"arguments\":{\"a\":[1,2]},\"name\":\"n\"},"
		"\"method\":\"tools/call\"}\r";

	CU_ASSERT_TRUE_FATAL(json_read_parts(text, sizeof(text) - 1, NULL, parts, 3));
	CU_ASSERT_EQUAL(parts[0].length, 3);
	CU_ASSERT_EQUAL(memcmp(parts[0].text, "-12", 3), 0);
	CU_ASSERT_EQUAL(parts[1].length, 10);
	CU_ASSERT_EQUAL(memcmp(parts[1].text, "tools/call", 10), 0);
	CU_ASSERT_EQUAL(inside[0].length, 1);
	CU_ASSERT_EQUAL(json_count(json_get(inside[1].value, "a")), 2);
	json_drop(inside[1].value);
}

static void takes_texts_and_integers_as_scalars(void)
{
	CU_ASSERT_TRUE(json_read_parts("{\"id\":\"a\"}", 10, NULL, parts, 3));
	CU_ASSERT_EQUAL(parts[0].length, 3);
	CU_ASSERT_EQUAL(memcmp(parts[0].text, "\"a\"", 3), 0);
	CU_ASSERT_FALSE(parts[1].there);
	CU_ASSERT_TRUE(take("{\"id\":0}"));
	CU_ASSERT_TRUE(take("{\"id\":123456789012345678}"));
	CU_ASSERT_TRUE(take("{\"id\":\"\xC3\xA4\"}"));
}

static void leaves_all_else_to_the_reader(void)
{
	static const char *const others[] = {
		"",
		"{",
		"{}",
		"[]",
		"null",
		"3",
		"{\"id\":1",
		"{\"id\":1,}",
		"{\"id\":1}x",
		"{\"id\":1,\"id\":1}",
		"{\"id\":null}",
		"{\"id\":1.5}",
		"{\"id\":1e3}",
		"{\"id\":01}",
		"{\"id\":-0}",
		"{\"id\":-}",
		"{\"id\":1234567890123456789}",
		"{\"id\":\"a\\u0041\"}",
		"{\"id\":\"\xFF\"}",
		"{\"id\":\"a\nb\"}",
		"{\"other\":1}",
		"{\"i\\u0064\":1}",
		"{\"method\":3}",
		"{\"params\":null}",
		"{\"params\":{}}",
		"{\"params\":{\"name\":\"a\",\"more\":1}}",
		"{\"params\":{\"arguments\":{\"a\":1},\"name\":3}}",
		"{\"params\":{\"arguments\":[1,2,}}",
		"{\"id\"1}",
		"{\"id\"",
		"{\"id\":",
		"{id:1}",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (take(others[i]))
			CU_FAIL(others[i]);
	}
}

static void leaves_a_key_with_a_nul_to_others(void)
{
	static const char text[] = "{\"id\0\":1}", longer[] = "{\"id\0\0\0\":1}";

	CU_ASSERT_FALSE(json_read_parts(text, sizeof(text) - 1, NULL, parts, 3));
	CU_ASSERT_FALSE(json_read_parts(longer, sizeof(longer) - 1, NULL, parts, 3));
}

static void keeps_to_the_limits(void)
{
	const struct json_limits shallow = { .max_depth = 2 }, deep = { .max_depth = 4 },
				 brief = { .max_bytes = 8 };
	static const char text[] = "{\"params\":{\"arguments\":{\"a\":[]}}}";

	CU_ASSERT_FALSE(json_read_parts(text, sizeof(text) - 1, &shallow, parts, 3));
	CU_ASSERT_FALSE(json_read_parts(text, sizeof(text) - 1, &brief, parts, 3));
	CU_ASSERT_TRUE(json_read_parts(text, sizeof(text) - 1, &deep, parts, 3));
	json_drop(inside[1].value);
}

static const struct unit_test tests[] = {
	UNIT_TEST(takes_the_known_form),	  UNIT_TEST(takes_texts_and_integers_as_scalars),
	UNIT_TEST(leaves_all_else_to_the_reader), UNIT_TEST(leaves_a_key_with_a_nul_to_others),
	UNIT_TEST(keeps_to_the_limits),
};

UNIT_MAIN("json-parts", tests)
