/* SPDX-License-Identifier: MIT
 *
 * JSON Schema, 2020-12 and draft-07: compiled once to a flat program, run on every call.
 *
 * No network, ever: a reference is found in the schema itself or among the documents that the
 * caller hands in. Depth, number of subschemas, regular-expression work and steps are bounded, so
 * neither a schema nor an instance can make it slow.
 */
#ifndef TOOLHOST_SCHEMA_H
#define TOOLHOST_SCHEMA_H

#include "base/error.h"

struct schema; /* compiled; immutable, so any thread may validate with it */

struct schema_document {
	const char *uri; /* absolute */
	const json *value;
};

struct schema_options {
	const struct schema_document *documents; /* what references may reach beside the schema */
	size_t document_count;
	bool assert_formats;   /* `format` refuses; otherwise it is an annotation */
	bool refuse_beyond_64; /* "integer" refuses whole numbers that no int64_t holds */
	bool check_defaults;   /* a `default` that its own schema refuses is an error */
};

/* Compiles a schema. `options` may be NULL. The value need not outlive the call.
 * STATUS_INPUT_INVALID with a message that names the place (a JSON Pointer into the schema) when it
 * is no schema, or passes a bound. */
int schema_compile(const json *schema, const struct schema_options *options,
		   struct schema **ret_schema, struct error *error);
void schema_free(struct schema *schema);

/* One thing that is wrong with an instance. Texts are bounded, valid UTF-8, and made for a model to
 * act on. */
struct schema_problem {
	char path[256];	    /* JSON Pointer into the instance; "" is the whole */
	char keyword[32];   /* "type", "required", "additionalProperties", ... */
	char expected[256]; /* "a number", "one of \"robust\", \"classical\"", "at least 2 items" */
	char found[128];    /* a short view of what was there: "\"5\"", "an array of 3 items" */
	char hint[160]; /* where one is sure: "send 5, not \"5\"", "did you mean \"values\"?"; else
			   "" */
};

#define SCHEMA_PROBLEMS 10 /* kept; the rest is counted */

struct schema_problems {
	struct schema_problem items[SCHEMA_PROBLEMS];
	size_t count;	/* of items */
	size_t more;	/* beyond them, as far as counted */
	bool exhausted; /* a bound was reached: not valid, and the last item says which */
};

/* True when the instance is valid. `problems` may be NULL, which is faster. */
bool schema_validate(const struct schema *schema, const json *instance,
		     struct schema_problems *problems);

/* The error of the gate: STATUS_INPUT_INVALID, details tool_name, errors [path, keyword, expected,
 * found, hint], more; the message names the first problems in a sentence. */
int schema_problems_to_error(const struct schema_problems *problems, const char *tool_name,
			     struct error *error);

#endif
