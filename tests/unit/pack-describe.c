/* SPDX-License-Identifier: MIT
 *
 * The manifest of good packs, and what is said of each way for a pack to be wrong. One bad part
 * refuses the whole.
 */
#include "unit.h"

#include "pack/pack.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct error error;
static json *manifest; /* of the last pack that was good */

/* The message about a pack; "" for a good one. */
static const char *describe(const th_pack *descriptor)
{
	struct pack *pack = NULL;

	error_clear(&error);
	json_drop(manifest);
	manifest = NULL;
	if (!pack_linked_in(descriptor, &pack, &error))
		pack_describe(pack, &manifest, &error);
	pack_free(pack);
	CU_ASSERT_EQUAL(manifest != NULL, error.status == STATUS_OK);
	return error.message;
}

static th_text text(const char *words)
{
	return (th_text){ words, strlen(words) };
}

static th_pack pack_of(const char *about, const void *tools, uint32_t size, uint32_t count)
{
	return (th_pack){
		.struct_size = sizeof(th_pack),
		.abi_major = TH_ABI_MAJOR,
		.abi_minor = TH_ABI_MINOR,
		.about = text(about),
		.tools = { tools, size, count },
	};
}

static const char *describe_tools(const th_tool *tools, uint32_t count)
{
	th_pack pack = pack_of("{\"version\": \"1.0.0\"}", tools, sizeof(*tools), count);

	return describe(&pack);
}

/* One thing at a time is wrong with this one. */
struct sample_in {
	double trim;
	int64_t seed;
	th_text word;
};

/* clang-format off */
static const th_param sample_params[] = {
	TH_NUMBER_OR(struct sample_in, trim, 0.1, "Fraction cut.", {"minimum": 0, "maximum": 0.5}),
	TH_INTEGER_OR(struct sample_in, seed, 42, "The seed.", {}),
	TH_STRING_MAYBE(struct sample_in, word, "A word.", {}),
	TH_END
};

static const th_param sample_results[] = { TH_GIVES_NUMBER(mean, "The mean.", {}), TH_END };
/* clang-format on */

static int32_t sample(th_call *call, const void *input)
{
	(void)input;
	return th_put_number(call, "mean", 1);
}

static const th_tool good =
	TH_TOOL(sample, struct sample_in, sample_params, sample_results, "Sample", "A sample.", {});
static const th_tool whole =
	TH_TOOL_SCHEMA("whole", sample, "{\"type\": \"object\"}", "", "Whole", "A sample.", {});

#define HOLDS(message, phrase)                                                                     \
	do {                                                                                       \
		const char *holds_ = (message);                                                    \
		if (!strstr(holds_, phrase))                                                       \
			UNIT_TEXT(holds_, phrase);                                                 \
		CU_ASSERT_PTR_NOT_NULL(strstr(holds_, phrase));                                    \
	} while (0)

/* ---- Good packs --------------------------------------------------------------------------- */

static const char *printed(const json *value)
{
	static struct buffer out = BUFFER_INIT(SIZE_MAX);

	buffer_reset(&out);
	json_print(&out, value);
	return out.data;
}

/* clang-format off */
static const char expected[] =
	"{\"format\":1,\"abi\":{\"major\":1,\"minor\":0},\"about\":{\"version\":\"1.0.0\"},\"warnings\":[],"
	"\"tools\":[{\"name\":\"sample\",\"title\":\"Sample\",\"description\":\"A sample.\","
	"\"category\":\"statistics\","
	"\"inputSchema\":{\"type\":\"object\",\"properties\":{"
	"\"trim\":{\"type\":\"number\",\"description\":\"Fraction cut.\",\"default\":0.1,"
	"\"minimum\":0,\"maximum\":0.5},"
	"\"seed\":{\"type\":\"integer\",\"description\":\"The seed.\",\"default\":42},"
	"\"word\":{\"type\":\"string\",\"description\":\"A word.\"}},\"additionalProperties\":false},"
	"\"outputSchema\":{\"type\":\"object\",\"properties\":{"
	"\"mean\":{\"type\":\"number\",\"description\":\"The mean.\"}},\"required\":[\"mean\"]},"
	"\"annotations\":{\"readOnlyHint\":true},"
	"\"examples\":[{\"title\":\"One\",\"arguments\":{\"trim\":0.2},\"result\":{\"mean\":1}}],"
	"\"rng\":{\"uses_rng\":true,\"seed_param\":\"seed\",\"default_seed\":42,\"note\":\"n\"},"
	"\"caps\":{\"trim\":0.4},\"cacheable\":true,\"threads\":\"parallel\",\"isolation\":\"isolated\","
	"\"needs\":{\"network\":false,\"read\":[\"/data\"]},\"timeout\":2.5,\"memory_mb\":64}],"
	"\"recipes\":[],\"prompts\":[],\"resources\":[]}";
