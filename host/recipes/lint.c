/* SPDX-License-Identifier: MIT
 *
 * The lint of recipes: of their form, of what they name, and of how they stand to each other.
 */
#include <config.h>

#include "recipes/catalogue-private.h"

#include "base/array.h"
#include "base/text.h"
#include "schema/schema.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CUE_LEAST = 4,	      /* letters; shorter ones stand in too many words */
	LOOKS_MOST = 1000000, /* at schemas, for the hints of all recipes together */
	ARMS_DEEP = 8,	      /* arms of a schema in one another, as far as they are looked into */
	NAME_SHOWN = 128,     /* bytes of a tool's name; real ones are no longer */

	/* What a catalogue holds: every cue is searched for in every request. */
	RECIPES_MOST = 1000,
	CUES_MOST = 5000,
	CUE_BYTES_MOST = 100000,
	TOOLS_MOST = 10000 /* names of tools in the stages of all recipes */
};

/* The form of a recipe, which toolhost-recipe(5) describes. Every list and text has a bound: recipes
 * come from packs that nobody trusts, and all of them are looked through for every request. */
static const char form[] =
	"{\"type\": \"object\", \"additionalProperties\": false,"
	" \"required\": [\"format\", \"key\", \"title\", \"summary\", \"domain\", \"cue_phrases\","
	"  \"inputs_needed\", \"stages\"],"
	" \"properties\": {"
	"  \"format\": {\"const\": 1},"
	"  \"key\": {\"type\": \"string\", \"pattern\": \"^[A-Za-z0-9_-]{1,64}$\"},"
	"  \"title\": {\"type\": \"string\", \"minLength\": 1, \"maxLength\": 1000},"
	"  \"summary\": {\"type\": \"string\", \"minLength\": 1, \"maxLength\": 1000},"
	"  \"domain\": {\"type\": \"string\", \"minLength\": 1, \"maxLength\": 1000},"
	"  \"status\": {\"enum\": [\"available\", \"planned\"]},"
	"  \"rank\": {\"type\": \"integer\"},"
	"  \"cue_phrases\": {\"type\": \"array\", \"maxItems\": 1000, \"items\": "
	"{\"type\": \"string\", \"maxLength\": 200}},"
	"  \"inputs_needed\": {\"type\": \"array\", \"maxItems\": 1000, \"items\": "
	"{\"type\": \"string\", \"minLength\": 1}},"
	"  \"stages\": {\"type\": \"array\", \"maxItems\": 1000, \"items\": {"
	"   \"type\": \"object\", \"additionalProperties\": false, \"required\": [\"order\", "
	"\"directive\"],"
	"   \"properties\": {"
	"    \"order\": {\"type\": \"integer\"},"
	"    \"directive\": {\"type\": \"string\", \"minLength\": 1},"
	"    \"tools\": {\"type\": \"array\", \"maxItems\": 1000, \"items\": {\"type\": "
	"\"string\", "
	"\"minLength\": 1}},"
	"    \"arg_hints\": {\"type\": \"object\", \"maxProperties\": 1000, "
	"\"additionalProperties\": {\"type\": \"string\"}}}}}}}";

/* What the lint says of one entry. A fault leaves the entry out. */
#define FAULT(lint, entry, ...)                                                                    \
	((entry)->faulty = true, report(lint, FINDING_FAULT, entry, __VA_ARGS__))
#define WARN(lint, entry, ...) report(lint, FINDING_WARNING, entry, __VA_ARGS__)

struct lint {
	struct catalogue *catalogue;
	const struct recipe_tools *tools;
	json *schemas; /* of the tools that were asked for, by name; null: there is none */
	size_t looks;  /* at schemas, that are left */
	bool no_memory;
};

static void report(struct lint *lint, enum finding_kind kind, const struct entry *entry,
		   const char *format, ...) __attribute__((format(printf, 4, 5)));
