/* SPDX-License-Identifier: MIT
 *
 * Parameter tables (toolhost/plugin.h): from a table to its JSON Schema, and from arguments to the
 * tool's struct.
 *
 * Tables are read with the stride that the pack states, so that older and newer packs work.
 */
#ifndef TOOLHOST_PARAMS_H
#define TOOLHOST_PARAMS_H

#include "base/arena.h"
#include "base/error.h"

#include <toolhost/plugin.h>

/* Checks a table: kinds known, names and descriptions present and UTF-8, names unique, fields
 * within the struct and without overlap, sizes that agree with the kinds, fragments that are JSON
 * objects, defaults that fit. `what` names the table in messages ("parameter", "result field").
 * A struct_size of 0 says that the table is one of results, which has no struct.
 * STATUS_INPUT_INVALID names the entry and what is wrong. */
int params_check(const th_param *table, uint64_t stride, uint64_t struct_size, const char *what,
		 struct error *error);

/* The derived schema:
 * {"type":"object","properties":{...},"required":[...],"additionalProperties":false}. Inline,
 * without $ref. `results` derives an output schema, where every field without TH_OPTIONAL is
 * required and further keys are allowed. The table has to have been checked. NULL: no memory. */
json *params_schema(const th_param *table, uint64_t stride, bool results);

/* Fills `ret_struct` (zeroed, struct_size bytes) from arguments that the derived schema accepts.
 * Defaults are filled in, memory comes from the arena; packed numbers are handed on without a copy,
 * so `arguments` has to live as long. STATUS_INPUT_INVALID where a value cannot be held (an integer
 * beyond 64 bits, rows of different lengths), with the details of a schema's refusal; `tool_name` is
 * told there, NULL: none. */
int params_fill(const th_param *table, uint64_t stride, const json *arguments, struct arena *arena,
		void *ret_struct, uint64_t struct_size, const char *tool_name, struct error *error);

#endif
