/* SPDX-License-Identifier: MIT */
#include "base/settings.h"

#include "unit.h"

static const char *const prefixes[] = { "TOOLHOST_", "PROCESS_IMPROVE_" };

/* Nothing set, whatever the environment of the test holds. */
static void start_over(void)
{
	char name[64];

	settings_clear();
	for (int i = 0; i < SETTING_COUNT; i++) {
		for (int j = 0; j < 2; j++) {
			snprintf(name, sizeof(name), "%s%s", prefixes[j],
				 setting_info((enum setting)i)->variable);
			unsetenv(name);
		}
	}
}

static void check_printed(enum setting setting, const char *expected)
{
	struct buffer b = BUFFER_INIT(SIZE_MAX);

	setting_print(&b, setting);
	UNIT_TEXT(b.data, expected);
	buffer_free(&b);
}

static void defaults_are_those_of_the_reference(void)
{
	static const char *const names[] = {
		"tool_timeout",
		"dataset_fetch_timeout",
		"max_cells",
		"max_string",
		"max_depth",
		"max_memory_mb",
		"mcp_safe_mode",
		"max_factors_combinatorial",
		"max_regression_points",
		"max_matrix_rows",
		"max_matrix_cols",
		"max_formula_chars",
		"max_formula_terms",
	};

	start_over();
	CU_ASSERT_EQUAL(settings_check(NULL), STATUS_OK);
	for (int i = 0; i < 13; i++) {
		UNIT_TEXT(setting_info((enum setting)i)->name, names[i]);
		CU_ASSERT(setting_info((enum setting)i)->seed);
		CU_ASSERT_EQUAL(setting_find(names[i]), i);
	}
	CU_ASSERT_EQUAL(setting_real(SETTING_TOOL_TIMEOUT), 10);
	CU_ASSERT_EQUAL(setting_real(SETTING_DATASET_FETCH_TIMEOUT), 30);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_CELLS), 1000000);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_STRING), 100000);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_DEPTH), 10);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_MEMORY_MB), 1024);
	CU_ASSERT_FALSE(setting_switch(SETTING_MCP_SAFE_MODE));
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_FACTORS_COMBINATORIAL), 15);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_REGRESSION_POINTS), 5000);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_MATRIX_ROWS), 10000);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_MATRIX_COLS), 500);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_FORMULA_CHARS), 4096);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_FORMULA_TERMS), 100);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_MESSAGE_MB), 64);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_RESULT_MB), 16);
	CU_ASSERT(setting_switch(SETTING_REPAIR_ARGUMENTS));
	UNIT_TEXT(setting_text(SETTING_LOG_LEVEL), "warning");
	UNIT_TEXT(setting_text(SETTING_ISOLATION), "in-process");
	UNIT_TEXT(setting_text(SETTING_DISABLED_PACKS), "");
	for (int i = 0; i < SETTING_COUNT; i++)
		UNIT_TEXT(setting_source((enum setting)i), "default");
}

/* Every line of the table is whole, and its variable is its name in capitals. */
static void the_table_is_whole(void)
{
	for (int i = 0; i < SETTING_COUNT; i++) {
		const struct setting_info *info = setting_info((enum setting)i);

		CU_ASSERT_PTR_NOT_NULL_FATAL(info->name);
		CU_ASSERT(info->summary && info->summary[0] && info->unit && info->fallback);
		CU_ASSERT_EQUAL(strlen(info->name), strlen(info->variable));
		for (size_t j = 0; info->name[j]; j++)
			CU_ASSERT_EQUAL(info->variable[j],
					info->name[j] == '_' ? '_' : info->name[j] - 32);
		CU_ASSERT_EQUAL(setting_find(info->name), i);
		CU_ASSERT_EQUAL(info->words != NULL, info->type == SETTING_WORDS);
		CU_ASSERT(info->type > SETTING_WHOLE || info->least < info->most);
	}
	CU_ASSERT_EQUAL(setting_find("no_such_setting"), -1);
}

