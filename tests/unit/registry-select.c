/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry-fixture.h"

static size_t times_scanned(const char *counter)
{
	struct stat st;

	return stat(folder_path(&folder, counter), &st) ? 0 : (size_t)st.st_size;
}

/* A pack that counts its scans in a file of the folder. */
static void write_counted(const char *name, const char *script)
{
	char text[4096];

	snprintf(text, sizeof(text), "count %s\n%s", folder_path(&folder, "count"), script);
	folder_write(&folder, name, text);
}

/* ---- Off and on ------------------------------------------------------------------------------ */

/* What a config leaves of three packs: a with a1 and a2, b with b1, c with c1. */
struct choice {
	const char *config;
	const char *expected;
};

static const struct choice choices[] = {
	{ "", "a ready, b ready, c ready, tools a1 a2 b1 c1" },
	{ "pack a { enabled = false }", "a disabled, b ready, c ready, tools b1 c1" },
	{ "pack a { enabled = true }", "a ready, b ready, c ready, tools a1 a2 b1 c1" },
	{ "disabled_packs = { a, b }", "a disabled, b disabled, c ready, tools c1" },
	{ "disabled_tools = { \"a?\" }", "a ready, b ready, c ready, tools b1 c1" },
	{ "enabled_tools = { a2, \"b*\" }", "a ready, b ready, c ready, tools a2 b1" },
	{ "enabled_tools = { \"a*\" }\ndisabled_tools = a1",
	  "a ready, b ready, c ready, tools a2" },
	{ "bundle x { packs = { a, b } }", "a ready, b ready, c ready, tools a1 a2 b1 c1" },
	{ "bundle x { packs = { a, b } enabled = false }",
	  "a disabled, b disabled, c ready, tools c1" },
	/* A pack is still wanted for what another bundle has of it. */
	{ "bundle x { packs = { a, b } enabled = false }\nbundle y { packs = { a } }",
	  "a ready, b disabled, c ready, tools a1 a2 c1" },
	{ "bundle x { packs = { a } enabled = false }\nbundle y { tools = { a2 } }",
	  "a ready, b ready, c ready, tools a2 b1 c1" },
	{ "bundle x { tools = { \"?1\" } enabled = false }",
	  "a ready, b ready, c ready, tools a2" },
	{ "bundle x { tools = { \"?1\" } enabled = false }\nbundle y { tools = { b1 } }",
	  "a ready, b ready, c ready, tools a2 b1" },
	{ "bundle x { packs = { a } enabled = false }\nbundle y { packs = { a } enabled = false }",
	  "a disabled, b ready, c ready, tools b1 c1" },
	/* The word on the pack itself is the stronger one when it says no, and no weaker bundle
	   undoes it. */
	{ "pack a { enabled = false }\nbundle x { packs = { a } enabled = true }",
	  "a disabled, b ready, c ready, tools b1 c1" },
	{ "pack a { enabled = true }\nbundle x { packs = { a } enabled = false }",
	  "a disabled, b ready, c ready, tools b1 c1" },
};

static void test_choices(void)
{
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		struct registry *registry;

		start_anew();
		folder_write(&folder, "packs/a.so", "pack a1 a2\n");
		folder_write(&folder, "packs/b.so", "pack b1\n");
		folder_write(&folder, "packs/c.so", "pack c1\n");
		registry = build_with(choices[i].config);
		UNIT_TEXT(summary(registry), choices[i].expected);
		registry_free(registry);
	}
}

static void test_disabled_is_not_scanned(void)
{
	struct registry *registry;

	start_anew();
	write_counted("packs/a.so", "pack a\n");
	registry = build_with("bundle x { packs = { a } enabled = false }\n");
	CU_ASSERT_EQUAL(times_scanned("count"), 0);
	CU_ASSERT(contains(registry_pack(registry, 0)->reason, "disabled by bundle \"x\" (/tmp/"));
	CU_ASSERT(contains(registry_pack(registry, 0)->reason,
			   "toolhost.conf:1): toolhost bundle enable x"));
	registry_free(registry);
	registry = build_with("\npack a { enabled = false }\n");
	CU_ASSERT(contains(registry_pack(registry, 0)->reason,
			   "disabled by pack \"a\" { enabled = false } (/tmp/"));
	CU_ASSERT(contains(registry_pack(registry, 0)->reason, "toolhost.conf:2)"));
	registry_free(registry);
	setenv("TOOLHOST_DISABLED_PACKS", "a", 1);
	settings_reload();
	registry = build_plain();
	UNIT_TEXT(registry_pack(registry, 0)->reason,
		  "disabled by disabled_packs (environment TOOLHOST_DISABLED_PACKS)");
	registry_free(registry);
	unsetenv("TOOLHOST_DISABLED_PACKS");
	settings_reload();
	CU_ASSERT_EQUAL(times_scanned("count"), 0);
}