/* clang-format on */

static void test_manifest(void)
{
	/* clang-format off */
	static const th_tool tools[] = {
		TH_TOOL(sample, struct sample_in, sample_params, sample_results, "Sample", "A sample.",
			{"category": "statistics", "cacheable": true, "threads": "parallel",
			 "annotations": {"readOnlyHint": true}, "isolation": "isolated",
			 "rng": {"uses_rng": true, "seed_param": "seed", "default_seed": 42, "note": "n"},
			 "caps": {"trim": 0.4}, "needs": {"network": false, "read": ["/data"]},
			 "timeout": 2.5, "memory_mb": 64,
			 "examples": [{"title": "One", "arguments": {"trim": 0.2}, "result": {"mean": 1}}]}),
	};
	/* clang-format on */

	UNIT_TEXT(describe_tools(tools, 1), "");
	UNIT_TEXT(printed(manifest), expected);
}

static void test_tool_without_anything(void)
{
	static const th_param none[] = { TH_END };
	static const th_tool tools[] = {
		TH_TOOL(sample, th_no_input, none, NULL, "", "A sample.", {}),
		};
	json *tool;

	UNIT_TEXT(describe_tools(tools, 1), "");
	tool = json_peek(json_get(manifest, "tools"), 0);
	UNIT_TEXT(printed(tool),
		  "{\"name\":\"sample\",\"description\":\"A sample.\",\"inputSchema\":"
		  "{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}}");
}

struct greet_in {
	th_text who;
	th_text tone;
};

/* clang-format off */
static const th_param greet_params[] = {
	TH_STRING(struct greet_in, who, "Whom to greet.", {}),
	TH_STRING_MAYBE(struct greet_in, tone, "How.", {}),
	TH_END
};

static const th_recipe recipes[] = { TH_RECIPE({"key": "first", "title": "First", "stages": []}) };
static const th_prompt prompts[] = {
	{ TH_TEXT("greet"), TH_TEXT("Greet"), TH_TEXT("Greets."), greet_params, sample,
	  sizeof(struct greet_in), sizeof(th_param) },
};
static const th_resource resources[] = {
	{ TH_TEXT("hello://greeting"), TH_TEXT("greeting"), TH_NO_TEXT, TH_NO_TEXT, TH_TEXT("text/plain"),
	  TH_TEXT("Hello."), NULL, 0 },
	{ TH_TEXT("hello://{name}"), TH_TEXT("named"), TH_NO_TEXT, TH_TEXT("By name."), TH_NO_TEXT, TH_NO_TEXT,
	  sample, 1 },
};
/* clang-format on */

static th_pack others(void)
{
	th_pack pack = pack_of("{\"version\": \"1\"}", NULL, 0, 0);

	pack.recipes = (th_list)TH_LIST(recipes);
	pack.prompts = (th_list)TH_LIST(prompts);
	pack.resources = (th_list)TH_LIST(resources);
	return pack;
}

static void test_recipes_prompts_resources(void)
{
	th_pack pack = others();

	UNIT_TEXT(describe(&pack), "");
	UNIT_TEXT(printed(json_get(manifest, "recipes")),
		  "[{\"key\":\"first\",\"title\":\"First\",\"stages\":[]}]");
	UNIT_TEXT(printed(json_get(manifest, "prompts")),
		  "[{\"name\":\"greet\",\"title\":\"Greet\",\"description\":\"Greets.\","
		  "\"arguments\":["
		  "{\"name\":\"who\",\"description\":\"Whom to greet.\",\"required\":true},"
		  "{\"name\":\"tone\",\"description\":\"How.\",\"required\":false}]}]");
	UNIT_TEXT(printed(json_get(manifest, "resources")),
		  "[{\"uri\":\"hello://greeting\",\"name\":\"greeting\",\"mimeType\":\"text/"
		  "plain\",\"size\":6},"
		  "{\"uriTemplate\":\"hello://{name}\",\"name\":\"named\",\"description\":\"By "
		  "name.\"}]");
}

