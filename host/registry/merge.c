/* SPDX-License-Identifier: MIT
 *
 * The merging of packs into one registry. A pack is one transaction, and the order of the packs
 * decides who keeps a name, those that are trusted first.
 */
#include <config.h>

#include "registry/registry-private.h"

#include "registry/words.h"

#include <stdlib.h>

/* The names that packs may not share, each with the pack that has it. */
struct merge {
	struct registry *registry;
	struct names recipes;
	struct names prompts;
};

static void refuse_clash(struct merge *m, struct registry_pack *pack,
			 const struct registry_pack *other, const char *what, const char *name)
{
	registry_refuse(
		pack,
		words_format(&m->registry->arena,
			     "%s and %s both have a %s %s, which stays with the first of them: "
			     "rename it in one, or disable one (pack \"%s\" { enabled = false }).",
			     other->path, pack->path, what, name, pack->name));
}

/* True where none of the names is taken; else the pack is refused. */
static bool check_clash(struct merge *m, struct registry_pack *pack, const struct names *taken,
			struct record_list list, const char *what)
{
	const struct record *record = m->registry->entries[pack->index].record;
	const struct record_text *texts = record_texts(record, list);

	for (uint32_t i = 0; i < list.count; i++) {
		const char *name = record_text(record, texts[i]);
		uint32_t other = names_find(taken, name, texts[i].length);

		if (other == NAMES_NONE)
			continue;
		refuse_clash(m, pack, &m->registry->packs[other], what, name);
		return false;
	}
	return true;
}

static bool check_tools(struct merge *m, struct registry_pack *pack)
{
	const struct record *record = m->registry->entries[pack->index].record;
	const struct record_tool *tools = record_tools(record);

	for (uint32_t i = 0; i < record->tools.count; i++) {
		const char *name = record_text(record, tools[i].name);
		uint32_t other = names_find(&m->registry->tool_names, name, tools[i].name.length);

		if (other == NAMES_NONE)
			continue;
		refuse_clash(m, pack, m->registry->tools[other].pack, "tool", name);
		return false;
	}
	return true;
}

static int take_names(struct names *names, const struct record *record, struct record_list list,
		      uint32_t pack)
{
	const struct record_text *texts = record_texts(record, list);

	for (uint32_t i = 0; i < list.count; i++)
		if (!names_add(names, record_text(record, texts[i]), texts[i].length, pack))
			return STATUS_INTERNAL;
	return STATUS_OK;
}

static int take_tools(struct merge *m, const struct registry_pack *pack,
		      const struct record *record)
{
	const struct record_tool *tools = record_tools(record);
	struct registry *registry = m->registry;

	for (uint32_t i = 0; i < record->tools.count; i++) {
		struct registry_tool *tool = &registry->tools[registry->tool_count];

		*tool = (struct registry_tool){
			.name = record_text(record, tools[i].name),
			.name_length = tools[i].name.length,
			.pack = pack,
			.listing = record_text(record, tools[i].listing),
			.listing_length = tools[i].listing.length,
			.manifest = record_text(record, tools[i].manifest),
			.manifest_length = tools[i].manifest.length,
			.index = (uint32_t)registry->tool_count++,
		};
		if (!names_add(&registry->tool_names, tool->name, tool->name_length, tool->index))
			return STATUS_INTERNAL;
	}
	return STATUS_OK;
}

/* A pack is one transaction: nothing of it is taken before all of it has been found to be free. */
static int merge_pack(struct merge *m, struct registry_pack *pack)
{
	const struct record *record = m->registry->entries[pack->index].record;
	int r;

	if (!check_tools(m, pack) ||
	    !check_clash(m, pack, &m->recipes, record->recipes, "recipe") ||
	    !check_clash(m, pack, &m->prompts, record->prompts, "prompt"))
		return STATUS_OK;
	r = take_tools(m, pack, record);
	if (!r)
		r = take_names(&m->recipes, record, record->recipes, pack->index);
	if (!r)
		r = take_names(&m->prompts, record, record->prompts, pack->index);
	return r;
}

static int merge_packs(struct merge *m, bool trusted)
{
	int r = STATUS_OK;

	for (size_t i = 0; !r && i < m->registry->pack_count; i++) {
		struct registry_pack *pack = &m->registry->packs[i];

		if (pack->state == PACK_READY && (pack->trust != PACK_UNTRUSTED) == trusted)
			r = merge_pack(m, pack);
	}
	return r;
}

/* A pack that is not trusted must not take a name, and with it the calls, of one that is. */
int registry_merge(struct registry *registry, struct error *error)
{
	struct merge m = { .registry = registry };
	size_t tools = 0;
	int r = STATUS_OK;

	for (size_t i = 0; i < registry->pack_count; i++)
		tools += registry->packs[i].tool_count;
	registry->tools = calloc(tools + 1, sizeof(*registry->tools));
	registry->off = calloc(tools + 1, sizeof(*registry->off));
	registry->specs = calloc(tools + 1, sizeof(*registry->specs));
	if (!registry->tools || !registry->off || !registry->specs)
		r = STATUS_INTERNAL;
	r = r ? r : merge_packs(&m, true);
	if (!r)
		r = merge_packs(&m, false);
	names_free(&m.recipes);
	names_free(&m.prompts);
	return r ? error_set(error, r, "there is no memory left") : STATUS_OK;
}
