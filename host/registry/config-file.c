/* SPDX-License-Identifier: MIT
 *
 * One config file: read, parsed by libconfuse, its values checked and merged.
 */
#include <config.h>

#include "registry/config-private.h"

#include "base/isolation.h"
#include "base/settings.h"
#include "base/text.h"
#include "registry/config-text.h"
#include "registry/rights.h"
#include "registry/trust.h"

#include <confuse.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES_MOST ((size_t)1024 * 1024)
/* The keys at the top that are no settings come after these. */
#define PACK_DIRS SETTING_COUNT
#define RECIPE_DIRS (SETTING_COUNT + 1)
#define KEYS_MOST (SETTING_COUNT + 5)

/* What libconfuse's callbacks know of the file: it hands them no context. Its scanner is one for
 * the whole process as well, so one file is read at a time. */
struct reading {
	const char *path;
	struct error *error;
	int status;
	int lines[KEYS_MOST];  /* of the keys at the top, as they have come; 0: not yet */
	const cfg_t *section;  /* the one that is being read */
	uint32_t section_seen; /* its keys, as bits */
};

static pthread_mutex_t reading_lock = PTHREAD_MUTEX_INITIALIZER;
static struct reading *reading; /* under the lock */

/* ---- Faults ---------------------------------------------------------------------------------- */

int config_fault(struct error *error, const char *path, int line, const char *key,
		 const char *format, ...)
{
	char message[sizeof(error->message)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	error_set(error, STATUS_CONFIG_INVALID, "%s:%d: %s", path, line, message);
	error_detail_text(error, "file", path);
	error_detail_integer(error, "line", line);
	error_detail_text(error, "key", key);
	return STATUS_CONFIG_INVALID;
}

/* In a section the keys are few enough to name them all. */
static int unknown_in_section(const cfg_t *cfg, const char *key, const char *const *names,
			      size_t count)
{
	char list[256];
	size_t length = 0;

	for (size_t i = 0; i < count && length < sizeof(list); i++)
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s",
					   !i		    ? ""
					   : i + 1 == count ? " and "
							    : ", ",
					   names[i]);
	return config_fault(reading->error, reading->path, cfg->line, key,
			    "there is no key %s here; a section %s has %s", key, cfg->name, list);
}

static int unknown_key(const cfg_t *cfg, const char *key)
{
	const char *names[KEYS_MOST], *nearest;
	size_t count = 0;

	while (count < KEYS_MOST && cfg->opts[count].name) {
		names[count] = cfg->opts[count].name;
		count++;
	}
	nearest = text_nearest(key, names, count);
	if (!nearest && cfg->title)
		return unknown_in_section(cfg, key, names, count);
	if (!nearest)
		return config_fault(
			reading->error, reading->path, cfg->line, key,
			"there is no key %s here; toolhost config lists those that there are", key);
	return config_fault(reading->error, reading->path, cfg->line, key,
			    "there is no key %s here; did you mean %s?", key, nearest);
}

