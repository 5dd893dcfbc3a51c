/* SPDX-License-Identifier: MIT
 *
 * Recipes, prompts and resources of the manifest.
 */
#include "pack/describe.h"

#include "base/text.h"
#include "schema/params.h"

#include <stdio.h>
#include <string.h>

#define ITEMS_MOST 1000u
#define URI_BYTES_MOST 2048u

/* Whether an object of the list has the same text under that key. */
static bool is_known(const json *list, const char *key, const char *text)
{
	for (size_t i = 0; i < json_count(list); i++)
		if (json_text_is(json_get(json_peek(list, i), key), text))
			return true;
	return false;
}

/* ---- Recipes: the catalogue checks the rest, as it does for files ------------------------- */

static int take_recipe(struct describer *d, const th_recipe *given, json *list)
{
	static const char *const needed[] = { "key", "title" };
	const char *key;
	json *recipe = NULL;
	int r = describe_read_object(d, given->json, "JSON", &recipe);

	if (!r && !recipe)
		r = describe_refuse(d, "it is empty: write TH_RECIPE({...})");
	for (size_t i = 0; i < 2 && !r; i++)
		if (json_kind(json_get(recipe, needed[i])) != JSON_TEXT)
			r = describe_refuse(d, "it has no %s, a text", needed[i]);
	if (!r) {
		key = json_text(json_get(recipe, "key"), NULL);
		describe_set_where(d, "Recipe", key, strlen(key));
		if (!text_is_tool_name(key, strlen(key)))
			r = describe_refuse(
				d, "this is no key for a recipe: allowed is " ALLOWED_NAME);
		else if (is_known(list, "key", key))
			r = describe_refuse(d, "the pack has two recipes of this key");
	}
	if (r)
		json_drop(recipe);
	else
		json_append(list, recipe);
	return r;
}

int describe_recipes(struct describer *d, json *ret_list)
{
	const th_list *recipes = &d->pack->descriptor.recipes;
	int r = list_check(recipes, RECIPE_SIZE_LEAST, ITEMS_MOST, "recipes", d->error);

	for (uint32_t i = 0; i < recipes->count && !r; i++) {
		th_recipe recipe;

		snprintf(d->where, sizeof(d->where), "Recipe %u", i + 1);
		list_read(recipes, i, &recipe, sizeof(recipe));
		r = take_recipe(d, &recipe, ret_list);
	}
	return r;
}

/* ---- Prompts ------------------------------------------------------------------------------ */

static void read_param(const th_prompt *prompt, size_t index, th_param *ret_param)
{
	const th_list table = { prompt->params, (uint32_t)prompt->param_size, 0 };

	list_read(&table, (uint32_t)index, ret_param, sizeof(*ret_param));
}

static int take_arguments(struct describer *d, const th_prompt *prompt, json *object)
{
	json *arguments = json_new_list();
	struct error fault = ERROR_INIT;
	th_param param;
	int r = params_check(prompt->params, prompt->param_size, prompt->input_size, "argument",
			     &fault);

	json_set(object, "arguments", arguments);
	if (r)
		r = describe_refuse(d, "%s", fault.message);
	error_clear(&fault);
	for (size_t i = 0; !r; i++) {
		json *argument;

		read_param(prompt, i, &param);
		if (param.kind == TH_KIND_END)
			break;
		if (param.kind != TH_KIND_TEXT)
			return describe_refuse(d,
					       "its argument \"%.60s\" has to be a text, as all "
					       "arguments of prompts",
					       param.name.data);
		argument = json_new_object();
		json_set_text(argument, "name", param.name.data);
		json_set_text(argument, "description", param.description.data);
		json_set_boolean(argument, "required", !(param.flags & TH_OPTIONAL));
		json_append(arguments, argument);
	}
	return r;
}

