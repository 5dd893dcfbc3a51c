/* SPDX-License-Identifier: MIT
 *
 * What is read out of the manifests at first use: the specs of tools, recipes and prompts.
 */
#include <config.h>

#include "registry/registry-private.h"

#include "base/stricter.h"

#include <stdlib.h>
#include <string.h>

/* ---- Specs ----------------------------------------------------------------------------------- */

void spec_free(struct tool_spec *spec)
{
	if (!spec)
		return;
	schema_free(spec->input);
	schema_free(spec->output);
	json_drop(spec->manifest);
	free(spec);
}

static const char *text_member(const json *object, const char *key)
{
	const json *value = json_get(object, key);

	return json_kind(value) == JSON_TEXT ? json_text(value, NULL) : "";
}

static bool switch_member(const json *object, const char *key)
{
	const json *value = json_get(object, key);

	return json_kind(value) == JSON_BOOLEAN && json_boolean(value);
}

static double number_member(const json *object, const char *key)
{
	const json *value = json_get(object, key);

	return json_is_number(value) ? json_number(value) : 0;
}

static int64_t whole_member(const json *object, const char *key)
{
	const json *value = json_get(object, key);

	return json_kind(value) == JSON_INTEGER ? json_integer(value) : 0;
}

static void read_rng(struct tool_spec *spec)
{
	const json *rng = json_get(spec->manifest, "rng");
	const json *param = json_get(rng, "seed_param"), *seed = json_get(rng, "default_seed");

	spec->uses_rng = switch_member(rng, "uses_rng");
	if (json_kind(param) == JSON_TEXT)
		spec->seed_param = json_text(param, NULL);
	spec->has_default_seed = json_kind(seed) == JSON_INTEGER;
	if (spec->has_default_seed)
		spec->default_seed = json_integer(seed);
}

/* What the tool wishes, and what the operator's config says of its pack. */
static void read_limits(struct tool_spec *spec, const struct pack_entry *entry)
{
	const char *isolation = text_member(spec->manifest, "isolation");

	isolation_parse(isolation, &spec->isolation);
	if (entry->isolation > spec->isolation)
		spec->isolation = entry->isolation;
	if (!strcmp(text_member(spec->manifest, "threads"), "parallel"))
		spec->threads = TOOL_PARALLEL;
	spec->timeout = stricter(number_member(spec->manifest, "timeout"), entry->timeout);
	spec->memory_mb =
		stricter_whole(whole_member(spec->manifest, "memory_mb"), entry->memory_mb);
}

static int compile(struct tool_spec *spec, struct error *error)
{
	const struct schema_options options = { .refuse_beyond_64 = true };
	int r;

	spec->input_schema = json_get(spec->manifest, "inputSchema");
	spec->output_schema = json_get(spec->manifest, "outputSchema");
	r = schema_compile(spec->input_schema, &options, &spec->input, error);
	if (!r && spec->output_schema)
		r = schema_compile(spec->output_schema, NULL, &spec->output, error);
	return r;
}

static int spec_new(const struct registry *registry, const struct registry_tool *tool,
		    struct tool_spec **ret_spec, struct error *error)
{
	struct tool_spec *spec = calloc(1, sizeof(*spec));
	struct json_fault fault;
	int r;

	if (!spec)
		return error_set(error, STATUS_INTERNAL, "there is no memory left");
	spec->tool = tool;
	if (json_read(tool->manifest, tool->manifest_length, NULL, &spec->manifest, &fault)) {
		r = error_set(error, STATUS_INTERNAL, "the manifest of %s is broken: %s",
			      tool->name, fault.reason);
		goto out;
	}
	r = compile(spec, error);
	if (r) {
		r = error_set(error, STATUS_INTERNAL, "the schema of %s is broken: %s", tool->name,
			      error ? error->message : "");
		goto out;
	}
	spec->title = text_member(spec->manifest, "title");
	spec->description = text_member(spec->manifest, "description");
	spec->category = text_member(spec->manifest, "category");
	spec->examples = json_get(spec->manifest, "examples");
	spec->caps = json_get(spec->manifest, "caps");
	spec->whole_schema = switch_member(spec->manifest, "wholeSchema");
	spec->cacheable = switch_member(spec->manifest, "cacheable");
	spec->read_only = switch_member(json_get(spec->manifest, "annotations"), "readOnlyHint");
	rights_add_needs(&spec->needs, json_get(spec->manifest, "needs"));
	read_rng(spec);
	read_limits(spec, &registry->entries[tool->pack->index]);
	*ret_spec = spec;
out:
	if (r)
		spec_free(spec);
	return r;
}

int registry_spec(struct registry *registry, const struct registry_tool *tool,
		  struct tool_spec **ret_spec, struct error *error)
{
	_Atomic(struct tool_spec *) *place = &registry->specs[tool->index];
	struct tool_spec *spec = atomic_load_explicit(place, memory_order_acquire);
	int r = STATUS_OK;

	*ret_spec = spec;
	if (spec)
		return STATUS_OK;
	pthread_mutex_lock(&registry->lock);
	/* Another thread may have been faster. */
	*ret_spec = atomic_load_explicit(place, memory_order_relaxed);
	if (!*ret_spec)
		r = spec_new(registry, tool, ret_spec, error);
	if (!r)
		atomic_store_explicit(place, *ret_spec, memory_order_release);
	pthread_mutex_unlock(&registry->lock);
	return r;
}

/* ---- Recipes and prompts --------------------------------------------------------------------- */

/* Adds the elements of one list of a pack's manifest, each with the pack's name. */
static void gather_pack(const struct registry_pack *pack, const char *key, json *gathered)
{
	json *manifest = NULL;
	const json *list;

	if (json_read(pack->manifest, pack->manifest_length, NULL, &manifest, NULL))
		return;
	list = json_get(manifest, key);
	for (size_t i = 0; i < json_count(list); i++) {
		json *item = json_copy(json_peek(list, i));

		json_set_text(item, "pack", pack->name);
		json_append(gathered, item);
	}
	json_drop(manifest);
}

static void gather_packs(const struct registry *registry, bool trusted, const char *key,
			 json *gathered)
{
	for (size_t i = 0; i < registry->pack_count; i++) {
		const struct record *record = registry->entries[i].record;
		const struct registry_pack *pack = &registry->packs[i];

		/* Most packs have neither, and need not be read. */
		if (pack->state == PACK_READY && (pack->trust != PACK_UNTRUSTED) == trusted &&
		    record->recipes.count + record->prompts.count)
			gather_pack(pack, key, gathered);
	}
}

/* Packs that are not trusted come last, as in the merging of names. */
static json *gather(const struct registry *registry, const char *key)
{
	json *gathered = json_new_list();

	gather_packs(registry, true, key, gathered);
	gather_packs(registry, false, key, gathered);
	return gathered;
}

static const json *gathered(const struct registry *registry, json **list, const char *key)
{
	pthread_mutex_t *lock = (pthread_mutex_t *)&registry->lock;

	pthread_mutex_lock(lock);
	if (!*list)
		*list = gather(registry, key);
	pthread_mutex_unlock(lock);
	return *list;
}

const json *registry_recipes(const struct registry *registry)
{
	return gathered(registry, (json **)&registry->recipes, "recipes");
}

const json *registry_prompts(const struct registry *registry)
{
	return gathered(registry, (json **)&registry->prompts, "prompts");
}
