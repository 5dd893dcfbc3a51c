/* SPDX-License-Identifier: MIT
 *
 * Runs the JSON Schema test suite: all required tests of both drafts, which have to pass, and the
 *optional ones, of which those that do not pass are listed in `excused` with the reason.
 *
 *	suite [DIRECTORY]	default: $SHARED/data/json-schema-test-suite
 */
#include "base/json.h"
#include "schema/schema.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SKIPPED 77
#define REMOTE_PREFIX "http://localhost:1234/"
#define DOCUMENTS_MOST 256

/* Optional tests that need not pass: those of a file, and of one group in it where there is one
 * named. */
static const struct excuse {
	const char *file;  /* below optional/ */
	const char *group; /* NULL: all of the file */
	const char *reason;
} excuses[] = {
	{ "cross-draft.json", NULL, "2019-09 is not read; an error says so" },
	{ "content.json", NULL, "content keywords are annotations" },
	{ "format/idn-hostname.json", NULL,
	  "takes the tables of IDNA 2008, so it is an annotation" },
	{ "format/hostname.json", "validation of A-label (punycode) host names",
	  "what xn-- labels stand for takes the tables of IDNA 2008" },
};

#define EXCUSES (sizeof(excuses) / sizeof(excuses[0]))

struct counts {
	size_t passed, failed, skipped;
};

struct suite {
	const char *root;
	const char *draft; /* "draft2020-12" */
	struct schema_document documents[DOCUMENTS_MOST];
	size_t document_count;
	struct counts required, optional;
	size_t excused[EXCUSES]; /* tests that each entry has excused */
};

__attribute__((noreturn)) static void die(const char *what, const char *path)
{
	fprintf(stderr, "suite: %s: %s\n", path, what);
	exit(EXIT_FAILURE);
}

static char *join(const char *a, const char *b)
{
	char *path = malloc(strlen(a) + strlen(b) + 2);

	if (!path)
		die("no memory", a);
	sprintf(path, "%s/%s", a, b);
	return path;
}

static json *read_json(const char *path)
{
	struct json_fault fault;
	json *value = NULL;
	struct stat about;
	FILE *file = fopen(path, "rb");
	char *text = NULL;

	if (!file || fstat(fileno(file), &about) || !(text = malloc((size_t)about.st_size + 1)))
		die("cannot be read", path);
	if (fread(text, 1, (size_t)about.st_size, file) != (size_t)about.st_size)
		die("cannot be read", path);
	fclose(file);
	if (json_read(text, (size_t)about.st_size, NULL, &value, &fault) != STATUS_OK)
		die(fault.reason, path);
	free(text);
	return value;
}

/* The names in a directory, sorted, so that runs compare. */
static size_t list_directory(const char *path, struct dirent ***ret_entries)
{
	int count = scandir(path, ret_entries, NULL, alphasort);

	return count < 0 ? 0 : (size_t)count;
}

static bool ends_in(const char *name, const char *end)
{
	return strlen(name) > strlen(end) && !strcmp(name + strlen(name) - strlen(end), end);
}

/* ---- Remote documents, served from files ----------------------------------------------- */

static void add_document(struct suite *suite, const char *path, const char *relative)
{
	char *uri = malloc(strlen(REMOTE_PREFIX) + strlen(relative) + 1);

	if (!uri || suite->document_count == DOCUMENTS_MOST)
		die("too many documents", path);
	sprintf(uri, "%s%s", REMOTE_PREFIX, relative);
	suite->documents[suite->document_count].uri = uri;
	suite->documents[suite->document_count++].value = read_json(path);
}

/* Those of this draft, and those of none. */
static void add_documents(struct suite *suite, const char *path, const char *relative)
{
	struct dirent **entries;
	size_t count = list_directory(path, &entries);

	for (size_t i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;
		char *below = join(path, name),
		     *deeper = *relative ? join(relative, name) : strdup(name);
		bool other_draft = !*relative &&
				   (!strncmp(name, "draft", 5) || !strcmp(name, "v1")) &&
				   strcmp(name, suite->draft);

		if (ends_in(name, ".json"))
			add_document(suite, below, deeper);
		else if (*name != '.' && !other_draft)
			add_documents(suite, below, deeper);
		free(below);
		free(deeper);
		free(entries[i]);
	}
	free(count ? entries : NULL);
}

/* ---- Running --------------------------------------------------------------------------- */

/* The entry that excuses a test; EXCUSES: none. */
static size_t find_excuse(const char *file, const char *group)
{
	const char *optional = strstr(file, "optional/");
	size_t i = 0;

	while (i < EXCUSES &&
	       !(optional && !strcmp(optional + strlen("optional/"), excuses[i].file) &&
		 (!excuses[i].group || !strcmp(excuses[i].group, group))))
		i++;
	return i;
}

