/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry-fixture.h"

/* ---- Packs and tools ------------------------------------------------------------------------- */

static void test_empty(void)
{
	struct registry *registry;
	size_t length = 1;

	start_anew();
	registry = build_plain();
	UNIT_TEXT(summary(registry), "tools");
	UNIT_TEXT(registry_listing(registry, &length), "");
	CU_ASSERT_EQUAL(length, 0);
	CU_ASSERT_EQUAL(json_count(registry_recipes(registry)), 0);
	CU_ASSERT_PTR_NULL(tool(registry, "x"));
	registry_free(registry);
	CU_ASSERT_EQUAL(rmdir(paths.packs), 0);
	registry_free(build_plain());
	registry_free(NULL);
}

static void test_what_is_told(void)
{
	const struct registry_pack *pack;
	struct registry *registry;
	size_t length;
	struct stat st;

	start_anew();
	folder_write(&folder, "packs/b.so", "pack b1 b2\n");
	folder_write(&folder, "packs/a.so", "pack a1\n");
	registry = build_plain();
	UNIT_TEXT(summary(registry), "a ready, b ready, tools a1 b1 b2");
	pack = registry_find_pack(registry, "b");
	CU_ASSERT_PTR_NOT_NULL_FATAL(pack);
	UNIT_TEXT(pack->path, folder_path(&folder, "packs/b.so"));
	UNIT_TEXT(pack->reason, "");
	UNIT_TEXT(pack->version, "1.2.3");
	UNIT_TEXT(pack->summary, "A test.");
	UNIT_TEXT(pack->license, "");
	UNIT_TEXT(pack->warnings[0], "a warning");
	CU_ASSERT_PTR_NULL(pack->warnings[1]);
	CU_ASSERT(contains(pack->manifest, "\"about\":{\"version\":\"1.2.3\""));
	CU_ASSERT_PTR_NULL(strstr(pack->manifest, "\"tools\""));
	CU_ASSERT_EQUAL(pack->manifest_length, strlen(pack->manifest));
	CU_ASSERT_EQUAL(pack->tool_count, 2);
	CU_ASSERT_EQUAL(pack->trust, PACK_TRUSTED_BUILD);
	CU_ASSERT(pack->bind_now);
	CU_ASSERT_FALSE(pack->starts_threads);
	CU_ASSERT_FALSE(pack->critical);
	CU_ASSERT_EQUAL(pack->index, 1);
	CU_ASSERT_EQUAL(stat(pack->path, &st), 0);
	CU_ASSERT_EQUAL(pack->inode, (int64_t)st.st_ino);
	CU_ASSERT_EQUAL(pack->size, st.st_size);
	CU_ASSERT_EQUAL(registry_pack_count(registry), 2);
	CU_ASSERT_PTR_NULL(registry_find_pack(registry, "c"));
	CU_ASSERT_PTR_EQUAL(tool(registry, "b2")->pack, pack);
	CU_ASSERT_EQUAL(tool(registry, "b2")->index, 2);
	CU_ASSERT_EQUAL(tool(registry, "b2")->name_length, 2);
	CU_ASSERT_PTR_NULL(registry_find_tool(registry, "b2", 1));
	CU_ASSERT_EQUAL(strncmp(registry_listing(registry, &length), "{\"name\":\"a1\",", 13), 0);
	CU_ASSERT_EQUAL(length, strlen(registry_listing(registry, &length)));
	CU_ASSERT(contains(registry_listing(registry, &length), "},{\"name\":\"b1\","));
	CU_ASSERT_EQUAL(length, tool(registry, "a1")->listing_length +
					tool(registry, "b1")->listing_length +
					tool(registry, "b2")->listing_length + 2);
	registry_free(registry);
}

