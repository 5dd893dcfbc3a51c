/* SPDX-License-Identifier: MIT
 *
 * Any schema on any value: the input is a schema and, behind a line feed, an instance. Either is
 * refused or both verdicts agree, what is told is sound text, and a valid value passes the repairs
 * of the gate unchanged.
 */
#include "base/text.h"
#include "pipeline/repair.h"
#include "schema/program.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void check_text(const char *text, size_t size)
{
	size_t length = strnlen(text, size);

	require(length < size && text_is_utf8(text, length));
}

static void check_problems(const struct schema_problems *problems)
{
	struct error error = ERROR_INIT;

	require(problems->count > 0 && problems->count <= SCHEMA_PROBLEMS);
	for (size_t i = 0; i < problems->count; i++) {
		const struct schema_problem *problem = &problems->items[i];

		check_text(problem->path, sizeof(problem->path));
		check_text(problem->keyword, sizeof(problem->keyword));
		check_text(problem->expected, sizeof(problem->expected));
		check_text(problem->found, sizeof(problem->found));
		check_text(problem->hint, sizeof(problem->hint));
		require(*problem->keyword && *problem->expected && *problem->found);
	}
	require(schema_problems_to_error(problems, "tool", &error) == STATUS_INPUT_INVALID);
	check_text(error.message, sizeof(error.message));
	error_clear(&error);
}

static void check_repairs(const struct schema *schema, json *instance, bool valid)
{
	const struct repair_options options = { .texts = true, .nulls = true, .max_depth = 50 };
	json *repaired, *paths = NULL;

	require(repair_arguments(schema, &options, instance, &repaired, &paths) == STATUS_OK);
	/* Only what cannot be valid is changed. */
	require(!valid || json_equal(instance, repaired));
	json_drop(repaired);
	json_drop(paths);
	require(repair_fill_defaults(schema, instance, &repaired) == STATUS_OK);
	json_drop(repaired);
}

static void check(const json *schema_value, json *instance)
{
	struct schema_problems problems;
	struct error error = ERROR_INIT;
	struct schema *schema;
	bool valid;

	if (schema_compile(schema_value, NULL, &schema, &error) != STATUS_OK) {
		require(!schema && error.status && *error.message);
		check_text(error.message, sizeof(error.message));
		error_clear(&error);
		return;
	}
	valid = schema_validate(schema, instance, NULL);
	require(schema_validate(schema, instance, &problems) == valid);
	if (!valid)
		check_problems(&problems);
	check_repairs(schema, instance, valid);
	schema_free(schema);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	const char *line = size ? memchr(text, '\n', size) : NULL;
	json *schema, *instance;

	if (!line || json_read(text, (size_t)(line - text), NULL, &schema, NULL) != STATUS_OK)
		return 0;
	if (json_read(line + 1, (size_t)(text + size - line - 1), NULL, &instance, NULL) ==
	    STATUS_OK) {
		check(schema, instance);
		json_drop(instance);
	}
	json_drop(schema);
	return 0;
}
