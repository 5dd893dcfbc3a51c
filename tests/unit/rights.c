/* SPDX-License-Identifier: MIT
 *
 * What a pack needs, what it is granted, and what becomes of the two.
 */
#include <config.h>

#include "registry-fixture.h"

#include "registry/rights.h"

static const char *text_of(const struct rights *rights)
{
	static char text[4096];
	struct buffer out = BUFFER_INIT(sizeof(text) - 1);

	rights_print(&out, rights);
	snprintf(text, sizeof(text), "%s", out.fault ? "" : out.data);
	buffer_free(&out);
	return text;
}

static struct rights needs_of(const char *text)
{
	struct rights rights = rights_none;
	json *needs = NULL;

	CU_ASSERT_EQUAL(json_read(text, strlen(text), NULL, &needs, NULL), STATUS_OK);
	rights_add_needs(&rights, needs);
	json_drop(needs);
	return rights;
}

/* ---- Needs ----------------------------------------------------------------------------------- */

static void test_needs(void)
{
	struct rights rights = rights_none;

	CU_ASSERT_FALSE(rights_any(&rights));
	UNIT_TEXT(text_of(&rights), "nothing");
	rights = needs_of("{\"network\":true,\"subprocess\":false}");
	UNIT_TEXT(text_of(&rights), "network");
	/* What a hostile manifest may hold in their place. */
	for (size_t i = 0; i < 5; i++) {
		static const char *const texts[] = {
			"[]",
			"{\"network\":1}",
			"{\"read\":\"/x\"}",
			"{\"read\":[1,null,\"x\"]}",
			"{\"read\":[\"/a/../b\",\"/..\"]}",
		};

		rights = needs_of(texts[i]);
		CU_ASSERT_FALSE(rights_any(&rights));
	}
}

static void test_too_many_paths(void)
{
	struct rights rights = rights_none;
	char texts[RIGHTS_PATHS + 1][16];

	for (int i = 0; i <= RIGHTS_PATHS; i++) {
		snprintf(texts[i], sizeof(texts[i]), "/%d", i);
		CU_ASSERT_EQUAL(rights_add_path(rights.read, texts[i]), i < RIGHTS_PATHS);
	}
	CU_ASSERT(rights_add_path(rights.read, "/7"));
	CU_ASSERT_PTR_NULL(rights.read[RIGHTS_PATHS]);
}

/* ---- Both together --------------------------------------------------------------------------- */

/* Needed, granted, both, missing, useless. */
static void test_paths(void)
{
	static const char *const rows[][5] = {
		{ "/a", "/a", "read /a", "nothing", "nothing" },
		{ "/a/b", "/a", "read /a/b", "nothing", "nothing" },
		{ "/a/b", "/a/", "read /a/b", "nothing", "nothing" },
		{ "/a/b", "/", "read /a/b", "nothing", "nothing" },
		{ "/a", "/a/b", "read /a/b", "read /a", "nothing" },
		{ "/ab", "/a", "nothing", "read /ab", "read /a" },
		{ "/a", "/ab", "nothing", "read /a", "read /ab" },
		{ "/a", "/b", "nothing", "read /a", "read /b" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct rights needed = { .read = { rows[i][0] } };
		const struct rights granted = { .read = { rows[i][1] } };
		struct rights out;

		rights_meet(&needed, &granted, &out);
		UNIT_TEXT(text_of(&out), rows[i][2]);
		rights_lack(&needed, &granted, &out);
		UNIT_TEXT(text_of(&out), rows[i][3]);
		rights_useless(&granted, &needed, &out);
		UNIT_TEXT(text_of(&out), rows[i][4]);
	}
}

static void test_kinds_stay_apart(void)
{
	const struct rights needed = { .network = true, .write = { "/a" } };
	const struct rights granted = { .subprocess = true, .read = { "/a" } };
	struct rights out;

	rights_meet(&needed, &granted, &out);
	CU_ASSERT_FALSE(rights_any(&out));
	rights_lack(&needed, &granted, &out);
	UNIT_TEXT(text_of(&out), "network, write /a");
	rights_useless(&granted, &needed, &out);
	UNIT_TEXT(text_of(&out), "subprocess, read /a");
	rights_join(&out, &needed);
	UNIT_TEXT(text_of(&out), "network, subprocess, read /a, write /a");
}

/* The section that is printed is one that the config takes, and that grants what it says. */
static void test_section(void)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	struct rights rights = { .network = true, .subprocess = true };
	const struct config_pack *pack;
	struct config *config;

	start_anew();
	rights.read[0] = folder_folder(&folder, "a \"b\" \\c");
	rights.read[1] = "/";
	rights.write[0] = "/tmp";
	rights_print_section(&out, "x", &rights);
	config = configure(out.data);
	pack = config_find_pack(config, "x");
	CU_ASSERT_PTR_NOT_NULL_FATAL(pack);
	CU_ASSERT(pack->network == 1 && pack->subprocess == 1);
	UNIT_TEXT(pack->read[0], rights.read[0]);
	UNIT_TEXT(pack->read[1], "/");
	UNIT_TEXT(pack->write[0], "/tmp");
	config_free(config);
	buffer_free(&out);
}

