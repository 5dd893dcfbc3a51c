/* SPDX-License-Identifier: MIT
 *
 * toolhost recipe: guided analyses, which of them a request means, and whether they are sound.
 */
#include <config.h>

#include "command/command.h"

#include "base/json.h"
#include "recipes/build.h"

#include <stdlib.h>
#include <string.h>

/* What every one of these commands starts from. */
struct kitchen {
	struct registry *registry;
	const struct catalogue *catalogue; /* the registry's, or `own` */
	struct catalogue *own;
	struct error error;
};

static int open_kitchen(const struct program *program, struct kitchen *kitchen)
{
	int r = command_registry(program, NULL, &kitchen->registry, &kitchen->error);

	if (r != STATUS_OK)
		return r;
	kitchen->catalogue = recipes_catalogue(kitchen->registry, &kitchen->error);
	return kitchen->error.status;
}

static void close_kitchen(struct kitchen *kitchen)
{
	catalogue_free(kitchen->own);
	registry_free(kitchen->registry);
	error_clear(&kitchen->error);
}

static void print_json(struct buffer *out, json *value)
{
	json_print_pretty(out, value);
	buffer_byte(out, '\n');
	json_drop(value);
}

/* ---- list --------------------------------------------------------------------------------------
 */

static const char *state_of(const struct recipe *recipe)
{
	if (recipe->planned)
		return "planned";
	return *recipe->unavailable ? "unavailable" : "available";
}

static void print_list(struct buffer *out, const struct catalogue *catalogue)
{
	size_t width = 0;

	for (size_t i = 0; i < catalogue_count(catalogue); i++) {
		size_t length = strlen(catalogue_recipe(catalogue, i)->key);

		width = length > width ? length : width;
	}
	for (size_t i = 0; i < catalogue_count(catalogue); i++) {
		const struct recipe *recipe = catalogue_recipe(catalogue, i);

		buffer_format(out, "%-*s  %-11s  ", (int)width, recipe->key, state_of(recipe));
		command_one_line(out, recipe->title);
		buffer_byte(out, '\n');
	}
}

static int run_list(struct program *program, const struct arguments *arguments)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	struct kitchen kitchen = { .error = ERROR_INIT };
	int status;

	(void)arguments;
	if (open_kitchen(program, &kitchen) != STATUS_OK) {
		status = command_fail(program, &kitchen.error);
	} else if (program->json) {
		json *list = json_new_list();

		for (size_t i = 0; i < catalogue_count(kitchen.catalogue); i++)
			json_append(list, recipe_headline(catalogue_recipe(kitchen.catalogue, i)));
		print_json(&out, list);
		status = command_print(program, &out, EXIT_RESULT);
	} else {
		print_list(&out, kitchen.catalogue);
		status = command_print(program, &out, EXIT_RESULT);
	}
	close_kitchen(&kitchen);
	return status;
}

/* ---- show --------------------------------------------------------------------------------------
 */

static void print_text(struct buffer *out, const json *text, unsigned indent)
{
	if (json_kind(text) == JSON_TEXT)
		command_wrapped(out, json_text(text, NULL), indent);
	buffer_byte(out, '\n');
}

static void print_texts(struct buffer *out, const char *heading, const json *texts)
{
	if (!json_count(texts))
		return;
	buffer_format(out, "\n%s:\n", heading);
	for (size_t i = 0; i < json_count(texts); i++) {
		buffer_text(out, "  - ");
		print_text(out, json_peek(texts, i), 4);
	}
}

static void print_stage(struct buffer *out, const json *stage)
{
	const json *tools = json_get(stage, "tools");
	struct json_member m;

	buffer_format(out, "\n%3lld. ", (long long)json_integer(json_get(stage, "order")));
	print_text(out, json_get(stage, "directive"), 5);
	for (size_t i = 0; i < json_count(tools); i++) {
		buffer_text(out, i ? ", " : "     tools: ");
		command_one_line(out, json_text(json_peek(tools, i), NULL));
	}
	if (json_count(tools))
		buffer_byte(out, '\n');
	for (bool more = json_first(json_get(stage, "arg_hints"), &m); more; more = json_next(&m)) {
		const char *hint = json_text(m.value, NULL);

		buffer_text(out, "     ");
		command_one_line(out, m.key);
		buffer_text(out, ": ");
		command_wrapped_from(out, hint, 5 + strlen(m.key) + 2, 9);
		buffer_byte(out, '\n');
	}
}

