/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "unit.h"

#include "registry-folder.h"
#include "registry/trust.h"

static struct folder folder;

/* The message of a check that has to fail. */
static const char *refusal(const char *path, mode_t type)
{
	static struct error error;
	char *resolved = NULL;

	error_clear(&error);
	CU_ASSERT_EQUAL(trust_check(path, type, &resolved, &error), STATUS_CONFIG_INVALID);
	CU_ASSERT_PTR_NULL(resolved);
	return error.message;
}

static bool accepted(const char *path, mode_t type, const char *expected)
{
	struct error error = ERROR_INIT;
	char *resolved = NULL;
	bool well;

	if (trust_check(path, type, &resolved, &error))
		fprintf(stderr, "%s\n", error.message);
	well = resolved && !strcmp(resolved, expected);
	error_clear(&error);
	free(resolved);
	return well;
}

static bool contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fprintf(stderr, "\"%s\" is not in \"%s\"\n", part, text);
	return strstr(text, part);
}

static void test_plain(void)
{
	const char *packs = folder_path(&folder, "packs");
	const char *file = folder_path(&folder, "packs/a.so");

	CU_ASSERT(accepted(packs, S_IFDIR, packs));
	CU_ASSERT(accepted(file, S_IFREG, file));
	CU_ASSERT(accepted(folder_path(&folder, "packs/"), S_IFDIR, packs));
	CU_ASSERT(accepted(folder_path(&folder, "packs/./../packs//a.so"), S_IFREG, file));
	CU_ASSERT(accepted(folder_path(&folder, "packs/."), S_IFDIR, packs));
	CU_ASSERT(accepted(folder_path(&folder, "packs/.."), S_IFDIR, folder_path(&folder, "")));
	CU_ASSERT(accepted("/", S_IFDIR, "/"));
	CU_ASSERT(accepted("/..", S_IFDIR, "/"));
	CU_ASSERT_EQUAL(trust_check(file, S_IFREG, NULL, NULL), STATUS_OK);
}

static void test_wrong_kind(void)
{
	CU_ASSERT(contains(refusal(folder_path(&folder, "packs"), S_IFREG), "is no regular file"));
	CU_ASSERT(contains(refusal(folder_path(&folder, "packs/a.so"), S_IFDIR), "is no folder"));
	CU_ASSERT(contains(refusal(folder_path(&folder, "packs/a.so/x"), S_IFREG),
			   "a.so is no folder"));
	CU_ASSERT(contains(refusal(folder_path(&folder, "packs/b.so"), S_IFREG),
			   "b.so: No such file or directory"));
}

static void test_writable_file(void)
{
	const char *file = folder_path(&folder, "packs/a.so");
	const char *message;

	chmod(file, 0664);
	message = refusal(file, S_IFREG);
	CU_ASSERT(contains(message, file));
	CU_ASSERT(contains(message, "may be written by its group (mode 0664)"));
	CU_ASSERT(contains(message, "wanted: by its owner alone (chmod go-w"));
	chmod(file, 0606);
	CU_ASSERT(contains(refusal(file, S_IFREG), "may be written by everyone (mode 0606)"));
	chmod(file, 0644);
}

static void test_writable_folder(void)
{
	const char *packs = folder_path(&folder, "packs");

	chmod(packs, 0775);
	CU_ASSERT(
		contains(refusal(packs, S_IFDIR), "packs may be written by its group (mode 0775)"));
	/* What is put into a sticky folder is nobody's to remove, but anybody may put something
	 * there. */
	chmod(packs, 01777);
	CU_ASSERT(
		contains(refusal(packs, S_IFDIR), "packs may be written by everyone (mode 1777)"));
	CU_ASSERT(contains(refusal(folder_path(&folder, "packs/."), S_IFDIR), "mode 1777"));
	chmod(packs, 0755);
}

static void test_parents(void)
{
	const char *packs = folder_path(&folder, "packs");
	const char *file = folder_path(&folder, "packs/a.so");

	chmod(packs, 0777);
	CU_ASSERT(contains(refusal(file, S_IFREG), "packs, a parent folder of /tmp/toolhost-unit"));
	CU_ASSERT(contains(refusal(file, S_IFREG), "may be written by everyone (mode 0777)"));
	chmod(packs, 01777);
	if (geteuid() == 0) {
		CU_ASSERT(accepted(file, S_IFREG, file));
	} else {
		CU_ASSERT(contains(refusal(file, S_IFREG), "a parent folder of"));
	}
	chmod(packs, 0755);
}

static void test_owner(void)
{
	const char *packs = folder_path(&folder, "packs");
	const char *file = folder_path(&folder, "packs/a.so");

	if (geteuid() != 0)
		return; /* only root can give a file away */
	CU_ASSERT_EQUAL(chown(file, 1234, 0), 0);
	CU_ASSERT(contains(refusal(file, S_IFREG),
			   "a.so belongs to user 1234; wanted: owned by root"));
	CU_ASSERT_EQUAL(chown(file, 0, 0), 0);
	CU_ASSERT_EQUAL(chown(packs, 1234, 0), 0);
	CU_ASSERT(contains(refusal(file, S_IFREG), "packs belongs to user 1234"));
	/* A sticky folder of somebody else is that person's to change. */
	chmod(packs, 01777);
	CU_ASSERT(contains(refusal(file, S_IFREG), "packs belongs to user 1234"));
	chmod(packs, 0755);
	CU_ASSERT_EQUAL(chown(packs, 0, 0), 0);
	CU_ASSERT(accepted(file, S_IFREG, file));
}

