/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "config-files.h"

/* The message with which a text is refused; it has to begin with the file and the line. */
static const char *refusal(const char *text, int line)
{
	static struct error error;
	char start[256];

	error_clear(&error);
	CU_ASSERT_PTR_NULL(load(NULL, text, &error));
	CU_ASSERT_EQUAL(error.status, STATUS_CONFIG_INVALID);
	snprintf(start, sizeof(start), "%s:%d: ", paths.config_user, line);
	if (strncmp(error.message, start, strlen(start))) {
		fprintf(stderr, "\"%s\" does not begin with \"%s\"\n", error.message, start);
		return "";
	}
	CU_ASSERT(json_text_is(json_get(error.details, "file"), paths.config_user));
	CU_ASSERT_EQUAL(json_integer(json_get(error.details, "line")), line);
	return error.message + strlen(start);
}

static void test_absent(void)
{
	struct config *config = load_well(NULL, NULL);

	CU_ASSERT_EQUAL(config_pack_count(config), 0);
	CU_ASSERT_EQUAL(config_bundle_count(config), 0);
	CU_ASSERT_PTR_NULL(config_pack_dirs(config)[0]);
	CU_ASSERT_PTR_NULL(config_find_pack(config, "x"));
	CU_ASSERT_PTR_NULL(config_find_bundle(config, "x"));
	config_free(config);
	config_free(load_well("", NULL));
}

static void test_sections(void)
{
	struct config *config = load_well(NULL, "# a comment\n"
						"pack_dirs = { \"/opt/packs\", '/opt/more' }\n"
						"pack \"univariate\" { enabled = true  critical = "
						"yes  isolation = \"isolated\"  timeout = 2.5\n"
						"\tmemory_mb = 256 }\n"
						"\n"
						"bundle \"statistics\" {\n"
						"\tsummary = \"All that counts.\"\n"
						"\tenabled = off\n"
						"\tpacks = { \"univariate\", \"b\" }\n"
						"\ttools = { \"detect_*\" }\n"
						"}\n"
						"pack b {}\n");
	const struct config_pack *pack = config_find_pack(config, "univariate");
	const struct config_bundle *bundle = config_find_bundle(config, "statistics");

	UNIT_TEXT(config_pack_dirs(config)[0], "/opt/packs");
	UNIT_TEXT(config_pack_dirs(config)[1], "/opt/more");
	CU_ASSERT_PTR_NULL(config_pack_dirs(config)[2]);
	CU_ASSERT_EQUAL(config_pack_count(config), 2);
	CU_ASSERT_EQUAL(pack->enabled, 1);
	CU_ASSERT_EQUAL(pack->critical, 1);
	UNIT_TEXT(pack->isolation, "isolated");
	CU_ASSERT_EQUAL(pack->timeout, 2.5);
	CU_ASSERT_EQUAL(pack->memory_mb, 256);
	UNIT_TEXT(pack->file, paths.config_user);
	CU_ASSERT_EQUAL(pack->line, 3);
	UNIT_TEXT(bundle->summary, "All that counts.");
	CU_ASSERT_EQUAL(bundle->enabled, 0);
	CU_ASSERT_EQUAL(bundle->line, 6);
	UNIT_TEXT(bundle->packs[0], "univariate");
	UNIT_TEXT(bundle->packs[1], "b");
	CU_ASSERT_PTR_NULL(bundle->packs[2]);
	UNIT_TEXT(bundle->tools[0], "detect_*");
	pack = config_find_pack(config, "b");
	CU_ASSERT_EQUAL(pack->line, 12);
	CU_ASSERT_EQUAL(pack->enabled, -1);
	CU_ASSERT_EQUAL(pack->critical, -1);
	CU_ASSERT_PTR_NULL(pack->isolation);
	CU_ASSERT_EQUAL(pack->timeout, 0);
	CU_ASSERT_EQUAL(pack->memory_mb, 0);
	config_free(config);
}

static void test_settings(void)
{
	struct config *config =
		load_well("max_cells = 5000\nlog_level = \"info\"\ntool_timeout = 2.5\n",
			  "max_cells = 6000\nmcp_safe_mode = true\n"
			  "disabled_tools = { \"a\", \"b_*\" }\n\nenabled_tools = \"c,d\"\n");
	char source[256];

	CU_ASSERT_EQUAL(settings_check(NULL), STATUS_OK);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_CELLS), 6000);
	CU_ASSERT_EQUAL(setting_real(SETTING_TOOL_TIMEOUT), 2.5);
	CU_ASSERT(setting_switch(SETTING_MCP_SAFE_MODE));
	UNIT_TEXT(setting_text(SETTING_LOG_LEVEL), "info");
	UNIT_TEXT(setting_text(SETTING_DISABLED_TOOLS), "a,b_*");
	UNIT_TEXT(setting_text(SETTING_ENABLED_TOOLS), "c,d");
	snprintf(source, sizeof(source), "file %s:5", paths.config_user);
	UNIT_TEXT(setting_source(SETTING_ENABLED_TOOLS), source);
	snprintf(source, sizeof(source), "file %s:2", paths.config_system);
	UNIT_TEXT(setting_source(SETTING_LOG_LEVEL), source);
	config_free(config);
	settings_clear();
}