static void print_recipe(struct buffer *out, const struct recipe *recipe)
{
	const json *stages = json_get(recipe->value, "stages");

	buffer_format(out, "%s: ", recipe->key);
	command_one_line(out, recipe->title);
	buffer_format(out, " (%s)\n\n", state_of(recipe));
	command_wrapped(out, recipe->summary, 0);
	buffer_byte(out, '\n');
	if (*recipe->unavailable) {
		buffer_text(out, "\nIt cannot be followed here: ");
		command_plain(out, recipe->unavailable, strlen(recipe->unavailable), 0);
		buffer_byte(out, '\n');
	}
	print_texts(out, "Needed", json_get(recipe->value, "inputs_needed"));
	for (size_t i = 0; i < json_count(stages); i++)
		print_stage(out, json_peek(stages, i));
	print_texts(out, "Cues", json_get(recipe->value, "cue_phrases"));
	buffer_text(out, "\nFrom ");
	command_one_line(out, recipe->source);
	buffer_byte(out, '\n');
}

static int run_show(struct program *program, const struct arguments *arguments)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	struct kitchen kitchen = { .error = ERROR_INIT };
	const struct recipe *recipe = NULL;
	int status;

	if (open_kitchen(program, &kitchen) == STATUS_OK) {
		recipe = catalogue_find(kitchen.catalogue, arguments->operands[0]);
		if (!recipe)
			(void)catalogue_unknown(kitchen.catalogue, arguments->operands[0],
						&kitchen.error);
	}
	if (!recipe) {
		status = command_fail(program, &kitchen.error);
	} else {
		if (program->json)
			print_json(&out, recipe_payload(recipe));
		else
			print_recipe(&out, recipe);
		status = command_print(program, &out, EXIT_RESULT);
	}
	close_kitchen(&kitchen);
	return status;
}

/* ---- select ------------------------------------------------------------------------------------
 */

static void print_selection(struct buffer *out, const json *answer)
{
	const json *recipe = json_get(answer, "recipe");
	const json *second = json_get(answer, "runner_up");
	const json *cues = json_get(answer, "cues");

	buffer_format(out, "%s: ", json_text(json_get(recipe, "recipe_key"), NULL));
	command_one_line(out, json_text(json_get(recipe, "title"), NULL));
	buffer_text(out, "\n  cues:");
	for (size_t i = 0; i < json_count(cues); i++) {
		buffer_text(out, i ? ", " : " ");
		command_one_line(out, json_text(json_peek(cues, i), NULL));
	}
	buffer_byte(out, '\n');
	if (second)
		buffer_format(out, "  next: %s, with %lld\n",
			      json_text(json_get(second, "recipe_key"), NULL),
			      (long long)json_integer(json_get(second, "score")));
}

static int run_select(struct program *program, const struct arguments *arguments)
{
	const char *query = arguments->operands[0];
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	struct kitchen kitchen = { .error = ERROR_INIT };
	json *answer = NULL;
	int status;

	if (open_kitchen(program, &kitchen) != STATUS_OK ||
	    catalogue_answer(kitchen.catalogue, query, strlen(query), &answer, &kitchen.error) !=
		    STATUS_OK) {
		status = command_fail(program, &kitchen.error);
	} else {
		if (program->json)
			print_json(&out, json_hold(answer));
		else if (json_boolean(json_get(answer, "matched")))
			print_selection(&out, answer);
		else
			command_note(
				"no recipe has a cue in that; `toolhost recipe list` has them all");
		status = command_print(program, &out, EXIT_RESULT);
	}
	json_drop(answer);
	close_kitchen(&kitchen);
	return status;
}

/* ---- check -------------------------------------------------------------------------------------
 */

static const char *const kind_names[] = {
	[FINDING_FAULT] = "fault",
	[FINDING_WARNING] = "warning",
	[FINDING_UNAVAILABLE] = "unavailable",
};

static void print_finding(struct buffer *out, const struct finding *finding)
{
	command_one_line(out, finding->source);
	buffer_format(out, ": %s: ", kind_names[finding->kind]);
	if (*finding->recipe) {
		command_plain(out, finding->recipe, strlen(finding->recipe), 0);
		buffer_text(out, ": ");
	}
	command_plain(out, finding->text, strlen(finding->text), 4);
	buffer_byte(out, '\n');
}