static void on_error(cfg_t *cfg, const char *format, va_list arguments)
{
	char message[512];

	if (reading->status)
		return;
	if (!strcmp(format, "no such option '%s'")) {
		reading->status = unknown_key(cfg, va_arg(arguments, const char *));
		return;
	}
	vsnprintf(message, sizeof(message), format, arguments);
	reading->status = config_fault(reading->error, reading->path, cfg->line, "", "%s", message);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static int check_number(const cfg_t *cfg, const char *key, const char *value, enum setting like,
			bool whole)
{
	const struct setting_info *info = setting_info(like);
	double number;

	if (json_parse_number(value, strlen(value), &number) && number >= info->least &&
	    number <= info->most && (!whole || number == (double)(int64_t)number))
		return STATUS_OK;
	return config_fault(reading->error, reading->path, cfg->line, key,
			    "%s is \"%s\"; wanted: a %s from %.15g to %.15g", key, value,
			    whole ? "whole number" : "number", info->least, info->most);
}

/* A path that a worker is granted. One that is not there would become a grant of whatever comes to
 * stand there later. */
static int check_grant(const cfg_t *cfg, const char *key, const char *value)
{
	struct stat st;

	if (value[0] != '/' || rights_path_climbs(value))
		return config_fault(reading->error, reading->path, cfg->line, key,
				    "%s names \"%s\"; wanted: absolute paths without ..", key,
				    value);
	if (stat(value, &st))
		return config_fault(reading->error, reading->path, cfg->line, key,
				    "%s names %s: %s", key, value, strerror(errno));
	return STATUS_OK;
}

static int check_variable(const cfg_t *cfg, const char *value)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
	size_t length = strspn(value, letters);

	if (length)
		length += strspn(value + length, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
						 "abcdefghijklmnopqrstuvwxyz_0123456789");
	if (length && !value[length])
		return STATUS_OK;
	return config_fault(reading->error, reading->path, cfg->line, "environment",
			    "environment names \"%s\"; wanted: names of variables, without values",
			    value);
}

static bool is_one_of(const char *key, const char *const *keys)
{
	while (*keys && strcmp(key, *keys))
		keys++;
	return *keys;
}

static int check_value(const cfg_t *cfg, const char *key, const char *value)
{
	static const char *const switches[] = { "enabled", "critical", "network", "subprocess",
						NULL };
	static const char *const grants[] = { "read", "write", NULL };
	static const char *const folders[] = { "pack_dirs", "recipe_dirs", NULL };
	enum isolation isolation;

	if (is_one_of(key, switches)) {
		if (cfg_parse_boolean(value) < 0)
			return config_fault(reading->error, reading->path, cfg->line, key,
					    "%s is \"%s\"; wanted: true or false", key, value);
	} else if (!strcmp(key, "isolation")) {
		if (!isolation_parse(value, &isolation))
			return config_fault(
				reading->error, reading->path, cfg->line, key,
				"isolation is \"%s\"; wanted: in-process, isolated or sandboxed",
				value);
	} else if (!strcmp(key, "timeout")) {
		return check_number(cfg, key, value, SETTING_TOOL_TIMEOUT, false);
	} else if (!strcmp(key, "memory_mb")) {
		return check_number(cfg, key, value, SETTING_MAX_MEMORY_MB, true);
	} else if (is_one_of(key, grants)) {
		return check_grant(cfg, key, value);
	} else if (!strcmp(key, "environment")) {
		return check_variable(cfg, value);
	} else if (is_one_of(key, folders)) {
		if (value[0] != '/')
			return config_fault(reading->error, reading->path, cfg->line, key,
					    "%s names \"%s\"; wanted: absolute paths", key, value);
	}
	return STATUS_OK;
}

/* A key that stands twice in one section would hide its first value. The elements of one list come
 * here one by one; the first of a list finds only itself. */
static int check_twice(const cfg_t *cfg, const cfg_opt_t *option)
{
	size_t index = (size_t)(option - cfg->opts);
	bool first = !(option->flags & CFGF_LIST) || option->nvalues == 1;
	bool seen;

	if (!cfg->title) {
		seen = reading->lines[index];
		if (first && !seen)
			reading->lines[index] = cfg->line;
	} else {
		if (reading->section != cfg)
			reading->section_seen = 0;
		reading->section = cfg;
		seen = reading->section_seen >> index & 1;
		reading->section_seen |= UINT32_C(1) << index;
	}
	if (!first || !seen)
		return STATUS_OK;
	return config_fault(reading->error, reading->path, cfg->line, option->name,
			    "%s stands twice; keep one of both", option->name);
}

/* The lists that go to a worker have an end. */
static int check_length(const cfg_t *cfg, const cfg_opt_t *option)
{
	static const char *const grants[] = { "read", "write", NULL };
	unsigned most = is_one_of(option->name, grants)	       ? RIGHTS_PATHS
			: !strcmp(option->name, "environment") ? CONFIG_VARIABLES
							       : UINT_MAX;

	if (option->nvalues <= most)
		return STATUS_OK;
	return config_fault(reading->error, reading->path, cfg->line, option->name,
			    "%s has more than %u elements", option->name, most);
}