static void test_as_user(void)
{
	const char *file = folder_path(&folder, "packs/a.so");

	if (geteuid() != 0)
		return;
	chmod(folder_path(&folder, ""), 0755);
	CU_ASSERT_EQUAL(seteuid(1234), 0);
	CU_ASSERT(accepted(file, S_IFREG, file)); /* root's */
	CU_ASSERT_EQUAL(seteuid(0), 0);
	CU_ASSERT_EQUAL(chown(file, 1234, 0), 0);
	CU_ASSERT_EQUAL(seteuid(1234), 0);
	CU_ASSERT(accepted(file, S_IFREG, file)); /* one's own */
	CU_ASSERT_EQUAL(seteuid(0), 0);
	CU_ASSERT_EQUAL(chown(file, 1235, 0), 0);
	CU_ASSERT_EQUAL(seteuid(1234), 0);
	CU_ASSERT(contains(refusal(file, S_IFREG),
			   "belongs to user 1235; wanted: owned by root, or by user 1234"));
	CU_ASSERT_EQUAL(seteuid(0), 0);
	CU_ASSERT_EQUAL(chown(file, 0, 0), 0);
}

static void link_to(const char *target, const char *name)
{
	CU_ASSERT_EQUAL(symlink(target, folder_path(&folder, name)), 0);
}

static void test_links(void)
{
	const char *file = folder_path(&folder, "packs/a.so");

	link_to("packs/a.so", "to-file");
	link_to("to-file", "to-link");
	link_to(folder_path(&folder, "packs"), "to-folder");
	link_to("nowhere", "dangling");
	link_to("loop", "loop");
	CU_ASSERT(accepted(folder_path(&folder, "to-file"), S_IFREG, file));
	CU_ASSERT(accepted(folder_path(&folder, "to-link"), S_IFREG, file));
	CU_ASSERT(accepted(folder_path(&folder, "to-folder/a.so"), S_IFREG, file));
	CU_ASSERT(accepted(folder_path(&folder, "to-folder/../to-file"), S_IFREG, file));
	CU_ASSERT(contains(refusal(folder_path(&folder, "dangling"), S_IFREG), "No such file"));
	CU_ASSERT(contains(refusal(folder_path(&folder, "loop"), S_IFREG), "Too many levels"));
}

/* A link that goes through a folder of everyone's, though both its ends are in safe places. */
static void test_link_through_open_folder(void)
{
	folder_folder(&folder, "open");
	link_to("../packs/a.so", "open/inner");
	link_to("open/inner", "outer");
	CU_ASSERT(accepted(folder_path(&folder, "outer"), S_IFREG,
			   folder_path(&folder, "packs/a.so")));
	chmod(folder_path(&folder, "open"), 0777);
	CU_ASSERT(contains(refusal(folder_path(&folder, "outer"), S_IFREG),
			   "open, a parent folder of"));
	/* In a sticky folder anybody can make a link, so its owner counts. */
	if (geteuid() == 0) {
		chmod(folder_path(&folder, "open"), 01777);
		CU_ASSERT_EQUAL(lchown(folder_path(&folder, "open/inner"), 1234, 0), 0);
		CU_ASSERT(contains(refusal(folder_path(&folder, "outer"), S_IFREG),
				   "open/inner belongs to user 1234"));
	}
}

static void test_long_paths(void)
{
	char path[PATH_MAX + 2];

	memset(path, 'a', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	CU_ASSERT(contains(refusal(path, S_IFREG), "File name too long"));
	memset(path, '/', sizeof(path));
	path[PATH_MAX - 1] = '\0';
	CU_ASSERT(accepted(path, S_IFDIR, "/"));
}

static void test_absolute(void)
{
	char *absolute = trust_absolute("/x/y");

	UNIT_TEXT(absolute, "/x/y");
	free(absolute);
	CU_ASSERT_EQUAL(chdir("/tmp"), 0);
	absolute = trust_absolute("x/y");
	UNIT_TEXT(absolute, "/tmp/x/y");
	free(absolute);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_plain),
	UNIT_TEST(test_wrong_kind),
	UNIT_TEST(test_writable_file),
	UNIT_TEST(test_writable_folder),
	UNIT_TEST(test_parents),
	UNIT_TEST(test_owner),
	UNIT_TEST(test_as_user),
	UNIT_TEST(test_links),
	UNIT_TEST(test_link_through_open_folder),
	UNIT_TEST(test_long_paths),
	UNIT_TEST(test_absolute),
};

int main(void)
{
	int status;

	folder_make(&folder);
	folder_folder(&folder, "packs");
	folder_write(&folder, "packs/a.so", "a");
	status = unit_run("trust", tests, sizeof(tests) / sizeof(tests[0]));
	folder_remove(&folder);
	return status;
}
