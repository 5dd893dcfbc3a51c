/* SPDX-License-Identifier: MIT
 *
 * Every way in which a parameter table can be wrong, and what its author is told.
 */
#include "schema-unit.h"

#include "schema/params.h"

struct in {
	double number;
	th_maybe_number maybe;
	th_numbers numbers;
	int32_t choice;
	int32_t padding;
	th_text text;
	const struct in *nested;
	th_map map;
};

/* JSON is no C. */
/* clang-format off */
static const th_param good[] = {
	TH_NUMBER(struct in, number, "A number.", {"minimum": 0}),
	TH_NUMBERS(struct in, numbers, "Numbers.", {"minItems": 1}),
	TH_END
};

static const th_param number_or[] = { TH_NUMBER_OR(struct in, number, 0.1, "N.", {"maximum": 1}), TH_END };
static const th_param number_maybe[] = { TH_NUMBER_MAYBE(struct in, maybe, "N.", {}), TH_END };
static const th_param choice[] = { TH_CHOICE(struct in, choice, "C.", ["a", "b"]), TH_END };
static const th_param text_or[] = { TH_STRING_OR(struct in, text, "x", "T.", {}), TH_END };
static const th_param map_value[] = { TH_VALUE(double, TH_KIND_NUMBER, {}), TH_END };
static const th_param map[] = { TH_MAP(struct in, map, map_value, "M.", {}), TH_END };
static const th_param arms[] = { TH_NUMBER_MAYBE(struct in, maybe, "", {}),
				 TH_STRING_MAYBE(struct in, text, "", {}), TH_END };
static const th_param either[] = { TH_EITHER(e, arms, "E.", {}), TH_END };
/* clang-format on */

static th_param table[3]; /* a copy to spoil */

static th_param *copy_of(const th_param *from)
{
	memcpy(table, from, sizeof(th_param) * (from[1].kind == TH_KIND_END ? 2 : 3));
	return table;
}

/* The table has to be refused, with all of the words in the message. */
static void refused(const th_param *entries, const char *words)
{
	struct error error = ERROR_INIT;
	int r = params_check(entries, sizeof(th_param), sizeof(struct in), "parameter", &error);

	CU_ASSERT_EQUAL(r, STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, words));
	if (!strstr(error.message, words))
		fprintf(stderr, "got \"%s\", expected \"%s\"\n", error.message, words);
	error_clear(&error);
}

static void set_text(th_text *text, const char *value)
{
	text->data = value;
	text->length = strlen(value);
}

static void test_good(void)
{
	struct error error = ERROR_INIT;

	CU_ASSERT_EQUAL(
		params_check(good, sizeof(th_param), sizeof(struct in), "parameter", &error),
		STATUS_OK);
	CU_ASSERT_EQUAL(
		params_check(either, sizeof(th_param), sizeof(struct in), "parameter", &error),
		STATUS_OK);
	CU_ASSERT_EQUAL(params_check(map, sizeof(th_param), sizeof(struct in), "parameter", &error),
			STATUS_OK);
	error_clear(&error);
}

static void test_names(void)
{
	th_param *t;

	t = copy_of(good);
	t[1].name = t[0].name;
	refused(t, "parameter \"number\": the name is there twice");
	t = copy_of(good);
	set_text(&t[1].name, "");
	refused(t, "\"[1]\": it has no name; does the table end with TH_END?");
	t = copy_of(good);
	set_text(&t[0].name, "a\xFF");
	refused(t, "name is not UTF-8");
	t = copy_of(good);
	set_text(&t[0].name, "a\nb");
	refused(t, "control character");
	t = copy_of(good);
	t[0].name.length--;
	refused(t, "not that of the text before its NUL");
	t = copy_of(good);
	set_text(&t[0].description, "");
	refused(t, "it has no description");
	t = copy_of(good);
	set_text(&t[0].description, "\xC0\x80");
	refused(t, "description is not UTF-8");
}

static void test_kinds_and_flags(void)
{
	th_param *t;

	t = copy_of(good);
	t[0].kind = TH_KIND_LAST + 1;
	refused(t, "does not know its kind");
	t = copy_of(good);
	t[0].flags = 0x8000;
	refused(t, "does not know its flags 0x8000");
	t = copy_of(good);
	t[0].flags = TH_GAPS;
	refused(t, "TH_GAPS");
	t = copy_of(good);
	t[1].flags = TH_RAGGED;
	refused(t, "TH_RAGGED");
	t = copy_of(good);
	t[0].flags = TH_NULLABLE;
	refused(t, "TH_NULLABLE");
	t = copy_of(good);
	t[0].flags = TH_DEFAULT;
	refused(t, "TH_OPTIONAL");
	t = copy_of(map);
	t[0].flags = TH_DEFAULT | TH_OPTIONAL;
	refused(t, "cannot have a default");
	t = copy_of(choice);
	set_text(&t[0].words, "");
	refused(t, "needs its list of words");
	t = copy_of(choice);
	set_text(&t[0].words, "[\"a\", \"a\"]");
	refused(t, "\"a\" is there twice");
	t = copy_of(choice);
	set_text(&t[0].words, "[\"a\", 1]");
	refused(t, "not all texts");
	t = copy_of(choice);
	set_text(&t[0].words, "[a]");
	refused(t, "not a JSON list");
	t = copy_of(good);
	set_text(&t[0].words, "[\"a\"]");
	refused(t, "only choices");
}