static void report(struct lint *lint, enum finding_kind kind, const struct entry *entry,
		   const char *format, ...)
{
	char text[FINDING_MOST];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (catalogue_report(lint->catalogue, kind, entry->recipe.key, entry->recipe.source, "%s",
			     text))
		lint->no_memory = true;
}

/* ---- The form ----------------------------------------------------------------------------------
 */

static const char *text_of(const json *object, const char *key)
{
	const char *text = json_text(json_get(object, key), NULL);

	return text ? text : "";
}

static int make_cues(struct catalogue *catalogue, struct entry *entry, struct error *error)
{
	const json *phrases = json_get(entry->recipe.value, "cue_phrases");
	size_t count = json_count(phrases);
	const char **cues = arena_array(&catalogue->arena, count + 1, sizeof(*cues));
	int r = cues ? STATUS_OK : catalogue_no_memory(error);

	for (size_t i = 0; r == STATUS_OK && i < count; i++) {
		struct buffer out = BUFFER_INIT(SIZE_MAX);
		size_t length;
		const char *phrase = json_text(json_peek(phrases, i), &length);

		r = canonical_print(catalogue->canonical, phrase, length, &out, error);
		if (r == STATUS_OK)
			cues[i] = arena_copy(&catalogue->arena, out.length ? out.data : "",
					     out.length);
		if (r == STATUS_OK && !cues[i])
			r = catalogue_no_memory(error);
		buffer_free(&out);
	}
	entry->cues = cues;
	return r;
}

static int read_entry(struct catalogue *catalogue, struct entry *entry, struct error *error)
{
	static const char *const no_tools[] = { NULL };
	struct recipe *recipe = &entry->recipe;
	const json *value = recipe->value;
	const json *rank = json_get(value, "rank");

	recipe->key = text_of(value, "key");
	recipe->title = text_of(value, "title");
	recipe->summary = text_of(value, "summary");
	recipe->domain = text_of(value, "domain");
	recipe->planned = json_text_is(json_get(value, "status"), "planned");
	recipe->rank = rank ? json_integer(rank) : INT64_MAX;
	recipe->unavailable = "";
	recipe->missing = no_tools;
	return make_cues(catalogue, entry, error);
}

/* The key of an object that need not be a recipe, to name it by; "" where that is no key. */
static const char *key_shown(const json *value)
{
	const char *key = text_of(value, "key");

	return text_is_tool_name(key, strlen(key)) ? key : "";
}

/* How much of the catalogue is taken. */
struct room {
	size_t recipes, cues, cue_bytes, tools;
};

static bool take_room(struct room *room, const json *value)
{
	const json *phrases = json_get(value, "cue_phrases"), *stages = json_get(value, "stages");
	size_t cues = json_count(phrases), cue_bytes = 0, tools = 0;

	for (size_t i = 0; i < cues; i++) {
		size_t length = 0;

		(void)json_text(json_peek(phrases, i), &length);
		cue_bytes += length;
	}
	for (size_t i = 0; i < json_count(stages); i++)
		tools += json_count(json_get(json_peek(stages, i), "tools"));
	if (room->recipes == RECIPES_MOST || cues > CUES_MOST - room->cues ||
	    cue_bytes > CUE_BYTES_MOST - room->cue_bytes || tools > TOOLS_MOST - room->tools)
		return false;
	room->recipes++;
	room->cues += cues;
	room->cue_bytes += cue_bytes;
	room->tools += tools;
	return true;
}

static int leave_out(struct catalogue *catalogue, struct entry *entry, struct error *error)
{
	entry->faulty = true;
	if (catalogue_report(catalogue, FINDING_FAULT, key_shown(entry->recipe.value),
			     entry->recipe.source,
			     "there is no room for it: a catalogue holds %d recipes, %d cues of %d "
			     "bytes together, and %d names of tools in stages",
			     RECIPES_MOST, CUES_MOST, CUE_BYTES_MOST, TOOLS_MOST))
		return catalogue_no_memory(error);
	return STATUS_OK;
}

