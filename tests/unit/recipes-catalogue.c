/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "base/json.h"
#include "recipes/canonical.h"
#include "recipes/catalogue.h"

#include <unistd.h>

static json *read_json(const char *text)
{
	json *value = NULL;

	CU_ASSERT_FATAL(json_read(text, strlen(text), NULL, &value, NULL) == STATUS_OK);
	return value;
}

/* Two tools are there: `mean` with `values`, and `plot` with `values` and `title`. */
static json *input_schema(void *context, const char *tool)
{
	/* Tools whose schemas name `values` in other ways, or not at all. */
	static const char *const shapes[][2] = {
		{ "all_of", "{\"allOf\":[{\"properties\":{\"values\":{}}}]}" },
		{ "any_of", "{\"properties\":{\"a\":{}},\"anyOf\":[{\"oneOf\":[{\"properties\":"
			    "{\"values\":{}}}]}]}" },
		{ "then", "{\"properties\":{\"a\":{}},\"if\":{},\"then\":{\"properties\":"
			  "{\"values\":{}}}}" },
		{ "elsewhere", "{\"$ref\":\"#/$defs/a\"}" },
		{ "open", "{\"type\":\"object\"}" },
		{ "others", "{\"properties\":{\"a\":{}},\"additionalProperties\":{\"type\":"
			    "\"number\"}}" },
		{ "pattern", "{\"patternProperties\":{\"^v\":{}},\"additionalProperties\":false}" },
		{ "lacks", "{\"properties\":{\"a\":{}},\"allOf\":[{\"properties\":{\"b\":{}}}]}" },
		{ "closed", "{\"additionalProperties\":false}" },
	};

	(void)context;
	if (!strcmp(tool, "mean"))
		return read_json("{\"properties\":{\"values\":{}}}");
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (!strcmp(tool, shapes[i][0]))
			return read_json(shapes[i][1]);
	if (!strcmp(tool, "plot"))
		return read_json("{\"properties\":{\"values\":{},\"title\":{}}}");
	return NULL;
}

static const struct recipe_tools tools = { .input_schema = input_schema };

static struct catalogue *new_catalogue(void)
{
	struct catalogue *catalogue = NULL;

	CU_ASSERT_FATAL(catalogue_new(&catalogue, NULL) == STATUS_OK);
	return catalogue;
}

/* A recipe that has nothing wrong with it, but for what the test puts in. */
static void add(struct catalogue *catalogue, const char *key, int rank, const char *status,
		const char *cues, const char *stages)
{
	char text[2048];
	json *value;

	snprintf(text, sizeof(text),
		 "{\"format\":1,\"key\":\"%s\",\"rank\":%d,\"title\":\"T\",\"summary\":\"S\","
		 "\"domain\":\"d\","
		 "\"status\":\"%s\",\"cue_phrases\":%s,\"inputs_needed\":[\"data\"],\"stages\":%s}",
		 key, rank, status, cues, stages);
	value = read_json(text);
	CU_ASSERT(catalogue_add(catalogue, value, key, NULL) == STATUS_OK);
	json_drop(value);
}

#define ONE_STAGE                                                                                  \
	"[{\"order\":1,\"directive\":\"Do.\",\"tools\":[\"mean\"],\"arg_hints\":{\"values\":"      \
	"\"all\"}}]"

static void close_catalogue(struct catalogue *catalogue)
{
	CU_ASSERT(catalogue_close(catalogue, &tools, NULL) == STATUS_OK);
}

/* One finding of that kind whose text holds `words`. */
static bool found(const struct catalogue *catalogue, enum finding_kind kind, const char *words)
{
	for (size_t i = 0; i < catalogue_finding_count(catalogue); i++) {
		const struct finding *finding = catalogue_finding(catalogue, i);

		if (finding->kind == kind && strstr(finding->text, words))
			return true;
	}
	for (size_t i = 0; i < catalogue_finding_count(catalogue); i++)
		fprintf(stderr, "not \"%s\": %s\n", words, catalogue_finding(catalogue, i)->text);
	return false;
}