/* Called for each value as it is read, while the line is known. Values stay text here. */
static int on_value(cfg_t *cfg, cfg_opt_t *option, const char *value, void *result)
{
	reading->status = check_twice(cfg, option);
	if (!reading->status)
		reading->status = check_length(cfg, option);
	if (!reading->status)
		reading->status = check_value(cfg, option->name, value);
	*(const char **)result = value;
	return reading->status;
}

/* ---- Merging --------------------------------------------------------------------------------- */

/* The value of a key, or NULL where the file does not have it. */
static const char *text_value(cfg_t *cfg, const char *key)
{
	cfg_opt_t *option = cfg_getopt(cfg, key);

	return cfg_opt_size(option) ? cfg_opt_getnstr(option, 0) : NULL;
}

static void merge_switch(cfg_t *cfg, const char *key, int *value)
{
	const char *text = text_value(cfg, key);

	if (text)
		*value = cfg_parse_boolean(text);
}

static int merge_text(struct config *config, cfg_t *cfg, const char *key, const char **value)
{
	const char *text = text_value(cfg, key);

	if (!text)
		return STATUS_OK;
	*value = arena_copy(&config->arena, text, strlen(text));
	return *value ? STATUS_OK : STATUS_INTERNAL;
}

static int merge_list(struct config *config, cfg_t *cfg, const char *key, const char *const **value)
{
	cfg_opt_t *option = cfg_getopt(cfg, key);
	unsigned count = cfg_opt_size(option);
	const char **list;

	/* Also an empty list is something said. */
	if (!count && !(option->flags & CFGF_MODIFIED))
		return STATUS_OK;
	list = arena_array(&config->arena, count + 1, sizeof(*list));
	if (!list)
		return STATUS_INTERNAL;
	for (unsigned i = 0; i < count; i++) {
		const char *text = cfg_opt_getnstr(option, i);

		list[i] = arena_copy(&config->arena, text, strlen(text));
		if (!list[i])
			return STATUS_INTERNAL;
	}
	*value = list;
	return STATUS_OK;
}

static int merge_pack(struct config *config, cfg_t *cfg, const char *file, int line)
{
	struct config_pack *pack = config_add_pack(config, cfg_title(cfg));
	const char *text;
	double number;
	int r;

	if (!pack)
		return STATUS_INTERNAL;
	pack->file = file;
	pack->line = line;
	merge_switch(cfg, "enabled", &pack->enabled);
	merge_switch(cfg, "critical", &pack->critical);
	text = text_value(cfg, "timeout");
	if (text)
		json_parse_number(text, strlen(text), &pack->timeout);
	text = text_value(cfg, "memory_mb");
	if (text && json_parse_number(text, strlen(text), &number))
		pack->memory_mb = (int64_t)number;
	merge_switch(cfg, "network", &pack->network);
	merge_switch(cfg, "subprocess", &pack->subprocess);
	r = merge_text(config, cfg, "isolation", &pack->isolation);
	if (!r)
		r = merge_list(config, cfg, "read", &pack->read);
	if (!r)
		r = merge_list(config, cfg, "write", &pack->write);
	return r ? r : merge_list(config, cfg, "environment", &pack->environment);
}

static int merge_bundle(struct config *config, cfg_t *cfg, const char *file, int line)
{
	struct config_bundle *bundle = config_add_bundle(config, cfg_title(cfg));
	int r;

	if (!bundle)
		return STATUS_INTERNAL;
	bundle->file = file;
	bundle->line = line;
	merge_switch(cfg, "enabled", &bundle->enabled);
	r = merge_text(config, cfg, "summary", &bundle->summary);
	if (!r)
		r = merge_list(config, cfg, "packs", &bundle->packs);
	if (!r)
		r = merge_list(config, cfg, "tools", &bundle->tools);
	return r;
}