/* ---- In the config ----------------------------------------------------------------------------*/

static void test_faults_of_grants(void)
{
	static const char *const rows[][2] = {
		{ "read = { \"data\" }", "absolute paths" },
		{ "read = { \"/tmp/../etc\" }", "absolute paths without .." },
		{ "write = { \"/no/such/place\" }", "write names /no/such/place: No such file" },
		{ "network = perhaps", "wanted: true or false" },
		{ "environment = { \"A=b\" }", "names of variables" },
		{ "environment = { \"1A\" }", "names of variables" },
		{ "environment = { \"\" }", "names of variables" },
	};
	struct error error = ERROR_INIT;
	struct config *config;
	char text[256];

	start_anew();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(text, sizeof(text), "pack x { %s }\n", rows[i][0]);
		folder_write(&folder, "fault.conf", text);
		CU_ASSERT_EQUAL(
			config_load(&paths, folder_path(&folder, "fault.conf"), &config, &error),
			STATUS_CONFIG_INVALID);
		CU_ASSERT(contains(error.message, rows[i][1]));
		error_clear(&error);
	}
}

static void test_too_many_variables(void)
{
	struct error error = ERROR_INIT;
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	struct config *config;

	start_anew();
	buffer_text(&text, "pack x { environment = { V0");
	for (int i = 1; i <= CONFIG_VARIABLES; i++)
		buffer_format(&text, ", V%d", i);
	buffer_text(&text, " } }\n");
	folder_write(&folder, "many.conf", text.data);
	CU_ASSERT_EQUAL(config_load(&paths, folder_path(&folder, "many.conf"), &config, &error),
			STATUS_CONFIG_INVALID);
	CU_ASSERT(contains(error.message, "environment has more than 16 elements"));
	buffer_free(&text);
	error_clear(&error);
}

/* ---- In the registry ------------------------------------------------------------------------- */

static void test_packs(void)
{
	const struct registry_pack *pack;
	struct tool_spec *spec;
	struct registry *registry;
	struct rights missing;

	start_anew();
	folder_write(&folder, "packs/a.so",
		     "needs {\"network\":true,\"read\":[\"/tmp/data\"]}\npack one\n");
	folder_write(&folder, "packs/b.so", "pack two\n");
	registry = build_plain();
	pack = registry_find_pack(registry, "a");
	UNIT_TEXT(text_of(pack->needs), "network, read /tmp/data");
	UNIT_TEXT(text_of(pack->grants), "nothing");
	UNIT_TEXT(text_of(registry_find_pack(registry, "b")->needs), "nothing");
	registry_free(registry);
	/* Once more out of the cache, and with a config that is gone when the grants are read. */
	registry = build_with("pack a { network = on  subprocess = on  read = { \"/tmp\" }\n"
			      "environment = { \"HOME\", \"LANG\" } }\n");
	pack = registry_find_pack(registry, "a");
	UNIT_TEXT(text_of(pack->grants), "network, read /tmp/data");
	UNIT_TEXT(pack->environment[0], "HOME");
	UNIT_TEXT(pack->environment[1], "LANG");
	CU_ASSERT_PTR_NULL(pack->environment[2]);
	CU_ASSERT_EQUAL(registry_spec(registry, tool(registry, "one"), &spec, NULL), STATUS_OK);
	rights_lack(&spec->needs, pack->grants, &missing);
	UNIT_TEXT(text_of(&missing), "nothing");
	/* What was not asked for is not granted. */
	UNIT_TEXT(text_of(registry_find_pack(registry, "b")->grants), "nothing");
	CU_ASSERT_PTR_NULL(registry_find_pack(registry, "b")->environment[0]);
	registry_free(registry);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_needs),
	UNIT_TEST(test_too_many_paths),
	UNIT_TEST(test_paths),
	UNIT_TEST(test_kinds_stay_apart),
	UNIT_TEST(test_section),
	UNIT_TEST(test_faults_of_grants),
	UNIT_TEST(test_too_many_variables),
	UNIT_TEST(test_packs),
};

int main(void)
{
	return run_tests("rights", tests, sizeof(tests) / sizeof(tests[0]));
}
