/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "unit.h"

#include "base/log.h"
#include "registry-folder.h"
#include "registry/cache.h"
#include "registry/manifest.h"

#include <fcntl.h>

static struct folder folder;
static struct paths paths;

static json *read_json(const char *text)
{
	struct json_fault fault;
	json *value = NULL;

	if (json_read(text, strlen(text), NULL, &value, &fault)) {
		fprintf(stderr, "%s at %zu of %s\n", fault.reason, fault.offset, text);
		abort();
	}
	return value;
}

#define MANIFEST_HEAD                                                                              \
	"{\"format\":1,\"file\":{\"device\":1,\"inode\":2,\"size\":3,\"modified_ns\":4,"           \
	"\"bind_now\":true},\"starts_threads\":true,\"about\":{\"version\":\"1.0\",\"summary\":"   \
	"\"A "                                                                                     \
	"pack.\"},"
#define TOOL_A                                                                                     \
	"{\"name\":\"a\",\"title\":\"A\",\"description\":\"Says a.\",\"category\":\"c\","          \
	"\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"object\"},"            \
	"\"annotations\":{\"readOnlyHint\":true},\"timeout\":2.5}"
#define TOOL_B "{\"name\":\"b\",\"description\":\"Says b.\",\"inputSchema\":{\"type\":\"object\"}}"

static const char manifest_text[] = MANIFEST_HEAD
	"\"warnings\":[\"one\",\"two\"],\"tools\":[" TOOL_A "," TOOL_B "],"
	"\"recipes\":[{\"key\":\"r\"}],\"prompts\":[{\"name\":\"p\"},{\"name\":\"q\"}]}";

/* A file of the folder, with its identity. */
static const char *make_file(const char *name, struct file_identity *ret_file)
{
	const char *path = folder_path(&folder, name);
	struct stat st;

	folder_write(&folder, name, name);
	if (stat(path, &st))
		abort();
	file_identity_set(ret_file, &st);
	return path;
}

static struct record *make_record(const char *name)
{
	json *manifest = read_json(manifest_text);
	struct file_identity file;
	const char *path = make_file(name, &file);
	struct record *record = record_new(path, &file, manifest);

	json_drop(manifest);
	if (!record)
		abort();
	return record;
}

/* ---- Records --------------------------------------------------------------------------------- */

static void test_record(void)
{
	struct record *record = make_record("a.so");
	const struct record_tool *tools = record_tools(record);

	CU_ASSERT(record_check(record, record->size));
	CU_ASSERT_EQUAL(record->flags, RECORD_READY | RECORD_BIND_NOW | RECORD_STARTS_THREADS);
	UNIT_TEXT(record_text(record, record->path), folder_path(&folder, "a.so"));
	UNIT_TEXT(record_text(record, record->reason), "");
	UNIT_TEXT(record_text(record, record->version), "1.0");
	UNIT_TEXT(record_text(record, record->summary), "A pack.");
	UNIT_TEXT(record_text(record, record->license), "");
	UNIT_TEXT(record_text(record, record->manifest),
		  MANIFEST_HEAD "\"warnings\":[\"one\",\"two\"],\"recipes\":[{\"key\":\"r\"}],"
				"\"prompts\":[{\"name\":\"p\"},{\"name\":\"q\"}]}");
	CU_ASSERT_EQUAL(record->tools.count, 2);
	UNIT_TEXT(record_text(record, tools[0].name), "a");
	UNIT_TEXT(record_text(record, tools[0].manifest), TOOL_A);
	UNIT_TEXT(
		record_text(record, tools[0].listing),
		"{\"name\":\"a\",\"title\":\"A\",\"description\":\"Says "
		"a.\",\"inputSchema\":{\"type\":\"object\"},"
		"\"outputSchema\":{\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":true}}");
	CU_ASSERT_EQUAL(tools[0].listing.length, strlen(record_text(record, tools[0].listing)));
	UNIT_TEXT(record_text(record, tools[1].listing), TOOL_B);
	CU_ASSERT_EQUAL(record->recipes.count, 1);
	UNIT_TEXT(record_text(record, record_texts(record, record->recipes)[0]), "r");
	CU_ASSERT_EQUAL(record->prompts.count, 2);
	UNIT_TEXT(record_text(record, record_texts(record, record->prompts)[1]), "q");
	CU_ASSERT_EQUAL(record->warnings.count, 2);
	UNIT_TEXT(record_text(record, record_texts(record, record->warnings)[1]), "two");
	free(record);
}

