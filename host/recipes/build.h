/* SPDX-License-Identifier: MIT
 *
 * The catalogue of a program: the recipes of its packs and of the recipe folder.
 */
#ifndef TOOLHOST_RECIPES_BUILD_H
#define TOOLHOST_RECIPES_BUILD_H

#include "recipes/catalogue.h"
#include "registry/registry.h"

#include <toolhost/plugin.h>

/* The catalogue of the registry's packs and of its recipe folder, made at first use; it ends with
 * the registry. Tools are those that the registry offers. NULL: error says why. */
const struct catalogue *recipes_catalogue(struct registry *registry, struct error *error);

/* What the lint asks for a tool, answered by a registry. */
struct recipe_tools recipes_tools(const struct registry *registry);

/* The pack of the host's own tool, select_analysis_recipe, which is part of the program. */
extern const th_pack recipes_pack;

#endif