static int merge_folders(struct config *config, cfg_t *cfg, int key, const char *file,
			 struct config_folders *folders)
{
	int r = merge_list(config, cfg, cfg->opts[key].name, &folders->paths);

	if (!r && reading->lines[key]) {
		folders->file = file;
		folders->line = reading->lines[key];
	}
	return r;
}

static int merge_sections(struct config *config, cfg_t *cfg, const char *text, size_t length)
{
	const char *file = arena_copy(&config->arena, reading->path, strlen(reading->path));
	int r = file ? STATUS_OK : STATUS_INTERNAL;

	for (unsigned i = 0; !r && i < cfg_size(cfg, "pack"); i++) {
		cfg_t *section = cfg_getnsec(cfg, "pack", i);

		r = merge_pack(config, section, file,
			       config_text_line(text, length, "pack", cfg_title(section)));
	}
	for (unsigned i = 0; !r && i < cfg_size(cfg, "bundle"); i++) {
		cfg_t *section = cfg_getnsec(cfg, "bundle", i);

		r = merge_bundle(config, section, file,
				 config_text_line(text, length, "bundle", cfg_title(section)));
	}
	if (!r)
		r = merge_folders(config, cfg, PACK_DIRS, file, &config->pack_dirs);
	if (!r)
		r = merge_folders(config, cfg, RECIPE_DIRS, file, &config->recipe_dirs);
	return r ? error_set(reading->error, r, "there is no memory left") : STATUS_OK;
}

