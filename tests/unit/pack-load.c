/* SPDX-License-Identifier: MIT
 *
 * Loading: what was checked is what is loaded, by its path or through a descriptor, and what the
 * dynamic linker does not find is named.
 */
#include <config.h>

#include "unit.h"

#include "pack/loaded.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/toolhost-pack-load-XXXXXX";
static struct error error;

static const char *built(const char *name)
{
	static char path[4096];
	const char *build = getenv("TOP_BUILDDIR");

	snprintf(path, sizeof(path), "%s/%s", build ? build : ".", name);
	return path;
}

static const char *hello(void)
{
	return built("plugins/hello/.libs/hello.so");
}

static const char *inside(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* Writes aside and renames, so that no library changes while it is mapped. */
static void copy(const char *from, const char *to)
{
	char bytes[65536], aside[4096];
	int in = open(from, O_RDONLY), out;
	ssize_t n;

	snprintf(aside, sizeof(aside), "%s.new", to);
	out = open(aside, O_WRONLY | O_CREAT | O_TRUNC, 0755);
	CU_ASSERT_FATAL(in >= 0 && out >= 0);
	while ((n = read(in, bytes, sizeof(bytes))) > 0)
		CU_ASSERT_EQUAL_FATAL(write(out, bytes, (size_t)n), n);
	close(in);
	close(out);
	CU_ASSERT_EQUAL_FATAL(rename(aside, to), 0);
}

/* Checks and loads; between both, something may happen to the file. */
static struct pack *load(const char *path, void (*meanwhile)(const char *path))
{
	struct pack_file file;
	struct pack *pack = NULL;
	int fd = -1;

	error_clear(&error);
	if (pack_file_open(path, &file, &fd, &error))
		return NULL;
	if (meanwhile)
		meanwhile(path);
	CU_ASSERT_EQUAL(pack_load(path, fd, &file, &pack, &error), error.status);
	CU_ASSERT_EQUAL(pack != NULL, error.status == STATUS_OK);
	close(fd);
	return pack;
}

static void test_load(void)
{
	struct pack *pack = load(hello(), NULL), *again = load(hello(), NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(pack);
	CU_ASSERT_EQUAL(pack->tool_count, 2);
	CU_ASSERT_EQUAL(pack->descriptor.abi_major, 1);
	CU_ASSERT_EQUAL(pack_find_tool(pack, "add"), 1);
	CU_ASSERT_EQUAL(pack_find_tool(pack, "ad"), -1);
	CU_ASSERT_EQUAL(pack_find_tool(pack, "addx"), -1);
	/* The same library, in another registry of the same process. */
	CU_ASSERT_PTR_NOT_NULL_FATAL(again);
	CU_ASSERT_PTR_EQUAL(again->tools[1].run, pack->tools[1].run);
	pack_free(pack);
	pack_free(again);
}

static void touch(const char *path)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = 1 } };

	utimensat(AT_FDCWD, path, times, 0);
}

static void replace_with_other(const char *path)
{
	copy(built("tests/zoo/ok.so"), path);
}

static void replace_with_same(const char *path)
{
	copy(hello(), path);
}

static void take_away(const char *path)
{
	unlink(path);
}

static void test_changed_between_check_and_load(void)
{
	static void (*const changes[])(const char *path) = { touch, replace_with_other,
							     replace_with_same, take_away };

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		copy(hello(), inside("changing.so"));
		CU_ASSERT_PTR_NULL(load(inside("changing.so"), changes[i]));
		CU_ASSERT_EQUAL(error.status, STATUS_INPUT_INVALID);
		CU_ASSERT_PTR_NOT_NULL(
			strstr(error.message, "was changed or replaced after it was checked"));
	}
}

/* The dynamic linker knows libraries by their names: here it answers with the one that it has. */
static void test_older_library_under_the_name(void)
{
	struct pack *pack;

	copy(hello(), inside("upgraded.so"));
	pack = load(inside("upgraded.so"), NULL);
	CU_ASSERT_PTR_NOT_NULL(pack);
	pack_free(pack);
	copy(built("tests/zoo/ok.so"), inside("upgraded.so"));
	CU_ASSERT_PTR_NULL(load(inside("upgraded.so"), NULL));
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "an older one is loaded under its name"));
	unlink(inside("upgraded.so"));
}

/* A folder that is closed stands between the process and the path. Root passes closed folders, so
 * as root this runs as somebody else. */
