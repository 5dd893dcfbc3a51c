/* SPDX-License-Identifier: MIT
 *
 * Schemas and values made to be slow: each is refused or done within a stated bound.
 *
 * The bounds are of processor time of this thread and for an ordinary build: half a second for a
 * schema, two seconds for a value, which leaves room for slow machines. Sanitizers and valgrind get
 * twenty times as much.
 */
#include "schema-unit.h"

#include "schema/params.h"
#include "schema/program.h"

#define COMPILE_SECONDS (0.5 * PATIENCE)
#define VALIDATE_SECONDS (2.0 * PATIENCE)

static double started;

static void start_clock(void)
{
	started = seconds_now();
}

static void within(double bound, const char *what)
{
	double spent = seconds_now() - started;

	if (spent > bound)
		fprintf(stderr, "%s: %.3f s, the bound is %.1f s\n", what, spent, bound);
	CU_ASSERT(spent <= bound);
}

static struct schema *compile_value(json *value, struct error *error, const char *what)
{
	struct schema *schema;

	start_clock();
	schema_compile(value, NULL, &schema, error);
	within(COMPILE_SECONDS, what);
	json_drop(value);
	return schema;
}

/* The verdict, timed; the problems are always asked for, which costs more. */
static bool validate_value(struct schema *schema, json *value, struct schema_problems *problems,
			   const char *what)
{
	bool valid;

	CU_ASSERT_PTR_NOT_NULL_FATAL(schema);
	start_clock();
	valid = schema_validate(schema, value, problems);
	within(VALIDATE_SECONDS, what);
	json_drop(value);
	schema_free(schema);
	return valid;
}

static json *nested_any_of(size_t depth)
{
	json *schema = json_new_object();

	json_set_text(schema, "type", "string");
	while (depth--) {
		json *list = json_new_list(), *outer = json_new_object();

		json_append(list, schema);
		json_set(outer, "anyOf", list);
		schema = outer;
	}
	return schema;
}

static void test_nested_any_of(void)
{
	struct error error = ERROR_INIT;
	struct schema_problems problems;
	struct schema *schema = compile_value(nested_any_of(10000), &error, "10,000 nested anyOf");

	CU_ASSERT_PTR_NULL(schema);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "more than 500 deep"));
	error_clear(&error);
	schema = compile_value(nested_any_of(400), NULL, "400 nested anyOf");
	CU_ASSERT_FALSE(validate_value(schema, json_new_integer(5), &problems, "400 nested anyOf"));
	UNIT_TEXT(problems.items[0].expected, "a string");
}