static void test_refusal(void)
{
	struct file_identity file;
	const char *path = make_file("b.so", &file);
	struct record *record = record_new_refusal(path, &file, "It is no pack.", 77);

	CU_ASSERT(record_check(record, record->size));
	CU_ASSERT_EQUAL(record->flags, 0);
	CU_ASSERT_EQUAL(record->surroundings, 77);
	UNIT_TEXT(record_text(record, record->path), path);
	UNIT_TEXT(record_text(record, record->reason), "It is no pack.");
	UNIT_TEXT(record_text(record, record->manifest), "");
	CU_ASSERT_EQUAL(record->tools.count + record->recipes.count + record->prompts.count, 0);
	free(record);
}

/* Whatever number is wrong, a check answers without reading beyond the record. */
static void test_record_numbers(void)
{
	struct record *record = make_record("a.so");
	size_t size = record->size, refused = 0;
	static const uint32_t wrong[] = { 0, 1, 7, 0x7FFFFFFF, 0xFFFFFFF0, 0xFFFFFFFF };

	for (size_t at = 0; at + 4 <= sizeof(*record) + 2 * sizeof(struct record_tool); at += 4)
		for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
			char *copy = malloc(size); /* so that a sanitizer sees its end */

			memcpy(copy, record, size);
			memcpy(copy + at, &wrong[i], 4);
			refused += !record_check(copy, size);
			free(copy);
		}
	CU_ASSERT(refused > 50);
	for (size_t length = 0; length < size; length++)
		CU_ASSERT_FALSE(record_check(record, length));
	free(record);
}

/* ---- The file -------------------------------------------------------------------------------- */

static void write_two(void)
{
	struct record *a = make_record("a.so"), *c = make_record("c.so");
	const struct record *records[] = { a, c };

	cache_write(&paths, NULL, records, 2);
	free(a);
	free(c);
}

static const struct record *find(const struct cache *cache, const char *name)
{
	struct file_identity file;
	struct stat st;

	if (stat(folder_path(&folder, name), &st))
		return NULL;
	file_identity_set(&file, &st);
	return cache_find(cache, folder_path(&folder, name), &file);
}