static void unknown(const char *text, const char *message)
{
	struct registry_options options = { .config = configure(text) };
	struct error error = ERROR_INIT;
	struct registry *registry;

	CU_ASSERT_EQUAL(build(&options, &registry, &error), STATUS_CONFIG_INVALID);
	CU_ASSERT(contains(error.message, message));
	config_free((struct config *)options.config);
	error_clear(&error);
	settings_clear();
	settings_check(NULL);
}

static void test_unknown_packs(void)
{
	struct registry_options options = { .no_default_packs = true };

	start_anew();
	folder_write(&folder, "packs/univariate.so", "pack a1\n");
	folder_write(&folder, "packs/bad.so", "crash 11\n");
	unknown("\npack univariat { timeout = 5 }",
		"toolhost.conf:2: a section is about a pack, but there is no pack univariat; did "
		"you mean univariate?");
	unknown("bundle b { packs = { univariate, ad } }",
		"toolhost.conf:1: bundle \"b\" names a pack, but there is no pack ad; did you mean "
		"bad?");
	unknown("bundle b { packs = { xyzzy } }", "there is no pack xyzzy");
	unknown("disabled_packs = { Xunivariate }",
		"toolhost.conf:1), but there is no pack Xunivariate; did you mean univariate?");
	/* Refused ones, and those of folders that are left out, are there all the same. */
	registry_free(build_with("pack bad { timeout = 5 }\n"));
	options.config = configure("pack univariate { timeout = 5 }\n");
	registry_free(build_well(&options));
	config_free((struct config *)options.config);
}

static void test_critical(void)
{
	struct registry_options options = { .config = NULL };
	struct error error = ERROR_INIT;
	struct registry *registry;

	start_anew();
	folder_write(&folder, "packs/good.so", "pack good\n");
	folder_write(&folder, "packs/bad.so", "exit 3\n");
	registry = build_with("pack good { critical = true }\n");
	CU_ASSERT(registry_find_pack(registry, "good")->critical);
	registry_free(registry);
	options.config = configure("pack bad { critical = true }\n");
	CU_ASSERT_EQUAL(build(&options, &registry, &error), STATUS_CONFIG_INVALID);
	CU_ASSERT(contains(error.message, "the critical pack bad ("));
	CU_ASSERT(contains(error.message, "It exited with status 3 before answering"));
	config_free((struct config *)options.config);
	registry_free(build_with("pack bad { critical = true  enabled = false }\n"));
	error_clear(&error);
}

/* ---- The cache ------------------------------------------------------------------------------- */

static void build_twice(size_t *ret_first, size_t *ret_second)
{
	registry_free(build_plain());
	*ret_first = times_scanned("count");
	registry_free(build_plain());
	*ret_second = times_scanned("count");
}

static void test_warm_start(void)
{
	const struct registry_options no_cache = { .no_cache = true };
	struct registry *registry;
	size_t first, second;

	start_anew();
	write_counted("packs/a.so", "pack a\n");
	build_twice(&first, &second);
	CU_ASSERT_EQUAL(first, 1);
	CU_ASSERT_EQUAL(second, 1);
	registry = build_plain();
	UNIT_TEXT(summary(registry), "a ready, tools a");
	UNIT_TEXT(registry_pack(registry, 0)->version, "1.2.3");
	registry_free(registry);
	write_counted("packs/a.so", "pack a b\n");
	build_twice(&first, &second);
	CU_ASSERT_EQUAL(second, 2);
	registry_free(build_well(&no_cache));
	CU_ASSERT_EQUAL(times_scanned("count"), 3);
	/* Deleting it is always safe. */
	unlink(folder_path(&folder, "cache/packs.scan"));
	registry = build_plain();
	UNIT_TEXT(summary(registry), "a ready, tools a b");
	CU_ASSERT_EQUAL(times_scanned("count"), 4);
	registry_free(registry);
}

/* A refusal is believed until the file, what lies beside it, or the limit changes. */
static void test_remembered_refusals(void)
{
	size_t first, second;

	start_anew();
	write_counted("packs/a.so", "crash 11\n");
	build_twice(&first, &second);
	CU_ASSERT_EQUAL(first, 1);
	CU_ASSERT_EQUAL(second, 1);
	folder_write(&folder, "packs/libmissing.so.1", "");
	build_twice(&first, &second);
	CU_ASSERT_EQUAL(first, 2);
	CU_ASSERT_EQUAL(second, 2);
	settings_set_flag(SETTING_SCAN_TIMEOUT, "7", NULL);
	build_twice(&first, &second);
	CU_ASSERT_EQUAL(first, 3);
	CU_ASSERT_EQUAL(second, 3);
	/* Being killed is no fault of the file. */
	write_counted("packs/a.so", "crash 9\n");
	build_twice(&first, &second);
	CU_ASSERT_EQUAL(first, 4);
	CU_ASSERT_EQUAL(second, 5);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_choices),       UNIT_TEST(test_disabled_is_not_scanned),
	UNIT_TEST(test_unknown_packs), UNIT_TEST(test_critical),
	UNIT_TEST(test_warm_start),    UNIT_TEST(test_remembered_refusals),
};

int main(void)
{
	return run_tests("registry-select", tests, sizeof(tests) / sizeof(tests[0]));
}
