/* SPDX-License-Identifier: MIT
 *
 * What a pack says of its tools, in words.
 */
#include <config.h>

#include "command/manifest.h"

#include "command/command.h"

#include "base/array.h"
#include "base/json.h"

#include <string.h>

enum {
	NAME_COLUMN = 2,
	TEXT_COLUMN = 6,
	TYPE_DEPTH = 6, /* lists of lists of ... that are spelled out */
	WORDS_MAX = 12, /* of an enum that are printed */
};

json *manifest_of_tool(const struct registry_tool *tool)
{
	json *manifest = NULL;

	return json_read(tool->manifest, tool->manifest_length, NULL, &manifest, NULL) == STATUS_OK
		       ? manifest
		       : NULL;
}

const char *manifest_text(const json *object, const char *key)
{
	const json *value = json_kind(object) == JSON_OBJECT ? json_get(object, key) : NULL;

	return json_kind(value) == JSON_TEXT ? json_text(value, NULL) : "";
}

void manifest_print_summary(struct buffer *out, const json *manifest)
{
	const char *title = manifest_text(manifest, "title");
	const char *text = *title ? title : manifest_text(manifest, "description");
	size_t length = strcspn(text, "\n");
	const char *stop = *title ? NULL : strstr(text, ". ");

	if (stop && (size_t)(stop - text) < length)
		length = (size_t)(stop - text);
	command_plain(out, text, length, 0);
}

static void print_type(struct buffer *out, const json *schema, unsigned depth);

static void print_words(struct buffer *out, const json *words)
{
	size_t count = json_count(words);

	for (size_t i = 0; i < count && i < WORDS_MAX; i++) {
		json *word = json_item(words, i);

		buffer_text(out, i ? " | " : "");
		json_print(out, word);
		json_drop(word);
	}
	if (count > WORDS_MAX)
		buffer_format(out, " | ... (%zu in all)", count);
}

static void print_arms(struct buffer *out, const json *arms, unsigned depth)
{
	for (size_t i = 0; i < json_count(arms); i++) {
		buffer_text(out, i ? " or " : "");
		print_type(out, json_peek(arms, i), depth + 1);
	}
}

static void print_type_names(struct buffer *out, const json *type, const json *schema,
			     unsigned depth)
{
	const json *items = json_get(schema, "items");

	if (json_kind(type) == JSON_LIST) {
		for (size_t i = 0; i < json_count(type); i++)
			buffer_format(out, "%s%s", i ? " or " : "",
				      json_text(json_peek(type, i), NULL));
		return;
	}
	if (json_text_is(type, "array") && json_kind(items) == JSON_OBJECT && depth < TYPE_DEPTH) {
		buffer_text(out, "list of ");
		print_type(out, items, depth + 1);
		return;
	}
	buffer_text(out, json_text_is(type, "array") ? "list" : json_text(type, NULL));
}

static void print_type(struct buffer *out, const json *schema, unsigned depth)
{
	const json *type, *words, *arms;

	if (json_kind(schema) != JSON_OBJECT || depth >= TYPE_DEPTH) {
		buffer_text(out, "anything");
		return;
	}
	type = json_get(schema, "type");
	words = json_get(schema, "enum");
	arms = json_get(schema, "anyOf");
	if (!arms)
		arms = json_get(schema, "oneOf");
	if (json_kind(words) == JSON_LIST)
		print_words(out, words);
	else if (json_kind(arms) == JSON_LIST)
		print_arms(out, arms, depth);
	else if (type)
		print_type_names(out, type, schema, depth);
	else
		buffer_text(out, "anything");
}

static void print_bounds(struct buffer *out, const json *schema)
{
	static const struct {
		const char *key, *before, *after;
	} bounds[] = {
		{ "minimum", "at least ", "" },
		{ "exclusiveMinimum", "more than ", "" },
		{ "maximum", "at most ", "" },
		{ "exclusiveMaximum", "less than ", "" },
		{ "minItems", "at least ", " items" },
		{ "maxItems", "at most ", " items" },
		{ "minLength", "at least ", " characters" },
		{ "maxLength", "at most ", " characters" },
		{ "pattern", "matches ", "" },
		{ "default", "default ", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bounds); i++) {
		if (!json_has(schema, bounds[i].key))
			continue;
		buffer_format(out, ", %s", bounds[i].before);
		json_print(out, json_get(schema, bounds[i].key));
		buffer_text(out, bounds[i].after);
	}
}

static bool is_required(const json *schema, const char *name)
{
	const json *required = json_get(schema, "required");

	for (size_t i = 0; json_kind(required) == JSON_LIST && i < json_count(required); i++) {
		if (json_text_is(json_peek(required, i), name))
			return true;
	}
	return false;
}

void manifest_print_properties(struct buffer *out, const json *schema)
{
	const json *properties = json_kind(schema) == JSON_OBJECT ? json_get(schema, "properties")
								  : NULL;
	struct json_member m;

	if (json_kind(properties) != JSON_OBJECT)
		return;
	for (bool more = json_first(properties, &m); more; more = json_next(&m)) {
		const char *description = manifest_text(m.value, "description");

		buffer_format(out, "%*s", NAME_COLUMN, "");
		command_plain(out, m.key, strlen(m.key), 0);
		buffer_text(out, ": ");
		print_type(out, m.value, 0);
		if (json_kind(m.value) == JSON_OBJECT)
			print_bounds(out, m.value);
		buffer_text(out, is_required(schema, m.key) ? "\n" : " (optional)\n");
		if (*description) {
			buffer_format(out, "%*s", TEXT_COLUMN, "");
			command_wrapped(out, description, TEXT_COLUMN);
			buffer_byte(out, '\n');
		}
	}
}
