/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry/select.h"

#include "base/log.h"
#include "base/settings.h"
#include "base/text.h"
#include "registry/words.h"

#include <stdio.h>
#include <string.h>

static const char *setting_reason(struct arena *arena, const char *what, enum setting setting)
{
	return words_format(arena, "%s %s (%s)", what, setting_info(setting)->name,
			    setting_source(setting));
}

static size_t bundle_count(const struct selection *s)
{
	return s->config ? config_bundle_count(s->config) : 0;
}

int selection_init(struct selection *s, const struct config *config, struct arena *arena,
		   struct error *error)
{
	size_t count;

	*s = (struct selection){ .config = config };
	count = bundle_count(s);
	s->disabled_packs = words_split(arena, setting_text(SETTING_DISABLED_PACKS));
	s->enabled_tools = words_split(arena, setting_text(SETTING_ENABLED_TOOLS));
	s->disabled_tools = words_split(arena, setting_text(SETTING_DISABLED_TOOLS));
	s->bundle_reasons = arena_array(arena, count + 1, sizeof(*s->bundle_reasons));
	if (!s->disabled_packs || !s->enabled_tools || !s->disabled_tools || !s->bundle_reasons)
		return error_set(error, STATUS_INTERNAL, "there is no memory left");
	s->disabled_packs_reason = setting_reason(arena, "disabled by", SETTING_DISABLED_PACKS);
	s->enabled_tools_reason = setting_reason(arena, "not one of", SETTING_ENABLED_TOOLS);
	s->disabled_tools_reason = setting_reason(arena, "disabled by", SETTING_DISABLED_TOOLS);
	for (size_t i = 0; i < count; i++) {
		const struct config_bundle *bundle = config_bundle(config, i);

		s->bundle_reasons[i] = words_format(
			arena, "disabled by bundle \"%s\" (%s:%d): toolhost bundle enable %s",
			bundle->name, bundle->file, bundle->line, bundle->name);
	}
	return STATUS_OK;
}

/* ---- Packs ----------------------------------------------------------------------------------- */

static int unknown_pack(const char *file, int line, const char *where, const char *pack,
			const char *const *names, size_t count, struct error *error)
{
	const char *nearest = text_nearest(pack, names, count);

	if (line)
		error_set(error, STATUS_CONFIG_INVALID, "%s:%d: %s, but there is no pack %s%s%s%s",
			  file, line, where, pack, nearest ? "; did you mean " : "",
			  nearest ? nearest : "", nearest ? "?" : "");
	else
		error_set(error, STATUS_CONFIG_INVALID, "%s (%s), but there is no pack %s%s%s%s",
			  where, file, pack, nearest ? "; did you mean " : "",
			  nearest ? nearest : "", nearest ? "?" : "");
	if (line) {
		error_detail_text(error, "file", file);
		error_detail_integer(error, "line", line);
	}
	error_detail_text(error, "key", pack);
	return STATUS_CONFIG_INVALID;
}

static bool has_name(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static bool in_list(const char *const *list, const char *name)
{
	for (; *list; list++)
		if (!strcmp(*list, name))
			return true;
	return false;
}

static int check_bundle(const struct config_bundle *bundle, const char *const *names, size_t count,
			struct error *error)
{
	char where[256];

	snprintf(where, sizeof(where), "bundle \"%.200s\" names a pack", bundle->name);
	for (size_t i = 0; bundle->packs[i]; i++)
		if (!has_name(names, count, bundle->packs[i]))
			return unknown_pack(bundle->file, bundle->line, where, bundle->packs[i],
					    names, count, error);
	return STATUS_OK;
}

int selection_check(const struct selection *s, const char *const *names, size_t count,
		    struct error *error)
{
	int r = STATUS_OK;

	for (size_t i = 0; s->config && i < config_pack_count(s->config); i++) {
		const struct config_pack *pack = config_pack(s->config, i);

		if (!has_name(names, count, pack->name))
			return unknown_pack(pack->file, pack->line, "a section is about a pack",
					    pack->name, names, count, error);
	}
	for (size_t i = 0; !r && i < bundle_count(s); i++)
		r = check_bundle(config_bundle(s->config, i), names, count, error);
	for (size_t i = 0; !r && s->disabled_packs[i]; i++)
		if (!has_name(names, count, s->disabled_packs[i]))
			r = unknown_pack(setting_source(SETTING_DISABLED_PACKS), 0,
					 "disabled_packs names a pack", s->disabled_packs[i], names,
					 count, error);
	return r;
}

static const char *section_off(const struct selection *s, const char *pack, struct arena *arena)
{
	const struct config_pack *section = s->config ? config_find_pack(s->config, pack) : NULL;

	if (!section || section->enabled != 0)
		return NULL;
	return words_format(arena, "disabled by pack \"%s\" { enabled = false } (%s:%d)", pack,
			    section->file, section->line);
}

const char *selection_pack_off(const struct selection *s, const char *pack, struct arena *arena)
{
	const char *off = section_off(s, pack, arena);

	if (off || in_list(s->disabled_packs, pack))
		return off ? off : s->disabled_packs_reason;
	for (size_t i = 0; i < bundle_count(s); i++) {
		const struct config_bundle *bundle = config_bundle(s->config, i);

		if (bundle->enabled == 0) {
			if (!off && in_list(bundle->packs, pack))
				off = s->bundle_reasons[i];
		} else if (in_list(bundle->packs, pack) || bundle->tools[0]) {
			/* It has this pack, or may have some tools of it: only the scan tells. */
			return NULL;
		}
	}
	return off;
}

/* ---- Tools ----------------------------------------------------------------------------------- */

static bool matches(const char *const *globs, const char *name)
{
	for (; *globs; globs++)
		if (text_glob(*globs, name))
			return true;
	return false;
}

const char *selection_tool_off(const struct selection *s, const char *pack, const char *tool)
{
	const char *off = NULL;

	if (matches(s->disabled_tools, tool))
		return s->disabled_tools_reason;
	if (s->enabled_tools[0] && !matches(s->enabled_tools, tool))
		return s->enabled_tools_reason;
	for (size_t i = 0; i < bundle_count(s); i++) {
		const struct config_bundle *bundle = config_bundle(s->config, i);

		if (!in_list(bundle->packs, pack) && !matches(bundle->tools, tool))
			continue;
		if (bundle->enabled != 0)
			return NULL;
		if (!off)
			off = s->bundle_reasons[i];
	}
	return off;
}

static void warn_unmatched(const char *where, const char *const *globs, const char *const *tools,
			   size_t count)
{
	for (; *globs; globs++) {
		const char *nearest;
		size_t i = 0;

		while (i < count && !text_glob(*globs, tools[i]))
			i++;
		if (i < count)
			continue;
		nearest = text_nearest(*globs, tools, count);
		log_warning("%s: no tool is called %s%s%s%s", where, *globs,
			    nearest ? "; did you mean " : "", nearest ? nearest : "",
			    nearest ? "?" : "");
	}
}

void selection_warn(const struct selection *s, const char *const *tools, size_t count)
{
	char where[256];

	warn_unmatched("enabled_tools", s->enabled_tools, tools, count);
	warn_unmatched("disabled_tools", s->disabled_tools, tools, count);
	for (size_t i = 0; i < bundle_count(s); i++) {
		const struct config_bundle *bundle = config_bundle(s->config, i);

		/* A disabled pack was not scanned, so nobody knows what its tools are called. */
		if (bundle->enabled == 0)
			continue;
		snprintf(where, sizeof(where), "bundle \"%.200s\"", bundle->name);
		warn_unmatched(where, bundle->tools, tools, count);
	}
}
