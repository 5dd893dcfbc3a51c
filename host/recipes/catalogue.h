/* SPDX-License-Identifier: MIT
 *
 * The recipe catalogue: guided analyses, step by step, and which of them a request means.
 *
 * A recipe is advice. It comes from a pack or from a file, both in the one form of
 * toolhost-recipe(5), and passes one lint. A catalogue is filled, closed, and does not change after
 * that; any thread may then read it. What it hands out lives as long as it does.
 */
#ifndef TOOLHOST_RECIPES_CATALOGUE_H
#define TOOLHOST_RECIPES_CATALOGUE_H

#include "base/error.h"

struct catalogue;

struct recipe {
	const char *key;
	const char *title;
	const char *summary;
	const char *domain;
	const char *source;	    /* its file, or "pack NAME" */
	const char *unavailable;    /* why it cannot be followed here; "" where it can */
	const char *const *missing; /* tools that it names and that are not there; NULL-ended */
	const json *value;	    /* the whole object */
	int64_t rank;
	bool planned; /* announced, and without steps that can be followed */
};

/* Where the catalogue asks for a tool. */
struct recipe_tools {
	/* The input schema of the enabled tool of that name, which is the caller's to drop; NULL
	 * where there is none. */
	json *(*input_schema)(void *context, const char *tool);
	void *context;
};

/* A fault keeps its recipe out of the catalogue; the others are told. */
enum finding_kind { FINDING_FAULT, FINDING_WARNING, FINDING_UNAVAILABLE };

struct finding {
	enum finding_kind kind;
	const char *recipe; /* its key; "" where it has none */
	const char *source;
	const char *text;
};

/* ---- Filling -----------------------------------------------------------------------------------
 */

int catalogue_new(struct catalogue **ret_catalogue, struct error *error);
void catalogue_free(struct catalogue *catalogue);

/* Adds one recipe; `value` is held. `source` is copied. */
int catalogue_add(struct catalogue *catalogue, const json *value, const char *source,
		  struct error *error);

/* The same for a recipe of a pack, which takes no key from one that was added otherwise. */
int catalogue_add_of_pack(struct catalogue *catalogue, const json *value, const char *pack,
			  struct error *error);

/* Adds the recipe of one file. A file that is no JSON is a finding, and no error. */
int catalogue_add_file(struct catalogue *catalogue, const char *path, struct error *error);

/* Adds all files *.json of a folder. One that is not there has none. */
int catalogue_add_folder(struct catalogue *catalogue, const char *folder, struct error *error);

/* Lints what was added, leaves out what is faulty, and puts the rest into order: by rank, then by
 * key. */
int catalogue_close(struct catalogue *catalogue, const struct recipe_tools *tools,
		    struct error *error);

/* ---- Looking -----------------------------------------------------------------------------------
 */

size_t catalogue_count(const struct catalogue *catalogue);
const struct recipe *catalogue_recipe(const struct catalogue *catalogue, size_t index);
const struct recipe *catalogue_find(const struct catalogue *catalogue, const char *key);
size_t catalogue_finding_count(const struct catalogue *catalogue);
const struct finding *catalogue_finding(const struct catalogue *catalogue, size_t index);

/* STATUS_UNKNOWN_RECIPE with details `close`: the key nearest to `key`. */
int catalogue_unknown(const struct catalogue *catalogue, const char *key, struct error *error);

/* What a request means: the recipe with the most cues in it. Of equals the earlier one is taken,
 * and one that is planned only where no other has a cue. */
struct selection {
	const struct recipe *recipe; /* NULL: none */
	size_t score;
	const struct recipe *runner_up; /* NULL: none */
	size_t runner_up_score;
};

int catalogue_select(const struct catalogue *catalogue, const char *query, size_t length,
		     struct selection *ret_selection, struct error *error);

/* ---- As JSON, the caller's to drop -------------------------------------------------------------
 */

/* What an agent gets: recipe_key, title, summary, domain, status, inputs_needed, stages; a note
 * where it is planned, and `unavailable` where it cannot be followed. */
json *recipe_payload(const struct recipe *recipe);

/* The same without inputs and stages, for lists. */
json *recipe_headline(const struct recipe *recipe);

/* The answer of select_analysis_recipe. */
int catalogue_answer(const struct catalogue *catalogue, const char *query, size_t length,
		     json **ret_answer, struct error *error);

#endif
