/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "config-files.h"

#include "registry/config-text.h"

struct edit {
	const char *before;
	bool enabled;
	const char *after;
};

static const struct edit edits[] = {
	{ "bundle \"b\" { enabled = true }\n", false, "bundle \"b\" { enabled = false }\n" },
	{ "bundle 'b' { enabled = 'no' }", true, "bundle 'b' { enabled = 'true' }" },
	{ "bundle b {\n\tpacks = { \"p\" }\n}\n", false,
	  "bundle b {\n\tenabled = false\n\tpacks = { \"p\" }\n}\n" },
	{ "bundle \"b\" {}\n", true, "bundle \"b\" { enabled = true}\n" },
	{ "bundle \"b\"\n{ # why\n}\n", true, "bundle \"b\"\n{ enabled = true # why\n}\n" },
	{ "", true, "bundle \"b\" {\n\tenabled = true\n}\n" },
	{ "# mine", false, "# mine\n\nbundle \"b\" {\n\tenabled = false\n}\n" },
	{ "bundle a { enabled = true }\nbundle b {\n  enabled = true # yes\n}\n", false,
	  "bundle a { enabled = true }\nbundle b {\n  enabled = false # yes\n}\n" },
	/* neither in comments, nor in lists, nor as a value */
	{ "# bundle b { enabled = true }\nbundle b { tools = { \"enabled\" } summary = enabled\n"
	  "/* enabled = true */ enabled = true }\n",
	  false,
	  "# bundle b { enabled = true }\nbundle b { tools = { \"enabled\" } summary = enabled\n"
	  "/* enabled = true */ enabled = false }\n" },
	{ "pack b { enabled = true }\n", false,
	  "pack b { enabled = true }\n\nbundle \"b\" {\n\tenabled = false\n}\n" },
	{ "bundle b {\r\n\tsummary = \"x\"\r\n}\r\n", true,
	  "bundle b {\r\n\tenabled = true\r\n\tsummary = \"x\"\r\n}\r\n" },
};

static void test_blank_comments(void)
{
	char text[] = "# a \"quote\nx = { \"#\", # \xC3\xA9\r\n\t'//', /* {\n */ c } // no\tend";

	config_text_blank_comments(text, strlen(text));
	UNIT_TEXT(text, "          \nx = { \"#\",     \r\n\t'//',     \n    c }      \t   ");
}

/* Comments stand wherever blanks may, and move no line. */
static void test_comments_in_lists(void)
{
	struct error error = ERROR_INIT;
	struct config *config = load_well(NULL, "bundle b { # it's { mine\n"
						"packs = { # none\n \"p\" # \"o\",\n, // s\n"
						"'q', /* r */ \"t#\" } }\n");

	UNIT_TEXT(config_bundle(config, 0)->packs[0], "p");
	UNIT_TEXT(config_bundle(config, 0)->packs[1], "q");
	UNIT_TEXT(config_bundle(config, 0)->packs[2], "t#");
	config_free(config);
	config = load(NULL, "disabled_tools = { a, # b\n c }\n/* d\n */\nnone = 1\n", &error);
	CU_ASSERT_PTR_NULL(config);
	CU_ASSERT(contains(error.message, "user.conf:5: there is no key none"));
	error_clear(&error);
}

static void test_edit_text(void)
{
	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		struct buffer out = BUFFER_INIT(4096);

		config_text_enable(&out, edits[i].before, strlen(edits[i].before), "bundle", "b",
				   edits[i].enabled);
		UNIT_TEXT(out.data, edits[i].after);
		buffer_free(&out);
	}
}

/* What was written is what is read: the effective value, with the rest as it was. */
static void test_edit_files(void)
{
	struct error error = ERROR_INIT;
	struct config *config;
	char *file, *text;

	config_free(load_well("bundle b { packs = { p } }\n", "\xEF\xBB\xBF# mine\n"));
	chmod(paths.config_user, 0600);
	CU_ASSERT_EQUAL(config_set_bundle(&paths, NULL, "b", false, &file, &error), STATUS_OK);
	UNIT_TEXT(file, paths.config_user);
	free(file);
	text = folder_read(&folder, "user.conf", NULL);
	UNIT_TEXT(text, "\xEF\xBB\xBF# mine\n\nbundle \"b\" {\n\tenabled = false\n}\n");
	free(text);
	text = folder_read(&folder, "system.conf", NULL);
	UNIT_TEXT(text, "bundle b { packs = { p } }\n");
	free(text);
	CU_ASSERT_EQUAL(config_load(&paths, NULL, &config, &error), STATUS_OK);
	CU_ASSERT_EQUAL(config_find_bundle(config, "b")->enabled, 0);
	UNIT_TEXT(config_find_bundle(config, "b")->packs[0], "p");
	config_free(config);
	CU_ASSERT_EQUAL(config_set_bundle(&paths, NULL, "b", true, &file, &error), STATUS_OK);
	free(file);
	text = folder_read(&folder, "user.conf", NULL);
	UNIT_TEXT(text, "\xEF\xBB\xBF# mine\n\nbundle \"b\" {\n\tenabled = true\n}\n");
	free(text);
}

