/* SPDX-License-Identifier: MIT
 *
 * What the files of the catalogue share.
 */
#ifndef TOOLHOST_RECIPES_CATALOGUE_PRIVATE_H
#define TOOLHOST_RECIPES_CATALOGUE_PRIVATE_H

#include "base/arena.h"
#include "recipes/canonical.h"
#include "recipes/catalogue.h"

#define FINDING_MOST 1024 /* bytes of one finding */

struct entry {
	struct recipe recipe;
	json *owned;
	const char *const *cues; /* in canonical form, NULL-ended, as many as cue_phrases */
	bool of_pack;		 /* and not of the operator's folder */
	bool faulty;
};

struct catalogue {
	struct arena arena;
	struct canonical *canonical;
	struct entry *entries;
	size_t entry_count;
	struct finding *findings;
	size_t finding_count;
	size_t of_kind[3]; /* enum finding_kind; the one past the most says that there are more */
};

int catalogue_no_memory(struct error *error);

/* `source` has to live as long as the catalogue. Answers STATUS_OK, or STATUS_INTERNAL without
 * memory. */
int catalogue_report(struct catalogue *catalogue, enum finding_kind kind, const char *recipe,
		     const char *source, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Marks entries whose form is wrong as faulty, and fills in the others' struct recipe and cues. */
int lint_forms(struct catalogue *catalogue, struct error *error);

/* Of entries whose form is right, in their order: what they name, and how they stand to each other.
 */
int lint_recipes(struct catalogue *catalogue, const struct recipe_tools *tools,
		 struct error *error);

#endif