/* Hands the settings of the file to base/, which knows their ranges. */
static int merge_settings(cfg_t *cfg)
{
	struct buffer value = BUFFER_INIT(FILE_BYTES_MOST);
	int r = STATUS_OK;

	for (int i = 0; !r && i < SETTING_COUNT; i++) {
		cfg_opt_t *option = &cfg->opts[i];

		if (!(option->flags & CFGF_MODIFIED))
			continue;
		buffer_reset(&value);
		buffer_text(&value, "");
		for (unsigned j = 0; j < cfg_opt_size(option); j++)
			buffer_format(&value, "%s%s", j ? "," : "", cfg_opt_getnstr(option, j));
		if (value.fault)
			r = error_set(reading->error, STATUS_INTERNAL, "there is no memory left");
		else
			r = settings_set_file(i, value.data, reading->path, reading->lines[i],
					      reading->error);
	}
	buffer_free(&value);
	return r;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static int parse(const char *text, size_t length, struct config *config)
{
	cfg_opt_t pack_options[] = {
		CFG_STR_CB("enabled", NULL, CFGF_NODEFAULT, on_value),
		CFG_STR_CB("critical", NULL, CFGF_NODEFAULT, on_value),
		CFG_STR_CB("isolation", NULL, CFGF_NODEFAULT, on_value),
		CFG_STR_CB("timeout", NULL, CFGF_NODEFAULT, on_value),
		CFG_STR_CB("memory_mb", NULL, CFGF_NODEFAULT, on_value),
		CFG_STR_CB("network", NULL, CFGF_NODEFAULT, on_value),
		CFG_STR_CB("subprocess", NULL, CFGF_NODEFAULT, on_value),
		CFG_STR_LIST_CB("read", NULL, CFGF_NODEFAULT, on_value),
		CFG_STR_LIST_CB("write", NULL, CFGF_NODEFAULT, on_value),
		CFG_STR_LIST_CB("environment", NULL, CFGF_NODEFAULT, on_value),
		CFG_END(),
	};
	cfg_opt_t bundle_options[] = {
		CFG_STR_CB("summary", NULL, CFGF_NODEFAULT, on_value),
		CFG_STR_CB("enabled", NULL, CFGF_NODEFAULT, on_value),
		CFG_STR_LIST_CB("packs", NULL, CFGF_NODEFAULT, on_value),
		CFG_STR_LIST_CB("tools", NULL, CFGF_NODEFAULT, on_value),
		CFG_END(),
	};
	const cfg_opt_t others[] = {
		CFG_STR_LIST_CB("pack_dirs", NULL, CFGF_NODEFAULT, on_value),
		CFG_STR_LIST_CB("recipe_dirs", NULL, CFGF_NODEFAULT, on_value),
		CFG_SEC("pack", pack_options, CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES),
		CFG_SEC("bundle", bundle_options, CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES),
		CFG_END(),
	};
	cfg_opt_t options[KEYS_MOST];
	cfg_t *cfg;
	int r;

	for (int i = 0; i < SETTING_COUNT; i++) {
		const struct setting_info *info = setting_info(i);
		cfg_flag_t list = info->type == SETTING_LIST ? CFGF_LIST : CFGF_NONE;
		const cfg_opt_t option =
			CFG_STR_CB(info->name, NULL, CFGF_NODEFAULT | list, on_value);

		options[i] = option;
	}
	memcpy(options + SETTING_COUNT, others, sizeof(others));
	cfg = cfg_init(options, CFGF_NONE);
	if (!cfg)
		return error_set(reading->error, STATUS_INTERNAL, "there is no memory left");
	cfg_set_error_function(cfg, on_error);
	r = STATUS_OK;
	if (cfg_parse_buf(cfg, text) != CFG_SUCCESS)
		r = reading->status ? reading->status
				    : config_fault(reading->error, reading->path, cfg->line, "",
						   "the file cannot be understood");
	if (r == STATUS_OK && config)
		r = merge_sections(config, cfg, text, length);
	if (r == STATUS_OK && config)
		r = merge_settings(cfg);
	cfg_free(cfg);
	return r;
}

int config_file_parse(const char *path, const char *text, size_t length, struct config *config,
		      struct error *error)
{
	struct reading state = { .path = path, .error = error };
	size_t mark = config_text_mark(text);
	const char *fault;
	char *plain;
	int line, r;

	text += mark;
	length -= mark;
	fault = config_text_fault(text, length, &line);
	if (fault)
		return config_fault(error, path, line, "", "%s", fault);
	plain = strndup(text, length);
	if (!plain)
		return error_set(error, STATUS_INTERNAL, "there is no memory left");
	config_text_blank_comments(plain, length);
	pthread_mutex_lock(&reading_lock);
	reading = &state;
	r = parse(plain, length, config);
	reading = NULL;
	pthread_mutex_unlock(&reading_lock);
	free(plain);
	return r;
}

static int read_all(int fd, const char *path, char **ret_text, size_t *ret_length,
		    struct error *error)
{
	char *text = malloc(FILE_BYTES_MOST + 1);
	size_t length = 0;
	ssize_t got = 0;

	if (!text)
		return error_set(error, STATUS_INTERNAL, "there is no memory left");
	do {
		got = read(fd, text + length, FILE_BYTES_MOST + 1 - length);
		if (got > 0)
			length += (size_t)got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	if (got < 0 || length > FILE_BYTES_MOST) {
		free(text);
		if (got < 0)
			return config_fault(error, path, 1, "", "%s", strerror(errno));
		return config_fault(error, path, 1, "", "a config file has at most %zu bytes",
				    FILE_BYTES_MOST);
	}
	text[length] = '\0';
	*ret_text = text;
	*ret_length = length;
	return STATUS_OK;
}

int config_file_load(const char *path, bool needed, char **ret_text, size_t *ret_length,
		     struct error *error)
{
	int fd, r;

	*ret_text = NULL;
	*ret_length = 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR) && !needed)
		return STATUS_OK;
	if (fd < 0) {
		error_set(error, STATUS_CONFIG_INVALID, "cannot read the config file %s: %s", path,
			  strerror(errno));
		error_detail_text(error, "file", path);
		return STATUS_CONFIG_INVALID;
	}
	r = trust_check(path, S_IFREG, NULL, error);
	if (!r)
		r = read_all(fd, path, ret_text, ret_length, error);
	close(fd);
	return r;
}
