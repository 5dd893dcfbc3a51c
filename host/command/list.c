/* SPDX-License-Identifier: MIT
 *
 * toolhost list: the tools that there are, for a person, for MCP and for model services.
 */
#include <config.h>

#include "command/command.h"
#include "command/manifest.h"
#include "command/vendor.h"

#include "base/array.h"
#include "base/json.h"
#include "base/text.h"

#include <string.h>

enum {
	NAME_WIDTH_MAX = 40,
	PACK_WIDTH_MAX = 24,
};

struct list {
	const struct registry *registry;
	const char *names;    /* separated by commas; NULL: all */
	const char *category; /* NULL: all */
	bool schema_key;
	size_t name_width, pack_width; /* of the text form */
	size_t printed;		       /* of the MCP form */
	json *tools;		       /* what the other JSON forms collect */
};

struct list_format {
	const char *name;
	bool with_disabled;
	/* Adds one tool; `manifest` is its object. */
	void (*add)(struct list *list, struct buffer *out, const struct registry_tool *tool,
		    const json *manifest);
	const char *before, *after; /* around the whole; NULL: the collected list is printed */
};

/* ---- Which tools ---------------------------------------------------------------------------- */

/* Takes the names of "a, b" one at a time, as lists of settings are read: blanks around a name are
 * none of it. *at moves on; false at the end. */
static bool next_name(const char **at, char *ret_name, size_t size)
{
	const char *name = *at + strspn(*at, ", \t");
	size_t length = strcspn(name, ","), kept;

	if (!*name)
		return false;
	*at = name + length;
	while (strchr(" \t", name[length - 1]))
		length--;
	kept = length < size ? length : size - 1;
	memcpy(ret_name, name, kept);
	ret_name[kept] = '\0';
	return true;
}

static bool is_named(const char *names, const char *tool)
{
	char name[256], spelled[VENDOR_NAME_MAX + 1];

	vendor_name(tool, spelled);
	while (next_name(&names, name, sizeof(name))) {
		if (!strcmp(name, tool) || !strcmp(name, spelled))
			return true;
	}
	return false;
}

static bool is_wanted(const struct list *list, const struct registry_tool *tool,
		      const json *manifest)
{
	if (list->names && !is_named(list->names, tool->name))
		return false;
	/* A tool without a category is in none, not even in "". */
	return !list->category ||
	       (*list->category && !strcmp(list->category, manifest_text(manifest, "category")));
}

/* Names that no tool has are passed over, as a list for several servers may hold them; a person is
 * told. */
static void note_unknown_names(const struct list *list)
{
	const char *at = list->names;
	char name[256];

	while (at && next_name(&at, name, sizeof(name))) {
		if (!vendor_find_tool(list->registry, name))
			command_note("there is no tool \"%s\"", name);
	}
}

static void note_packs(const struct registry *registry, bool with_disabled)
{
	size_t refused = 0, disabled = 0;

	for (size_t i = 0; i < registry_pack_count(registry); i++) {
		refused += registry_pack(registry, i)->state == PACK_REFUSED;
		disabled += registry_pack(registry, i)->state == PACK_DISABLED;
	}
	if (refused)
		command_note("%zu pack%s refused; `toolhost pack list` says why", refused,
			     refused == 1 ? " is" : "s are");
	if (disabled && with_disabled)
		command_note("%zu pack%s off; `toolhost pack list` says why", disabled,
			     disabled == 1 ? " is" : "s are");
}

/* ---- The forms ------------------------------------------------------------------------------ */

static void add_text(struct list *list, struct buffer *out, const struct registry_tool *tool,
		     const json *manifest)
{
	buffer_format(out, "%-*s  %-*s  %s", (int)list->name_width, tool->name,
		      (int)list->pack_width, tool->pack->name, tool->enabled ? "" : "(off) ");
	manifest_print_summary(out, manifest);
	buffer_byte(out, '\n');
}

static void add_json(struct list *list, struct buffer *out, const struct registry_tool *tool,
		     const json *manifest)
{
	json *object = json_copy(manifest);

	(void)out;
	json_set_text(object, "pack", tool->pack->name);
	json_set_boolean(object, "enabled", tool->enabled);
	json_append(list->tools, object);
}

static void add_anthropic(struct list *list, struct buffer *out, const struct registry_tool *tool,
			  const json *manifest)
{
	(void)out;
	(void)tool;
	json_append(list->tools, vendor_anthropic(manifest, list->schema_key));
}

