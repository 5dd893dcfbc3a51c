/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry-fixture.h"

#include <pthread.h>

/* ---- Specs ----------------------------------------------------------------------------------- */

static void test_spec(void)
{
	struct error error = ERROR_INIT;
	struct registry *registry;
	struct tool_spec *spec, *again;

	start_anew();
	folder_write(&folder, "packs/a.so", "pack one two\n");
	registry = build_plain();
	CU_ASSERT_EQUAL_FATAL(registry_spec(registry, tool(registry, "two"), &spec, &error),
			      STATUS_OK);
	CU_ASSERT_PTR_EQUAL(spec->tool, tool(registry, "two"));
	UNIT_TEXT(spec->title, "A tool");
	UNIT_TEXT(spec->description, "Does it.");
	UNIT_TEXT(spec->category, "tests");
	CU_ASSERT(json_text_is(json_get(spec->input_schema, "type"), "object"));
	CU_ASSERT_PTR_NULL(spec->output);
	CU_ASSERT_PTR_NULL(spec->examples);
	UNIT_TEXT(spec->seed_param, "seed");
	CU_ASSERT(spec->uses_rng && spec->has_default_seed && spec->cacheable && spec->read_only);
	CU_ASSERT_EQUAL(spec->default_seed, 42);
	CU_ASSERT_EQUAL(spec->threads, TOOL_PARALLEL);
	CU_ASSERT_EQUAL(spec->isolation, ISOLATION_ISOLATED);
	CU_ASSERT_EQUAL(spec->timeout, 5);
	CU_ASSERT_EQUAL(spec->memory_mb, 256);
	CU_ASSERT_EQUAL(registry_spec(registry, tool(registry, "two"), &again, &error), STATUS_OK);
	CU_ASSERT_PTR_EQUAL(spec, again);
	CU_ASSERT_EQUAL(registry_spec(registry, tool(registry, "one"), &again, &error), STATUS_OK);
	CU_ASSERT_PTR_NOT_EQUAL(spec, again);
	registry_free(registry);
}

static void test_spec_with_config(void)
{
	struct tool_spec *spec;
	struct registry *registry;

	start_anew();
	folder_write(&folder, "packs/a.so", "pack one\n");
	registry = build_with("pack a { isolation = sandboxed  timeout = 2  memory_mb = 512 }\n");
	CU_ASSERT_EQUAL(registry_spec(registry, tool(registry, "one"), &spec, NULL), STATUS_OK);
	CU_ASSERT_EQUAL(spec->isolation, ISOLATION_SANDBOXED);
	CU_ASSERT_EQUAL(spec->timeout, 2);
	CU_ASSERT_EQUAL(spec->memory_mb, 256);
	registry_free(registry);
	/* The config cannot loosen what the tool asks for. */
	registry = build_with("pack a { isolation = in-process }\n");
	CU_ASSERT_EQUAL(registry_spec(registry, tool(registry, "one"), &spec, NULL), STATUS_OK);
	CU_ASSERT_EQUAL(spec->isolation, ISOLATION_ISOLATED);
	CU_ASSERT_EQUAL(spec->timeout, 5);
	registry_free(registry);
}

struct asking {
	struct registry *registry;
	struct tool_spec *specs[100];
};

static void *ask(void *context)
{
	struct asking *asking = context;
	size_t length;

	for (size_t i = 0; i < 100; i++)
		registry_spec(asking->registry, registry_tool(asking->registry, i),
			      &asking->specs[i], NULL);
	registry_listing(asking->registry, &length);
	registry_recipes(asking->registry);
	return NULL;
}

/* Each spec is made once, whoever is first. */
static void test_specs_on_threads(void)
{
	struct asking asking[4] = { { .registry = NULL } };
	pthread_t threads[4];
	struct registry *registry;
	char script[1024] = "recipes r\npack";

	start_anew();
	for (int i = 0; i < 100; i++)
		sprintf(script + strlen(script), " t%d", i);
	folder_write(&folder, "packs/a.so", script);
	registry = build_plain();
	CU_ASSERT_EQUAL_FATAL(registry_tool_count(registry), 100);
	for (int i = 0; i < 4; i++) {
		asking[i].registry = registry;
		CU_ASSERT_EQUAL(pthread_create(&threads[i], NULL, ask, &asking[i]), 0);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (int i = 1; i < 4; i++)
		CU_ASSERT_EQUAL(memcmp(asking[0].specs, asking[i].specs, sizeof(asking[0].specs)),
				0);
	CU_ASSERT_PTR_NOT_NULL(asking[0].specs[99]);
	registry_free(registry);
}

static void test_unknown_tool(void)
{
	struct error error = ERROR_INIT;
	struct registry *registry;

	start_anew();
	folder_write(&folder, "packs/a.so", "pack detect_outliers detect_outlier2 mean median\n");
	registry = build_with("disabled_tools = { mean }\n");
	CU_ASSERT_EQUAL(registry_unknown_tool(registry, "detect_outlier", false, &error),
			STATUS_UNKNOWN_TOOL);
	UNIT_TEXT(error.message, "there is no tool detect_outlier; did you mean detect_outliers?");
	CU_ASSERT_EQUAL(json_count(json_get(error.details, "close")), 2);
	registry_unknown_tool(registry, "mean", false, &error);
	CU_ASSERT(contains(error.message,
			   "the tool mean is off: disabled by disabled_tools (file /tmp/"));
	registry_unknown_tool(registry, "xyzzy", false, &error);
	CU_ASSERT(contains(error.message, "there is no tool xyzzy; toolhost list"));
	CU_ASSERT_EQUAL(json_count(json_get(error.details, "close")), 0);
	registry_free(registry);
	folder_write(&folder, "packs/b.so", "exit 1\n");
	registry = build_plain();
	registry_unknown_tool(registry, "xyzzy", false, &error);
	CU_ASSERT(contains(error.message, "toolhost pack list shows (1)"));
	registry_free(registry);
	error_clear(&error);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_spec),
	UNIT_TEST(test_spec_with_config),
	UNIT_TEST(test_specs_on_threads),
	UNIT_TEST(test_unknown_tool),
};

int main(void)
{
	return run_tests("registry-spec", tests, sizeof(tests) / sizeof(tests[0]));
}