static int lint_form(struct catalogue *catalogue, const struct schema *schema, struct room *room,
		     struct entry *entry, struct error *error)
{
	struct schema_problems problems = { .count = 0 };

	if (schema_validate(schema, entry->recipe.value, &problems))
		return take_room(room, entry->recipe.value) ? read_entry(catalogue, entry, error)
							    : leave_out(catalogue, entry, error);
	entry->faulty = true;
	for (size_t i = 0; i < problems.count; i++) {
		const struct schema_problem *problem = &problems.items[i];

		if (catalogue_report(catalogue, FINDING_FAULT, key_shown(entry->recipe.value),
				     entry->recipe.source, "%s: expected %s, found %s%s%s",
				     *problem->path ? problem->path : "the recipe",
				     problem->expected, problem->found, *problem->hint ? "; " : "",
				     problem->hint))
			return catalogue_no_memory(error);
	}
	return STATUS_OK;
}

int lint_forms(struct catalogue *catalogue, struct error *error)
{
	struct room room = { .recipes = 0 };
	struct schema *schema = NULL;
	json *value = NULL;
	int r = json_read(form, sizeof(form) - 1, NULL, &value, NULL);

	r = r == STATUS_OK ? schema_compile(value, NULL, &schema, error)
			   : catalogue_no_memory(error);
	for (size_t i = 0; r == STATUS_OK && i < catalogue->entry_count; i++)
		r = lint_form(catalogue, schema, &room, &catalogue->entries[i], error);
	schema_free(schema);
	json_drop(value);
	return r;
}

/* ---- What a recipe says ------------------------------------------------------------------------
 */

static void lint_steps(struct lint *lint, struct entry *entry)
{
	const json *stages = json_get(entry->recipe.value, "stages");

	for (size_t i = 0; i < json_count(stages); i++) {
		int64_t order = json_integer(json_get(json_peek(stages, i), "order"));

		if (order != (int64_t)i + 1)
			FAULT(lint, entry,
			      "stage %zu has the order %lld: number the stages from 1, one by one",
			      i + 1, (long long)order);
	}
	if (entry->recipe.planned)
		return;
	if (!json_count(stages))
		FAULT(lint, entry, "it has no stages: write some, or say \"status\": \"planned\"");
	if (!json_count(json_get(entry->recipe.value, "inputs_needed")))
		FAULT(lint, entry, "inputs_needed is empty: say what the user has to bring");
}

static void lint_cues(struct lint *lint, struct entry *entry)
{
	const json *phrases = json_get(entry->recipe.value, "cue_phrases");

	if (!entry->cues[0])
		WARN(lint, entry, "it has no cues, so no request will ever select it");
	for (size_t i = 0; entry->cues[i]; i++) {
		const char *phrase = json_text(json_peek(phrases, i), NULL);
		const char *cue = entry->cues[i];

		if (!*cue)
			FAULT(lint, entry,
			      "the cue \"%.200s\" holds no word, and so lies in every request",
			      phrase);
		else if (text_points(cue, strlen(cue)) < CUE_LEAST)
			WARN(lint, entry, "the cue \"%.200s\" is short, and lies in many a word",
			     phrase);
		for (size_t j = 0; j < i; j++) {
			if (strcmp(entry->cues[j], cue) != 0)
				continue;
			WARN(lint, entry, "the cue \"%.200s\" stands twice, and counts twice",
			     phrase);
			break;
		}
	}
}

/* ---- The tools that it names -------------------------------------------------------------------
 */

/* Whether a schema names a property, itself or in its arms. What it says elsewhere, or of names by
 * their pattern, may be anything. */