static const char *selected(const struct catalogue *catalogue, const char *query)
{
	struct selection selection;

	CU_ASSERT(catalogue_select(catalogue, query, strlen(query), &selection, NULL) == STATUS_OK);
	return selection.recipe ? selection.recipe->key : "none";
}

/* ---- The canonical form -------------------------------------------------------------------------
 */

static void canonical_forms(void)
{
	static const char *const pairs[][2] = {
		{ "Batch-to-batch... VARIATION!", "batch to batch variation" },
		{ "  golden \n\t batch  ", "golden batch" },
		{ "don\xe2\x80\x99t", "don t" },
		{ "snake_case 42%", "snake_case 42" },
		{ "\xd0\x90\xd0\x9d\xd0\x90\xd0\x9b\xd0\x98\xd0\x97 \xc3\x84", /* capitals in two
										  scripts */
		  "\xd0\xb0\xd0\xbd\xd0\xb0\xd0\xbb\xd0\xb8\xd0\xb7 \xc3\xa4" },
		{ "\xe4\xb8\xad\xe6\x96\x87", "\xe4\xb8\xad\xe6\x96\x87" },
		/* The Greek final sigma is a sigma, the dotted capital I an i. */
		{ "\xce\x9c\xce\x95\xce\xa3\xce\x9f\xce\xa3 "
		  "\xce\xbc\xce\xb5\xcf\x83\xce\xbf\xcf\x82",
		  "\xce\xbc\xce\xb5\xcf\x83\xce\xbf\xcf\x83 "
		  "\xce\xbc\xce\xb5\xcf\x83\xce\xbf\xcf\x83" },
		{ "\xc4\xb0STAT\xc4\xb0ST\xc4\xb0K \xc4\xb1", "istatistik \xc4\xb1" },
		{ "", "" },
		{ "?! -- \xf0\x9f\x98\x80", "" },
		/* What is no UTF-8: lone bytes, sequences that end early, a surrogate. */
		{ "\xff\xfe", "" },
		{ "outlier\xffZoom\xf0\x9f", "outlier zoom" },
		{ "\xe2\x82x\xed\xa0\x80y\xc3", "x y" },
	};
	struct canonical *canonical = NULL;

	CU_ASSERT_FATAL(canonical_new(&canonical, NULL) == STATUS_OK);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct buffer out = BUFFER_INIT(SIZE_MAX);

		CU_ASSERT(canonical_print(canonical, pairs[i][0], strlen(pairs[i][0]), &out,
					  NULL) == STATUS_OK);
		UNIT_TEXT(out.length ? out.data : "", pairs[i][1]);
		buffer_free(&out);
	}
	canonical_free(canonical);
}

/* ---- Order and selection ------------------------------------------------------------------------
 */

static void order_is_rank_then_key(void)
{
	struct catalogue *catalogue = new_catalogue();

	add(catalogue, "b", 2, "available", "[\"bbbb\"]", ONE_STAGE);
	add(catalogue, "c", 1, "available", "[\"cccc\"]", ONE_STAGE);
	add(catalogue, "a", 2, "available", "[\"aaaa\"]", ONE_STAGE);
	close_catalogue(catalogue);
	CU_ASSERT_FATAL(catalogue_count(catalogue) == 3);
	UNIT_TEXT(catalogue_recipe(catalogue, 0)->key, "c");
	UNIT_TEXT(catalogue_recipe(catalogue, 1)->key, "a");
	UNIT_TEXT(catalogue_recipe(catalogue, 2)->key, "b");
	CU_ASSERT(catalogue_find(catalogue, "b") == catalogue_recipe(catalogue, 2));
	CU_ASSERT(!catalogue_find(catalogue, "d"));
	CU_ASSERT(catalogue_finding_count(catalogue) == 0);
	catalogue_free(catalogue);
}

