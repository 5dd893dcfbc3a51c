/* SPDX-License-Identifier: MIT
 *
 * The sizes and places that packs were compiled with. A number here never changes; a field that is
 * added at the end of a struct adds a line and changes the size of that struct alone.
 */
#include "unit.h"

#include <toolhost/plugin.h>
#include <toolhost/settings.h>

#define SIZE(type, bytes) CU_ASSERT_EQUAL(sizeof(type), bytes)
#define PLACE(type, field, byte) CU_ASSERT_EQUAL(offsetof(type, field), byte)
/* The last field ends where the struct does: a field that is added later cannot fall into padding.
 */
#define LAST(type, field)                                                                          \
	CU_ASSERT_EQUAL(offsetof(type, field) + sizeof(((type *)0)->field), sizeof(type))

static void test_sizes_of_inputs(void)
{
	SIZE(th_text, 16);
	SIZE(th_list, 16);
	SIZE(th_maybe_number, 16);
	SIZE(th_maybe_integer, 16);
	SIZE(th_maybe_boolean, 8);
	SIZE(th_maybe_choice, 8);
	SIZE(th_numbers, 24);
	SIZE(th_integers, 16);
	SIZE(th_flags, 16);
	SIZE(th_texts, 16);
	SIZE(th_matrix, 40);
	SIZE(th_records, 24);
	SIZE(th_column, 48);
	SIZE(th_table, 32);
	SIZE(th_map, 32);
	SIZE(th_json, 16);
	SIZE(th_no_input, 8);
}

static void test_sizes_of_descriptors(void)
{
	SIZE(th_param, 136);
	SIZE(th_tool, 136);
	SIZE(th_recipe, 16);
	SIZE(th_prompt, 80);
	SIZE(th_resource, 112);
	SIZE(th_pack, 88);
	SIZE(th_content, 80);
	SIZE(th_services, 8 + 24 * sizeof(void *));
	SIZE(th_call, 8);
	SIZE(th_settings, 16);
}

static void test_places(void)
{
	PLACE(th_param, name, 0);
	PLACE(th_param, schema, 32);
	PLACE(th_param, number, 80);
	PLACE(th_param, fields, 96);
	PLACE(th_param, offset, 112);
	PLACE(th_param, kind, 128);
	PLACE(th_tool, about, 48);
	PLACE(th_tool, params, 96);
	PLACE(th_tool, run, 112);
	PLACE(th_tool, param_size, 128);
	PLACE(th_pack, abi_major, 4);
	PLACE(th_pack, about, 8);
	PLACE(th_pack, tools, 24);
	PLACE(th_pack, resources, 72);
	PLACE(th_content, data, 16);
	PLACE(th_services, put_null, 8);
	PLACE(th_services, put_content, 96);
	PLACE(th_services, fail, 112);
	PLACE(th_services, cancelled, 144);
	PLACE(th_services, extension, 192);
}

static void test_no_padding_at_the_end(void)
{
	LAST(th_text, length);
	LAST(th_list, count);
	LAST(th_matrix, missing);
	LAST(th_column, reserved);
	LAST(th_param, flags);
	LAST(th_tool, param_size);
	LAST(th_prompt, param_size);
	LAST(th_resource, is_template);
	LAST(th_pack, resources);
	LAST(th_content, name);
	LAST(th_services, extension);
	LAST(th_settings, whole);
}

static void test_codes(void)
{
	const int32_t codes[] = { TH_OK,	  TH_FAILED,	TH_CANCELLED,
				  TH_MISUSE,	  TH_NO_MEMORY, TH_TOO_LARGE,
				  TH_UNSUPPORTED, TH_PENDING,	TH_DECLINED };

	for (int32_t i = 0; i < (int32_t)(sizeof(codes) / sizeof(codes[0])); i++)
		CU_ASSERT_EQUAL(codes[i], -i);
	CU_ASSERT_EQUAL(TH_KIND_LAST, TH_KIND_JSON);
	CU_ASSERT_EQUAL(TH_KIND_JSON, 17);
	CU_ASSERT_EQUAL(TH_KIND_EITHER, 16);
	CU_ASSERT_EQUAL(TH_KIND_TABLE, 14);
	CU_ASSERT_EQUAL(TH_NULLABLE, 16);
	CU_ASSERT_EQUAL(TH_COLUMN_EMPTY, 5);
	CU_ASSERT_EQUAL(TH_CONTENT_LINK, 5);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_sizes_of_inputs), UNIT_TEST(test_sizes_of_descriptors),
	UNIT_TEST(test_places),		 UNIT_TEST(test_no_padding_at_the_end),
	UNIT_TEST(test_codes),
};

UNIT_MAIN("abi-sizes", tests)