/* Each setting is a key, and takes its own default. */
static void test_every_setting(void)
{
	for (int i = 0; i < SETTING_COUNT; i++) {
		const struct setting_info *info = setting_info(i);
		char text[512];
		struct config *config;

		snprintf(text, sizeof(text), "%s = \"%s\"\n", info->name, info->fallback);
		config = load_well(NULL, text);
		CU_ASSERT_EQUAL(settings_check(NULL), STATUS_OK);
		CU_ASSERT_EQUAL(strncmp(setting_source(i), "file ", 5), 0);
		config_free(config);
	}
	settings_clear();
}

static void test_merge(void)
{
	struct config *config = load_well(
		"pack_dirs = { \"/a\" }\n"
		"pack \"p\" { enabled = false  timeout = 5 }\n"
		"bundle \"b\" { summary = \"S\"  packs = { \"p\" }  tools = { \"t\" } }\n",
		"pack \"p\" { enabled = true }\n"
		"bundle \"b\" { enabled = false  tools = {} }\n");
	const struct config_pack *pack = config_pack(config, 0);
	const struct config_bundle *bundle = config_bundle(config, 0);

	UNIT_TEXT(config_pack_dirs(config)[0], "/a");
	CU_ASSERT_EQUAL(config_pack_count(config), 1);
	CU_ASSERT_EQUAL(pack->enabled, 1);
	CU_ASSERT_EQUAL(pack->timeout, 5);
	UNIT_TEXT(pack->file, paths.config_user);
	CU_ASSERT_EQUAL(config_bundle_count(config), 1);
	UNIT_TEXT(bundle->summary, "S");
	CU_ASSERT_EQUAL(bundle->enabled, 0);
	UNIT_TEXT(bundle->packs[0], "p");
	CU_ASSERT_PTR_NULL(bundle->tools[0]);
	config_free(config);
	config = load_well("recipe_dirs = { \"/a\" }\n\npack_dirs = { \"/a\" }\n",
			   "\nrecipe_dirs = { \"/c\", \"/d\" }\n");
	UNIT_TEXT(config_recipe_folders(config)->paths[0], "/c");
	UNIT_TEXT(config_recipe_folders(config)->paths[1], "/d");
	CU_ASSERT_PTR_NULL(config_recipe_folders(config)->paths[2]);
	UNIT_TEXT(config_recipe_folders(config)->file, paths.config_user);
	CU_ASSERT_EQUAL(config_recipe_folders(config)->line, 2);
	UNIT_TEXT(config_pack_folders(config)->paths[0], "/a");
	UNIT_TEXT(config_pack_folders(config)->file, paths.config_system);
	CU_ASSERT_EQUAL(config_pack_folders(config)->line, 3);
	config_free(config);
	config = load_well("pack_dirs = { \"/a\" }\n", "pack_dirs = { \"/b\" }\n");
	UNIT_TEXT(config_pack_dirs(config)[0], "/b");
	CU_ASSERT_PTR_NULL(config_pack_dirs(config)[1]);
	config_free(config);
}

static void test_many_sections(void)
{
	struct config *config;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (int i = 0; i < 100; i++)
		fprintf(out, "pack \"p%d\" { enabled = %s }\nbundle b%d { }\n", i,
			i % 2 ? "on" : "off", i);
	fclose(out);
	config = load_well(NULL, text);
	CU_ASSERT_EQUAL(config_pack_count(config), 100);
	CU_ASSERT_EQUAL(config_bundle_count(config), 100);
	UNIT_TEXT(config_pack(config, 99)->name, "p99");
	CU_ASSERT_EQUAL(config_pack(config, 99)->enabled, 1);
	CU_ASSERT_EQUAL(config_pack(config, 98)->line, 197);
	config_free(config);
	free(text);
}