static void test_names_of_files(void)
{
	struct registry *registry;

	start_anew();
	folder_write(&folder, "packs/.hidden.so", "pack hidden\n");
	folder_write(&folder, "packs/half.so.dpkg-new", "pack half\n");
	folder_write(&folder, "packs/text.txt", "pack text\n");
	folder_write(&folder, "packs/.so", "pack none\n");
	folder_write(&folder, "packs/SO", "pack none\n");
	folder_write(&folder, "packs/with blank.so", "pack blank\n");
	folder_folder(&folder, "packs/folder.so");
	CU_ASSERT_EQUAL(symlink("nowhere", folder_path(&folder, "packs/dangling.so")), 0);
	registry = build_plain();
	UNIT_TEXT(summary(registry), "dangling refused, folder refused, with blank refused, tools");
	CU_ASSERT(contains(registry_pack(registry, 0)->reason, "No such file"));
	CU_ASSERT(contains(registry_pack(registry, 1)->reason, "is no regular file"));
	CU_ASSERT(contains(registry_pack(registry, 2)->reason, "rename the file"));
	registry_free(registry);
}

/* One file by several names counts once, and its first name in the order is the pack's. */
static void test_same_file_twice(void)
{
	struct registry *registry;

	start_anew();
	folder_write(&folder, "packs/b.so", "pack b\n");
	CU_ASSERT_EQUAL(
		link(folder_path(&folder, "packs/b.so"), folder_path(&folder, "packs/c.so")), 0);
	CU_ASSERT_EQUAL(symlink("b.so", folder_path(&folder, "packs/a.so")), 0);
	registry = build_plain();
	UNIT_TEXT(summary(registry), "a ready, tools b");
	registry_free(registry);
}

static void test_refusals(void)
{
	const struct registry_pack *pack;
	struct registry *registry;

	start_anew();
	folder_write(&folder, "packs/crash.so", "crash 11\n");
	folder_write(&folder, "packs/good.so", "pack good\n");
	folder_write(&folder, "packs/not.so", "raw {\"refused\":\"It is no pack.\"}\n");
	registry = build_plain();
	UNIT_TEXT(summary(registry), "crash refused, good ready, not refused, tools good");
	pack = registry_find_pack(registry, "not");
	UNIT_TEXT(pack->reason, "It is no pack.");
	UNIT_TEXT(pack->version, "");
	CU_ASSERT_PTR_NULL(pack->manifest);
	CU_ASSERT_PTR_NULL(pack->warnings[0]);
	CU_ASSERT_EQUAL(pack->tool_count, 0);
	registry_free(registry);
}

/* ---- Clashes --------------------------------------------------------------------------------- */