static void most_cues_win_and_ties_go_to_the_first(void)
{
	struct catalogue *catalogue = new_catalogue();

	add(catalogue, "one", 1, "available", "[\"alpha\", \"gamma\"]", ONE_STAGE);
	add(catalogue, "two", 2, "available", "[\"beta\", \"delta\", \"eta-theta\"]", ONE_STAGE);
	close_catalogue(catalogue);
	UNIT_TEXT(selected(catalogue, "beta and alpha"), "one");
	UNIT_TEXT(selected(catalogue, "beta, delta and alpha"), "two");
	UNIT_TEXT(selected(catalogue, "Alphabets"), "one");
	UNIT_TEXT(selected(catalogue, "ETA THETA"), "two");
	UNIT_TEXT(selected(catalogue, "nothing of the kind"), "none");
	UNIT_TEXT(selected(catalogue, ""), "none");
	UNIT_TEXT(selected(catalogue, "   "), "none");
	catalogue_free(catalogue);
}

static void planned_yields(void)
{
	struct catalogue *catalogue = new_catalogue();
	struct selection selection;

	add(catalogue, "later", 1, "planned", "[\"alpha\", \"gamma\"]", "[]");
	add(catalogue, "now", 2, "available", "[\"delta\"]", ONE_STAGE);
	close_catalogue(catalogue);
	UNIT_TEXT(selected(catalogue, "alpha gamma delta"), "now");
	UNIT_TEXT(selected(catalogue, "alpha"), "later");
	CU_ASSERT(catalogue_select(catalogue, "alpha gamma delta", 17, &selection, NULL) ==
		  STATUS_OK);
	CU_ASSERT(selection.score == 1 && selection.runner_up_score == 2);
	UNIT_TEXT(selection.runner_up->key, "later");
	catalogue_free(catalogue);
}

/* One whose tools are missing is told so, and is selected all the same. */
static void unavailable_does_not_yield(void)
{
	struct catalogue *catalogue = new_catalogue();
	const struct recipe *recipe;

	add(catalogue, "lame", 1, "available", "[\"alpha\"]",
	    "[{\"order\":1,\"directive\":\"Do.\",\"tools\":[\"saw\",\"mean\",\"axe\"],\"arg_"
	    "hints\":{\"blade\":\"x\"}},"
	    "{\"order\":2,\"directive\":\"Again.\",\"tools\":[\"saw\"]}]");
	add(catalogue, "well", 2, "available", "[\"delta\"]", ONE_STAGE);
	close_catalogue(catalogue);
	UNIT_TEXT(selected(catalogue, "alpha delta"), "lame");
	recipe = catalogue_find(catalogue, "lame");
	UNIT_TEXT(recipe->unavailable, "tools that it needs are missing or switched off: saw, axe");
	CU_ASSERT(recipe->missing[0] && recipe->missing[1] && !recipe->missing[2]);
	CU_ASSERT(found(catalogue, FINDING_UNAVAILABLE, "saw, axe"));
	UNIT_TEXT(catalogue_find(catalogue, "well")->unavailable, "");
	catalogue_free(catalogue);
}

/* ---- The lint -----------------------------------------------------------------------------------
 */