static bool names_property(struct lint *lint, const json *schema, const char *name, unsigned depth)
{
	static const char *const elsewhere[] = { "$ref", "$dynamicRef", "$recursiveRef",
						 "patternProperties", "dependentSchemas" };
	static const char *const lists[] = { "allOf", "anyOf", "oneOf" };
	bool found = json_has(json_get(schema, "properties"), name);

	/* Somebody's schema may have arms without end; then the hints are believed. */
	if (!lint->looks)
		return true;
	lint->looks--;
	for (size_t i = 0; i < ARRAY_SIZE(elsewhere) && !found; i++)
		found = json_has(schema, elsewhere[i]);
	for (size_t i = 0; i < ARRAY_SIZE(lists) && !found && depth < ARMS_DEEP; i++) {
		const json *arms = json_get(schema, lists[i]);

		for (size_t j = 0; j < json_count(arms) && !found; j++)
			found = names_property(lint, json_peek(arms, j), name, depth + 1);
	}
	return found || (depth < ARMS_DEEP &&
			 ((json_has(schema, "then") &&
			   names_property(lint, json_get(schema, "then"), name, depth + 1)) ||
			  (json_has(schema, "else") &&
			   names_property(lint, json_get(schema, "else"), name, depth + 1))));
}

/* Tables of parameters are closed. Whole schemas may be open, and take what they do not name. */
static bool has_parameter(struct lint *lint, const json *schema, const char *name)
{
	const json *others = json_get(schema, "additionalProperties");

	if (names_property(lint, schema, name, 0))
		return true;
	if (!json_has(schema, "additionalProperties"))
		return !json_has(schema, "properties");
	return json_kind(others) != JSON_BOOLEAN || json_boolean(others);
}

/* The input schema of a tool, or NULL. Each is asked for once, since that reads the whole tool. */
static const json *schema_of(struct lint *lint, const char *name)
{
	if (!json_has(lint->schemas, name))
		json_set(lint->schemas, name,
			 lint->tools->input_schema(lint->tools->context, name));
	return json_get(lint->schemas, name);
}

/* Adds a name to the list of the missing, once. */
static void add_missing(struct lint *lint, struct recipe *recipe, const char **missing,
			size_t *count, const char *tool)
{
	for (size_t i = 0; i < *count; i++) {
		if (!strcmp(missing[i], tool))
			return;
	}
	missing[*count] = arena_copy(&lint->catalogue->arena, tool, strlen(tool));
	if (!missing[*count])
		lint->no_memory = true;
	else
		++*count;
	recipe->missing = missing;
}

/* A hint has to name a parameter of a tool of its stage. Nothing can be said where one is missing.
 */
static void lint_hints(struct lint *lint, struct entry *entry, const json *stage,
		       const json *const *schemas, size_t count, bool any_missing)
{
	const json *hints = json_get(stage, "arg_hints");
	struct json_member m;

	if (any_missing)
		return;
	for (bool more = json_first(hints, &m); more; more = json_next(&m)) {
		bool found = false;

		for (size_t i = 0; i < count && !found; i++)
			found = has_parameter(lint, schemas[i], m.key);
		if (!found)
			FAULT(lint, entry,
			      "stage %lld hints at \"%.100s\", which is no parameter of its tools",
			      (long long)json_integer(json_get(stage, "order")), m.key);
	}
}

static void lint_stage(struct lint *lint, struct entry *entry, const json *stage,
		       const char **missing, size_t *missing_count)
{
	const json *names = json_get(stage, "tools");
	size_t count = json_count(names);
	const json **schemas = calloc(count + 1, sizeof(*schemas));
	bool any_missing = false;

	if (!schemas) {
		lint->no_memory = true;
		return;
	}
	for (size_t i = 0; i < count; i++) {
		const char *name = json_text(json_peek(names, i), NULL);

		schemas[i] = schema_of(lint, name);
		if (!schemas[i]) {
			any_missing = true;
			add_missing(lint, &entry->recipe, missing, missing_count, name);
		}
	}
	lint_hints(lint, entry, stage, schemas, count, any_missing);
	free(schemas);
}