/* A schema without $schema is one of the draft whose folder it lies in. */
static json *with_draft(const struct suite *suite, const json *schema)
{
	json *copy = json_copy(schema);

	if (json_kind(copy) == JSON_OBJECT && !json_has(copy, "$schema") &&
	    !strcmp(suite->draft, "draft7"))
		json_set_text(copy, "$schema", "http://json-schema.org/draft-07/schema#");
	return copy;
}

static void run_group(struct suite *suite, const char *file, const json *group,
		      struct counts *counts)
{
	struct schema_options options = {
		.documents = suite->documents,
		.document_count = suite->document_count,
		.assert_formats = strstr(file, "/format/") || strstr(file, "format-assertion"),
	};
	const char *title = json_text(json_get(group, "description"), NULL);
	const json *tests = json_get(group, "tests");
	json *schema = with_draft(suite, json_get(group, "schema"));
	struct schema *compiled;
	struct error error = ERROR_INIT;

	/* The assertion vocabulary has to work by itself. */
	if (strstr(file, "format-assertion"))
		options.assert_formats = false;
	schema_compile(schema, &options, &compiled, &error);
	for (size_t i = 0; i < json_count(tests); i++) {
		const json *test = json_peek(tests, i);
		const char *name = json_text(json_get(test, "description"), NULL);
		bool wanted = json_boolean(json_get(test, "valid"));
		struct schema_problems problems = { 0 };
		bool valid = compiled &&
			     schema_validate(compiled, json_get(test, "data"), &problems);
		size_t entry = find_excuse(file, title);

		if (compiled && valid == wanted) {
			counts->passed++;
		} else if (entry < EXCUSES) {
			suite->excused[entry]++;
			counts->skipped++;
		} else {
			counts->failed++;
			printf("FAILED %s: %s: %s: %s\n", file, title, name,
			       !compiled ? error.message
			       : valid	 ? "is valid"
					 : problems.items[0].expected);
		}
	}
	schema_free(compiled);
	error_clear(&error);
	json_drop(schema);
}

static void run_files(struct suite *suite, const char *path, const char *relative,
		      struct counts *counts)
{
	struct dirent **entries;
	size_t count = list_directory(path, &entries);

	for (size_t i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;
		char *below = join(path, name), *deeper = join(relative, name);

		if (ends_in(name, ".json")) {
			json *groups = read_json(below);

			for (size_t g = 0; g < json_count(groups); g++)
				run_group(suite, deeper, json_peek(groups, g), counts);
			json_drop(groups);
		} else if (*name != '.') {
			run_files(suite, below, deeper,
				  strcmp(name, "optional") ? counts : &suite->optional);
		}
		free(below);
		free(deeper);
		free(entries[i]);
	}
	free(count ? entries : NULL);
}

static void report(const struct suite *suite)
{
	const struct counts *r = &suite->required, *o = &suite->optional;

	printf("%s, required: %zu passed, %zu failed, %zu skipped\n", suite->draft, r->passed,
	       r->failed, r->skipped);
	printf("%s, optional: %zu passed, %zu failed, %zu skipped\n", suite->draft, o->passed,
	       o->failed, o->skipped);
	for (size_t i = 0; i < EXCUSES; i++)
		if (suite->excused[i])
			printf("\t%zu of %s: %s\n", suite->excused[i], excuses[i].file,
			       excuses[i].reason);
}

/* `required` is the number of tests that the draft has to have, so that a suite cut short does not
 * pass. */
static bool run_draft(const char *root, const char *draft, size_t required, size_t *excused)
{
	struct suite suite = { .root = root, .draft = draft };
	char *remotes = join(root, "remotes"), *tests = join(root, "tests"),
	     *path = join(tests, draft);

	add_documents(&suite, remotes, "");
	run_files(&suite, path, draft, &suite.required);
	report(&suite);
	for (size_t i = 0; i < EXCUSES; i++)
		excused[i] += suite.excused[i];
	for (size_t i = 0; i < suite.document_count; i++) {
		free((char *)(uintptr_t)suite.documents[i].uri);
		json_drop((json *)(uintptr_t)suite.documents[i].value);
	}
	free(remotes);
	free(tests);
	free(path);
	return suite.required.passed == required && !suite.required.failed &&
	       !suite.optional.failed;
}

int main(int argc, char **argv)
{
	const char *shared = getenv("SHARED");
	char *root = argc > 1 ? strdup(argv[1])
			      : join(shared ? shared : ".", "data/json-schema-test-suite");
	size_t excused[EXCUSES] = { 0 };
	struct stat about;
	bool good;

	if (!root || stat(root, &about)) {
		printf("SKIP: %s is not there: set SHARED, or name the suite's directory\n", root);
		free(root);
		return SKIPPED;
	}
	good = run_draft(root, "draft2020-12", 1299, excused);
	good &= run_draft(root, "draft7", 927, excused);
	for (size_t i = 0; i < EXCUSES; i++) {
		if (excused[i])
			continue;
		printf("FAILED: every test of %s passes, so that it needs no excuse\n",
		       excuses[i].file);
		good = false;
	}
	free(root);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
