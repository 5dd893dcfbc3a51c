/* SPDX-License-Identifier: MIT
 *
 * What validating costs: small arguments, a packed array, a table, and the tools' own examples, in
 *nanoseconds a value and a call, beside what reading the same text costs our reader and json-c.
 *Prints JSON.
 *
 *	validate [FILE]		FILE: a JSON list of {"name", "inputSchema", "examples":
 *[{"arguments"}]}
 */
#include <config.h>

#include "base/json.h"
#include "schema/schema.h"

#include <json-c/json.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NUMBERS 100000
#define ROWS 10000
#define ROUND_NS 2e7 /* of one measurement */
#define ROUNDS 7     /* of which the fastest counts */

struct subject {
	const struct schema *schema;
	const char *text;
	json *value;
};

static double now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void give_up(const char *what)
{
	fprintf(stderr, "validate: %s\n", what);
	exit(EXIT_FAILURE);
}

static json *read_text(const char *text)
{
	json *value;

	if (json_read(text, strlen(text), NULL, &value, NULL))
		give_up("a text is no JSON");
	return value;
}

static struct schema *compile(const json *schema)
{
	struct error error = ERROR_INIT;
	struct schema *compiled;

	if (schema_compile(schema, NULL, &compiled, &error))
		give_up(error.message);
	return compiled;
}

/* ---- What is measured ------------------------------------------------------------------ */

static void validate_once(const struct subject *s)
{
	if (!schema_validate(s->schema, s->value, NULL))
		give_up("a value is not valid");
}

static void read_once(const struct subject *s)
{
	json_drop(read_text(s->text));
}

static void read_with_json_c(const struct subject *s)
{
	json_object_put(json_tokener_parse(s->text));
}

/* Nanoseconds a run, the best of some rounds. */
static double measure(void (*run)(const struct subject *), const struct subject *subject)
{
	double best = 0, start = now_ns(), spent;
	long count = 1;

	run(subject);
	spent = now_ns() - start;
	count = spent > ROUND_NS ? 1 : (long)(ROUND_NS / (spent + 1)) + 1;
	for (int round = 0; round < ROUNDS; round++) {
		start = now_ns();
		for (long i = 0; i < count; i++)
			run(subject);
		spent = (now_ns() - start) / (double)count;
		best = !round || spent < best ? spent : best;
	}
	return best;
}

/* Values in a value, itself counted. */
static size_t nodes(const json *value)
{
	struct json_member m;
	size_t count = 1;

	if (json_packed(value, NULL))
		return count + json_count(value);
	for (size_t i = 0; json_kind(value) == JSON_LIST && i < json_count(value); i++)
		count += nodes(json_peek(value, i));
	if (json_kind(value) == JSON_OBJECT)
		for (bool more = json_first(value, &m); more; more = json_next(&m))
			count += nodes(m.value);
	return count;
}

static void report(const char *name, const struct subject *s)
{
	double validating = measure(validate_once, s), reading = measure(read_once, s);

	printf("\"%s\": {\"nodes\": %zu, \"validate_ns\": %.1f, \"validate_ns_a_node\": %.2f, "
	       "\"read_ns\": %.1f, "
	       "\"json_c_ns\": %.1f},\n",
	       name, nodes(s->value), validating, validating / (double)nodes(s->value), reading,
	       measure(read_with_json_c, s));
}

/* ---- Subjects -------------------------------------------------------------------------- */

static void run_subject(const char *name, const char *schema_text, const char *text)
{
	json *schema = read_text(schema_text);
	struct schema *compiled = compile(schema);
	struct subject subject = { compiled, text, read_text(text) };

	report(name, &subject);
	json_drop(subject.value);
	json_drop(schema);
	schema_free(compiled);
}

static void run_built_in(void)
{
	static const char summary[] =
		"{\"type\":\"object\",\"properties\":{\"values\":{\"type\":\"array\",\"items\":{"
		"\"type\":\"number\"},"
		"\"minItems\":1},\"trim\":{\"type\":\"number\",\"minimum\":0,\"maximum\":0.5},"
		"\"method\":{\"type\":\"string\",\"enum\":[\"robust\",\"classical\"]}},"
		"\"required\":[\"values\"],"
		"\"additionalProperties\":false}";
	static const char table[] = "{\"type\":\"object\",\"properties\":{\"rows\":{\"type\":"
				    "\"array\",\"items\":{\"type\":\"object\","
				    "\"additionalProperties\":{\"type\":[\"number\",\"string\","
				    "\"boolean\",\"null\"]}}}},"
				    "\"additionalProperties\":false}";
	struct buffer numbers = BUFFER_INIT(SIZE_MAX), rows = BUFFER_INIT(SIZE_MAX);

	buffer_text(&numbers, "{\"values\":[");
	for (int i = 0; i < NUMBERS; i++)
		buffer_format(&numbers, "%s%.15g", i ? "," : "",
			      (double)(i * 2654435761u) / 65536.0);
	buffer_text(&numbers, "]}");
	buffer_text(&rows, "{\"rows\":[");
	for (int i = 0; i < ROWS; i++)
		buffer_format(&rows, "%s{\"batch\":\"b%d\",\"time\":%d,\"yield\":%d.5,\"ok\":true}",
			      i ? "," : "", i / 100, i, i % 97);
	buffer_text(&rows, "]}");
	run_subject("small arguments", summary,
		    "{\"values\":[1,2,3,100],\"trim\":0.1,\"method\":\"robust\"}");
	run_subject("100,000 numbers", summary, numbers.data);
	run_subject("a table of 10,000 rows", table, rows.data);
	buffer_free(&numbers);
	buffer_free(&rows);
}

static char *read_file(const char *path)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	FILE *file = fopen(path, "rb");
	char *room;
	size_t length;

	if (!file)
		give_up("the file cannot be opened");
	do {
		if (!(room = buffer_reserve(&text, 65536)))
			give_up("no memory");
		length = fread(room, 1, 65536, file);
		buffer_commit(&text, length);
	} while (length);
	fclose(file);
	return buffer_take(&text, NULL);
}

static void run_tool(const json *tool)
{
	struct schema *compiled = compile(json_get(tool, "inputSchema"));
	const json *first = json_peek(json_get(tool, "examples"), 0);
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	struct subject subject = { .schema = compiled, .value = json_get(first, "arguments") };

	json_print(&text, subject.value);
	subject.text = text.data;
	report(json_text(json_get(tool, "name"), NULL), &subject);
	buffer_free(&text);
	schema_free(compiled);
}

static void run_tools(const char *path)
{
	char *text = read_file(path);
	json *tools = read_text(text);

	for (size_t i = 0; i < json_count(tools); i++)
		if (json_count(json_get(json_peek(tools, i), "examples")))
			run_tool(json_peek(tools, i));
	json_drop(tools);
	free(text);
}

int main(int argc, char **argv)
{
	puts("{");
	run_built_in();
	if (argc > 1)
		run_tools(argv[1]);
	printf("\"numbers\": %d}\n", NUMBERS); /* so that no comma stands before the end */
	return EXIT_SUCCESS;
}
