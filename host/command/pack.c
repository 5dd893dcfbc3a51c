/* SPDX-License-Identifier: MIT
 *
 * toolhost pack: the packs that there are, and what one file offers.
 */
#include <config.h>

#include "command/pack.h"

#include "command/manifest.h"

#include "base/array.h"
#include "base/json.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 1024 };

static const char *const state_names[] = {
	[PACK_READY] = "ready",
	[PACK_REFUSED] = "refused",
	[PACK_DISABLED] = "off",
};

static int unknown_pack(const struct registry *registry, const char *name, struct error *error)
{
	const char *names[NAMES_MAX];
	size_t count = registry_pack_count(registry);
	const char *near;
	json *close;

	if (count > NAMES_MAX)
		count = NAMES_MAX;
	for (size_t i = 0; i < count; i++)
		names[i] = registry_pack(registry, i)->name;
	near = text_nearest(name, names, count);
	if (!near)
		return error_set(error, STATUS_UNKNOWN_PACK,
				 "there is no pack \"%.64s\"; `toolhost pack list` has them, a "
				 "file is given by its path",
				 name);
	(void)error_set(error, STATUS_UNKNOWN_PACK,
			"there is no pack \"%.64s\"; did you mean \"%s\"?", name, near);
	close = json_new_list();
	json_append(close, json_new_text(near));
	error_detail(error, "close", close);
	return STATUS_UNKNOWN_PACK;
}

static bool is_path(const char *operand)
{
	size_t length = strlen(operand);

	return strchr(operand, '/') || (length > 3 && !strcmp(operand + length - 3, ".so"));
}

int pack_resolve(const struct program *program, const char *operand, char **ret_path,
		 struct error *error)
{
	struct registry *registry = NULL;
	const struct registry_pack *pack;
	int r;

	*ret_path = NULL;
	if (is_path(operand)) {
		*ret_path = realpath(operand, NULL);
		if (!*ret_path)
			return error_set(error, STATUS_USAGE, "%.256s cannot be opened: %s",
					 operand, strerror(errno));
		return STATUS_OK;
	}
	r = command_registry(program, NULL, &registry, error);
	if (r == STATUS_OK) {
		pack = registry_find_pack(registry, operand);
		if (!pack)
			r = unknown_pack(registry, operand, error);
		else if (pack->linked)
			r = error_set(
				error, STATUS_USAGE,
				"the pack %s is part of the program, and has no file to look at",
				operand);
		else if (!(*ret_path = strdup(pack->path)))
			r = error_set(error, STATUS_INTERNAL, "no memory for a path");
	}
	registry_free(registry);
	return r;
}

/* ---- pack list ------------------------------------------------------------------------------ */

static void print_indented(struct buffer *out, const char *label, const char *text)
{
	buffer_format(out, "    %s", label);
	command_plain(out, text, strlen(text), 4);
	buffer_byte(out, '\n');
}

static void print_pack(struct buffer *out, const struct registry_pack *pack, size_t width)
{
	size_t start = out->length, length;

	command_one_line(out, pack->name);
	length = out->length - start;
	buffer_format(out, "%*s  %-7s  ", length < width ? (int)(width - length) : 0, "",
		      state_names[pack->state]);
	if (pack->state == PACK_READY) {
		command_one_line(out, *pack->version ? pack->version : "no version");
		buffer_format(out, ", %zu tool%s, ", pack->tool_count,
			      pack->tool_count == 1 ? "" : "s");
	}
	command_one_line(out, pack->path);
	buffer_byte(out, '\n');
	if (*pack->reason)
		print_indented(out, "", pack->reason);
	if (pack->state == PACK_READY && *pack->distrust)
		print_indented(out, "not trusted, runs isolated: ", pack->distrust);
	for (const char *const *warning = pack->warnings; warning && *warning; warning++)
		print_indented(out, "warning: ", *warning);
}

static json *pack_to_json(const struct registry_pack *pack)
{
	json *object = json_new_object(), *warnings = json_new_list();

	json_set_text(object, "name", pack->name);
	json_set_text(object, "state", state_names[pack->state]);
	json_set_text(object, "path", pack->path);
	if (pack->state == PACK_READY) {
		json_set_text(object, "version", pack->version);
		json_set_text(object, "summary", pack->summary);
		json_set_text(object, "license", pack->license);
		json_set_integer(object, "tools", (int64_t)pack->tool_count);
		json_set_boolean(object, "trusted", pack->trust != PACK_UNTRUSTED);
		json_set_text(object, "distrust", pack->distrust);
	} else {
		json_set_text(object, "reason", pack->reason);
	}
	for (const char *const *warning = pack->warnings; warning && *warning; warning++)
		json_append(warnings, json_new_text(*warning));
	json_set(object, "warnings", warnings);
	return object;
}

static void print_packs(struct buffer *out, const struct registry *registry)
{
	size_t width = 0;

	for (size_t i = 0; i < registry_pack_count(registry); i++) {
		size_t length = strlen(registry_pack(registry, i)->name);

		width = length > width ? length : width;
	}
	for (size_t i = 0; i < registry_pack_count(registry); i++)
		print_pack(out, registry_pack(registry, i), width);
}