static void flag_over_environment_over_file_over_default(void)
{
	struct error error = ERROR_INIT;

	start_over();
	setenv("PROCESS_IMPROVE_MAX_DEPTH", "20", 1);
	settings_reload();
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_DEPTH), 20);
	UNIT_TEXT(setting_source(SETTING_MAX_DEPTH), "environment PROCESS_IMPROVE_MAX_DEPTH");
	/* What has been read is kept until a reload. */
	setenv("TOOLHOST_MAX_DEPTH", "30", 1);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_DEPTH), 20);
	settings_reload();
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_DEPTH), 30);
	UNIT_TEXT(setting_source(SETTING_MAX_DEPTH), "environment TOOLHOST_MAX_DEPTH");
	CU_ASSERT_EQUAL(settings_set_file(SETTING_MAX_DEPTH, "40", "/etc/x.conf", 12, &error),
			STATUS_OK);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_DEPTH), 30);
	CU_ASSERT_EQUAL(settings_set_flag(SETTING_MAX_DEPTH, "50", &error), STATUS_OK);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_DEPTH), 50);
	UNIT_TEXT(setting_source(SETTING_MAX_DEPTH), "flag");
	CU_ASSERT_EQUAL(settings_set_flag(SETTING_MAX_DEPTH, "60", &error), STATUS_OK);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_DEPTH), 60); /* the last flag wins */
	settings_reload();
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_DEPTH), 60);

	start_over();
	CU_ASSERT_EQUAL(settings_set_file(SETTING_MAX_DEPTH, "40", "/etc/x.conf", 12, &error),
			STATUS_OK);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_DEPTH), 40);
	UNIT_TEXT(setting_source(SETTING_MAX_DEPTH), "file /etc/x.conf:12");
	/* The names of the seed are for its own thirteen. */
	setenv("PROCESS_IMPROVE_PAGE_SIZE", "5", 1);
	CU_ASSERT_EQUAL(setting_whole(SETTING_PAGE_SIZE), 1000);
	start_over();
}

static void check_good(enum setting setting, const char *text, const char *expected)
{
	struct error error = ERROR_INIT;

	CU_ASSERT_EQUAL(settings_set_flag(setting, text, &error), STATUS_OK);
	UNIT_TEXT(error.message, "");
	check_printed(setting, expected);
	error_clear(&error);
}

static void values_are_read_like_python(void)
{
	start_over();
	check_good(SETTING_TOOL_TIMEOUT, "2.5", "2.5");
	check_good(SETTING_TOOL_TIMEOUT, " 2.5\n", "2.5");
	check_good(SETTING_TOOL_TIMEOUT, "+1_0.2_5e0_1", "102.5");
	check_good(SETTING_TOOL_TIMEOUT, "007", "7");
	check_good(SETTING_TOOL_TIMEOUT, ".5", "0.5");
	check_good(SETTING_TOOL_TIMEOUT, "00.5", "0.5");
	check_good(SETTING_TOOL_TIMEOUT, "5.", "5");
	check_good(SETTING_TOOL_TIMEOUT, "5.e1", "50");
	check_good(SETTING_TOOL_TIMEOUT, "1E2", "100");
	check_good(SETTING_TOOL_TIMEOUT, "0.001", "0.001");
	check_good(SETTING_MAX_CELLS, "1_000", "1000");
	check_good(SETTING_MAX_CELLS, "+7", "7");
	check_good(SETTING_MAX_CELLS, " 0010\t", "10");
	check_good(SETTING_MAX_DEPTH, "512", "512");
	check_good(SETTING_MCP_SAFE_MODE, "1", "true");
	check_good(SETTING_MCP_SAFE_MODE, " TRUE ", "true");
	check_good(SETTING_MCP_SAFE_MODE, "Yes", "true");
	check_good(SETTING_MCP_SAFE_MODE, "on", "true");
	check_good(SETTING_MCP_SAFE_MODE, "0", "false");
	check_good(SETTING_MCP_SAFE_MODE, "False", "false");
	check_good(SETTING_MCP_SAFE_MODE, "NO", "false");
	check_good(SETTING_MCP_SAFE_MODE, "off", "false");
	check_good(SETTING_MCP_SAFE_MODE, "", "false");
	check_good(SETTING_MCP_SAFE_MODE, "  ", "false");
	check_good(SETTING_LOG_LEVEL, " Debug", "\"debug\"");
	check_good(SETTING_ISOLATION, "sandboxed", "\"sandboxed\"");
	check_good(SETTING_DISABLED_TOOLS, "", "[]");
	check_good(SETTING_DISABLED_TOOLS, " a* , ,b ,", "[\"a*\",\"b\"]");
	UNIT_TEXT(setting_text(SETTING_DISABLED_TOOLS), "a*,b");
	check_good(SETTING_DISABLED_TOOLS, ",,", "[]");
	start_over();
}

static void check_bad(enum setting setting, const char *text, const char *message)
{
	struct error error = ERROR_INIT;

	CU_ASSERT_EQUAL(settings_set_flag(setting, text, &error), STATUS_USAGE);
	UNIT_TEXT(error.message, message);
	error_clear(&error);
}

