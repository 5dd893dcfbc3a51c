/* SPDX-License-Identifier: MIT
 *
 * Groups by label: which labels are one, and what is no list of labels. Numbers inside sentences.
 */
#include "common/labels.h"
#include "common/prose.h"

#include "stats.h"

#include <locale.h>

#define MOST 64

/* The groups of the labels in a JSON text, as digits. */
static const char *groups_of(const char *json)
{
	static char digits[MOST + 1];
	struct label labels[MOST];
	uint32_t groups[MOST], slots[2 * MOST];
	size_t count = labels_read(json, strlen(json), NULL);

	if (count == SIZE_MAX)
		return "refused";
	CU_ASSERT_FATAL(count <= MOST && labels_slots(count) <= 2 * MOST);
	CU_ASSERT(labels_read(json, strlen(json), labels) == count);
	labels_group(labels, count, groups, slots);
	for (size_t i = 0; i < count; i++)
		digits[i] = (char)('0' + groups[i]);
	digits[count] = 0;
	return digits;
}

static void texts(void)
{
	UNIT_TEXT(groups_of("[\"Ann\",\"Bob\",\"Ann\",\"\",\"a,]\\\"\",\"a,]\\\"\"]"), "010233");
	UNIT_TEXT(groups_of(" [ \"x\" , \"y\"\n,\t\"x\" ] "), "010");
	UNIT_TEXT(groups_of("[]"), "");
}

static void numbers_by_value(void)
{
	UNIT_TEXT(groups_of("[1,1.0,10e-1,0.1E1,1.00,100e-2,0.01e+2]"), "0000000");
	UNIT_TEXT(groups_of("[1,-1,10,0.1,1e-300]"), "01234");
	UNIT_TEXT(groups_of("[0,-0,0.0,0e5,1]"), "00001");
	UNIT_TEXT(groups_of("[1000000000000000,1e15,1e16]"), "001");
	UNIT_TEXT(groups_of("[1,\"1\",true,\"true\",false,1.0]"), "012340");
}

static bool is_blurred(const char *number)
{
	struct label label = label_make(number, strlen(number), true);

	return label_is_blurred(&label);
}

static void numbers_that_are_rounded(void)
{
	CU_ASSERT(is_blurred("2.0251130123456788e+22"));
	CU_ASSERT(is_blurred("-9.3e18"));
	CU_ASSERT(is_blurred("1E300"));
	CU_ASSERT(!is_blurred("9007199254740993"));
	CU_ASSERT(!is_blurred("9223372036854775807"));
	CU_ASSERT(!is_blurred("1e15"));
	CU_ASSERT(!is_blurred("1.25e-300"));
	CU_ASSERT(!is_blurred("0e99"));
}

static void what_is_no_list_of_labels(void)
{
	UNIT_TEXT(groups_of("{\"a\":1}"), "refused");
	UNIT_TEXT(groups_of("[[1],[2]]"), "refused");
	UNIT_TEXT(groups_of("[1,null]"), "refused");
	UNIT_TEXT(groups_of("[1,2"), "refused");
	UNIT_TEXT(groups_of("[\"a"), "refused");
	UNIT_TEXT(groups_of("[\"a\\"), "refused");
	UNIT_TEXT(groups_of(""), "refused");
}

static void bare_texts_are_no_numbers(void)
{
	struct label labels[] = { label_make("10", 2, false), label_make("10.0", 4, false),
				  label_make("10", 2, true), label_make("10.0", 4, true) };
	uint32_t groups[4], slots[16];

	CU_ASSERT(labels_slots(4) == 16);
	CU_ASSERT(labels_group(labels, 4, groups, slots) == 3);
	CU_ASSERT(groups[0] == 0 && groups[1] == 1 && groups[2] == 2 && groups[3] == 2);
}

static void groups_are_sorted_in_their_order(void)
{
	static const uint32_t groups[] = { 2, 0, 2, 3, 0, 2 };
	static const uint64_t sorted[] = { 1, 4, 0, 2, 5, 3 };
	static const size_t starts[] = { 0, 2, 2, 5, 6 };
	uint64_t places[6];
	size_t start[5], nothing = 7;

	groups_sort(groups, 6, 4, start, places);
	CU_ASSERT(!memcmp(start, starts, sizeof(starts)));
	CU_ASSERT(!memcmp(places, sorted, sizeof(sorted)));
	groups_sort(groups, 0, 0, &nothing, places);
	CU_ASSERT_EQUAL(nothing, 0);
}

static void sentences_know_no_locale(void)
{
	UNIT_TEXT(prose_number(0.05, 4).text, "0.05");
	UNIT_TEXT(prose_number(-1.5e-12, 3).text, "-1.5e-12");
	UNIT_TEXT(prose_number(1e300, 17).text, "1.0000000000000001e+300");
	if (setlocale(LC_NUMERIC, "de_DE.UTF-8") || setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
		UNIT_TEXT(prose_number(0.05, 4).text, "0.05");
	setlocale(LC_NUMERIC, "C");
}

static void texts_are_cut_between_characters(void)
{
	const char *text = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z"; /* of 1, 2, 3, 4 and 1 bytes */
	const int wanted[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11 };

	for (int most = 0; most < 13; most++)
		CU_ASSERT(prose_cut(text, 11, most) == wanted[most]);
	CU_ASSERT(prose_cut("", 0, 5) == 0);
	CU_ASSERT(prose_cut("\x80\x80", 2, 1) == 0);
}

static const struct unit_test tests[] = {
	UNIT_TEST(texts),
	UNIT_TEST(numbers_by_value),
	UNIT_TEST(numbers_that_are_rounded),
	UNIT_TEST(what_is_no_list_of_labels),
	UNIT_TEST(bare_texts_are_no_numbers),
	UNIT_TEST(groups_are_sorted_in_their_order),
	UNIT_TEST(sentences_know_no_locale),
	UNIT_TEST(texts_are_cut_between_characters),
};

UNIT_MAIN("stats-labels", tests)
