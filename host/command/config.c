/* SPDX-License-Identifier: MIT
 *
 * toolhost config: the effective settings and where each comes from.
 */
#include <config.h>

#include "command/command.h"

#include "base/json.h"
#include "base/settings.h"

#include <string.h>
#include <unistd.h>

struct config_file {
	const char *path;
	const char *role;
	bool read;
};

enum { FILES_MAX = 2 };

/* The files that were looked for: --config alone, or the system's and the user's. */
static size_t find_files(const struct program *program, struct config_file files[FILES_MAX])
{
	size_t count = 0;

	if (program->config_file) {
		files[count++] = (struct config_file){ program->config_file, "--config", true };
		return count;
	}
	files[count++] = (struct config_file){ program->paths.config_system, "system", false };
	if (program->paths.config_user)
		files[count++] = (struct config_file){ program->paths.config_user, "user", false };
	for (size_t i = 0; i < count; i++)
		files[i].read = access(files[i].path, F_OK) == 0;
	return count;
}

/* ---- For a person --------------------------------------------------------------------------- */

static void print_text(struct buffer *out, const struct program *program)
{
	struct config_file files[FILES_MAX];
	size_t file_count = find_files(program, files);
	const char *const *dirs = config_pack_dirs(program->config);
	const char *const *recipe_dirs = config_recipe_folders(program->config)->paths;

	for (int i = 0; i < SETTING_COUNT; i++) {
		const struct setting_info *info = setting_info((enum setting)i);
		struct buffer value = BUFFER_INIT(SIZE_MAX);

		setting_print(&value, (enum setting)i);
		if (*info->unit)
			buffer_format(&value, " %s", info->unit);
		buffer_format(out, "%-26s %-18s %s\n", info->name, value.length ? value.data : "",
			      setting_source((enum setting)i));
		buffer_free(&value);
	}
	buffer_text(out, "\nConfig files:\n");
	for (size_t i = 0; i < file_count; i++)
		buffer_format(out, "  %s (%s)\n", files[i].path,
			      files[i].read ? files[i].role : "not there");
	buffer_text(out, "Pack folders:\n");
	if (!program->no_default_packs)
		buffer_format(out, "  %s (default)\n", program->paths.packs);
	for (; dirs && *dirs; dirs++)
		buffer_format(out, "  %s (config)\n", *dirs);
	for (size_t i = 0; i < program->pack_dir_count; i++)
		buffer_format(out, "  %s (--pack-dir)\n", program->pack_dirs[i]);
	buffer_text(out, "Recipe folders:\n");
	if (!program->no_default_packs)
		buffer_format(out, "  %s (default)\n", program->paths.recipes);
	for (; *recipe_dirs; recipe_dirs++)
		buffer_format(out, "  %s (config)\n", *recipe_dirs);
	buffer_format(out, "Scan cache:\n  %s\n",
		      program->no_cache || !program->paths.cache ? "none" : program->paths.cache);
}

/* ---- For a program -------------------------------------------------------------------------- */

static json *setting_value(enum setting setting)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	json *value = NULL;

	setting_print(&text, setting);
	if (text.length)
		(void)json_read(text.data, text.length, NULL, &value, NULL);
	buffer_free(&text);
	return value;
}

static json *setting_to_json(enum setting setting)
{
	const struct setting_info *info = setting_info(setting);
	json *object = json_new_object();

	json_set(object, "value", setting_value(setting));
	json_set_text(object, "source", setting_source(setting));
	json_set_text(object, "default", info->fallback);
	json_set_text(object, "unit", info->unit);
	json_set_text(object, "summary", info->summary);
	return object;
}

static json *list_of(const char *const *texts, size_t count)
{
	json *list = json_new_list();

	for (size_t i = 0; texts && i < count && texts[i]; i++)
		json_append(list, json_new_text(texts[i]));
	return list;
}

static void print_json(struct buffer *out, const struct program *program)
{
	struct config_file files[FILES_MAX];
	size_t file_count = find_files(program, files);
	json *object = json_new_object(), *settings = json_new_object(), *list = json_new_list();
	json *folders = json_new_object(), *recipe_folders = json_new_object();

	for (int i = 0; i < SETTING_COUNT; i++)
		json_set(settings, setting_info((enum setting)i)->name,
			 setting_to_json((enum setting)i));
	for (size_t i = 0; i < file_count; i++) {
		json *file = json_new_object();

		json_set_text(file, "path", files[i].path);
		json_set_boolean(file, "read", files[i].read);
		json_append(list, file);
	}
	if (!program->no_default_packs)
		json_set_text(folders, "default", program->paths.packs);
	json_set(folders, "config", list_of(config_pack_dirs(program->config), SIZE_MAX));
	json_set(folders, "options",
		 list_of((const char *const *)program->pack_dirs, program->pack_dir_count));

	if (!program->no_default_packs)
		json_set_text(recipe_folders, "default", program->paths.recipes);
	json_set(recipe_folders, "config",
		 list_of(config_recipe_folders(program->config)->paths, SIZE_MAX));

	json_set(object, "settings", settings);
	json_set(object, "files", list);
	json_set(object, "packDirs", folders);
	json_set(object, "recipeDirs", recipe_folders);
	json_print_pretty(out, object);
	buffer_byte(out, '\n');
	json_drop(object);
}

static int run_config(struct program *program, const struct arguments *arguments)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);

	(void)arguments;
	if (program->json)
		print_json(&out, program);
	else
		print_text(&out, program);
	return command_print(program, &out, EXIT_RESULT);
}

const struct command command_config = {
	.name = "config",
	.operands = "",
	.summary = "Print the effective settings and where each comes from",
	.help = "Every setting can be given by an option (--max-cells 2000000), by an environment "
		"variable\n"
		"(TOOLHOST_MAX_CELLS=2000000) and in the config file (max_cells = 2000000), in "
		"this order.\n"
		"\n"
		"Example:\n"
		"  TOOLHOST_TOOL_TIMEOUT=30 toolhost config\n",
	.run = run_config,
};