static void faults_leave_out_their_recipe(void)
{
	static const struct {
		const char *status, *cues, *stages, *words;
	} cases[] = {
		{ "available", "[\"alpha\"]", "[{\"order\":2,\"directive\":\"Do.\"}]",
		  "stage 1 has the order 2" },
		{ "available", "[\"alpha\"]",
		  "[{\"order\":1,\"directive\":\"Do.\"},{\"order\":1,\"directive\":\"Do.\"}]",
		  "stage 2 has the order 1" },
		{ "available", "[\"alpha\"]", "[]", "no stages" },
		{ "available", "[\"?!\"]", ONE_STAGE, "holds no word" },
		{ "available", "[\"alpha\"]",
		  "[{\"order\":1,\"directive\":\"Do.\",\"tools\":[\"mean\"],\"arg_hints\":{"
		  "\"title\":\"x\"}}]",
		  "hints at \"title\"" },
		{ "available", "[\"alpha\"]",
		  "[{\"order\":1,\"directive\":\"Do.\",\"arg_hints\":{\"x\":\"x\"}}]",
		  "hints at \"x\"" },
		{ "ready", "[\"alpha\"]", ONE_STAGE, "/status" },
		{ "available", "\"alpha\"", ONE_STAGE, "/cue_phrases" },
		{ "available", "[\"alpha\"]", "[{\"order\":1,\"directve\":\"Do.\"}]", "/stages/0" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct catalogue *catalogue = new_catalogue();

		add(catalogue, "bad", 1, cases[i].status, cases[i].cues, cases[i].stages);
		add(catalogue, "good", 2, "available", "[\"delta\"]", ONE_STAGE);
		close_catalogue(catalogue);
		CU_ASSERT(found(catalogue, FINDING_FAULT, cases[i].words));
		CU_ASSERT(catalogue_count(catalogue) == 1);
		CU_ASSERT(catalogue_find(catalogue, "good") != NULL);
		catalogue_free(catalogue);
	}
}

static void hints_may_belong_to_any_tool_of_the_stage(void)
{
	struct catalogue *catalogue = new_catalogue();

	add(catalogue, "a", 1, "available", "[\"alpha\"]",
	    "[{\"order\":1,\"directive\":\"Do.\",\"tools\":[\"mean\",\"plot\"],"
	    "\"arg_hints\":{\"values\":\"x\",\"title\":\"y\"}}]");
	close_catalogue(catalogue);
	CU_ASSERT(catalogue_finding_count(catalogue) == 0 && catalogue_count(catalogue) == 1);
	catalogue_free(catalogue);
}

/* A recipe is not left out because its tool's schema is written in another way. */
static void hints_at_parameters_of_whole_schemas(void)
{
	static const char *const good[] = { "all_of", "any_of", "then",	  "elsewhere",
					    "open",   "others", "pattern" };
	static const char *const bad[] = { "lacks", "closed" };
	struct catalogue *catalogue = new_catalogue();
	char stages[256];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]) + 2; i++) {
		const char *tool = i < 2 ? bad[i] : good[i - 2];

		snprintf(stages, sizeof(stages),
			 "[{\"order\":1,\"directive\":\"Do.\",\"tools\":[\"%s\"],\"arg_hints\":"
			 "{\"values\":\"x\"}}]",
			 tool);
		add(catalogue, tool, (int)i, "available", "[]", stages);
	}
	close_catalogue(catalogue);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		CU_ASSERT(catalogue_find(catalogue, good[i]) != NULL);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT(catalogue_find(catalogue, bad[i]) == NULL);
	CU_ASSERT(found(catalogue, FINDING_FAULT, "hints at \"values\""));
	catalogue_free(catalogue);
}

static void one_key_twice_is_refused_naming_both(void)
{
	struct catalogue *catalogue = new_catalogue();
	json *value;

	add(catalogue, "twin", 2, "available", "[\"alpha\"]", ONE_STAGE);
	value = json_copy(catalogue_recipe(catalogue, 0)->value);
	json_set_integer(value, "rank", 1);
	CU_ASSERT(catalogue_add(catalogue, value, "first.json", NULL) == STATUS_OK);
	json_drop(value);
	close_catalogue(catalogue);
	CU_ASSERT(catalogue_count(catalogue) == 1);
	UNIT_TEXT(catalogue_recipe(catalogue, 0)->source, "first.json");
	CU_ASSERT(found(catalogue, FINDING_FAULT, "taken by the recipe of first.json"));
	UNIT_TEXT(catalogue_finding(catalogue, 0)->source, "twin");
	catalogue_free(catalogue);
}

static void a_pack_takes_no_key_of_a_file(void)
{
	struct catalogue *catalogue = new_catalogue();
	json *value;

	add(catalogue, "twin", 2, "available", "[\"alpha\"]", ONE_STAGE);
	value = json_copy(catalogue_recipe(catalogue, 0)->value);
	for (int rank = 1; rank < 4; rank += 2) { /* before it, and behind it */
		json_set_integer(value, "rank", rank);
		CU_ASSERT(catalogue_add_of_pack(catalogue, value, "p", NULL) == STATUS_OK);
		json_drop(value);
		value = json_copy(catalogue_recipe(catalogue, 0)->value);
	}
	json_drop(value);
	close_catalogue(catalogue);
	CU_ASSERT(catalogue_count(catalogue) == 1);
	UNIT_TEXT(catalogue_recipe(catalogue, 0)->source, "twin");
	CU_ASSERT(found(catalogue, FINDING_FAULT, "taken by the recipe of twin"));
	for (size_t i = 0; i < catalogue_finding_count(catalogue); i++)
		UNIT_TEXT(catalogue_finding(catalogue, i)->source, "pack p");
	CU_ASSERT(catalogue_finding_count(catalogue) == 2);
	catalogue_free(catalogue);
}