static json *finding_to_json(const struct finding *finding)
{
	json *object = json_new_object();

	json_set_text(object, "kind", kind_names[finding->kind]);
	json_set_text(object, "recipe_key", finding->recipe);
	json_set_text(object, "source", finding->source);
	json_set_text(object, "text", finding->text);
	return object;
}

/* The catalogue of the named files alone, held against the tools that there are. */
static int check_files(const struct program *program, const char *const *files,
		       struct kitchen *kitchen)
{
	struct recipe_tools tools;
	int r = command_registry(program, NULL, &kitchen->registry, &kitchen->error);

	if (r == STATUS_OK)
		r = catalogue_new(&kitchen->own, &kitchen->error);
	for (; r == STATUS_OK && *files; files++)
		r = catalogue_add_file(kitchen->own, *files, &kitchen->error);
	if (r == STATUS_OK) {
		tools = recipes_tools(kitchen->registry);
		r = catalogue_close(kitchen->own, &tools, &kitchen->error);
	}
	kitchen->catalogue = kitchen->own;
	return r;
}

static int print_check(const struct program *program, const struct catalogue *catalogue)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	size_t counts[3] = { 0, 0, 0 };
	json *list = json_new_list();

	for (size_t i = 0; i < catalogue_finding_count(catalogue); i++) {
		const struct finding *finding = catalogue_finding(catalogue, i);

		counts[finding->kind]++;
		if (program->json)
			json_append(list, finding_to_json(finding));
		else
			print_finding(&out, finding);
	}
	if (program->json)
		print_json(&out, json_hold(list));
	else
		buffer_format(&out, "recipes: %zu, unavailable: %zu, faults: %zu, warnings: %zu\n",
			      catalogue_count(catalogue), counts[FINDING_UNAVAILABLE],
			      counts[FINDING_FAULT], counts[FINDING_WARNING]);
	json_drop(list);
	return command_print(program, &out, counts[FINDING_FAULT] ? EXIT_TOOL_FAILED : EXIT_RESULT);
}

static int run_check(struct program *program, const struct arguments *arguments)
{
	struct kitchen kitchen = { .error = ERROR_INIT };
	int r = arguments->count ? check_files(program, arguments->operands, &kitchen)
				 : open_kitchen(program, &kitchen);
	int status;

	if (r != STATUS_OK)
		status = command_fail(program, &kitchen.error);
	else
		status = print_check(program, kitchen.catalogue);
	close_kitchen(&kitchen);
	return status;
}

/* ---- The commands ------------------------------------------------------------------------------
 */

static const struct command list = {
	.name = "list",
	.operands = "",
	.summary = "List the recipes: available, planned, or unavailable for want of a tool",
	.help = "Example:\n  toolhost recipe list\n",
	.run = run_list,
};

static const struct command show = {
	.name = "show",
	.operands = "KEY",
	.summary = "Show one recipe: what it needs, its steps, tools and cues",
	.help = "With --json it is what an agent gets.\n\nExample:\n  toolhost recipe show "
		"outlier_triage\n",
	.least = 1,
	.most = 1,
	.run = run_show,
};

static const struct command select_command = {
	.name = "select",
	.operands = "QUERY",
	.summary = "Tell which recipe a request means, and which cues say so",
	.help = "The recipe with the most cues in the request is taken. With --json it is what the "
		"tool\n"
		"select_analysis_recipe answers.\n"
		"\n"
		"Example:\n"
		"  toolhost recipe select 'some of these readings are outliers, I think'\n",
	.least = 1,
	.most = 1,
	.run = run_select,
};

static const struct command check = {
	.name = "check",
	.operands = "[FILE ...]",
	.summary = "Check the recipes of packs and of the recipe folders, or those of files",
	.help = "A fault keeps its recipe out of the catalogue; warnings are told. "
		"toolhost-recipe(5) has the\n"
		"rules. Exit status: 0 without faults, 1 with faults.\n"
		"\n"
		"Example:\n"
		"  toolhost recipe check\n",
	.most = SIZE_MAX,
	.run = run_check,
};

static const struct command *const commands[] = { &list, &show, &select_command, &check, NULL };

const struct command command_recipe = {
	.name = "recipe",
	.operands = "COMMAND ...",
	.summary = "List, show, select and check guided analyses",
	.help = "A recipe leads an agent through an analysis, step by step, tool by tool.\n"
		"\n"
		"Example:\n"
		"  toolhost recipe select 'which of these values are outliers?'\n",
	.commands = commands,
};
