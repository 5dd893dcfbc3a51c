/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry/manifest.h"

#include "base/array.h"
#include "base/text.h"
#include "schema/hash.h"

#include <string.h>

#define ENTRIES_MOST ((size_t)10000)
#define KEY_BYTES_MOST ((size_t)200)

/* A text without NUL bytes, as all of it is handed on as C text; absent ones are fine. */
static bool is_plain_text(const json *value)
{
	size_t length;
	const char *text;

	if (!value)
		return true;
	if (json_kind(value) != JSON_TEXT)
		return false;
	text = json_text(value, &length);
	return strlen(text) == length;
}

static bool is_kind_or_absent(const json *value, enum json_kind kind)
{
	return !value || json_kind(value) == kind;
}

static int fault(struct error *error, const char *where, const char *what)
{
	return error_set(error, STATUS_INPUT_INVALID, "Its manifest is not valid: %s: %s", where,
			 what);
}

static int check_about(const json *manifest, struct error *error)
{
	static const char *const keys[] = { "version", "summary", "license", "homepage", "author" };
	const json *about = json_get(manifest, "about");

	if (json_kind(about) != JSON_OBJECT)
		return fault(error, "about", "wanted is an object");
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!is_plain_text(json_get(about, keys[i])))
			return fault(error, keys[i], "wanted is a text");
	return STATUS_OK;
}

static int check_file(const json *manifest, struct error *error)
{
	static const char *const keys[] = { "device", "inode", "size", "modified_ns" };
	const json *file = json_get(manifest, "file");

	if (json_kind(file) != JSON_OBJECT || json_kind(json_get(file, "bind_now")) != JSON_BOOLEAN)
		return fault(error, "file", "wanted is an object that says bind_now");
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (json_kind(json_get(file, keys[i])) != JSON_INTEGER)
			return fault(error, keys[i], "wanted is an integer");
	return STATUS_OK;
}

/* A list of objects, each with a name of its own under `key`. */
static int check_names(const json *list, const char *what, const char *key, struct names *names,
		       struct error *error)
{
	size_t length;

	if (!list)
		return STATUS_OK;
	if (json_kind(list) != JSON_LIST || json_count(list) > ENTRIES_MOST ||
	    json_packed(list, NULL))
		return fault(error, what, "wanted is a list of at most 10000 objects");
	for (size_t i = 0; i < json_count(list); i++) {
		const json *name = json_get(json_peek(list, i), key);
		const char *text;

		if (json_kind(name) != JSON_TEXT || !is_plain_text(name))
			return fault(error, what, "one has no name");
		text = json_text(name, &length);
		if (!length || length > KEY_BYTES_MOST)
			return fault(error, what, "a name is empty or too long");
		if (names_find(names, text, length) != NAMES_NONE)
			return fault(error, text, "this name stands twice");
		if (!names_add(names, text, length, (uint32_t)i))
			return error_set(error, STATUS_INTERNAL, "there is no memory left");
	}
	return STATUS_OK;
}

static int check_tool(const json *tool, struct error *error)
{
	size_t length;
	const char *name = json_text(json_get(tool, "name"), &length);

	if (!text_is_tool_name(name, length))
		return fault(error, name, "wanted is a name of 1 to 64 letters, digits, _ and -");
	if (json_kind(json_get(tool, "description")) != JSON_TEXT)
		return fault(error, name, "it has no description");
	if (json_kind(json_get(tool, "inputSchema")) != JSON_OBJECT)
		return fault(error, name, "it has no input schema");
	if (!is_kind_or_absent(json_get(tool, "outputSchema"), JSON_OBJECT) ||
	    !is_kind_or_absent(json_get(tool, "annotations"), JSON_OBJECT) ||
	    !is_kind_or_absent(json_get(tool, "rng"), JSON_OBJECT) ||
	    !is_kind_or_absent(json_get(tool, "caps"), JSON_OBJECT) ||
	    !is_kind_or_absent(json_get(tool, "examples"), JSON_LIST))
		return fault(error, name, "a part of it is of the wrong kind");
	if (!is_plain_text(json_get(tool, "title")) || !is_plain_text(json_get(tool, "category")) ||
	    !is_plain_text(json_get(tool, "threads")) ||
	    !is_plain_text(json_get(tool, "isolation")))
		return fault(error, name, "one of its texts is none");
	return STATUS_OK;
}

static int check_tools(const json *tools, struct error *error)
{
	int r = STATUS_OK;

	for (size_t i = 0; !r && i < json_count(tools); i++)
		r = check_tool(json_peek(tools, i), error);
	return r;
}

static int check_warnings(const json *manifest, struct error *error)
{
	const json *warnings = json_get(manifest, "warnings");

	if (!is_kind_or_absent(warnings, JSON_LIST))
		return fault(error, "warnings", "wanted is a list");
	for (size_t i = 0; i < json_count(warnings); i++)
		if (json_item_kind(warnings, i) != JSON_TEXT ||
		    !is_plain_text(json_peek(warnings, i)))
			return fault(error, "warnings", "wanted is a list of texts");
	return STATUS_OK;
}

static int check_entries(const json *manifest, const char *what, const char *key,
			 struct error *error)
{
	struct names names = { .entries = NULL };
	int r = check_names(json_get(manifest, what), what, key, &names, error);

	names_free(&names);
	return r;
}

int manifest_check(const json *manifest, struct error *error)
{
	const json *format = json_get(manifest, "format");
	int r;

	if (json_kind(format) != JSON_INTEGER || json_integer(format) != MANIFEST_FORMAT)
		return fault(error, "format",
			     "the worker is of another version; install both anew");
	if (json_kind(json_get(manifest, "starts_threads")) != JSON_BOOLEAN)
		return fault(error, "starts_threads", "wanted is true or false");
	r = check_about(manifest, error);
	if (!r)
		r = check_file(manifest, error);
	if (!r)
		r = check_warnings(manifest, error);
	if (!r)
		r = check_entries(manifest, "tools", "name", error);
	if (!r)
		r = check_tools(json_get(manifest, "tools"), error);
	if (!r)
		r = check_entries(manifest, "recipes", "key", error);
	if (!r)
		r = check_entries(manifest, "prompts", "name", error);
	return r;
}