static void add_openai(struct list *list, struct buffer *out, const struct registry_tool *tool,
		       const json *manifest)
{
	(void)out;
	(void)tool;
	json_append(list->tools, vendor_openai(manifest, list->schema_key));
}

static void add_mcp(struct list *list, struct buffer *out, const struct registry_tool *tool,
		    const json *manifest)
{
	(void)manifest;
	buffer_text(out, list->printed++ ? "," : "");
	buffer_append(out, tool->listing, tool->listing_length);
}

static const struct list_format formats[] = {
	{ "text", true, add_text, "", "" },
	{ "json", true, add_json, NULL, NULL },
	{ "anthropic", false, add_anthropic, NULL, NULL },
	{ "openai", false, add_openai, NULL, NULL },
	{ "mcp", false, add_mcp, "{\"tools\":[", "]}\n" },
};

static const struct list_format *find_format(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	}
	return NULL;
}

static void measure(struct list *list)
{
	for (size_t i = 0; i < registry_tool_count(list->registry); i++) {
		const struct registry_tool *tool = registry_tool(list->registry, i);
		size_t pack = strlen(tool->pack->name);

		if (tool->name_length > list->name_width)
			list->name_width = tool->name_length;
		if (pack > list->pack_width)
			list->pack_width = pack;
	}
	if (list->name_width > NAME_WIDTH_MAX)
		list->name_width = NAME_WIDTH_MAX;
	if (list->pack_width > PACK_WIDTH_MAX)
		list->pack_width = PACK_WIDTH_MAX;
}

static void print_tools(struct list *list, const struct list_format *format, struct buffer *out)
{
	measure(list);
	list->tools = json_new_list();
	buffer_text(out, format->before ? format->before : "");
	for (size_t i = 0; i < registry_tool_count(list->registry); i++) {
		const struct registry_tool *tool = registry_tool(list->registry, i);
		json *manifest;

		if (!tool->enabled && !format->with_disabled)
			continue;
		manifest = manifest_of_tool(tool);
		if (is_wanted(list, tool, manifest))
			format->add(list, out, tool, manifest);
		json_drop(manifest);
	}
	if (format->after) {
		buffer_text(out, format->after);
	} else {
		json_print_pretty(out, list->tools);
		buffer_byte(out, '\n');
	}
	json_drop(list->tools);
}

static int run_list(struct program *program, const struct arguments *arguments)
{
	struct list list = {
		.names = arguments_value(arguments, "names"),
		.category = arguments_value(arguments, "category"),
		.schema_key = arguments_value(arguments, "with-schema-key") != NULL,
	};
	const char *name = arguments_value(arguments, "format");
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	struct registry *registry = NULL;
	struct error error = ERROR_INIT;
	const struct list_format *format = find_format(name	       ? name
						       : program->json ? "json"
								       : "text");
	int status;

	if (!format) {
		error_set(&error, STATUS_USAGE,
			  "--format %.64s: write text, json, anthropic, openai or mcp", name);
		status = command_fail(program, &error);
	} else if (command_registry(program, NULL, &registry, &error) != STATUS_OK) {
		status = command_fail(program, &error);
	} else {
		list.registry = registry;
		print_tools(&list, format, &out);
		note_unknown_names(&list);
		note_packs(registry, format->with_disabled);
		status = command_print(program, &out, EXIT_RESULT);
	}
	registry_free(registry);
	error_clear(&error);
	return status;
}

static const struct command_option options[] = {
	{ "format", "FORM", "text (the default), json, anthropic, openai or mcp" },
	{ "category", "CATEGORY", "only the tools of this category" },
	{ "names", "A,B", "only these tools" },
	{ "with-schema-key", NULL,
	  "state the dialect (\"$schema\") in the forms of model services" },
	{ NULL, NULL, NULL },
};

const struct command command_list = {
	.name = "list",
	.operands = "",
	.summary = "List the tools",
	.help = "One line a tool: its name, its pack, what it does. Tools that a bundle, a flag or "
		"a\n"
		"variable switches off are marked (off), and are left out of all forms but text "
		"and json.\n"
		"The manual says what the forms of model services change and drop.\n"
		"\n"
		"Example:\n"
		"  toolhost list --format anthropic --names add,echo\n",
	.options = options,
	.run = run_list,
};