/* 2^40 evaluations, if nobody counted. */
static void test_exponential(void)
{
	static const char *const keywords[] = { "allOf", "anyOf", "oneOf" };
	struct schema_problems problems;

	for (size_t k = 0; k < sizeof(keywords) / sizeof(keywords[0]); k++) {
		struct buffer text = BUFFER_INIT(1 << 16);

		buffer_text(&text, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
		for (int i = 0; i < 40; i++)
			buffer_format(&text,
				      "\"d%d\":{\"%s\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/"
				      "$defs/d%d\"}]},",
				      i, keywords[k], i + 1, i + 1);
		buffer_text(&text, "\"d40\":{\"type\":\"number\"}}}");
		CU_ASSERT_FALSE(validate_value(compile(text.data),
					       k ? json_new_text("x") : json_new_integer(1),
					       &problems, keywords[k]));
		CU_ASSERT_TRUE(problems.exhausted);
		buffer_free(&text);
	}
}

static void test_deep_values(void)
{
	static const char schema[] = "{\"items\":{\"$ref\":\"#\"},\"uniqueItems\":true}";
	struct schema_problems problems;
	json *value = json_new_list();

	for (int i = 0; i < 900; i++) {
		json *outer = json_new_list();

		json_append(outer, value);
		value = outer;
	}
	CU_ASSERT_FALSE(
		validate_value(compile(schema), value, &problems, "900 lists in one another"));
	CU_ASSERT_TRUE(problems.exhausted);
}

/* Each list at each level hashes all that is below it. */
static void test_unique_at_every_level(void)
{
	static const char schema[] = "{\"items\":{\"$ref\":\"#\"},\"uniqueItems\":true}";
	struct schema_problems problems;
	json *value = json_new_list();

	for (int i = 0; i < 100000; i++)
		json_append(value, json_new_integer(i));
	for (int i = 0; i < 400; i++) {
		json *outer = json_new_list();

		json_append(outer, value);
		value = outer;
	}
	validate_value(compile(schema), value, &problems, "uniqueItems at every level");
	CU_ASSERT_TRUE(problems.exhausted);
}

static void test_unique(void)
{
	json *texts = json_new_list(), *numbers;
	double *values = calloc(1000000, sizeof(*values));
	char text[32];

	for (int i = 0; i < 300000; i++) {
		snprintf(text, sizeof(text), "item %d", i);
		json_append(texts, json_new_text(text));
	}
	CU_ASSERT_TRUE(validate_value(compile("{\"uniqueItems\":true}"), texts, NULL,
				      "300,000 texts that differ"));
	for (int i = 0; i < 1000000; i++)
		values[i] = i * 0x1p30;
	numbers = json_new_packed(values, 1000000);
	CU_ASSERT_TRUE(validate_value(compile("{\"uniqueItems\":true}"), numbers, NULL,
				      "a million numbers that differ"));
	free(values);
}

/* The keys of Java's and of many other hashes that all collide: "Aa" and "BB" in any order. */
static void colliding_key(unsigned number, char *ret_key)
{
	for (int bit = 0; bit < 20; bit++)
		memcpy(ret_key + 2 * bit, number >> bit & 1 ? "Aa" : "BB", 2);
	ret_key[40] = '\0';
}

static json *colliding_object(unsigned count)
{
	json *object = json_new_object();
	char key[41];

	for (unsigned i = 0; i < count; i++) {
		colliding_key(i, key);
		json_set(object, key, json_new_boolean(true));
	}
	return object;
}

static void test_colliding_keys(void)
{
	struct schema_problems problems;
	struct table_in {
		th_table rows;
	} in;
	static const th_param table[] = { TH_TABLE(struct table_in, rows, "R.", {}), TH_END };
	json *schema = json_new_object(), *list = json_new_list(), *arguments = json_new_object();
	struct arena arena;

	/* In a value, in a schema, and as the columns of a table. */
	CU_ASSERT_TRUE(validate_value(compile("{\"additionalProperties\":{\"type\":\"boolean\"},"
					      "\"properties\":{\"x\":{}}}"),
				      colliding_object(1 << 20), &problems,
				      "a million colliding keys"));
	json_set(schema, "properties", colliding_object(15000));
	CU_ASSERT_TRUE(validate_value(compile_value(schema, NULL, "15,000 colliding properties"),
				      colliding_object(15000), &problems,
				      "15,000 colliding properties"));
	arena_init(&arena, (size_t)1 << 30);
	json_append(list, colliding_object(1 << 18));
	json_set(arguments, "rows", list);
	start_clock();
	CU_ASSERT_EQUAL(params_fill(table, sizeof(th_param), arguments, &arena, &in, sizeof(in),
				    NULL, NULL),
			STATUS_OK);
	within(VALIDATE_SECONDS, "262,144 colliding columns");
	CU_ASSERT_EQUAL(in.rows.column_count, 1 << 18);
	arena_free(&arena);
	json_drop(arguments);
}

static void test_long_keys(void)
{
	size_t length = 1 << 20;
	char *key = malloc(length + 1);
	json *schema = json_new_object(), *properties = json_new_object(),
	     *patterns = json_new_object();
	struct schema_problems problems;
	json *value = json_new_object();

	memset(key, 'k', length);
	key[length] = '\0';
	json_set(properties, key, json_new_boolean(false));
	json_set(patterns, "(k+)+$", json_new_boolean(true));
	json_set(schema, "properties", properties);
	json_set(schema, "patternProperties", patterns);
	json_set(value, key, json_new_integer(1));
	CU_ASSERT_FALSE(validate_value(compile_value(schema, NULL, "a key of 1 MB"), value,
				       &problems, "a key of 1 MB"));
	CU_ASSERT(strlen(problems.items[0].path) < sizeof(problems.items[0].path));
	free(key);
}

static void test_many_patterns(void)
{
	json *schema = json_new_object(), *patterns = json_new_object(), *value = json_new_object();
	struct schema_problems problems;
	char text[64];

	for (int i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), "^(?:a|b|c)*%d$", i);
		json_set(patterns, text, json_new_boolean(true));
	}
	for (int i = 0; i < 50000; i++) {
		snprintf(text, sizeof(text), "abcabcabcabcabcabcabcabcabc%dx", i);
		json_set(value, text, NULL);
	}
	json_set(schema, "patternProperties", patterns);
	CU_ASSERT_FALSE(validate_value(compile_value(schema, NULL, "1,000 patterns"), value,
				       &problems, "1,000 patterns on 50,000 keys"));
	CU_ASSERT_TRUE(problems.exhausted);
	/* One more is one too many. */
	{
		struct error error = ERROR_INIT;
		json *more = json_new_object(), *all = json_new_object();

		for (int i = 0; i < 1001; i++) {
			snprintf(text, sizeof(text), "%d", i);
			json_set(all, text, json_new_boolean(true));
		}
		json_set(more, "patternProperties", all);
		CU_ASSERT_PTR_NULL(compile_value(more, &error, "1,001 patterns"));
		CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "more than 1000 regular expressions"));
		error_clear(&error);
	}
}