/* ---- Bad packs ---------------------------------------------------------------------------- */

static void test_about_the_pack(void)
{
	static const struct {
		const char *about, *phrase;
	} cases[] = {
		{ "", "The pack: its about has no version" },
		{ "{}", "The pack: its about has no version" },
		{ "{\"version\": 1}",
		  "version of its about is of kind integer, and has to be string" },
		{ "{\"version\": \"1\", \"licence\": \"MIT\"}",
		  "its about has the unknown key \"licence\"; did you mean \"license\"?" },
		{ "[1]", "its about is array, and has to be a JSON object" },
		{ "{\"version\": \"1\",}", "its about is no JSON: " },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		th_pack pack = pack_of(cases[i].about, &good, sizeof(good), 1);

		HOLDS(describe(&pack), cases[i].phrase);
		CU_ASSERT_EQUAL(error.status, STATUS_INPUT_INVALID);
	}
	HOLDS(describe_tools(NULL, 0), "it offers nothing");
}

/* A key that is not known is a slip, or comes from a version of the ABI that is later than ours. */
static void test_keys_of_later_versions(void)
{
	th_pack pack = pack_of("{\"version\": \"1\", \"later\": 1}", &good, sizeof(good), 1);

	HOLDS(describe(&pack), "unknown key \"later\"");
	pack.abi_minor = TH_ABI_MINOR + 1;
	UNIT_TEXT(describe(&pack), "");
	HOLDS(printed(json_get(manifest, "warnings")),
	      "does not know the key \\\"later\\\" of its about");
}

static void refuse_name(th_text name, const char *phrase)
{
	th_tool tool = good;

	tool.name = name;
	HOLDS(describe_tools(&tool, 1), phrase);
	CU_ASSERT_EQUAL(error.status, STATUS_INPUT_INVALID);
}

static void test_names(void)
{
	static const char longest[] =
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
	const th_tool twice[] = { good, whole, good };
	th_tool tool = good;

	refuse_name((th_text)TH_NO_TEXT, "Tool 1: its name is missing");
	refuse_name(text(""), "Tool 1: its name is missing");
	refuse_name(text("new tool"), "Tool \"new tool\": this is no name for a tool: allowed is "
				      "[A-Za-z0-9_-]{1,64}.");
	refuse_name(text(longest), "this is no name for a tool");
	refuse_name(text("caf\xe9"), "Tool \"caf\\xe9\": its name is not UTF-8");
	refuse_name((th_text){ "sample\0x", 8 },
		    "the length of its name is not that of the text before the NUL");
	refuse_name((th_text){ "sample", 3 },
		    "the length of its name is not that of the text before the NUL");
	refuse_name((th_text){ NULL, 3 }, "its name has a length and no data");
	refuse_name((th_text){ longest, UINT64_MAX }, "more than 256");
	HOLDS(describe_tools(twice, 3), "Tool \"sample\": the pack has two tools of this name");
	tool.description = (th_text)TH_NO_TEXT;
	HOLDS(describe_tools(&tool, 1), "Tool \"sample\": its description is missing");
	tool.description = text("\xed\xa0\x80");
	HOLDS(describe_tools(&tool, 1), "its description is not UTF-8");
}

static void test_what_is_called(void)
{
	th_tool tool = good;

	tool.run = NULL;
	HOLDS(describe_tools(&tool, 1), "Tool \"sample\": it has no function to run");
	tool = good;
	tool.params = NULL;
	HOLDS(describe_tools(&tool, 1), "neither a parameter table nor an input schema");
	tool = good;
	tool.input_schema = text("{}");
	HOLDS(describe_tools(&tool, 1), "both a parameter table and an input schema");
	tool = good;
	tool.output_schema = text("{}");
	HOLDS(describe_tools(&tool, 1), "both result fields and an output schema");
	tool = good;
	tool.input_size = 0;
	HOLDS(describe_tools(&tool, 1), "its input struct has 0 bytes");
	tool = good;
	tool.input_size = (uint64_t)1 << 40;
	HOLDS(describe_tools(&tool, 1), "and may have 1 to 1048576");
	tool = whole;
	tool.input_size = 8;
	HOLDS(describe_tools(&tool, 1), "receives a th_json");
}