static void test_unknown_keys(void)
{
	UNIT_TEXT(refusal("\n\nmax_cels = 5\n", 3),
		  "there is no key max_cels here; did you mean max_cells?");
	UNIT_TEXT(refusal("pack \"p\" {\n\tenable = true\n}\n", 2),
		  "there is no key enable here; did you mean enabled?");
	UNIT_TEXT(refusal("bundle \"p\" {\n\tcritical = true\n}\n", 2),
		  "there is no key critical here; a section bundle has summary, enabled, packs and "
		  "tools");
	CU_ASSERT(contains(refusal("pack \"p\" { net = true }\n", 1),
			   "a section pack has enabled, critical, isolation, timeout, memory_mb, "
			   "network, subprocess, read, write and environment"));
	UNIT_TEXT(refusal("bundel \"p\" {}\n", 1),
		  "there is no key bundel here; did you mean bundle?");
}

static void test_bad_values(void)
{
	UNIT_TEXT(refusal("pack \"p\" { enabled = maybe }", 1),
		  "enabled is \"maybe\"; wanted: true or false");
	UNIT_TEXT(refusal("pack \"p\" {\n isolation = \"box\" }", 2),
		  "isolation is \"box\"; wanted: in-process, isolated or sandboxed");
	CU_ASSERT(contains(refusal("pack \"p\" { timeout = 5s }", 1),
			   "timeout is \"5s\"; wanted: a number from"));
	CU_ASSERT(contains(refusal("pack \"p\" { timeout = -1 }", 1),
			   "timeout is \"-1\"; wanted: a number from"));
	CU_ASSERT(contains(refusal("pack \"p\" { memory_mb = 1.5 }", 1),
			   "wanted: a whole number from 1 to 1048576"));
	CU_ASSERT(contains(refusal("pack_dirs = { \"/a\",\n\"packs\" }", 2),
			   "pack_dirs names \"packs\"; wanted: absolute paths"));
	CU_ASSERT(contains(refusal("pack_dirs = \"\"", 1), "wanted: absolute paths"));
	CU_ASSERT(contains(refusal("recipe_dirs = { \"mine\" }", 1),
			   "recipe_dirs names \"mine\"; wanted: absolute paths"));
}

/* What settings.c says of a value comes through, with the file and the line. */
static void test_bad_setting(void)
{
	struct error error = ERROR_INIT;

	CU_ASSERT_PTR_NULL(load(NULL, "\nmax_cells = many\n", &error));
	CU_ASSERT_EQUAL(error.status, STATUS_CONFIG_INVALID);
	CU_ASSERT(contains(error.message, "max_cells"));
	CU_ASSERT(contains(error.message, "many"));
	CU_ASSERT(contains(error.message, "user.conf"));
	error_clear(&error);
}

static void test_bad_grammar(void)
{
	UNIT_TEXT(refusal("max_cells = 1\nmax_cells = 2\n", 2),
		  "max_cells stands twice; keep one of both");
	UNIT_TEXT(refusal("disabled_tools = { \"a\" }\ndisabled_tools = { \"b\" }\n", 2),
		  "disabled_tools stands twice; keep one of both");
	UNIT_TEXT(refusal("pack \"p\" { enabled = on enabled = off }\n", 1),
		  "enabled stands twice; keep one of both");
	CU_ASSERT(contains(refusal("pack \"p\" { }\npack \"p\" { }\n", 2), "p"));
	CU_ASSERT(contains(refusal("max_cells 5\n", 1), "max_cells"));
	UNIT_TEXT(refusal("\npack \"p\" {\n\n", 2), "the brace that opens here is not closed");
	UNIT_TEXT(refusal("pack_dirs = {\n\"/a\"\n", 1), "the brace that opens here is not closed");
	CU_ASSERT(contains(refusal("max_cells =\n", 2), "end of file"));
	CU_ASSERT(contains(refusal("pack { }\n", 1), "title"));
	CU_ASSERT(contains(refusal("}\n", 1), "brace"));
	UNIT_TEXT(refusal("max_cells = \"5\n\n\n", 1), "the quote that begins here is not closed");
	UNIT_TEXT(refusal("\npack 'p {}\n", 2), "the quote that begins here is not closed");
	UNIT_TEXT(refusal("\n\n/* so\n\n", 3), "the comment that begins here is not closed");
	UNIT_TEXT(refusal("disabled_tools = { a_* }\n", 1),
		  "a text that holds * or + has to stand in quotes");
	UNIT_TEXT(refusal("disabled_tools = { * }\n", 1),
		  "a text that holds * or + has to stand in quotes");
	UNIT_TEXT(refusal("log_level = a+b\n", 1),
		  "a text that holds * or + has to stand in quotes");
	UNIT_TEXT(refusal("\ndisabled_tools = [\"a\", \"b\"]\n", 2),
		  "a list stands in braces, as in { \"a\", \"b\" }, and a section is written "
		  "pack \"name\" { ... }");
	CU_ASSERT(contains(refusal("[pack]\nenabled = off\n", 1), "stands in braces"));
	UNIT_TEXT(refusal("\n\x01\n", 2), "a control character stands here");
	UNIT_TEXT(refusal("# caf\xE9\n", 1), "the file is no UTF-8 text");
	/* libconfuse keeps its state for all files, also after one that it has given up. */
	config_free(load_well(NULL, "max_cells = 5\n"));
}

