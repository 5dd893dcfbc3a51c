/* SPDX-License-Identifier: MIT
 *
 * select_analysis_recipe: the catalogue as a tool. An ordinary descriptor, in a pack that is part
 * of the program and so may look at the host's registry.
 */
#include <config.h>

#include "recipes/build.h"

#include "pack/call.h"

struct select_in {
	th_text query;
};

/* clang-format off */
static const th_param select_params[] = {
	TH_STRING(struct select_in, query, "What the user wants to find out, in the user's own words.",
		  {"minLength": 1}),
	TH_END
};

static const th_param select_results[] = {
	TH_GIVES_BOOLEAN(ok, "Always true.", {}),
	TH_GIVES_BOOLEAN(matched, "Whether a recipe was found.", {}),
	TH_GIVES_JSON(recipe, "The recipe to follow, step by step; null where none was found.",
		      {"type": ["object", "null"]}),
	TH_GIVES_INTEGER(score, "How many of its cues lie in the query.", {"minimum": 0}),
	TH_GIVES_STRINGS(cues, "The cues that lie in the query.", {}),
	TH_GIVES_JSON(runner_up, "The next best, with its score; null where there is none.",
		      {"type": ["object", "null"]}),
	TH_GIVES_JSON(available, "Every recipe there is, without its steps.",
		      {"type": "array", "items": {"type": "object"}}),
	TH_END
};
/* clang-format on */

static int32_t give(th_call *call, const json *answer)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	int32_t r = TH_NO_MEMORY;

	json_print(&text, answer);
	if (text.fault == BUFFER_GOOD)
		r = th_put_json(call, NULL, text.data, text.length);
	buffer_free(&text);
	return r;
}

static int32_t select_analysis_recipe(th_call *call, const void *input)
{
	const struct select_in *in = input;
	struct registry *registry = ((struct call *)call)->registry;
	struct error error = ERROR_INIT;
	const struct catalogue *catalogue = recipes_catalogue(registry, &error);
	json *answer = NULL;
	int32_t r;

	if (catalogue)
		(void)catalogue_answer(catalogue, in->query.data, in->query.length, &answer,
				       &error);
	r = answer ? give(call, answer) : th_fail(call, "%s", error.message);
	json_drop(answer);
	error_clear(&error);
	return r;
}

/* clang-format off */
static const th_tool tools[] = {
	TH_TOOL(select_analysis_recipe, struct select_in, select_params, select_results,
		"Select an analysis recipe",
		"Finds the guided analysis that fits a request: which tools to call in which order, "
		"where their arguments come from, and how to read the answers. Call it first when "
		"somebody asks for an analysis rather than for one number, and follow the stages of the "
		"recipe. Without a match it lists what there is.",
		{"category": "recipes", "threads": "parallel",
		 "annotations": {"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"title": "A request in plain words",
			       "arguments": {"query": "Which of these readings are outliers?"}}]}),
};
/* clang-format on */

const th_pack recipes_pack = {
	(uint32_t)sizeof(th_pack),
	TH_ABI_MAJOR,
	TH_ABI_MINOR,
	TH_TEXT("{\"version\": \"" PACKAGE_VERSION "\", \"license\": \"MIT\", "
		"\"summary\": \"Tools of the host itself.\"}"),
	TH_LIST(tools),
	TH_NONE,
	TH_NONE,
	TH_NONE,
};
