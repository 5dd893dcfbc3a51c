/* SPDX-License-Identifier: MIT
 *
 * The gate: every argument of every call passes here, trusted or not.
 */
#ifndef TOOLHOST_GATE_H
#define TOOLHOST_GATE_H

#include "registry/registry.h"

/* All inclusive: what equals a limit passes. In what a call asks for, 0 is nothing. */
struct gate_limits {
	int64_t max_cells;	/* numbers and booleans anywhere */
	int64_t max_string;	/* code points of one text */
	int64_t max_depth;	/* the arguments object is depth 0, leaves count as a level */
	int64_t max_keys;	/* keys of all objects */
	int64_t max_key_length; /* code points */
};

struct gate_request {
	const struct tool_spec *spec;
	const struct gate_limits
		*limits; /* may only be stricter than the settings; NULL: those of the settings */
	json *arguments; /* borrowed; NULL counts as {} */
	bool repair;	 /* MCP with repair_arguments on */
	bool drop_underscore_keys;
};

struct gate_answer {
	json *arguments; /* what the tool gets: nulls of optional keys left out, repaired where
			    allowed; owned */
	json *repaired;	 /* list of JSON Pointers that were repaired, or NULL; owned */
};

/* Order: is it an object; scalar caps; text, key and depth limits; cells; the schema. After a
 * repair all of it again, so that limits hold for what was sent and for what the tool gets. Where
 * the tool's author wrote the whole schema, its defaults are filled in at the end; other tools get
 * theirs with their struct. STATUS_INPUT_TOO_LARGE (tool_name, key where a cap, limit,
 * observed) or STATUS_INPUT_INVALID (tool_name, errors, more). */
int gate_check(const struct gate_request *request, struct gate_answer *ret_answer,
	       struct error *error);
void gate_answer_free(struct gate_answer *answer);

#endif