static int run_list(struct program *program, const struct arguments *arguments)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	struct registry *registry = NULL;
	struct error error = ERROR_INIT;
	int status;

	(void)arguments;
	if (command_registry(program, NULL, &registry, &error) != STATUS_OK) {
		status = command_fail(program, &error);
	} else if (program->json) {
		json *list = json_new_list();

		for (size_t i = 0; i < registry_pack_count(registry); i++)
			json_append(list, pack_to_json(registry_pack(registry, i)));
		json_print_pretty(&out, list);
		buffer_byte(&out, '\n');
		json_drop(list);
		status = command_print(program, &out, EXIT_RESULT);
	} else {
		print_packs(&out, registry);
		if (!registry_pack_count(registry))
			command_note("there are no packs; --pack-dir names a folder, `toolhost "
				     "config` lists those looked at");
		status = command_print(program, &out, EXIT_RESULT);
	}
	registry_free(registry);
	error_clear(&error);
	return status;
}

/* ---- pack info ------------------------------------------------------------------------------ */

static void print_row(struct buffer *out, const char *name, const char *value)
{
	if (!*value)
		return;
	buffer_format(out, "  %-9s ", name);
	command_wrapped(out, value, 12);
	buffer_byte(out, '\n');
}

static void print_about(struct buffer *out, const char *path, const json *manifest)
{
	static const char *const keys[] = { "version", "summary", "license", "homepage", "author" };
	const json *about = json_get(manifest, "about");
	const json *abi = json_get(manifest, "abi");

	command_one_line(out, path);
	buffer_byte(out, '\n');
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		print_row(out, keys[i], manifest_text(about, keys[i]));
	if (json_kind(abi) == JSON_OBJECT)
		buffer_format(out, "  %-9s %lld.%lld\n", "ABI",
			      (long long)json_integer(json_get(abi, "major")),
			      (long long)json_integer(json_get(abi, "minor")));
}

/* A row for each entry of a list of the manifest, under its heading. Its name stands under `key`, or else
 * under `other_key`. */
static void print_entries(struct buffer *out, const json *manifest, const char *list,
			  const char *heading, const char *key, const char *other_key)
{
	const json *entries = json_get(manifest, list);
	const char *name;

	if (json_kind(entries) != JSON_LIST || !json_count(entries))
		return;
	buffer_format(out, "%s:\n", heading);
	for (size_t i = 0; i < json_count(entries); i++) {
		const json *entry = json_peek(entries, i);

		name = manifest_text(entry, json_has(entry, key) ? key : other_key);
		buffer_text(out, "  ");
		command_plain(out, name, strlen(name), 4);
		buffer_text(out, "  ");
		manifest_print_summary(out, entry);
		buffer_byte(out, '\n');
	}
}

static int run_info(struct program *program, const struct arguments *arguments)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	struct error error = ERROR_INIT;
	json *manifest = NULL;
	char *path = NULL;
	int status;

	if (pack_resolve(program, arguments->operands[0], &path, &error) != STATUS_OK) {
		status = command_fail(program, &error);
	} else if (registry_scan_file(&program->paths, path, &manifest, &error) != STATUS_OK) {
		(void)command_fail(program, &error);
		status = EXIT_TOOL_FAILED;
	} else {
		if (program->json) {
			json_print_pretty(&out, manifest);
			buffer_byte(&out, '\n');
		} else {
			print_about(&out, path, manifest);
			print_entries(&out, manifest, "tools", "Tools", "name", "");
			print_entries(&out, manifest, "recipes", "Recipes", "key", "");
			print_entries(&out, manifest, "prompts", "Prompts", "name", "");
			print_entries(&out, manifest, "resources", "Resources", "uri",
				      "uriTemplate");
		}
		status = command_print(program, &out, EXIT_RESULT);
	}
	json_drop(manifest);
	free(path);
	error_clear(&error);
	return status;
}

/* ---- The commands --------------------------------------------------------------------------- */

static const struct command list = {
	.name = "list",
	.operands = "",
	.summary = "List the packs that were found: ready, refused and why, or off",
	.help = "Example:\n  toolhost pack list\n",
	.run = run_list,
};

static const struct command info = {
	.name = "info",
	.operands = "FILE | NAME",
	.summary = "Tell what one pack offers; --json prints its whole manifest",
	.help = "The file is looked at in a process of its own, as at every start; nothing of it "
		"runs here.\n"
		"\n"
		"Example:\n  toolhost pack info hello\n",
	.least = 1,
	.most = 1,
	.run = run_info,
};

static const struct command *const commands[] = { &list, &command_pack_check, &info, NULL };

const struct command command_pack = {
	.name = "pack",
	.operands = "COMMAND ...",
	.summary = "List packs, check a pack, tell what one offers",
	.help = "Example:\n  toolhost pack list\n",
	.commands = commands,
};
