/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "recipes/build.h"

#include "base/log.h"

#include <string.h>

static json *input_schema(void *context, const char *name)
{
	const struct registry *registry = context;
	const struct registry_tool *tool = registry_find_tool(registry, name, strlen(name));
	json *manifest = NULL, *schema = NULL;

	if (tool &&
	    json_read(tool->manifest, tool->manifest_length, NULL, &manifest, NULL) == STATUS_OK)
		schema = json_hold(json_get(manifest, "inputSchema"));
	json_drop(manifest);
	return schema;
}

struct recipe_tools recipes_tools(const struct registry *registry)
{
	return (struct recipe_tools){ .input_schema = input_schema, .context = (void *)registry };
}

/* A recipe of a pack: the object of the registry, but for the key that says whose it is. */
static int add_of_pack(struct catalogue *catalogue, const json *object, struct error *error)
{
	const char *pack = json_text(json_get(object, "pack"), NULL);
	json *recipe = json_new_object();
	struct json_member m;
	int r;

	for (bool more = json_first(object, &m); more; more = json_next(&m)) {
		if (strcmp(m.key, "pack") != 0)
			json_set(recipe, m.key, json_hold(m.value));
	}
	r = catalogue_add_of_pack(catalogue, recipe, pack ? pack : "", error);
	json_drop(recipe);
	return r;
}

static int fill(struct catalogue *catalogue, struct registry *registry, struct error *error)
{
	const struct recipe_tools tools = recipes_tools(registry);
	const json *of_packs = registry_recipes(registry);
	const char *const *folders = registry_recipe_folders(registry);
	int r = STATUS_OK;

	/* Where there is not room for all, what came last is left out. */
	for (; r == STATUS_OK && *folders; folders++)
		r = catalogue_add_folder(catalogue, *folders, error);
	for (size_t i = 0; r == STATUS_OK && i < json_count(of_packs); i++)
		r = add_of_pack(catalogue, json_peek(of_packs, i), error);
	return r == STATUS_OK ? catalogue_close(catalogue, &tools, error) : r;
}

/* Faults are told where somebody will see them, as those of packs are. */
static void log_faults(const struct catalogue *catalogue)
{
	for (size_t i = 0; i < catalogue_finding_count(catalogue); i++) {
		const struct finding *finding = catalogue_finding(catalogue, i);

		if (finding->kind == FINDING_FAULT)
			log_warning("a recipe of %s is left out: %s", finding->source,
				    finding->text);
	}
}

static void *make(struct registry *registry, struct error *error)
{
	struct catalogue *catalogue;

	if (catalogue_new(&catalogue, error) != STATUS_OK)
		return NULL;
	if (fill(catalogue, registry, error) != STATUS_OK) {
		catalogue_free(catalogue);
		return NULL;
	}
	log_faults(catalogue);
	return catalogue;
}

static void release(void *made)
{
	catalogue_free(made);
}

const struct catalogue *recipes_catalogue(struct registry *registry, struct error *error)
{
	return registry_derive(registry, make, release, error);
}
