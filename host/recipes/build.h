/* SPDX-License-Identifier: MIT
 *
 * The catalogue of a program: the recipes of its packs and of the recipe folder.
 */
#ifndef TOOLHOST_RECIPES_BUILD_H
#define TOOLHOST_RECIPES_BUILD_H

#include "recipes/catalogue.h"
#include "registry/registry.h"

/* Builds the catalogue; `folder` may be NULL. Tools are those that the registry offers. The
 * registry has to live as long. */
int recipes_build(const struct registry *registry, const char *folder,
		  struct catalogue **ret_catalogue, struct error *error);

/* What the lint asks for a tool, answered by a registry. */
struct recipe_tools recipes_tools(const struct registry *registry);

#endif