/* Three packs, each of which shares something with the next, written in each order. */
static void test_clashes_in_all_orders(void)
{
	static const char *const names[] = { "packs/a.so", "packs/b.so", "packs/c.so" };
	static const char *const scripts[] = { "recipes r1\npack one two\n", "pack two three\n",
					       "recipes r1\nprompts p\npack four\n" };
	static const int orders[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
					 { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

	for (size_t i = 0; i < 6; i++) {
		struct registry *registry;
		const char *reason;

		start_anew();
		for (int j = 0; j < 3; j++)
			folder_write(&folder, names[orders[i][j]], scripts[orders[i][j]]);
		registry = build_plain();
		UNIT_TEXT(summary(registry), "a ready, b refused, c refused, tools one two");
		reason = registry_find_pack(registry, "b")->reason;
		CU_ASSERT(contains(reason, folder_path(&folder, "packs/a.so")));
		CU_ASSERT(contains(reason, folder_path(&folder, "packs/b.so")));
		CU_ASSERT(contains(reason, "both have a tool two"));
		CU_ASSERT(contains(reason, "pack \"b\" { enabled = false }"));
		CU_ASSERT(contains(registry_find_pack(registry, "c")->reason,
				   "both have a recipe r1"));
		CU_ASSERT_PTR_NULL(tool(registry, "three"));
		CU_ASSERT_EQUAL(json_count(registry_recipes(registry)), 1);
		CU_ASSERT_EQUAL(json_count(registry_prompts(registry)), 0);
		registry_free(registry);
		/* The cache does not know of clashes: the order stays the same. */
		registry = build_plain();
		UNIT_TEXT(summary(registry), "a ready, b refused, c refused, tools one two");
		registry_free(registry);
	}
}

/* A pack that is refused for its last name leaves nothing of it behind: the next one may have all
 * the others. */
static void test_all_or_nothing(void)
{
	struct registry *registry;

	start_anew();
	folder_write(&folder, "packs/a.so", "prompts p\npack a\n");
	folder_write(&folder, "packs/b.so", "recipes r\nprompts q p\npack b1 b2\n");
	folder_write(&folder, "packs/c.so", "recipes r\nprompts q\npack b1 b2\n");
	registry = build_plain();
	UNIT_TEXT(summary(registry), "a ready, b refused, c ready, tools a b1 b2");
	CU_ASSERT(contains(registry_find_pack(registry, "b")->reason, "both have a prompt p"));
	UNIT_TEXT(tool(registry, "b1")->pack->name, "c");
	CU_ASSERT_EQUAL(json_count(registry_recipes(registry)), 1);
	CU_ASSERT(json_text_is(json_get(json_peek(registry_recipes(registry), 0), "pack"), "c"));
	CU_ASSERT(json_text_is(json_get(json_peek(registry_recipes(registry), 0), "key"), "r"));
	CU_ASSERT(json_text_is(json_get(json_peek(registry_prompts(registry), 1), "name"), "q"));
	registry_free(registry);
}

/* ---- Folders --------------------------------------------------------------------------------- */

static void test_folders(void)
{
	const char *flags[] = { NULL, NULL };
	struct registry_options options = { .pack_dirs = flags };
	struct registry *registry;
	char text[4096];

	start_anew();
	flags[0] = folder_folder(&folder, "flag");
	snprintf(text, sizeof(text), "pack_dirs = { \"%s\" }\n", folder_folder(&folder, "config"));
	folder_write(&folder, "packs/b.so", "pack shipped\n");
	folder_write(&folder, "config/b.so", "pack config\n");
	folder_write(&folder, "config/a.so", "pack a\n");
	folder_write(&folder, "flag/b.so", "pack flag\n");
	folder_write(&folder, "flag/c.so", "pack c\n");
	options.config = configure(text);
	registry = build_well(&options);
	UNIT_TEXT(summary(registry),
		  "a ready, b ready, b refused, b refused, c ready, tools a shipped c");
	CU_ASSERT_EQUAL(registry_pack(registry, 0)->trust, PACK_TRUSTED_CONFIG);
	CU_ASSERT_EQUAL(registry_pack(registry, 1)->trust, PACK_TRUSTED_BUILD);
	CU_ASSERT_EQUAL(registry_pack(registry, 4)->trust, PACK_TRUSTED_CONFIG);
	for (size_t i = 2; i < 4; i++) {
		CU_ASSERT(contains(registry_pack(registry, i)->reason,
				   folder_path(&folder, "packs/b.so")));
		CU_ASSERT(contains(registry_pack(registry, i)->reason,
				   registry_pack(registry, i)->path));
	}
	registry_free(registry);
	options.no_default_packs = true;
	registry = build_well(&options);
	UNIT_TEXT(summary(registry), "a ready, b ready, b refused, c ready, tools a config c");
	registry_free(registry);
	options.only_pack = "c";
	registry = build_well(&options);
	UNIT_TEXT(summary(registry), "c ready, tools c");
	registry_free(registry);
	config_free((struct config *)options.config);
}

static void test_missing_folders(void)
{
	const char *flags[] = { NULL, NULL };
	struct registry_options options = { .pack_dirs = flags };
	struct error error = ERROR_INIT;
	struct registry *registry;

	start_anew();
	flags[0] = folder_path(&folder, "none");
	CU_ASSERT_EQUAL(build(&options, &registry, &error), STATUS_USAGE);
	CU_ASSERT_PTR_NULL(registry);
	CU_ASSERT(contains(error.message, "--pack-dir "));
	CU_ASSERT(contains(error.message, "none: No such file or directory"));
	folder_write(&folder, "none", "");
	CU_ASSERT_EQUAL(build(&options, &registry, &error), STATUS_USAGE);
	CU_ASSERT(contains(error.message, "none: Not a directory"));
	options.pack_dirs = NULL;
	options.config = configure("pack_dirs = { \"/nowhere/at/all\" }\n");
	CU_ASSERT_EQUAL(build(&options, &registry, &error), STATUS_CONFIG_INVALID);
	CU_ASSERT(
		contains(error.message, ".conf:1: pack_dirs names /nowhere/at/all: No such file"));
	config_free((struct config *)options.config);
	error_clear(&error);
}

/* ---- Trust ----------------------------------------------------------------------------------- */

static void test_unsafe_packs(void)
{
	struct registry *registry;

	start_anew();
	folder_write(&folder, "packs/a.so", "pack a\n");
	folder_write(&folder, "packs/b.so", "pack b\n");
	folder_write(&folder, "packs/c.so", "pack c\n");
	chmod(folder_path(&folder, "packs/a.so"), 0666);
	if (geteuid() == 0)
		CU_ASSERT_EQUAL(chown(folder_path(&folder, "packs/b.so"), 1234, 0), 0);
	registry = build_plain();
	CU_ASSERT_EQUAL(registry_pack(registry, 0)->state, PACK_READY);
	CU_ASSERT_EQUAL(registry_pack(registry, 0)->trust, PACK_UNTRUSTED);
	CU_ASSERT(contains(registry_pack(registry, 0)->distrust,
			   "may be written by everyone (mode 0666)"));
	CU_ASSERT_NOT_EQUAL(registry_pack(registry, 2)->trust, PACK_UNTRUSTED);
	UNIT_TEXT(registry_pack(registry, 2)->distrust, "");
	if (geteuid() == 0) {
		UNIT_TEXT(summary(registry), "a ready, b ready, c ready, tools c a b");
		CU_ASSERT(contains(registry_pack(registry, 1)->distrust, "belongs to user 1234"));
	}
	registry_free(registry);
	chmod(paths.packs, 0775);
	registry = build_plain();
	for (size_t i = 0; i < 3; i++)
		CU_ASSERT(contains(registry_pack(registry, i)->distrust,
				   "may be written by its group (mode 0775)"));
	registry_free(registry);
	chmod(paths.packs, 0755);
	chmod(folder.path, 0777);
	registry = build_plain();
	for (size_t i = 0; i < 3; i++)
		CU_ASSERT(contains(registry_pack(registry, i)->distrust, "a parent folder of"));
	registry_free(registry);
	chmod(folder.path, 0700);
}

/* Packs that are installed are trusted where root has installed them; elsewhere the reason gives
 * the line that trusts them, and that line does. */
static void test_installed(void)
{
	const char *line, *end;
	struct registry *registry;
	char text[4096];

	start_anew();
	paths.in_build_tree = false;
	folder_write(&folder, "packs/a.so", "pack a\n");
	if (geteuid() == 0) {
		registry = build_plain();
		UNIT_TEXT(summary(registry), "a ready, tools a");
		CU_ASSERT_EQUAL(registry_pack(registry, 0)->trust, PACK_TRUSTED_SYSTEM);
		registry_free(registry);
		chmod(folder.path, 0755);
		CU_ASSERT_EQUAL(chown(folder.path, 1234, 0), 0);
		CU_ASSERT_EQUAL(chown(paths.packs, 1234, 0), 0);
		CU_ASSERT_EQUAL(seteuid(1234), 0);
	}
	registry = build_plain();
	UNIT_TEXT(summary(registry), "a ready, tools a");
	CU_ASSERT_EQUAL(registry_pack(registry, 0)->trust, PACK_UNTRUSTED);
	CU_ASSERT(contains(registry_pack(registry, 0)->distrust, "is no system folder of root"));
	CU_ASSERT(contains(registry_pack(registry, 0)->distrust, paths.config_user));
	CU_ASSERT(contains(registry_pack(registry, 0)->distrust, "--pack-dir "));
	line = strstr(registry_pack(registry, 0)->distrust, "pack_dirs = {");
	end = line ? strchr(line, '}') : NULL;
	CU_ASSERT_PTR_NOT_NULL_FATAL(end);
	snprintf(text, sizeof(text), "%.*s\n", (int)(end + 1 - line), line);
	registry_free(registry);
	registry = build_with(text);
	UNIT_TEXT(summary(registry), "a ready, tools a");
	CU_ASSERT_EQUAL(registry_pack(registry, 0)->trust, PACK_TRUSTED_CONFIG);
	registry_free(registry);
	CU_ASSERT_EQUAL(seteuid(getuid()), 0);
}

static void test_foreign_checkout(void)
{
	struct registry *registry;

	start_anew();
	if (geteuid() != 0)
		return; /* only root can give a folder away */
	folder_write(&folder, "packs/a.so", "pack a\n");
	CU_ASSERT_EQUAL(chown(paths.packs, 1234, 0), 0);
	registry = build_plain();
	UNIT_TEXT(summary(registry), "a ready, tools a");
	CU_ASSERT_EQUAL(registry_pack(registry, 0)->trust, PACK_UNTRUSTED);
	CU_ASSERT(contains(registry_pack(registry, 0)->distrust,
			   "this checkout belongs to user 1234"));
	registry_free(registry);
}

/* A link in one folder to a pack in another that may not be trusted. */
static void test_link_out_of_folder(void)
{
	struct registry *registry;

	start_anew();
	folder_folder(&folder, "open");
	folder_write(&folder, "open/real.so", "pack a\n");
	CU_ASSERT_EQUAL(symlink("../open/real.so", folder_path(&folder, "packs/a.so")), 0);
	registry = build_plain();
	UNIT_TEXT(summary(registry), "a ready, tools a");
	registry_free(registry);
	chmod(folder_path(&folder, "open"), 0777);
	registry = build_plain();
	UNIT_TEXT(summary(registry), "a ready, tools a");
	CU_ASSERT_EQUAL(registry_pack(registry, 0)->trust, PACK_UNTRUSTED);
	CU_ASSERT(contains(registry_pack(registry, 0)->distrust, "open, a parent folder of"));
	registry_free(registry);
}

/* Who may write one pack could give it a tool of another one's name, and an earlier name. */
static void test_names_stay_with_the_trusted(void)
{
	struct registry *registry;

	start_anew();
	folder_write(&folder, "packs/a.so", "pack sum\n");
	folder_write(&folder, "packs/b.so", "pack sum more\n");
	registry = build_plain();
	UNIT_TEXT(summary(registry), "a ready, b refused, tools sum");
	registry_free(registry);
	chmod(folder_path(&folder, "packs/a.so"), 0666);
	registry = build_plain();
	UNIT_TEXT(summary(registry), "a refused, b ready, tools sum more");
	registry_free(registry);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_empty),
	UNIT_TEST(test_what_is_told),
	UNIT_TEST(test_names_of_files),
	UNIT_TEST(test_same_file_twice),
	UNIT_TEST(test_refusals),
	UNIT_TEST(test_clashes_in_all_orders),
	UNIT_TEST(test_all_or_nothing),
	UNIT_TEST(test_folders),
	UNIT_TEST(test_missing_folders),
	UNIT_TEST(test_unsafe_packs),
	UNIT_TEST(test_installed),
	UNIT_TEST(test_foreign_checkout),
	UNIT_TEST(test_link_out_of_folder),
	UNIT_TEST(test_names_stay_with_the_trusted),
};

int main(void)
{
	return run_tests("registry", tests, sizeof(tests) / sizeof(tests[0]));
}