static void warnings_keep_the_recipe(void)
{
	struct catalogue *catalogue = new_catalogue();

	add(catalogue, "a", 1, "available", "[\"cpk\", \"the Cpk\", \"The cpk!\"]", ONE_STAGE);
	add(catalogue, "b", 2, "available", "[\"compute the cpk now\"]", ONE_STAGE);
	add(catalogue, "c", 3, "available", "[]", ONE_STAGE);
	close_catalogue(catalogue);
	CU_ASSERT(catalogue_count(catalogue) == 3);
	CU_ASSERT(found(catalogue, FINDING_WARNING, "\"cpk\" is short"));
	CU_ASSERT(found(catalogue, FINDING_WARNING, "\"The cpk!\" stands twice"));
	CU_ASSERT(found(catalogue, FINDING_WARNING,
			"\"the Cpk\" lies in the cue \"compute the cpk now\" of b"));
	CU_ASSERT(found(catalogue, FINDING_WARNING, "it has no cues"));
	catalogue_free(catalogue);
}

/* ---- Bounds: recipes come from packs that nobody trusts ------------------------------------------
 */

static size_t findings_of(const struct catalogue *catalogue, enum finding_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < catalogue_finding_count(catalogue); i++)
		count += catalogue_finding(catalogue, i)->kind == kind;
	return count;
}

/* Adds a recipe with so many cues "PREFIX 0", "PREFIX 1" and so on, filled with blanks to a length,
 * and so many names of one tool. */
static void add_large(struct catalogue *catalogue, const char *key, const char *prefix, int cues,
		      int length, int names)
{
	json *value = read_json("{\"format\":1,\"title\":\"T\",\"summary\":\"S\",\"domain\":\"d\","
				"\"inputs_needed\":[\"data\"]}");
	json *list = json_new_list(), *stages = json_new_list(), *stage = json_new_object();
	json *tool_names = json_new_list();
	char text[512];

	for (int i = 0; i < cues; i++) {
		char cue[64];

		snprintf(cue, sizeof(cue), "%s %d", prefix, i);
		snprintf(text, sizeof(text), "%-*s", length, cue);
		json_append(list, json_new_text(text));
	}
	for (int i = 0; i < names; i++)
		json_append(tool_names, json_new_text("mean"));
	json_set_integer(stage, "order", 1);
	json_set_text(stage, "directive", "Do.");
	json_set(stage, "tools", tool_names);
	json_append(stages, stage);
	json_set_text(value, "key", key);
	json_set(value, "cue_phrases", list);
	json_set(value, "stages", stages);
	CU_ASSERT(catalogue_add(catalogue, value, key, NULL) == STATUS_OK);
	json_drop(value);
}

