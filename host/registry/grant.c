/* SPDX-License-Identifier: MIT
 *
 * What a pack is granted: what its tools need, as far as the operator's config says so. The rest is
 * denied when it is asked for, so a tool that lacks something is listed and can be called all the
 * same.
 */
#include <config.h>

#include "registry/registry-private.h"

#include "base/log.h"

#include <string.h>

/* Puts copies that live as long as the registry in the place of texts that do not. */
static int keep_texts(struct arena *arena, const char **texts)
{
	for (; *texts; texts++) {
		*texts = arena_copy(arena, *texts, strlen(*texts));
		if (!*texts)
			return STATUS_INTERNAL;
	}
	return STATUS_OK;
}

static int keep_paths(struct arena *arena, struct rights *rights)
{
	int r = keep_texts(arena, rights->read);

	return r ? r : keep_texts(arena, rights->write);
}

static void take_grants(struct rights *rights, const struct config_pack *section)
{
	rights->network = section->network == 1;
	rights->subprocess = section->subprocess == 1;
	for (size_t i = 0; section->read && section->read[i]; i++)
		rights_add_path(rights->read, section->read[i]);
	for (size_t i = 0; section->write && section->write[i]; i++)
		rights_add_path(rights->write, section->write[i]);
}

static int take_environment(struct arena *arena, const struct config_pack *section,
			    struct registry_pack *pack)
{
	const char **names;
	size_t count = 0;

	if (!section->environment)
		return STATUS_OK;
	while (section->environment[count])
		count++;
	names = arena_array(arena, count + 1, sizeof(*names));
	if (!names)
		return STATUS_INTERNAL;
	memcpy(names, section->environment, count * sizeof(*names));
	pack->environment = names;
	return keep_texts(arena, names);
}

/* What is not granted is told for each tool, since the others of its pack may lack nothing. */
static void tell_missing(const struct registry_pack *pack, const char *tool,
			 const struct rights *needs)
{
	struct buffer line = BUFFER_INIT(SIZE_MAX);
	struct rights missing;

	rights_lack(needs, pack->grants, &missing);
	if (rights_any(&missing)) {
		buffer_format(&line, "%s of pack %s needs ", tool, pack->name);
		rights_print(&line, &missing);
		buffer_text(&line, ", which is not granted; the config grants it with ");
		rights_print_section(&line, pack->name, &missing);
		log_info("%s", line.fault ? tool : line.data);
	}
	buffer_free(&line);
}

static json *read_needs(const struct record *record, const struct record_tool *tool,
			struct rights *ret_needs)
{
	json *manifest = NULL;

	*ret_needs = rights_none;
	if (!json_read(record_text(record, tool->manifest), tool->manifest.length, NULL, &manifest,
		       NULL))
		rights_add_needs(ret_needs, json_get(manifest, "needs"));
	return manifest;
}

/* The needs of all tools together. */
static int gather_needs(struct registry *registry, const struct record *record,
			struct rights *rights)
{
	const struct record_tool *tools = record_tools(record);
	int r = STATUS_OK;

	for (uint32_t i = 0; !r && i < record->tools.count; i++) {
		struct rights needs;
		json *manifest = read_needs(record, &tools[i], &needs);

		r = keep_paths(&registry->arena, &needs);
		if (!r)
			rights_join(rights, &needs);
		json_drop(manifest);
	}
	return r;
}

static void tell(const struct registry_pack *pack, const struct record *record)
{
	const struct record_tool *tools = record_tools(record);

	for (uint32_t i = 0; log_get_level() >= LOG_LEVEL_INFO && i < record->tools.count; i++) {
		struct rights needs;
		json *manifest = read_needs(record, &tools[i], &needs);

		tell_missing(pack, record_text(record, tools[i].name), &needs);
		json_drop(manifest);
	}
}

/* A pack that was changed since the operator looked at it gets no more than it said then, and one
 * that says nothing gets nothing. */
static void tell_useless(const struct registry_pack *pack, const struct config_pack *section,
			 const struct rights *granted)
{
	struct buffer line = BUFFER_INIT(SIZE_MAX);
	struct rights useless;

	rights_useless(granted, pack->needs, &useless);
	if (rights_any(&useless)) {
		rights_print(&line, &useless);
		log_warning("%s:%d: pack %s is granted what none of its tools says it needs, so "
			    "it does not get it: %s",
			    section->file, section->line, pack->name, line.fault ? "" : line.data);
	}
	buffer_free(&line);
}

int registry_grant(struct registry *registry, struct registry_pack *pack,
		   const struct config_pack *section)
{
	const struct record *record = registry->entries[pack->index].record;
	struct rights granted = rights_none;
	struct rights *needs, *grants;

	if (section) {
		take_grants(&granted, section);
		if (take_environment(&registry->arena, section, pack))
			return STATUS_INTERNAL;
	}
	if (!(record->flags & RECORD_NEEDS) && !rights_any(&granted))
		return STATUS_OK;
	needs = arena_allocate(&registry->arena, sizeof(*needs));
	grants = arena_allocate(&registry->arena, sizeof(*grants));
	if (!needs || !grants || gather_needs(registry, record, needs))
		return STATUS_INTERNAL;
	rights_meet(needs, &granted, grants);
	if (keep_paths(&registry->arena, grants))
		return STATUS_INTERNAL;
	pack->needs = needs;
	pack->grants = grants;
	tell(pack, record);
	if (section)
		tell_useless(pack, section, &granted);
	return STATUS_OK;
}