static void test_edit_keeps_mode_and_link(void)
{
	struct error error = ERROR_INIT;
	struct stat st;
	char *file;

	folder_write(&folder, "real.conf", "bundle b {}\n");
	chmod(folder_path(&folder, "real.conf"), 0600);
	unlink(folder_path(&folder, "link.conf"));
	CU_ASSERT_EQUAL(symlink("real.conf", folder_path(&folder, "link.conf")), 0);
	CU_ASSERT_EQUAL(config_set_bundle(&paths, folder_path(&folder, "link.conf"), "b", true,
					  &file, &error),
			0);
	free(file);
	CU_ASSERT_EQUAL(lstat(folder_path(&folder, "link.conf"), &st), 0);
	CU_ASSERT(S_ISLNK(st.st_mode));
	CU_ASSERT_EQUAL(stat(folder_path(&folder, "link.conf"), &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 0777, 0600);
	file = folder_read(&folder, "real.conf", NULL);
	UNIT_TEXT(file, "bundle b { enabled = true}\n");
	free(file);
}

static void test_edit_makes_folders(void)
{
	struct paths fresh = paths;
	struct error error = ERROR_INIT;
	char *file, *text;

	config_free(load_well("bundle b {}\n", NULL));
	fresh.config_user = folder_path(&folder, "new/toolhost/toolhost.conf");
	CU_ASSERT_EQUAL(config_set_bundle(&fresh, NULL, "b", false, &file, &error), STATUS_OK);
	free(file);
	text = folder_read(&folder, "new/toolhost/toolhost.conf", NULL);
	UNIT_TEXT(text, "bundle \"b\" {\n\tenabled = false\n}\n");
	free(text);
}

static void test_edit_unknown_bundle(void)
{
	struct error error = ERROR_INIT;
	char *file;

	config_free(load_well("bundle statistics {}\n", NULL));
	CU_ASSERT_EQUAL(config_set_bundle(&paths, NULL, "statistic", true, &file, &error),
			STATUS_UNKNOWN_BUNDLE);
	CU_ASSERT_PTR_NULL(file);
	UNIT_TEXT(error.message, "there is no bundle statistic; did you mean statistics?");
	CU_ASSERT(json_text_is(json_peek(json_get(error.details, "close"), 0), "statistics"));
	CU_ASSERT_EQUAL(access(paths.config_user, F_OK), -1);
	CU_ASSERT_EQUAL(config_set_bundle(&paths, NULL, "x", true, &file, &error),
			STATUS_UNKNOWN_BUNDLE);
	CU_ASSERT(contains(error.message, "toolhost bundle list"));
	error_clear(&error);
}

static void test_edit_refused(void)
{
	struct error error = ERROR_INIT;
	char *file, *text;

	folder_write(&folder, "user.conf", "bundle b {}\nmax_cels = 5\n");
	CU_ASSERT_EQUAL(config_set_bundle(&paths, NULL, "b", true, &file, &error),
			STATUS_CONFIG_INVALID);
	text = folder_read(&folder, "user.conf", NULL);
	UNIT_TEXT(text, "bundle b {}\nmax_cels = 5\n");
	free(text);
	error_clear(&error);
	if (geteuid() == 0)
		return; /* root may write everywhere */
	folder_write(&folder, "user.conf", "bundle b {}\n");
	chmod(folder.path, 0555);
	CU_ASSERT_EQUAL(config_set_bundle(&paths, NULL, "b", true, &file, &error),
			STATUS_CONFIG_INVALID);
	CU_ASSERT(contains(error.message, "user.conf: Permission denied"));
	chmod(folder.path, 0755);
	error_clear(&error);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_blank_comments),
	UNIT_TEST(test_comments_in_lists),
	UNIT_TEST(test_edit_text),
	UNIT_TEST(test_edit_files),
	UNIT_TEST(test_edit_keeps_mode_and_link),
	UNIT_TEST(test_edit_makes_folders),
	UNIT_TEST(test_edit_unknown_bundle),
	UNIT_TEST(test_edit_refused),
};

int main(void)
{
	int status;

	folder_make(&folder);
	paths.config_system = strdup(folder_path(&folder, "system.conf"));
	paths.config_user = strdup(folder_path(&folder, "user.conf"));
	status = unit_run("config-edit", tests, sizeof(tests) / sizeof(tests[0]));
	settings_clear();
	free(paths.config_system);
	free(paths.config_user);
	folder_remove(&folder);
	return status;
}