static void test_tables(void)
{
	th_tool tool = good;

	tool.input_size = 8;
	HOLDS(describe_tools(&tool, 1), "Tool \"sample\": parameter \"seed\"");
	tool = good;
	tool.param_size = 100;
	HOLDS(describe_tools(&tool, 1), "100 bytes cannot be the size of its entries");
}

/* A table of a later version has longer entries. */
static void test_strides(void)
{
	static const struct {
		th_param param;
		th_text later;
	} params[] = {
		{ TH_NUMBER_OR(struct sample_in, trim, 0.1, "Fraction cut.", {}), TH_TEXT("x") },
		{ TH_STRING_MAYBE(struct sample_in, word, "A word.", {}), TH_TEXT("x") },
		{ TH_END, TH_NO_TEXT },
	};
	static const struct {
		th_tool tool;
		th_text later;
	} tools[] = {
		{ TH_TOOL(sample, struct sample_in, &params[0].param, NULL, "", "D.", {}), TH_TEXT("x") },
			  { TH_TOOL_SCHEMA("second", sample, "{\"type\":\"object\"}", "", "", "D.", {}), TH_TEXT("x") },
		 };
	th_tool first = tools[0].tool;
	struct {
		th_tool tool;
		th_text later;
	} changed[2] = { { first, TH_TEXT("x") }, { tools[1].tool, TH_TEXT("x") } };
	th_pack pack = pack_of("{\"version\": \"1\"}", changed, sizeof(changed[0]), 2);

	changed[0].tool.param_size = sizeof(params[0]);
	UNIT_TEXT(describe(&pack), "");
	UNIT_TEXT(printed(json_get(json_peek(json_get(manifest, "tools"), 1), "name")),
		  "\"second\"");
	HOLDS(printed(json_peek(json_get(manifest, "tools"), 0)), "\"word\":{\"type\":\"string\"");
}

static const char *describe_schema(const char *input, const char *output)
{
	th_tool tool = whole;

	tool.input_schema = text(input);
	tool.output_schema = text(output);
	return describe_tools(&tool, 1);
}

static void test_schemas_that_are_none(void)
{
	HOLDS(describe_schema("{\"type\": \"object\"", ""),
	      "Tool \"whole\": its input schema is no JSON: ");
	HOLDS(describe_schema("true", ""),
	      "its input schema is boolean, and has to be a JSON object");
	HOLDS(describe_schema("{\"type\": \"array\"}", ""),
	      "the type of its input schema has to be \"object\"");
	HOLDS(describe_schema("{\"type\": [\"object\", \"null\"]}", ""), "has to be \"object\"");
	HOLDS(describe_schema("{\"type\": \"object\"}", "{\"type\": \"array\"}"),
	      "the type of its output schema has to be \"object\"");
	HOLDS(describe_schema(
		      "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"numbr\"}}}", ""),
	      "its input schema is none: ");
	HOLDS(describe_schema("{\"type\": \"object\", \"required\": \"a\"}", ""),
	      "its input schema is none: ");
}

static const char *describe_about(const char *about)
{
	th_tool tool = good;

	tool.about = text(about);
	return describe_tools(&tool, 1);
}

