/* SPDX-License-Identifier: MIT
 *
 * What the tests of schemas and of the gate share.
 */
#ifndef TOOLHOST_SCHEMA_UNIT_H
#define TOOLHOST_SCHEMA_UNIT_H

#include "config.h"

#include "schema/schema.h"
#include "unit.h"

#include <time.h>

/* How many times longer than in an ordinary build something may take. */
#ifdef TH_ASAN
#define PATIENCE 20
#else
#define PATIENCE (getenv("UNIT_PATIENCE") ? atof(getenv("UNIT_PATIENCE")) : 1)
#endif

/* The value of a JSON text, which has to be one. The caller drops it. */
static inline json *parse(const char *text)
{
	const struct json_limits deep = { .max_depth = 5000 };
	struct json_fault fault;
	json *value = NULL;

	if (json_read(text, strlen(text), &deep, &value, &fault) != STATUS_OK) {
		fprintf(stderr, "%s: %s\n", text, fault.reason);
		CU_FAIL("no JSON");
	}
	return value;
}

/* The compiled schema of a text; what is wrong with it goes into `error`, which may be NULL. NULL:
 * refused. */
static inline struct schema *compile_with(const char *text, const struct schema_options *options,
					  struct error *error)
{
	json *value = parse(text);
	struct schema *schema;

	schema_compile(value, options, &schema, error);
	json_drop(value);
	return schema;
}

static inline struct schema *compile(const char *text)
{
	struct error error = ERROR_INIT;
	struct schema *schema = compile_with(text, NULL, &error);

	if (!schema)
		fprintf(stderr, "%s: %s\n", text, error.message);
	CU_ASSERT_PTR_NOT_NULL_FATAL(schema);
	error_clear(&error);
	return schema;
}

static inline bool validate(const char *schema_text, const char *instance_text,
			    struct schema_problems *problems)
{
	struct schema *schema = compile(schema_text);
	json *instance = parse(instance_text);
	bool valid = schema_validate(schema, instance, problems);

	/* The verdict alone is found in another way, and has to be the same. */
	CU_ASSERT_EQUAL(schema_validate(schema, instance, NULL), valid);
	json_drop(instance);
	schema_free(schema);
	return valid;
}

static inline double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