static int fill_prompt(struct describer *d, const th_prompt *prompt, const json *list, json *object)
{
	int r = describe_take_text(d, object, "name", prompt->name, NAME_BYTES_MOST, true);

	if (r)
		return r;
	describe_set_where(d, "Prompt", prompt->name.data, prompt->name.length);
	if (!text_is_tool_name(prompt->name.data, prompt->name.length))
		return describe_refuse(d, "this is no name for a prompt: allowed is " ALLOWED_NAME);
	if (is_known(list, "name", prompt->name.data))
		return describe_refuse(d, "the pack has two prompts of this name");
	if (!prompt->run)
		return describe_refuse(d, "it has no function to run");
	if (!prompt->input_size || prompt->input_size > INPUT_SIZE_MOST)
		return describe_refuse(d, "its input struct has %llu bytes, and may have 1 to %llu",
				       (unsigned long long)prompt->input_size,
				       (unsigned long long)INPUT_SIZE_MOST);
	r = describe_take_text(d, object, "title", prompt->title, TITLE_BYTES_MOST, false);
	if (!r)
		r = describe_take_text(d, object, "description", prompt->description,
				       DESCRIPTION_BYTES_MOST, false);
	return r ? r : take_arguments(d, prompt, object);
}

int describe_prompts(struct describer *d, json *ret_list)
{
	const th_list *prompts = &d->pack->descriptor.prompts;
	int r = list_check(prompts, PROMPT_SIZE_LEAST, ITEMS_MOST, "prompts", d->error);

	for (uint32_t i = 0; i < prompts->count && !r; i++) {
		json *object = json_new_object();
		th_prompt prompt;

		snprintf(d->where, sizeof(d->where), "Prompt %u", i + 1);
		list_read(prompts, i, &prompt, sizeof(prompt));
		r = fill_prompt(d, &prompt, ret_list, object);
		if (r)
			json_drop(object);
		else
			json_append(ret_list, object);
	}
	return r;
}

/* ---- Resources ---------------------------------------------------------------------------- */

/* A scheme, a colon, something: RFC 3986, section 3.1. */
static bool has_scheme(const char *uri)
{
	static const char allowed[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+.-";
	size_t scheme = strspn(uri, allowed);

	return scheme && (uri[0] | 32) >= 'a' && (uri[0] | 32) <= 'z' && uri[scheme] == ':' &&
	       uri[scheme + 1];
}

static int check_content(struct describer *d, const th_resource *resource)
{
	if (resource->is_template && !resource->run)
		return describe_refuse(d, "a template has no function to run");
	if (resource->data.data && resource->run)
		return describe_refuse(d, "it has both data and a function to run: give one");
	if (!resource->data.data && !resource->run)
		return describe_refuse(d, "it has neither data nor a function to run");
	if (resource->data.length > DATA_BYTES_MOST)
		return describe_refuse(d, "its data has %llu bytes, more than %zu",
				       (unsigned long long)resource->data.length, DATA_BYTES_MOST);
	return STATUS_OK;
}

static int fill_resource(struct describer *d, const th_resource *resource, const json *list,
			 json *object)
{
	const char *key = resource->is_template ? "uriTemplate" : "uri";
	int r = describe_take_text(d, object, key, resource->uri, URI_BYTES_MOST, true);

	if (r)
		return r;
	describe_set_where(d, "Resource", resource->uri.data, resource->uri.length);
	if (!has_scheme(resource->uri.data))
		return describe_refuse(
			d, "its uri has no scheme: write something like hello://greeting");
	if (is_known(list, key, resource->uri.data))
		return describe_refuse(d, "the pack has two resources of this uri");
	r = check_content(d, resource);
	if (!r)
		r = describe_take_text(d, object, "name", resource->name, NAME_BYTES_MOST, true);
	if (!r)
		r = describe_take_text(d, object, "title", resource->title, TITLE_BYTES_MOST,
				       false);
	if (!r)
		r = describe_take_text(d, object, "description", resource->description,
				       DESCRIPTION_BYTES_MOST, false);
	if (!r)
		r = describe_take_text(d, object, "mimeType", resource->mime_type, NAME_BYTES_MOST,
				       false);
	if (!r && resource->data.data)
		json_set_integer(object, "size", (int64_t)resource->data.length);
	return r;
}

int describe_resources(struct describer *d, json *ret_list)
{
	const th_list *resources = &d->pack->descriptor.resources;
	int r = list_check(resources, RESOURCE_SIZE_LEAST, ITEMS_MOST, "resources", d->error);

	for (uint32_t i = 0; i < resources->count && !r; i++) {
		json *object = json_new_object();
		th_resource resource;

		snprintf(d->where, sizeof(d->where), "Resource %u", i + 1);
		list_read(resources, i, &resource, sizeof(resource));
		r = fill_resource(d, &resource, ret_list, object);
		if (r)
			json_drop(object);
		else
			json_append(ret_list, object);
	}
	return r;
}