#define TIMEOUT_RANGE ": write a number from 0.001 to 604800 (s)"
#define DEPTH_RANGE ": write a whole number from 1 to 512 (levels)"

static void bad_values_are_refused(void)
{
	start_over();
	check_bad(SETTING_TOOL_TIMEOUT, "nan", "--tool-timeout is \"nan\"" TIMEOUT_RANGE);
	check_bad(SETTING_TOOL_TIMEOUT, "inf", "--tool-timeout is \"inf\"" TIMEOUT_RANGE);
	check_bad(SETTING_TOOL_TIMEOUT, "0", "--tool-timeout is \"0\"" TIMEOUT_RANGE);
	check_bad(SETTING_TOOL_TIMEOUT, "-1", "--tool-timeout is \"-1\"" TIMEOUT_RANGE);
	check_bad(SETTING_TOOL_TIMEOUT, "", "--tool-timeout is \"\"" TIMEOUT_RANGE);
	check_bad(SETTING_TOOL_TIMEOUT, "0x10", "--tool-timeout is \"0x10\"" TIMEOUT_RANGE);
	check_bad(SETTING_TOOL_TIMEOUT, "1,5", "--tool-timeout is \"1,5\"" TIMEOUT_RANGE);
	check_bad(SETTING_TOOL_TIMEOUT, ".", "--tool-timeout is \".\"" TIMEOUT_RANGE);
	check_bad(SETTING_TOOL_TIMEOUT, "1e", "--tool-timeout is \"1e\"" TIMEOUT_RANGE);
	check_bad(SETTING_TOOL_TIMEOUT, "1e999", "--tool-timeout is \"1e999\"" TIMEOUT_RANGE);
	check_bad(SETTING_TOOL_TIMEOUT, "_1", "--tool-timeout is \"_1\"" TIMEOUT_RANGE);
	check_bad(SETTING_TOOL_TIMEOUT, "1__0", "--tool-timeout is \"1__0\"" TIMEOUT_RANGE);
	check_bad(SETTING_TOOL_TIMEOUT, "10 s", "--tool-timeout is \"10 s\"" TIMEOUT_RANGE);
	check_bad(SETTING_MAX_DEPTH, "0", "--max-depth is \"0\"" DEPTH_RANGE);
	check_bad(SETTING_MAX_DEPTH, "-5", "--max-depth is \"-5\"" DEPTH_RANGE);
	check_bad(SETTING_MAX_DEPTH, "513", "--max-depth is \"513\"" DEPTH_RANGE);
	check_bad(SETTING_MAX_DEPTH, "1e1", "--max-depth is \"1e1\"" DEPTH_RANGE);
	check_bad(SETTING_MAX_DEPTH, "10.0", "--max-depth is \"10.0\"" DEPTH_RANGE);
	check_bad(SETTING_MAX_DEPTH, "0x10", "--max-depth is \"0x10\"" DEPTH_RANGE);
	check_bad(SETTING_MAX_DEPTH, "1_", "--max-depth is \"1_\"" DEPTH_RANGE);
	check_bad(SETTING_MAX_DEPTH, "+", "--max-depth is \"+\"" DEPTH_RANGE);
	check_bad(SETTING_MAX_DEPTH, "18446744073709551617",
		  "--max-depth is \"18446744073709551617\"" DEPTH_RANGE);
	check_bad(SETTING_MCP_SAFE_MODE, "treu",
		  "--mcp-safe-mode is \"treu\": write true or false");
	check_bad(SETTING_MCP_SAFE_MODE, "t", "--mcp-safe-mode is \"t\": write true or false");
	check_bad(SETTING_MCP_SAFE_MODE, "1|true",
		  "--mcp-safe-mode is \"1|true\": write true or false");
	check_bad(SETTING_LOG_LEVEL, "loud",
		  "--log-level is \"loud\": write error, warning, info or debug");
	check_bad(SETTING_LOG_LEVEL, "",
		  "--log-level is \"\": write error, warning, info or debug");
	check_bad(
		SETTING_DISABLED_PACKS, "a\xFF",
		"--disabled-packs is \"a\xEF\xBF\xBD\": write names separated by commas, in UTF-8");
	/* A refused value changes nothing. */
	CU_ASSERT_EQUAL(setting_real(SETTING_TOOL_TIMEOUT), 10);
	UNIT_TEXT(setting_source(SETTING_TOOL_TIMEOUT), "default");
}