static void test_nul(void)
{
	struct error error = ERROR_INIT;
	struct config *config;

	folder_write_bytes(&folder, "user.conf", "# a\0b\nmax_cells = 5\n", 20);
	config_load(&paths, NULL, &config, &error);
	CU_ASSERT_PTR_NULL(config);
	CU_ASSERT(contains(error.message, "NUL"));
	error_clear(&error);
}

static void test_line_ends_and_marks(void)
{
	struct config *config = load_well(
		NULL, "\xEF\xBB\xBFmax_cells = 5\r\npack \"p\" {\r\n enabled = off\r\n}\r\n");

	CU_ASSERT_EQUAL(config_find_pack(config, "p")->enabled, 0);
	CU_ASSERT_EQUAL(config_find_pack(config, "p")->line, 2);
	config_free(config);
	CU_ASSERT(contains(refusal("max_cells = 5\n\xEF\xBB\xBFmax_depth = 5\n", 2),
			   "there is no key"));
	config_free(load_well(NULL, "\xEF\xBB\xBF"));
}

static void test_comments(void)
{
	struct config *config = load_well(NULL,
					  "// one\n/* pack \"q\" {\n} */ pack \"p\" { # two }\n"
					  "\tenabled = on // three\n}\n");

	CU_ASSERT_EQUAL(config_pack_count(config), 1);
	CU_ASSERT_EQUAL(config_pack(config, 0)->line, 3);
	config_free(config);
}

static void test_others_may_write(void)
{
	struct error error = ERROR_INIT;
	struct config *config;

	folder_write(&folder, "user.conf", "max_cells = 5\n");
	chmod(paths.config_user, 0664);
	config_load(&paths, NULL, &config, &error);
	CU_ASSERT_PTR_NULL(config);
	CU_ASSERT_EQUAL(error.status, STATUS_CONFIG_INVALID);
	CU_ASSERT(contains(error.message, "user.conf may be written by its group (mode 0664)"));
	chmod(paths.config_user, 0644);
	error_clear(&error);
}

static void test_named_file(void)
{
	struct error error = ERROR_INIT;
	struct config *config;

	folder_write(&folder, "user.conf", "pack u {}\n");
	folder_write(&folder, "named.conf", "pack n {}\n");
	CU_ASSERT_EQUAL(config_load(&paths, folder_path(&folder, "named.conf"), &config, &error),
			0);
	CU_ASSERT_EQUAL(config_pack_count(config), 1);
	UNIT_TEXT(config_pack(config, 0)->name, "n");
	config_free(config);
	CU_ASSERT_EQUAL(config_load(&paths, folder_path(&folder, "absent.conf"), &config, &error),
			STATUS_CONFIG_INVALID);
	CU_ASSERT(contains(error.message, "absent.conf: No such file or directory"));
	CU_ASSERT_EQUAL(config_load(&paths, folder_path(&folder, ""), &config, &error),
			STATUS_CONFIG_INVALID);
	CU_ASSERT(contains(error.message, "is no regular file"));
	error_clear(&error);
	CU_ASSERT_EQUAL(chdir(folder.path), 0);
	CU_ASSERT_EQUAL(config_load(&paths, "named.conf", &config, &error), 0);
	config_free(config);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_absent),	      UNIT_TEST(test_sections),
	UNIT_TEST(test_settings),     UNIT_TEST(test_every_setting),
	UNIT_TEST(test_merge),	      UNIT_TEST(test_many_sections),
	UNIT_TEST(test_unknown_keys), UNIT_TEST(test_bad_values),
	UNIT_TEST(test_bad_setting),  UNIT_TEST(test_bad_grammar),
	UNIT_TEST(test_nul),	      UNIT_TEST(test_line_ends_and_marks),
	UNIT_TEST(test_comments),     UNIT_TEST(test_others_may_write),
	UNIT_TEST(test_named_file),
};

int main(void)
{
	int status;

	folder_make(&folder);
	paths.config_system = strdup(folder_path(&folder, "system.conf"));
	paths.config_user = strdup(folder_path(&folder, "user.conf"));
	status = unit_run("config", tests, sizeof(tests) / sizeof(tests[0]));
	settings_clear();
	free(paths.config_system);
	free(paths.config_user);
	folder_remove(&folder);
	return status;
}