static void test_round_trip(void)
{
	struct cache *cache;
	const struct record *record;
	struct stat st;

	CU_ASSERT_PTR_NULL(cache_read(&paths));
	write_two();
	CU_ASSERT_EQUAL(stat(paths.cache, &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 07777, 0700);
	CU_ASSERT_EQUAL(stat(folder_path(&folder, "cache/toolhost/packs.scan"), &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 07777, 0600);
	cache = cache_read(&paths);
	CU_ASSERT_PTR_NOT_NULL_FATAL(cache);
	record = find(cache, "a.so");
	CU_ASSERT_PTR_NOT_NULL_FATAL(record);
	UNIT_TEXT(record_text(record, record_tools(record)[1].manifest), TOOL_B);
	CU_ASSERT_PTR_NOT_NULL(find(cache, "c.so"));
	CU_ASSERT_PTR_NULL(find(cache, "d.so"));
	cache_free(cache);
}

/* A file that was changed, or replaced by one of the same size and time, is another one. */
static void test_changed_file(void)
{
	struct timespec times[2];
	struct cache *cache;
	struct stat st;

	write_two();
	cache = cache_read(&paths);
	CU_ASSERT_PTR_NOT_NULL(find(cache, "a.so"));
	CU_ASSERT_EQUAL(stat(folder_path(&folder, "a.so"), &st), 0);
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	folder_write(&folder, "new", "A.SO");
	CU_ASSERT_EQUAL(utimensat(AT_FDCWD, folder_path(&folder, "new"), times, 0), 0);
	CU_ASSERT_EQUAL(rename(folder_path(&folder, "new"), folder_path(&folder, "a.so")), 0);
	CU_ASSERT_PTR_NULL(find(cache, "a.so"));
	CU_ASSERT_PTR_NOT_NULL(find(cache, "c.so"));
	cache_free(cache);
}

static void write_back(const char *bytes, size_t length)
{
	folder_write_bytes(&folder, "cache/toolhost/packs.scan", bytes, length);
}

/* Every byte of the file, turned over in two ways, is seen. */
static void test_each_byte(void)
{
	size_t length, accepted = 0;
	char *bytes;

	write_two();
	bytes = folder_read(&folder, "cache/toolhost/packs.scan", &length);
	CU_ASSERT(length > 1000);
	for (size_t i = 0; i < length; i++)
		for (int bit = 0; bit < 8; bit += 7) {
			struct cache *cache;

			bytes[i] ^= (char)(1 << bit);
			write_back(bytes, length);
			cache = cache_read(&paths);
			accepted += cache != NULL;
			cache_free(cache);
			bytes[i] ^= (char)(1 << bit);
		}
	CU_ASSERT_EQUAL(accepted, 0);
	write_back(bytes, length);
	cache_free(cache_read(&paths));
	free(bytes);
}

static void test_cut(void)
{
	size_t length, accepted = 0;
	char *bytes, *longer;

	write_two();
	bytes = folder_read(&folder, "cache/toolhost/packs.scan", &length);
	for (size_t i = 0; i < length; i += 7) {
		struct cache *cache;

		write_back(bytes, i);
		cache = cache_read(&paths);
		accepted += cache != NULL;
		cache_free(cache);
	}
	longer = calloc(1, length + 8);
	memcpy(longer, bytes, length);
	write_back(longer, length + 8);
	CU_ASSERT_PTR_NULL(cache_read(&paths));
	CU_ASSERT_EQUAL(accepted, 0);
	free(longer);
	free(bytes);
}

/* Another worker may find something else in the same file. */
static void test_other_worker(void)
{
	struct cache *cache;

	write_two();
	cache = cache_read(&paths);
	CU_ASSERT_PTR_NOT_NULL(cache);
	cache_free(cache);
	folder_write(&folder, "worker", "a longer one");
	CU_ASSERT_PTR_NULL(cache_read(&paths));
	write_two();
	cache = cache_read(&paths);
	CU_ASSERT_PTR_NOT_NULL(cache);
	cache_free(cache);
}

static void test_who_may_write(void)
{
	const char *file = folder_path(&folder, "cache/toolhost/packs.scan");
	struct cache *cache;

	write_two();
	chmod(file, 0620);
	CU_ASSERT_PTR_NULL(cache_read(&paths));
	chmod(file, 0600);
	chmod(paths.cache, 0777);
	CU_ASSERT_PTR_NULL(cache_read(&paths));
	chmod(paths.cache, 0700);
	if (geteuid() == 0) {
		CU_ASSERT_EQUAL(chown(file, 1234, 0), 0);
		CU_ASSERT_PTR_NULL(cache_read(&paths));
		CU_ASSERT_EQUAL(chown(file, 0, 0), 0);
		CU_ASSERT_EQUAL(chown(paths.cache, 1234, 0), 0);
		CU_ASSERT_PTR_NULL(cache_read(&paths));
		CU_ASSERT_EQUAL(chown(paths.cache, 0, 0), 0);
	}
	CU_ASSERT_EQUAL(rename(file, folder_path(&folder, "elsewhere")), 0);
	CU_ASSERT_EQUAL(symlink(folder_path(&folder, "elsewhere"), file), 0);
	CU_ASSERT_PTR_NULL(cache_read(&paths));
	unlink(file);
	CU_ASSERT_EQUAL(rename(folder_path(&folder, "elsewhere"), file), 0);
	cache = cache_read(&paths);
	CU_ASSERT_PTR_NOT_NULL(cache);
	cache_free(cache);
}

/* Where nothing can be written, nothing happens. */
static void test_no_place(void)
{
	struct paths none = paths, file = paths;
	struct record *record = make_record("a.so");
	const struct record *records[] = { record };

	none.cache = NULL;
	CU_ASSERT_PTR_NULL(cache_read(&none));
	cache_write(&none, NULL, records, 1);
	file.cache = folder_path(&folder, "a.so/below");
	CU_ASSERT_PTR_NULL(cache_read(&file));
	cache_write(&file, NULL, records, 1);
	CU_ASSERT_PTR_NULL(cache_read(&file));
	free(record);
}

/* Other packs stay known as long as their files are there; refusals that may pass are not kept. */
static void test_what_is_kept(void)
{
	struct record *d = make_record("d.so"), *passing, *lasting;
	const struct record *records[3];
	struct file_identity file, gone;
	struct cache *old, *cache;
	struct stat st;

	write_two();
	CU_ASSERT_EQUAL(stat(folder_path(&folder, "c.so"), &st), 0);
	file_identity_set(&gone, &st);
	old = cache_read(&paths);
	passing = record_new_refusal(make_file("e.so", &file), &file, "Killed.", 0);
	lasting = record_new_refusal(make_file("f.so", &file), &file, "Crashed.", 5);
	records[0] = d;
	records[1] = passing;
	records[2] = lasting;
	unlink(folder_path(&folder, "c.so"));
	cache_write(&paths, old, records, 3);
	cache = cache_read(&paths);
	CU_ASSERT_PTR_NOT_NULL_FATAL(cache);
	CU_ASSERT_PTR_NOT_NULL(find(cache, "a.so"));
	CU_ASSERT_PTR_NOT_NULL(find(cache, "d.so"));
	CU_ASSERT_PTR_NULL(find(cache, "e.so"));
	CU_ASSERT_PTR_NOT_NULL(find(cache, "f.so"));
	CU_ASSERT_PTR_NOT_NULL(cache_find(old, folder_path(&folder, "c.so"), &gone));
	CU_ASSERT_PTR_NULL(cache_find(cache, folder_path(&folder, "c.so"), &gone));
	cache_free(old);
	cache_free(cache);
	free(d);
	free(passing);
	free(lasting);
}

/* ---- Manifests ------------------------------------------------------------------------------- */

static const struct {
	const char *text;
	const char *message; /* NULL: fine */
} manifests[] = {
	{ manifest_text, NULL },
	{ MANIFEST_HEAD "\"tools\":[]}", NULL },
	{ "[]", "format" },
	{ "{\"format\":2}", "the worker is of another version" },
	{ "{\"format\":1,\"starts_threads\":1}", "starts_threads" },
	{ "{\"format\":1,\"starts_threads\":true}", "about" },
	{ "{\"format\":1,\"starts_threads\":true,\"about\":{\"version\":1}}", "version" },
	{ "{\"format\":1,\"starts_threads\":true,\"about\":{\"version\":\"a\\u0000b\"}}",
	  "version" },
	{ "{\"format\":1,\"starts_threads\":true,\"about\":{},\"file\":{}}", "bind_now" },
	{ "{\"format\":1,\"starts_threads\":true,\"about\":{},\"file\":{\"bind_now\":true}}",
	  "device" },
	{ MANIFEST_HEAD "\"warnings\":[1]}", "warnings" },
	{ MANIFEST_HEAD "\"warnings\":{}}", "warnings" },
	{ MANIFEST_HEAD "\"tools\":{}}", "wanted is a list" },
	{ MANIFEST_HEAD "\"tools\":[1,2,3,4,5,6,7,8,9]}", "wanted is a list" },
	{ MANIFEST_HEAD "\"tools\":[{}]}", "one has no name" },
	{ MANIFEST_HEAD "\"tools\":[null]}", "one has no name" },
	{ MANIFEST_HEAD "\"tools\":[{\"name\":\"new tool\"}]}", "letters, digits" },
	{ MANIFEST_HEAD "\"tools\":[{\"name\":\"\"}]}", "empty or too long" },
	{ MANIFEST_HEAD "\"tools\":[{\"name\":\"a\"}]}", "no description" },
	{ MANIFEST_HEAD "\"tools\":[{\"name\":\"a\",\"description\":\"\"}]}", "no input schema" },
	{ MANIFEST_HEAD "\"tools\":[{\"name\":\"a\",\"description\":\"\",\"inputSchema\":true}]}",
	  "no input schema" },
	{ MANIFEST_HEAD
	  "\"tools\":[{\"name\":\"a\",\"description\":\"\",\"inputSchema\":{},\"caps\":1}]}",
	  "of the wrong kind" },
	{ MANIFEST_HEAD
	  "\"tools\":[{\"name\":\"a\",\"description\":\"\",\"inputSchema\":{},\"title\":1}]}",
	  "one of its texts is none" },
	{ MANIFEST_HEAD "\"tools\":[" TOOL_A "," TOOL_B "," TOOL_A "]}", "this name stands twice" },
	{ MANIFEST_HEAD "\"recipes\":[{\"key\":\"r\"},{\"key\":\"r\"}]}",
	  "r: this name stands twice" },
	{ MANIFEST_HEAD "\"recipes\":[{\"name\":\"r\"}]}", "recipes: one has no name" },
	{ MANIFEST_HEAD "\"prompts\":[{\"name\":1}]}", "prompts: one has no name" },
};

static void test_manifests(void)
{
	for (size_t i = 0; i < sizeof(manifests) / sizeof(manifests[0]); i++) {
		struct error error = ERROR_INIT;
		json *manifest = read_json(manifests[i].text);
		int r = manifest_check(manifest, &error);

		CU_ASSERT_EQUAL(r, manifests[i].message ? STATUS_INPUT_INVALID : STATUS_OK);
		if (manifests[i].message && !strstr(error.message, manifests[i].message))
			fprintf(stderr, "%s\n\"%s\" is not in \"%s\"\n", manifests[i].text,
				manifests[i].message, error.message);
		CU_ASSERT(!manifests[i].message || strstr(error.message, manifests[i].message));
		json_drop(manifest);
		error_clear(&error);
	}
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_record),	    UNIT_TEST(test_refusal),	  UNIT_TEST(test_record_numbers),
	UNIT_TEST(test_round_trip), UNIT_TEST(test_changed_file), UNIT_TEST(test_each_byte),
	UNIT_TEST(test_cut),	    UNIT_TEST(test_other_worker), UNIT_TEST(test_who_may_write),
	UNIT_TEST(test_no_place),   UNIT_TEST(test_what_is_kept), UNIT_TEST(test_manifests),
};

int main(void)
{
	int status;

	log_set_level(LOG_LEVEL_ERROR);
	folder_make(&folder);
	paths.cache = strdup(folder_path(&folder, "cache/toolhost"));
	paths.worker = strdup(folder_path(&folder, "worker"));
	folder_write(&folder, "worker", "one");
	status = unit_run("cache", tests, sizeof(tests) / sizeof(tests[0]));
	free(paths.cache);
	free(paths.worker);
	folder_remove(&folder);
	return status;
}