/* A catastrophic pattern on each of many texts: the work is counted over all of them. */
static void test_patterns_on_many_texts(void)
{
	struct schema_problems problems;
	json *list = json_new_list();

	for (int i = 0; i < 100000; i++)
		json_append(list, json_new_text("aaaaaaaaaaaa!"));
	CU_ASSERT_FALSE(validate_value(compile("{\"items\":{\"not\":{\"pattern\":\"((a+)+)+$\"}}}"),
				       list, &problems, "a slow pattern on 100,000 texts"));
	CU_ASSERT_TRUE(problems.exhausted);
}

static void test_large_schemas(void)
{
	struct error error = ERROR_INIT;
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	json *value;

	buffer_text(&text, "{\"allOf\":[");
	for (int i = 0; i < SCHEMA_NODES_MOST; i++)
		buffer_format(&text, "%s{\"maximum\":%d}", i ? "," : "", i);
	buffer_text(&text, "]}");
	value = parse(text.data);
	CU_ASSERT_PTR_NULL(compile_value(value, &error, "20,001 subschemas"));
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "more than 20000 subschemas"));
	error_clear(&error);

	buffer_reset(&text);
	buffer_text(&text, "{\"required\":[");
	for (int i = 0; i < 300000; i++)
		buffer_format(&text, "%s\"k%d\"", i ? "," : "", i);
	buffer_text(&text, "]}");
	schema_free(compile_value(parse(text.data), NULL, "300,000 required keys"));
	buffer_free(&text);
}

/* Resources that each lead to the next one, with an anchor that a $dynamicRef looks for in all of
 * them. */
static void test_dynamic_chain(void)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	struct schema_problems problems;

	buffer_text(&text, "{\"$dynamicAnchor\":\"x\",\"$ref\":\"r0\",\"$defs\":{");
	for (int i = 0; i < 4000; i++)
		buffer_format(&text,
			      "\"d%d\":{\"$id\":\"r%d\",\"$dynamicAnchor\":\"x\",\"properties\":{"
			      "\"a\":{\"$ref\":\"r%d\"},"
			      "\"b\":{\"$dynamicRef\":\"#x\"}}},",
			      i, i, i + 1);
	buffer_text(&text, "\"last\":{\"$id\":\"r4000\",\"type\":\"number\"}}}");
	{
		struct schema *schema =
			compile_value(parse(text.data), NULL, "a chain of 4,000 resources");
		json *value = json_new_object();

		for (int i = 0; i < 400; i++) {
			json *outer = json_new_object();

			json_set(outer, "a", json_hold(value));
			json_set(outer, "b", value);
			value = outer;
		}
		validate_value(schema, value, &problems, "a chain of 4,000 resources");
	}
	buffer_free(&text);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_nested_any_of),
	UNIT_TEST(test_exponential),
	UNIT_TEST(test_deep_values),
	UNIT_TEST(test_unique_at_every_level),
	UNIT_TEST(test_unique),
	UNIT_TEST(test_colliding_keys),
	UNIT_TEST(test_long_keys),
	UNIT_TEST(test_many_patterns),
	UNIT_TEST(test_patterns_on_many_texts),
	UNIT_TEST(test_large_schemas),
	UNIT_TEST(test_dynamic_chain),
};

UNIT_MAIN("schema-hostile", tests)
