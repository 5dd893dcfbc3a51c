/* SPDX-License-Identifier: MIT
 *
 * What reading a large array costs: strtod over the numbers, json-c's tokener over the text, our
 * reader, and our reader with the gate's schema. Prints nanoseconds a number as JSON.
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
#define ROUNDS 15

static const char schema_text[] =
	"{\"type\":\"object\",\"properties\":{\"values\":{\"type\":\"array\",\"items\":"
	"{\"type\":\"number\"},\"minItems\":1}},\"required\":[\"values\"],"
	"\"additionalProperties\":false}";

struct bench {
	char *text;
	size_t length;
	struct schema *schema;
};

static double now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void give_up(const char *what)
{
	fprintf(stderr, "reading: %s\n", what);
	exit(EXIT_FAILURE);
}

static void make_text(struct bench *bench, int digits)
{
	size_t size = (size_t)NUMBERS * 28 + 32;
	uint64_t state = 88172645463325252u;

	bench->text = malloc(size);
	if (!bench->text)
		give_up("no memory");
	bench->length = (size_t)snprintf(bench->text, size, "{\"values\":[");
	for (int i = 0; i < NUMBERS; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		bench->length += (size_t)snprintf(
			bench->text + bench->length, size - bench->length, "%s%.*g", i ? "," : "",
			digits, (double)(state >> 11) / 9007199254740992.0 * 1000);
	}
	bench->length += (size_t)snprintf(bench->text + bench->length, size - bench->length, "]}");
}

static void by_strtod(const struct bench *bench)
{
	const char *at = strchr(bench->text, '[') + 1;
	volatile double sum = 0;

	for (int i = 0; i < NUMBERS; i++) {
		char *end;

		sum += strtod(at, &end);
		at = end + 1;
	}
}

static void by_json_c(const struct bench *bench)
{
	struct json_object *value = json_tokener_parse(bench->text);

	if (!value)
		give_up("json-c cannot read it");
	json_object_put(value);
}

static void by_reader(const struct bench *bench)
{
	json *value = NULL;

	if (json_read(bench->text, bench->length, NULL, &value, NULL) != STATUS_OK)
		give_up("the reader refuses it");
	json_drop(value);
}

static void by_reader_and_schema(const struct bench *bench)
{
	json *value = NULL;

	if (json_read(bench->text, bench->length, NULL, &value, NULL) != STATUS_OK ||
	    !schema_validate(bench->schema, value, NULL))
		give_up("the gate refuses it");
	json_drop(value);
}

/* The best of several rounds, in nanoseconds a number: what disturbs a round only makes it slower.
 */
static double measure(const struct bench *bench, void (*run)(const struct bench *bench))
{
	double best = 0;

	for (int i = 0; i < ROUNDS; i++) {
		double begin = now_ns(), taken;

		run(bench);
		taken = (now_ns() - begin) / NUMBERS;
		best = i == 0 || taken < best ? taken : best;
	}
	return best;
}

int main(void)
{
	static const int digits[] = { 6, 17 };
	struct bench bench = { 0 };
	json *schema = NULL;

	if (json_read(schema_text, sizeof(schema_text) - 1, NULL, &schema, NULL) != STATUS_OK ||
	    schema_compile(schema, NULL, &bench.schema, NULL) != STATUS_OK)
		give_up("the schema is no schema");
	printf("{");
	for (size_t i = 0; i < sizeof(digits) / sizeof(digits[0]); i++) {
		make_text(&bench, digits[i]);
		printf("%s\"%d\": {\"strtod\": %.1f, \"json-c\": %.1f, \"reader\": %.1f, \"gate\": "
		       "%.1f}",
		       i ? ", " : "", digits[i], measure(&bench, by_strtod),
		       measure(&bench, by_json_c), measure(&bench, by_reader),
		       measure(&bench, by_reader_and_schema));
		free(bench.text);
	}
	printf("}\n");
	schema_free(bench.schema);
	json_drop(schema);
	return EXIT_SUCCESS;
}