static void load_behind_closed_folder(void)
{
	char closed[4096];
	struct pack_file file;
	struct pack *pack = NULL;
	int fd;

	snprintf(closed, sizeof(closed), "%s/closed", folder);
	if (mkdir(closed, 0700))
		_exit(10);
	copy(hello(), inside("closed/pack.so"));
	if (pack_file_open(inside("closed/pack.so"), &file, &fd, NULL))
		_exit(11);
	if (chmod(closed, 0) || (geteuid() == 0 && setuid(65534)))
		_exit(12);
	error_clear(&error);
	if (pack_load(inside("closed/pack.so"), fd, &file, &pack, &error))
		_exit(fprintf(stderr, "%s\n", error.message) ? 13 : 14);
	_exit(pack_find_tool(pack, "add") == 1 ? 0 : 15);
}

static void test_through_descriptor(void)
{
	int status;
	pid_t child;

	chmod(folder, 0755);
	child = fork();
	if (!child)
		load_behind_closed_folder();
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT_EQUAL(status, 0);
	chmod(inside("closed"), 0700);
	unlink(inside("closed/pack.so"));
	rmdir(inside("closed"));
}

static void test_what_is_missing_is_named(void)
{
	CU_ASSERT_PTR_NULL(load(built("tests/zoo/missing-dep.so"), NULL));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		error.message, "needs the library libnotinstalled.so.7, which is not installed"));
	CU_ASSERT_PTR_NULL(load(built("tests/zoo/undef-symbol.so"), NULL));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		error.message, "needs the symbol nobody_defines_this, which no library defines"));
	/* The descriptor has to be the file's own. */
	CU_ASSERT_PTR_NULL(load(built("tests/zoo/borrows-symbol.so"), NULL));
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "The file itself does not export"));
}

/* A pack of a later version has larger structs, whose beginnings are read; one of an earlier would
 * have smaller. */
static void test_other_sizes(void)
{
	struct pack *pack = load(built("tests/zoo/ok-minor-newer.so"), NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(pack);
	CU_ASSERT_EQUAL(pack->tool_count, 2);
	CU_ASSERT_EQUAL(pack_find_tool(pack, "ok_minor_newer_too"), 1);
	pack_free(pack);
	pack = load(built("tests/zoo/ok-minor-older.so"), NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(pack);
	CU_ASSERT_EQUAL(pack_find_tool(pack, "ok_minor_older"), 0);
	pack_free(pack);
}

static void test_lists_that_are_none(void)
{
	static const th_tool tools[2];
	th_pack given = { sizeof(given),  TH_ABI_MAJOR, TH_ABI_MINOR, TH_TEXT("{}"),
			  TH_LIST(tools), TH_NONE,	TH_NONE,      TH_NONE };
	struct pack *pack;

	given.tools.item_size = 128;
	CU_ASSERT_EQUAL(pack_linked_in(&given, &pack, &error), STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(error.message, "elements of 128 bytes, and they have at least 136"));
	given.tools.item_size = 140;
	CU_ASSERT_EQUAL(pack_linked_in(&given, &pack, &error), STATUS_INPUT_INVALID);
	given.tools.item_size = sizeof(th_tool);
	given.tools.items = NULL;
	CU_ASSERT_EQUAL(pack_linked_in(&given, &pack, &error), STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "a count and no items"));
	given.tools.items = tools;
	given.tools.count = 10001;
	CU_ASSERT_EQUAL(pack_linked_in(&given, &pack, &error), STATUS_INPUT_INVALID);
	given.tools.count = 2;
	given.struct_size = 80;
	CU_ASSERT_EQUAL(pack_linked_in(&given, &pack, &error), STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NULL(pack);
	given.struct_size = sizeof(given);
	CU_ASSERT_EQUAL(pack_linked_in(&given, &pack, &error), STATUS_OK);
	pack_free(pack);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_load),
	UNIT_TEST(test_changed_between_check_and_load),
	UNIT_TEST(test_older_library_under_the_name),
	UNIT_TEST(test_through_descriptor),
	UNIT_TEST(test_what_is_missing_is_named),
	UNIT_TEST(test_other_sizes),
	UNIT_TEST(test_lists_that_are_none),
};

int main(void)
{
	int r;

	if (!mkdtemp(folder))
		return EXIT_FAILURE;
	r = unit_run("pack-load", tests, sizeof(tests) / sizeof(tests[0]));
	error_clear(&error);
	unlink(inside("changing.so"));
	rmdir(folder);
	return r;
}
