/* SPDX-License-Identifier: MIT
 *
 * Which recipe a request means, and what an agent is told of it.
 */
#include <config.h>

#include "base/array.h"
#include "recipes/catalogue-private.h"

#include <string.h>

static const char planned_note[] = "This analysis is planned and cannot be run yet: tell the user "
				   "so, and do not make up its steps.";

/* ---- Scoring -----------------------------------------------------------------------------------
 */

static size_t score_of(const struct entry *entry, const char *request)
{
	size_t score = 0;

	for (size_t i = 0; entry->cues[i]; i++)
		score += strstr(request, entry->cues[i]) != NULL;
	return score;
}

/* Whether `a` with its score goes before `b`, of which `b` is the earlier in the catalogue. */
static bool is_better(const struct recipe *a, size_t a_score, const struct recipe *b,
		      size_t b_score)
{
	if (!b)
		return true;
	if (a->planned != b->planned)
		return b->planned;
	return a_score > b_score;
}

static void consider(struct selection *selection, const struct recipe *recipe, size_t score)
{
	if (!score)
		return;
	if (is_better(recipe, score, selection->recipe, selection->score)) {
		selection->runner_up = selection->recipe;
		selection->runner_up_score = selection->score;
		selection->recipe = recipe;
		selection->score = score;
	} else if (is_better(recipe, score, selection->runner_up, selection->runner_up_score)) {
		selection->runner_up = recipe;
		selection->runner_up_score = score;
	}
}

static void select_best(const struct catalogue *catalogue, const char *request,
			struct selection *ret_selection)
{
	*ret_selection = (struct selection){ .recipe = NULL };
	for (size_t i = 0; i < catalogue->entry_count; i++)
		consider(ret_selection, &catalogue->entries[i].recipe,
			 score_of(&catalogue->entries[i], request));
}

int catalogue_select(const struct catalogue *catalogue, const char *query, size_t length,
		     struct selection *ret_selection, struct error *error)
{
	struct buffer request = BUFFER_INIT(SIZE_MAX);
	int r;

	buffer_text(&request, "");
	r = canonical_print(catalogue->canonical, query, length, &request, error);
	if (r == STATUS_OK)
		select_best(catalogue, request.length ? request.data : "", ret_selection);
	buffer_free(&request);
	return r;
}

/* ---- As JSON -----------------------------------------------------------------------------------
 */

json *recipe_headline(const struct recipe *recipe)
{
	json *object = json_new_object();

	json_set_text(object, "recipe_key", recipe->key);
	json_set_text(object, "title", recipe->title);
	json_set_text(object, "summary", recipe->summary);
	json_set_text(object, "domain", recipe->domain);
	json_set_text(object, "status", recipe->planned ? "planned" : "available");
	if (*recipe->unavailable)
		json_set_text(object, "unavailable", recipe->unavailable);
	return object;
}

static json *stage_payload(const json *stage)
{
	static const char *const optional[] = { "tools", "arg_hints" };
	json *object = json_new_object();

	json_set_integer(object, "step", json_integer(json_get(stage, "order")));
	json_set(object, "directive", json_hold(json_get(stage, "directive")));
	for (size_t i = 0; i < ARRAY_SIZE(optional); i++) {
		if (json_count(json_get(stage, optional[i])))
			json_set(object, optional[i], json_hold(json_get(stage, optional[i])));
	}
	return object;
}

json *recipe_payload(const struct recipe *recipe)
{
	const json *stages = json_get(recipe->value, "stages");
	json *object = json_new_object(), *list = json_new_list();

	json_set_text(object, "recipe_key", recipe->key);
	json_set_text(object, "title", recipe->title);
	json_set_text(object, "summary", recipe->summary);
	json_set_text(object, "domain", recipe->domain);
	json_set_text(object, "status", recipe->planned ? "planned" : "available");
	json_set(object, "inputs_needed", json_hold(json_get(recipe->value, "inputs_needed")));
	for (size_t i = 0; i < json_count(stages); i++)
		json_append(list, stage_payload(json_peek(stages, i)));
	json_set(object, "stages", list);
	if (recipe->planned)
		json_set_text(object, "note", planned_note);
	if (*recipe->unavailable)
		json_set_text(object, "unavailable", recipe->unavailable);
	return object;
}

static const struct entry *entry_of(const struct catalogue *catalogue, const struct recipe *recipe)
{
	for (size_t i = 0; i < catalogue->entry_count; i++) {
		if (&catalogue->entries[i].recipe == recipe)
			return &catalogue->entries[i];
	}
	return NULL;
}

/* The cues that lie in the request, as the recipe's author wrote them. */
static json *cues_in(const struct catalogue *catalogue, const struct recipe *recipe,
		     const char *request)
{
	const struct entry *entry = entry_of(catalogue, recipe);
	json *list = json_new_list();

	for (size_t i = 0; entry && entry->cues[i]; i++) {
		if (strstr(request, entry->cues[i]))
			json_append(list, json_copy(json_peek(
						  json_get(recipe->value, "cue_phrases"), i)));
	}
	return list;
}

static json *runner_up(const struct selection *selection)
{
	json *object;

	if (!selection->runner_up)
		return NULL;
	object = json_new_object();
	json_set_text(object, "recipe_key", selection->runner_up->key);
	json_set_integer(object, "score", (int64_t)selection->runner_up_score);
	return object;
}

static json *make_answer(const struct catalogue *catalogue, const char *request)
{
	json *answer = json_new_object(), *available = json_new_list();
	struct selection selection;

	select_best(catalogue, request, &selection);
	json_set_boolean(answer, "ok", true);
	json_set_boolean(answer, "matched", selection.recipe != NULL);
	json_set(answer, "recipe", selection.recipe ? recipe_payload(selection.recipe) : NULL);
	json_set_integer(answer, "score", (int64_t)selection.score);
	json_set(answer, "cues", cues_in(catalogue, selection.recipe, request));
	json_set(answer, "runner_up", runner_up(&selection));
	for (size_t i = 0; i < catalogue->entry_count; i++)
		json_append(available, recipe_headline(&catalogue->entries[i].recipe));
	json_set(answer, "available", available);
	return answer;
}

int catalogue_answer(const struct catalogue *catalogue, const char *query, size_t length,
		     json **ret_answer, struct error *error)
{
	struct buffer request = BUFFER_INIT(SIZE_MAX);
	int r = canonical_print(catalogue->canonical, query, length, &request, error);

	*ret_answer = NULL;
	if (r == STATUS_OK)
		*ret_answer = make_answer(catalogue, request.length ? request.data : "");
	buffer_free(&request);
	return r;
}
