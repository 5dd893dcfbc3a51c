/* SPDX-License-Identifier: MIT
 *
 * Verdicts for the comparison with other validators. Each line of stdin is {"schema": ...,
 * "instances": [...]}; each line of stdout has one letter an instance, v or i, or "refused: " and
 * the reason.
 */
#include "base/json.h"
#include "schema/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void judge(const json *line)
{
	const json *instances = json_get(line, "instances");
	struct error error = ERROR_INIT;
	struct schema *schema;

	if (schema_compile(json_get(line, "schema"), NULL, &schema, &error) != STATUS_OK) {
		printf("refused: %s\n", error.message);
	} else {
		for (size_t i = 0; i < json_count(instances); i++) {
			json *instance = json_item(instances, i);

			putchar(schema_validate(schema, instance, NULL) ? 'v' : 'i');
			json_drop(instance);
		}
		putchar('\n');
	}
	schema_free(schema);
	error_clear(&error);
}

int main(void)
{
	char *text = NULL;
	size_t capacity = 0;
	ssize_t length;
	json *line;

	while ((length = getline(&text, &capacity, stdin)) > 0) {
		if (json_read(text, (size_t)length, NULL, &line, NULL) != STATUS_OK) {
			fprintf(stderr, "verdicts: a line is no JSON: %.200s\n", text);
			return EXIT_FAILURE;
		}
		judge(line);
		json_drop(line);
	}
	free(text);
	return EXIT_SUCCESS;
}