static void say_unavailable(struct lint *lint, struct entry *entry)
{
	struct buffer text = BUFFER_INIT(FINDING_MOST / 2);
	struct recipe *recipe = &entry->recipe;

	buffer_text(&text, "tools that it needs are missing or switched off: ");
	for (size_t i = 0; recipe->missing[i]; i++) {
		const char *name = recipe->missing[i];

		if (text.length + NAME_SHOWN + 8 > FINDING_MOST / 2) {
			buffer_text(&text, ", ...");
			break;
		}
		buffer_text(&text, i ? ", " : "");
		buffer_append(&text, name, text_head(name, strlen(name), NAME_SHOWN));
	}
	recipe->unavailable =
		text.length ? arena_copy(&lint->catalogue->arena, text.data, text.length) : NULL;
	if (!recipe->unavailable) {
		lint->no_memory = true;
		recipe->unavailable = "";
	}
	report(lint, FINDING_UNAVAILABLE, entry, "%s", recipe->unavailable);
	buffer_free(&text);
}

static void lint_tools(struct lint *lint, struct entry *entry)
{
	const json *stages = json_get(entry->recipe.value, "stages");
	const char **missing;
	size_t named = 0, count = 0;

	for (size_t i = 0; i < json_count(stages); i++)
		named += json_count(json_get(json_peek(stages, i), "tools"));
	missing = arena_array(&lint->catalogue->arena, named + 1, sizeof(*missing));
	if (!missing) {
		lint->no_memory = true;
		return;
	}
	for (size_t i = 0; i < json_count(stages); i++)
		lint_stage(lint, entry, json_peek(stages, i), missing, &count);
	if (count)
		say_unavailable(lint, entry);
}

/* ---- How recipes stand to each other -----------------------------------------------------------
 */

/* Of two with one key the earlier one stays, but a pack takes none from the operator's folder,
 * whatever its rank. */
static void lint_key(struct lint *lint, size_t index)
{
	struct entry *entries = lint->catalogue->entries;

	for (size_t i = 0; i < index; i++) {
		bool later_stays = entries[i].of_pack && !entries[index].of_pack;
		struct entry *stays = &entries[later_stays ? index : i];
		struct entry *leaves = &entries[later_stays ? i : index];

		if (!stays->faulty && !leaves->faulty &&
		    !strcmp(stays->recipe.key, leaves->recipe.key))
			FAULT(lint, leaves, "the key is taken by the recipe of %s",
			      stays->recipe.source);
	}
}

/* A cue inside one of another recipe: a request that has the longer one scores for both. */
static void lint_overlap(struct lint *lint, const struct entry *entry, const struct entry *other)
{
	const json *phrases = json_get(entry->recipe.value, "cue_phrases");

	for (size_t i = 0; entry->cues[i]; i++) {
		for (size_t j = 0; other->cues[j]; j++) {
			if (*entry->cues[i] && strstr(other->cues[j], entry->cues[i]))
				WARN(lint, entry,
				     "the cue \"%.200s\" lies in the cue \"%.200s\" of %s",
				     json_text(json_peek(phrases, i), NULL), other->cues[j],
				     other->recipe.key);
		}
	}
}

int lint_recipes(struct catalogue *catalogue, const struct recipe_tools *tools, struct error *error)
{
	struct lint lint = { .catalogue = catalogue, .tools = tools, .looks = LOOKS_MOST };
	struct entry *entries = catalogue->entries;

	lint.schemas = json_new_object();
	for (size_t i = 0; i < catalogue->entry_count; i++) {
		lint_key(&lint, i);
		lint_steps(&lint, &entries[i]);
		lint_cues(&lint, &entries[i]);
		lint_tools(&lint, &entries[i]);
	}
	for (size_t i = 0; i < catalogue->entry_count; i++) {
		for (size_t j = 0; j < catalogue->entry_count; j++) {
			if (i != j && !entries[i].faulty && !entries[j].faulty)
				lint_overlap(&lint, &entries[i], &entries[j]);
		}
	}
	json_drop(lint.schemas);
	return lint.no_memory ? catalogue_no_memory(error) : STATUS_OK;
}