static void test_about_a_tool(void)
{
	static const struct {
		const char *about, *phrase;
	} cases[] = {
		{ "{\"catgory\": \"x\"}",
		  "its about has the unknown key \"catgory\"; did you mean \"category\"?" },
		{ "{\"zzzzzzzz\": \"x\"}", "its about has the unknown key \"zzzzzzzz\"." },
		{ "{\"category\": 1}", "category of its about is of kind integer" },
		{ "{\"cacheable\": 1}", "cacheable of its about is of kind integer" },
		{ "{\"annotations\": {\"readOnlyHint\": 1}}",
		  "readOnlyHint of its annotations is of kind" },
		{ "{\"annotations\": {\"readonlyHint\": true}}", "did you mean \"readOnlyHint\"?" },
		{ "{\"threads\": \"paralel\"}",
		  "may be \"serial\", \"parallel\"; did you mean \"parallel\"?" },
		{ "{\"isolation\": \"none\"}",
		  "may be \"in-process\", \"isolated\", \"sandboxed\"" },
		{ "{\"timeout\": 0}", "its timeout has to be above 0" },
		{ "{\"timeout\": 1e9}", "its timeout has to be above 0 and at most 86400 seconds" },
		{ "{\"memory_mb\": 0}", "its memory_mb has to be between 1 and" },
		{ "{\"memory_mb\": 1.5}", "memory_mb of its about is of kind number" },
		{ "{\"needs\": {\"network\": 1}}", "network of its needs is of kind integer" },
		{ "{\"needs\": {\"net\": true}}", "unknown key \"net\"" },
		{ "{\"needs\": {\"read\": \"/x\"}}", "read of its needs is of kind string" },
		{ "{\"needs\": {\"write\": [\"x\"]}}",
		  "write of its needs has to be a list of absolute paths" },
		{ "{\"needs\": {\"read\": [1,2,3,4,5,6,7,8,9]}}",
		  "has to be a list of absolute paths" },
		{ "{\"caps\": {\"trims\": 1}}", "its caps name \"trims\", which is no parameter" },
		{ "{\"caps\": {\"word\": 1}}", "its caps name \"word\", which is no number" },
		{ "{\"caps\": {\"trim\": \"1\"}}", "the cap of \"trim\" has to be a number" },
		{ "{\"caps\": []}", "caps of its about is of kind array" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		HOLDS(describe_about(cases[i].about), cases[i].phrase);
		HOLDS(error.message, "Tool \"sample\": ");
		CU_ASSERT_EQUAL(error.status, STATUS_INPUT_INVALID);
	}
	UNIT_TEXT(describe_about("{\"category\": null}"), "");
}

static void test_random_numbers(void)
{
	static const struct {
		const char *rng, *phrase;
	} cases[] = {
		{ "true", "rng of its about is of kind boolean" },
		{ "{}", "its rng has to say uses_rng" },
		{ "{\"uses_rng\": 1}", "its rng has to say uses_rng" },
		{ "{\"uses_rng\": true, \"seed\": 1}", "unknown key \"seed\"" },
		{ "{\"uses_rng\": false, \"seed_param\": \"seed\"}",
		  "uses no random numbers, and yet has a seed" },
		{ "{\"uses_rng\": false, \"default_seed\": 1}",
		  "uses no random numbers, and yet has a seed" },
		{ "{\"uses_rng\": true, \"seed_param\": 1}",
		  "seed_param of its rng is of kind integer" },
		{ "{\"uses_rng\": true, \"seed_param\": \"\"}",
		  "names \"\", which is no parameter" },
		{ "{\"uses_rng\": true, \"seed_param\": \"sed\"}",
		  "names \"sed\", which is no parameter" },
		{ "{\"uses_rng\": true, \"seed_param\": \"trim\"}",
		  "names \"trim\", which is no integer" },
		{ "{\"uses_rng\": true, \"default_seed\": 42}",
		  "default_seed of its rng needs seed_param" },
		{ "{\"uses_rng\": true, \"seed_param\": \"seed\", \"default_seed\": true}",
		  "is of kind boolean" },
		{ "{\"uses_rng\": true, \"seed_param\": \"seed\", \"default_seed\": 7}",
		  "default_seed of its rng is not the default of \"seed\"" },
		{ "{\"uses_rng\": true, \"seed_param\": \"seed\"}",
		  "is not the default of \"seed\"" },
		{ "{\"uses_rng\": true, \"note\": 1}", "note of its rng is of kind integer" },
	};
	char about[200];

	for (size_t i = 0; i < COUNT(cases); i++) {
		snprintf(about, sizeof(about), "{\"rng\": %s}", cases[i].rng);
		HOLDS(describe_about(about), cases[i].phrase);
	}
	UNIT_TEXT(describe_about("{\"rng\": {\"uses_rng\": true}}"), "");
	UNIT_TEXT(describe_about("{\"rng\": {\"uses_rng\": false, \"seed_param\": null}}"), "");
}

static void test_examples(void)
{
	static const struct {
		const char *examples, *phrase;
	} cases[] = {
		{ "{}", "examples of its about is of kind object" },
		{ "[1]", "example 1 has to be an object" },
		{ "[1, 2, 3, 4, 5, 6, 7, 8, 9]", "example 1 has to be an object" },
		{ "[{\"arguments\": {}}, {}]", "example 2 has no arguments" },
		{ "[{\"arguments\": {}, \"answer\": 1}]", "unknown key \"answer\"" },
		{ "[{\"arguments\": {\"trim\": 2}}]",
		  "arguments of example 1 do not fit the schema: at \"/trim\"" },
		{ "[{\"arguments\": {\"trimm\": 0}}]",
		  "arguments of example 1 do not fit the schema" },
		{ "[{\"arguments\": {}, \"result\": {}}]",
		  "result of example 1 does not fit the schema" },
		{ "[{\"arguments\": {}, \"result\": {\"mean\": \"1\"}}]", "at \"/mean\"" },
		{ "[{\"arguments\": {}, \"title\": 1}]",
		  "title of its example is of kind integer" },
	};
	char about[200];

	for (size_t i = 0; i < COUNT(cases); i++) {
		snprintf(about, sizeof(about), "{\"examples\": %s}", cases[i].examples);
		HOLDS(describe_about(about), cases[i].phrase);
	}
}

static void test_one_bad_tool_refuses_all(void)
{
	th_tool tools[5] = { good, good, good, good, good };
	static const char *const names[] = { "a", "b", "c", "d", "e" };

	for (size_t i = 0; i < 5; i++)
		tools[i].name = text(names[i]);
	UNIT_TEXT(describe_tools(tools, 5), "");
	CU_ASSERT_EQUAL(json_count(json_get(manifest, "tools")), 5);
	tools[2].run = NULL;
	HOLDS(describe_tools(tools, 5), "Tool \"c\": it has no function to run");
	CU_ASSERT_PTR_NULL(manifest);
}

static void test_bad_recipes(void)
{
	/* clang-format off */
	static const th_recipe bad[][2] = {
		{ { TH_TEXT("") }, { TH_NO_TEXT } },
		{ { TH_TEXT("[]") }, { TH_NO_TEXT } },
		{ TH_RECIPE({"title": "t"}), { TH_NO_TEXT } },
		{ TH_RECIPE({"key": "k"}), { TH_NO_TEXT } },
		{ TH_RECIPE({"key": "k", "title": "t"}), TH_RECIPE({"key": "k", "title": "u"}) },
		{ TH_RECIPE({"key": "a key", "title": "t"}), { TH_NO_TEXT } },
	};
	/* clang-format on */
	static const char *const phrases[] = {
		"Recipe 1: it is empty",	  "has to be a JSON object",
		"it has no key, a text",	  "it has no title",
		"Recipe \"k\": the pack has two", "Recipe \"a key\": this is no key",
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		th_pack pack = others();

		pack.recipes.items = bad[i];
		pack.recipes.count = 2;
		HOLDS(describe(&pack), phrases[i]);
	}
}

static void refuse_prompt(th_prompt prompt, const char *phrase)
{
	th_pack pack = others();

	pack.prompts.items = &prompt;
	HOLDS(describe(&pack), phrase);
}

static void test_bad_prompts(void)
{
	const th_prompt twice[] = { prompts[0], prompts[0] };
	th_prompt prompt = prompts[0];
	th_pack pack = others();

	prompt.name = text("a b");
	refuse_prompt(prompt, "Prompt \"a b\": this is no name for a prompt");
	prompt = prompts[0];
	prompt.run = NULL;
	refuse_prompt(prompt, "Prompt \"greet\": it has no function to run");
	prompt = prompts[0];
	prompt.params = sample_params;
	prompt.input_size = sizeof(struct sample_in);
	refuse_prompt(prompt, "its argument \"trim\" has to be a text");
	prompt = prompts[0];
	prompt.input_size = 4;
	refuse_prompt(prompt, "Prompt \"greet\": argument \"who\"");
	pack.prompts = (th_list)TH_LIST(twice);
	HOLDS(describe(&pack), "two prompts of this name");
}

static void refuse_resource(th_resource resource, const char *phrase)
{
	th_pack pack = others();

	pack.resources.items = &resource;
	pack.resources.count = 1;
	HOLDS(describe(&pack), phrase);
}

static void test_bad_resources(void)
{
	const th_resource twice[] = { resources[0], resources[0] };
	th_resource resource = resources[0];
	th_pack pack = others();

	resource.uri = text("greeting");
	refuse_resource(resource, "Resource \"greeting\": its uri has no scheme");
	resource = resources[0];
	resource.name = (th_text)TH_NO_TEXT;
	refuse_resource(resource, "its name is missing");
	resource = resources[0];
	resource.run = sample;
	refuse_resource(resource, "both data and a function");
	resource = resources[0];
	resource.data = (th_text)TH_NO_TEXT;
	refuse_resource(resource, "neither data nor a function");
	resource = resources[0];
	resource.is_template = 1;
	refuse_resource(resource, "a template has no function to run");
	pack.resources = (th_list)TH_LIST(twice);
	HOLDS(describe(&pack), "two resources of this uri");
}

/* ---- Warnings ----------------------------------------------------------------------------- */

static const char *warnings_of(const char *input, const char *output)
{
	UNIT_TEXT(describe_schema(input, output), "");
	return printed(json_get(manifest, "warnings"));
}

static void test_warnings_about_schemas(void)
{
	UNIT_TEXT(
		warnings_of(
			"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"},"
			"\"b\":{\"$ref\":\"#/$defs/n\"}},\"$defs\":{\"n\":{\"type\":\"number\"}}}",
			""),
		"[]");
	HOLDS(warnings_of("{\"type\":\"object\",\"anyOf\":[{\"required\":[\"a\"]},{\"required\":["
			  "\"b\"]}]}",
			  ""),
	      "Tool \\\"whole\\\": its input schema has anyOf at the root, which model services "
	      "refuse");
	HOLDS(warnings_of("{\"type\":\"object\",\"oneOf\":[{}]}", ""), "has oneOf at the root");
	HOLDS(warnings_of("{\"type\":\"object\",\"allOf\":[{}]}", ""), "has allOf at the root");
	HOLDS(warnings_of("{\"type\":\"object\",\"properties\":{\"a\":{\"description\":\"x\"}}}",
			  ""),
	      "Tool \\\"whole\\\": parameter \\\"a\\\" says no type");
	HOLDS(warnings_of(
		      "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":{"
		      "\"properties\":{\"b\":{}}}}}}",
		      ""),
	      "parameter \\\"a.b\\\" says no type");
	HOLDS(warnings_of("{\"type\":\"object\",\"properties\":{\"a b\":{\"type\":\"number\"}}}",
			  ""),
	      "parameter \\\"a b\\\" has a name that model services refuse");
	HOLDS(warnings_of(
		      "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":{"
		      "\"type\":[\"array\",\"null\"]}}}}",
		      ""),
	      "parameter \\\"a\\\" is an array without \\\"items\\\", which model services refuse");
	HOLDS(warnings_of("{\"properties\":{}}", ""), "its input schema says no type");
	HOLDS(printed(json_peek(json_get(manifest, "tools"), 0)), "\"type\":\"object\"");
	HOLDS(warnings_of("{\"type\":\"object\"}", "{\"description\":\"x\"}"),
	      "Tool \\\"whole\\\": its output schema says no type, which clients refuse");
	HOLDS(printed(json_peek(json_get(manifest, "tools"), 0)),
	      "\"outputSchema\":{\"description\":\"x\",\"type\":\"object\"}");
}

/* A keyword that is a slip is enforced by nobody; one that is the author's own may stand there. */
static void test_warnings_about_keywords(void)
{
	static const char *const slips[][2] = {
		{ "min", "minimum" },	  { "max", "maximum" },		{ "minItem", "minItems" },
		{ "Minimum", "minimum" }, { "minlength", "minLength" }, { "patern", "pattern" },
		{ "regex", "pattern" },	  { "requried", "required" },	{ "item", "items" },
	};
	char schema[256], words[128];

	for (size_t i = 0; i < sizeof(slips) / sizeof(slips[0]); i++) {
		snprintf(schema, sizeof(schema),
			 "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":"
			 "{\"type\":\"number\",\"%s\":1}}}}",
			 slips[i][0]);
		snprintf(words, sizeof(words),
			 "parameter \\\"a\\\" has the keyword \\\"%s\\\", which", slips[i][0]);
		HOLDS(warnings_of(schema, ""), words);
		snprintf(words, sizeof(words), "passed over: write \\\"%s\\\".", slips[i][1]);
		HOLDS(warnings_of(schema, ""), words);
	}
	UNIT_TEXT(warnings_of("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\","
			      "\"unit\":\"mm\",\"x-order\":1,\"note\":\"n\",\"example\":1,"
			      "\"nullable\":true,\"comment\":\"c\",\"if\":{},\"not\":{},\"$id\":"
			      "\"urn:x\","
			      "\"examples\":[1],\"exclusiveMinimum\":0}}}",
			      ""),
		  "[]");
}

static void test_warnings_about_recursion(void)
{
	static const char *const recursive[] = {
		"{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":\"#\"}}}",
		"{\"type\":\"object\",\"properties\":{\"tree\":{\"$ref\":\"#/$defs/"
		"tree\"}},\"$defs\":{\"tree\":{"
		"\"type\":\"object\",\"properties\":{\"left\":{\"$ref\":\"#/$defs/tree\"}}}}}",
		"{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/a\"}},\"$defs\":{"
		"\"a\":{\"type\":\"object\",\"properties\":{\"b\":{\"$ref\":\"#/$defs/b~1\"}}},"
		"\"b/\":{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/a\"}}}}}",
		"{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#t\"}},\"$defs\":{\"x\":{"
		"\"$anchor\":\"t\",\"type\":\"object\",\"properties\":{\"b\":{\"$ref\":\"#t\"}}}}}",
		"{\"type\":\"object\",\"$dynamicAnchor\":\"t\","
		"\"properties\":{\"a\":{\"$dynamicRef\":\"#t\"}}}",
	};
	static const char *const finite[] = {
		"{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/"
		"a\"},\"b\":{\"$ref\":\"#/$defs/a\"}},"
		"\"$defs\":{\"a\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/"
		"b\"}},\"b\":{\"type\":\"number\"}}}",
		"{\"type\":\"object\",\"default\":{\"$ref\":\"#\"}}",
		"{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#n\"},\"b\":{\"$"
		"dynamicRef\":\"#n\"}},"
		"\"$defs\":{\"x\":{\"$anchor\":\"n\",\"type\":\"number\"}}}",
	};

	for (size_t i = 0; i < COUNT(recursive); i++)
		HOLDS(warnings_of(recursive[i], ""), "its input schema refers to itself");
	for (size_t i = 0; i < COUNT(finite); i++)
		UNIT_TEXT(warnings_of(finite[i], ""), "[]");
}

static void test_other_warnings(void)
{
	th_tool tool = whole;

	tool.name = text("stats.mean");
	UNIT_TEXT(describe_tools(&tool, 1), "");
	HOLDS(printed(json_get(manifest, "warnings")), "allow only [A-Za-z0-9_-]{1,64} as a name");
	tool = whole;
	tool.about = text("{\"examples\": [{\"arguments\": {}, \"result\": {\"a\": [{\"b\": "
			  "9007199254740993}]}}]}");
	UNIT_TEXT(describe_tools(&tool, 1), "");
	HOLDS(printed(json_get(manifest, "warnings")),
	      "the result of example 1 has an integer beyond 2^53");
	tool.about = text(
		"{\"examples\": [{\"arguments\": {}, \"result\": {\"a\": 9007199254740992}}]}");
	UNIT_TEXT(describe_tools(&tool, 1), "");
	UNIT_TEXT(printed(json_get(manifest, "warnings")), "[]");
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_manifest),
	UNIT_TEST(test_tool_without_anything),
	UNIT_TEST(test_recipes_prompts_resources),
	UNIT_TEST(test_about_the_pack),
	UNIT_TEST(test_keys_of_later_versions),
	UNIT_TEST(test_names),
	UNIT_TEST(test_what_is_called),
	UNIT_TEST(test_tables),
	UNIT_TEST(test_strides),
	UNIT_TEST(test_schemas_that_are_none),
	UNIT_TEST(test_about_a_tool),
	UNIT_TEST(test_random_numbers),
	UNIT_TEST(test_examples),
	UNIT_TEST(test_one_bad_tool_refuses_all),
	UNIT_TEST(test_bad_recipes),
	UNIT_TEST(test_bad_prompts),
	UNIT_TEST(test_bad_resources),
	UNIT_TEST(test_warnings_about_schemas),
	UNIT_TEST(test_warnings_about_keywords),
	UNIT_TEST(test_warnings_about_recursion),
	UNIT_TEST(test_other_warnings),
};

int main(void)
{
	int r = unit_run("pack-describe", tests, COUNT(tests));

	error_clear(&error);
	json_drop(manifest);
	return r;
}
