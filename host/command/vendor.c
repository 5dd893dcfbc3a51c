/* SPDX-License-Identifier: MIT
 *
 * One tool in the form of a model service.
 */
#include <config.h>

#include "command/vendor.h"

#include "command/manifest.h"

#include "base/json.h"

enum { DESCRIPTION_MAX = 1024 * 1024 };

static void append_example(struct buffer *out, const char *tool, const json *example)
{
	const char *title = manifest_text(example, "title");

	if (*title)
		buffer_format(out, "%s:\n", title);
	buffer_format(out, "%s(", tool);
	if (json_has(example, "arguments"))
		json_print(out, json_get(example, "arguments"));
	else
		buffer_text(out, "{}");
	buffer_byte(out, ')');
	if (json_has(example, "result")) {
		buffer_text(out, " -> ");
		json_print(out, json_get(example, "result"));
	}
}

/* The description, a blank line, a heading underlined by eight hyphens, and the examples: models
 * read them there, for the services have no other place for them. */
static json *description_with_examples(const json *manifest, const char *spelled)
{
	const json *examples = json_get(manifest, "examples");
	struct buffer out = BUFFER_INIT(DESCRIPTION_MAX);
	json *text;

	buffer_text(&out, manifest_text(manifest, "description"));
	if (json_kind(examples) == JSON_LIST && json_count(examples) > 0) {
		buffer_text(&out, "\n\nExamples\n--------\n");
		for (size_t i = 0; i < json_count(examples); i++) {
			if (i > 0)
				buffer_text(&out, "\n\n");
			append_example(&out, spelled, json_peek(examples, i));
		}
	}
	text = out.fault == BUFFER_GOOD ? json_new_text_n(out.length ? out.data : "", out.length)
					: NULL;
	buffer_free(&out);
	return text;
}

json *vendor_anthropic(const json *manifest, bool schema_key)
{
	char spelled[VENDOR_NAME_MAX + 1];
	json *tool = json_new_object();
	bool kept;

	vendor_name(manifest_text(manifest, "name"), spelled);
	json_set_text(tool, "name", spelled);
	json_set(tool, "description", description_with_examples(manifest, spelled));
	json_set(tool, "input_schema",
		 vendor_schema(json_get(manifest, "inputSchema"), schema_key, &kept));
	if (*manifest_text(manifest, "category"))
		json_set_text(tool, "category", manifest_text(manifest, "category"));
	if (json_has(manifest, "rng"))
		json_set(tool, "rng", json_hold(json_get(manifest, "rng")));
	return tool;
}

json *vendor_openai(const json *manifest, bool schema_key)
{
	char spelled[VENDOR_NAME_MAX + 1];
	json *tool = json_new_object();
	json *function = json_new_object();
	bool kept;

	vendor_name(manifest_text(manifest, "name"), spelled);
	json_set_text(function, "name", spelled);
	json_set(function, "description", description_with_examples(manifest, spelled));
	json_set(function, "parameters",
		 vendor_schema(json_get(manifest, "inputSchema"), schema_key, &kept));
	json_set_text(tool, "type", "function");
	json_set(tool, "function", function);
	return tool;
}