static void a_recipe_has_bounds(void)
{
	static const struct {
		int cues, length, names;
		const char *words; /* of its fault; NULL: it is good */
	} cases[] = {
		{ 1000, 10, 1, NULL },
		{ 1001, 10, 1, "/cue_phrases: expected at most 1000 items" },
		{ 1, 200, 1000, NULL },
		{ 1, 201, 1, "/cue_phrases/0: expected a string of at most 200 characters" },
		{ 1, 10, 1001, "/stages/0/tools: expected at most 1000 items" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct catalogue *catalogue = new_catalogue();

		add_large(catalogue, "large", "cue", cases[i].cues, cases[i].length,
			  cases[i].names);
		close_catalogue(catalogue);
		CU_ASSERT(catalogue_count(catalogue) == !cases[i].words);
		if (cases[i].words)
			CU_ASSERT(found(catalogue, FINDING_FAULT, cases[i].words));
		catalogue_free(catalogue);
	}
}

/* What came first stays, so that the recipes of one pack do not push out those of others. */
static void a_catalogue_has_bounds(void)
{
	static const struct {
		int recipes, cues, length, names, kept;
	} cases[] = {
		{ 1001, 1, 10, 1, 1000 },
		{ 6, 1000, 10, 1, 5 },
		{ 6, 100, 190, 1, 5 },
		{ 11, 1, 10, 1000, 10 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct catalogue *catalogue = new_catalogue();
		char key[16];

		for (int j = 0; j < cases[i].recipes; j++) {
			snprintf(key, sizeof(key), "k%d", 9999 - j);
			add_large(catalogue, key, key, cases[i].cues, cases[i].length,
				  cases[i].names);
		}
		close_catalogue(catalogue);
		CU_ASSERT(catalogue_count(catalogue) == (size_t)cases[i].kept);
		CU_ASSERT(catalogue_find(catalogue, "k9999") != NULL);
		CU_ASSERT(catalogue_find(catalogue, key) == NULL);
		CU_ASSERT(findings_of(catalogue, FINDING_FAULT) == 1);
		CU_ASSERT(found(catalogue, FINDING_FAULT, "there is no room for it"));
		catalogue_free(catalogue);
	}
}

static void findings_have_bounds(void)
{
	struct catalogue *catalogue = new_catalogue();

	for (int i = 0; i < 4; i++) {
		char key[16];

		snprintf(key, sizeof(key), "k%d", i);
		add_large(catalogue, key, "same", 1000, 10, 1);
	}
	close_catalogue(catalogue);
	CU_ASSERT(catalogue_count(catalogue) == 4);
	CU_ASSERT(findings_of(catalogue, FINDING_WARNING) == 1001);
	CU_ASSERT(found(catalogue, FINDING_WARNING, "there are more of this kind"));
	catalogue_free(catalogue);
}

/* ---- What an agent gets -------------------------------------------------------------------------
 */

static void check_answer(const struct catalogue *catalogue, const char *query, const char *expected)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	json *answer = NULL;

	CU_ASSERT(catalogue_answer(catalogue, query, strlen(query), &answer, NULL) == STATUS_OK);
	json_print(&out, answer);
	UNIT_TEXT(out.data, expected);
	buffer_free(&out);
	json_drop(answer);
}

static void answers(void)
{
	static const char headlines[] = "\"available\":[{\"recipe_key\":\"a\",\"title\":\"T\","
					"\"summary\":\"S\",\"domain\":\"d\","
					"\"status\":\"available\"},{\"recipe_key\":\"p\",\"title\":"
					"\"T\",\"summary\":\"S\",\"domain\":\"d\","
					"\"status\":\"planned\"}]}";
	struct catalogue *catalogue = new_catalogue();
	char expected[2048];

	add(catalogue, "a", 1, "available", "[\"Alpha\", \"beta\"]",
	    "[{\"order\":1,\"directive\":\"Do.\",\"tools\":[\"mean\"],\"arg_hints\":{\"values\":"
	    "\"all\"}},"
	    "{\"order\":2,\"directive\":\"Read.\",\"tools\":[],\"arg_hints\":{}}]");
	add(catalogue, "p", 2, "planned", "[\"alpha beta\"]", "[]");
	close_catalogue(catalogue);

	snprintf(expected, sizeof(expected),
		 "{\"ok\":true,\"matched\":true,\"recipe\":{\"recipe_key\":\"a\",\"title\":\"T\","
		 "\"summary\":\"S\","
		 "\"domain\":\"d\",\"status\":\"available\",\"inputs_needed\":[\"data\"],"
		 "\"stages\":["
		 "{\"step\":1,\"directive\":\"Do.\",\"tools\":[\"mean\"],\"arg_hints\":{\"values\":"
		 "\"all\"}},"
		 "{\"step\":2,\"directive\":\"Read.\"}]},\"score\":2,\"cues\":[\"Alpha\",\"beta\"],"
		 "\"runner_up\":{\"recipe_key\":\"p\",\"score\":1},%s",
		 headlines);
	check_answer(catalogue, "ALPHA, beta", expected);
	snprintf(expected, sizeof(expected),
		 "{\"ok\":true,\"matched\":false,\"recipe\":null,\"score\":0,\"cues\":[],\"runner_"
		 "up\":null,%s",
		 headlines);
	check_answer(catalogue, "x", expected);
	catalogue_free(catalogue);
}

static void planned_payload_has_a_note(void)
{
	struct catalogue *catalogue = new_catalogue();
	json *payload;

	add(catalogue, "p", 2, "planned", "[\"alpha\"]", "[]");
	close_catalogue(catalogue);
	payload = recipe_payload(catalogue_recipe(catalogue, 0));
	CU_ASSERT(json_kind(json_get(payload, "note")) == JSON_TEXT);
	CU_ASSERT(json_count(json_get(payload, "stages")) == 0 && json_has(payload, "stages"));
	json_drop(payload);
	catalogue_free(catalogue);
}

static void unknown_names_the_nearest(void)
{
	struct catalogue *catalogue = new_catalogue();
	struct error error = ERROR_INIT;

	add(catalogue, "outlier_triage", 1, "available", "[\"alpha\"]", ONE_STAGE);
	close_catalogue(catalogue);
	CU_ASSERT(catalogue_unknown(catalogue, "outlier_triag", &error) == STATUS_UNKNOWN_RECIPE);
	CU_ASSERT(strstr(error.message, "did you mean \"outlier_triage\"") != NULL);
	CU_ASSERT(json_count(json_get(error.details, "close")) == 1);
	error_clear(&error);
	catalogue_free(catalogue);
}

/* ---- Files --------------------------------------------------------------------------------------
 */

static void write_file(const char *folder, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	CU_ASSERT_FATAL(file != NULL);
	fputs(text, file);
	fclose(file);
}

static void a_folder_of_files(void)
{
	static const char recipe[] = "\xef\xbb\xbf{\"format\":1,\"key\":\"a\",\"title\":\"T\","
				     "\"summary\":\"S\",\"domain\":\"d\","
				     "\"cue_phrases\":[\"alpha\"],\"inputs_needed\":[\"data\"],"
				     "\"stages\":[{\"order\":1,\"directive\":\"Do.\"}]}";
	static const char *const names[] = { "a.json", "b.json", ".hidden.json", "notes.txt" };
	struct catalogue *catalogue = new_catalogue();
	char folder[] = "/tmp/recipes-XXXXXX", path[256];

	CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
	write_file(folder, names[0], recipe);
	write_file(folder, names[1], "{\"format\":1,}");
	write_file(folder, names[2], "no");
	write_file(folder, names[3], "no");
	CU_ASSERT(catalogue_add_folder(catalogue, folder, NULL) == STATUS_OK);
	CU_ASSERT(catalogue_add_folder(catalogue, "/nonexistent/recipes", NULL) == STATUS_OK);
	close_catalogue(catalogue);
	CU_ASSERT(catalogue_count(catalogue) == 1);
	CU_ASSERT(catalogue_finding_count(catalogue) == 1);
	CU_ASSERT(found(catalogue, FINDING_FAULT, "is no JSON: line 1, column "));
	snprintf(path, sizeof(path), "%s/a.json", folder);
	UNIT_TEXT(catalogue_recipe(catalogue, 0)->source, path);
	catalogue_free(catalogue);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}

static const struct unit_test tests[] = {
	UNIT_TEST(canonical_forms),
	UNIT_TEST(order_is_rank_then_key),
	UNIT_TEST(most_cues_win_and_ties_go_to_the_first),
	UNIT_TEST(planned_yields),
	UNIT_TEST(unavailable_does_not_yield),
	UNIT_TEST(faults_leave_out_their_recipe),
	UNIT_TEST(hints_may_belong_to_any_tool_of_the_stage),
	UNIT_TEST(hints_at_parameters_of_whole_schemas),
	UNIT_TEST(one_key_twice_is_refused_naming_both),
	UNIT_TEST(a_pack_takes_no_key_of_a_file),
	UNIT_TEST(warnings_keep_the_recipe),
	UNIT_TEST(a_recipe_has_bounds),
	UNIT_TEST(a_catalogue_has_bounds),
	UNIT_TEST(findings_have_bounds),
	UNIT_TEST(answers),
	UNIT_TEST(planned_payload_has_a_note),
	UNIT_TEST(unknown_names_the_nearest),
	UNIT_TEST(a_folder_of_files),
};

UNIT_MAIN("recipes-catalogue", tests)