static void test_fields(void)
{
	th_param *t;

	t = copy_of(good);
	t[0].size = 4;
	refused(t, "its field has 4 bytes; TH_KIND_NUMBER takes 8");
	t = copy_of(number_maybe);
	t[0].size = 8;
	refused(t, "an optional TH_KIND_NUMBER takes 16");
	t = copy_of(good);
	t[0].offset = sizeof(struct in) - 4;
	refused(t, "of a struct of");
	t = copy_of(good);
	t[0].offset = UINT64_MAX - 3;
	refused(t, "of a struct of");
	t = copy_of(good);
	t[1].offset = t[0].offset;
	refused(t, "parameter \"numbers\": its field overlaps that of \"number\"");
	t = copy_of(good);
	t[0].offset = sizeof(struct in) - 12;
	refused(t, "not aligned");
}

static void test_fragments(void)
{
	static const struct {
		const char *fragment, *words;
	} wrong[] = {
		{ "{\"minimum\": \"x\"}", "minimum has to be a number" },
		{ "{\"minimum\": 0", "not JSON" },
		{ "[]", "not a JSON object" },
		{ "{\"type\": \"string\"}", "\"type\" contradicts TH_KIND_NUMBER" },
		{ "{\"$ref\": \"#/x\"}", "the schema is inline" },
		{ "{\"anyOf\": [{\"$ref\": \"#/x\"}]}", "the schema is inline" },
		{ "{\"default\": 5}", "the macro that ends in _OR" },
		{ "{\"description\": \"x\"}", "has its own place" },
		{ "{\"pattern\": \"(\"}", "regular expression" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		th_param *t = copy_of(good);

		set_text(&t[0].schema, wrong[i].fragment);
		refused(t, wrong[i].words);
	}
}

static void test_defaults(void)
{
	th_param *t;

	t = copy_of(number_or);
	t[0].number = 1.5;
	refused(t,
		"its default does not fit its schema: expected a number of at most 1, found 1.5");
	t = copy_of(number_or);
	t[0].number = 1.0 / 0.0;
	refused(t, "no finite number");
	t = copy_of(text_or);
	set_text(&t[0].otherwise, "5");
	refused(t, "expected a string, found 5");
	t = copy_of(text_or);
	set_text(&t[0].otherwise, "x");
	refused(t, "its default is not JSON: write one string literal");
	t = copy_of(choice);
	t[0].flags = TH_OPTIONAL | TH_DEFAULT;
	set_text(&t[0].otherwise, "\"c\"");
	refused(t, "one of \"a\", \"b\"");
}

static void test_nested(void)
{
	static th_param self[2];
	th_param *t;

	t = copy_of(map);
	t[0].fields = NULL;
	refused(t, "a table of one TH_VALUE");
	t = copy_of(map);
	t[0].fields = good;
	refused(t, "more than one entry");
	t = copy_of(either);
	t[0].fields = number_maybe;
	refused(t, "two arms");
	t = copy_of(either);
	t[0].fields = good;
	refused(t, "end in _MAYBE");
	t = copy_of(good);
	t[0].fields = good;
	refused(t, "has no fields");
	/* A table that contains itself has no schema. */
	self[0] = (th_param)TH_OBJECT_MAYBE(struct in, nested, struct in, self, "Itself.", {});
	refused(self, "more than 8 deep");
}

static void test_tables(void)
{
	struct error error = ERROR_INIT;

	CU_ASSERT_EQUAL(params_check(NULL, sizeof(th_param), 8, "parameter", &error),
			STATUS_INPUT_INVALID);
	CU_ASSERT_EQUAL(
		params_check(good, sizeof(th_param) - 8, sizeof(struct in), "parameter", &error),
		STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "cannot be the size of its entries"));
	error_clear(&error);
}

/* A newer pack has larger entries; what this host does not know of them is passed over. */
static void test_larger_entries(void)
{
	struct newer {
		th_param param;
		uint64_t more[3];
	} entries[3];
	struct error error = ERROR_INIT;
	json *schema;

	memset(entries, 0xA5, sizeof(entries));
	for (size_t i = 0; i < 3; i++)
		entries[i].param = good[i];
	CU_ASSERT_EQUAL(params_check(&entries[0].param, sizeof(entries[0]), sizeof(struct in),
				     "parameter", &error),
			STATUS_OK);
	schema = params_schema(&entries[0].param, sizeof(entries[0]), false);
	CU_ASSERT(json_has(json_get(schema, "properties"), "numbers"));
	json_drop(schema);
	error_clear(&error);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_good),	UNIT_TEST(test_names),	   UNIT_TEST(test_kinds_and_flags),
	UNIT_TEST(test_fields), UNIT_TEST(test_fragments), UNIT_TEST(test_defaults),
	UNIT_TEST(test_nested), UNIT_TEST(test_tables),	   UNIT_TEST(test_larger_entries),
};

UNIT_MAIN("params-check", tests)