static void long_values_are_not_echoed(void)
{
	struct error error = ERROR_INIT;
	char text[5000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	CU_ASSERT_EQUAL(settings_set_flag(SETTING_MAX_DEPTH, text, &error), STATUS_USAGE);
	CU_ASSERT(strlen(error.message) < 200);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "xxx...\": write a whole number"));
	error_clear(&error);
}

static void check_stops_at_a_bad_variable(void)
{
	struct error error = ERROR_INIT;

	start_over();
	setenv("PROCESS_IMPROVE_MCP_SAFE_MODE", "maybe", 1);
	CU_ASSERT_EQUAL(settings_check(&error), STATUS_CONFIG_INVALID);
	UNIT_TEXT(error.message, "PROCESS_IMPROVE_MCP_SAFE_MODE is \"maybe\": write true or false");
	UNIT_TEXT(json_text(json_get(error.details, "key"), NULL), "PROCESS_IMPROVE_MCP_SAFE_MODE");
	/* It is not cached, so it fails until it is mended. */
	CU_ASSERT_EQUAL(settings_check(&error), STATUS_CONFIG_INVALID);
	setenv("TOOLHOST_MCP_SAFE_MODE", "on", 1);
	CU_ASSERT_EQUAL(settings_check(&error), STATUS_OK);
	CU_ASSERT(setting_switch(SETTING_MCP_SAFE_MODE));

	start_over();
	setenv("TOOLHOST_TOOL_TIMEOUT", "NaN", 1);
	CU_ASSERT_EQUAL(settings_check(&error), STATUS_CONFIG_INVALID);
	UNIT_TEXT(error.message, "TOOLHOST_TOOL_TIMEOUT is \"NaN\"" TIMEOUT_RANGE);
	/* A flag makes the variable irrelevant. */
	CU_ASSERT_EQUAL(settings_set_flag(SETTING_TOOL_TIMEOUT, "5", NULL), STATUS_OK);
	CU_ASSERT_EQUAL(settings_check(&error), STATUS_OK);
	start_over();
	error_clear(&error);
}

static void bad_file_values_name_their_place(void)
{
	struct error error = ERROR_INIT;

	start_over();
	CU_ASSERT_EQUAL(settings_set_file(SETTING_MAX_DEPTH, "deep", "/etc/x.conf", 3, &error),
			STATUS_CONFIG_INVALID);
	UNIT_TEXT(error.message, "/etc/x.conf:3: max_depth is \"deep\"" DEPTH_RANGE);
	UNIT_TEXT(json_text(json_get(error.details, "file"), NULL), "/etc/x.conf");
	CU_ASSERT_EQUAL(json_integer(json_get(error.details, "line")), 3);
	UNIT_TEXT(json_text(json_get(error.details, "key"), NULL), "max_depth");
	error_clear(&error);
	/* A later good one replaces an earlier one. */
	CU_ASSERT_EQUAL(settings_set_file(SETTING_MAX_DEPTH, "5", "/etc/x.conf", 3, NULL),
			STATUS_OK);
	CU_ASSERT_EQUAL(settings_set_file(SETTING_MAX_DEPTH, "6", "/home/y.conf", 4, NULL),
			STATUS_OK);
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_DEPTH), 6);
	UNIT_TEXT(setting_source(SETTING_MAX_DEPTH), "file /home/y.conf:4");
	start_over();
}

/* A reload may meet an environment that went bad: the default stands in until somebody checks. */
static void a_bad_reload_falls_back(void)
{
	start_over();
	setenv("TOOLHOST_MAX_DEPTH", "20", 1);
	CU_ASSERT_EQUAL(settings_check(NULL), STATUS_OK);
	setenv("TOOLHOST_MAX_DEPTH", "bad", 1);
	settings_reload();
	CU_ASSERT_EQUAL(setting_whole(SETTING_MAX_DEPTH), 10);
	UNIT_TEXT(setting_source(SETTING_MAX_DEPTH), "default");
	start_over();
}

static const struct unit_test tests[] = {
	UNIT_TEST(defaults_are_those_of_the_reference),
	UNIT_TEST(the_table_is_whole),
	UNIT_TEST(flag_over_environment_over_file_over_default),
	UNIT_TEST(values_are_read_like_python),
	UNIT_TEST(bad_values_are_refused),
	UNIT_TEST(long_values_are_not_echoed),
	UNIT_TEST(check_stops_at_a_bad_variable),
	UNIT_TEST(bad_file_values_name_their_place),
	UNIT_TEST(a_bad_reload_falls_back),
};

UNIT_MAIN("settings", tests)
