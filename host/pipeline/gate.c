/* SPDX-License-Identifier: MIT */
#include "pipeline/gate.h"

#include "base/settings.h"
#include "pipeline/limits.h"
#include "pipeline/repair.h"
#include "schema/problem.h"

#include <string.h>

/* Arguments on their way through the gate. */
struct passage {
	const struct gate_request *request;
	struct gate_limits limits;
	struct error *error;
	const char *tool_name;
	json *arguments; /* owned */
	json *repaired;	 /* owned */
};

static int no_memory(struct passage *p)
{
	return error_set(p->error, STATUS_INTERNAL, "no memory for the arguments of %s",
			 p->tool_name);
}

static int refuse_kind(struct passage *p)
{
	struct schema_problems problems = { .count = 1 };
	struct schema_problem *problem = &problems.items[0];

	problem_copy(problem->keyword, sizeof(problem->keyword), "type");
	problem_copy(problem->expected, sizeof(problem->expected), "an object");
	problem_view(p->arguments, problem->found, sizeof(problem->found));
	if (json_kind(p->arguments) == JSON_TEXT)
		problem_copy(problem->hint, sizeof(problem->hint),
			     "send the object itself, not a string of it");
	return schema_problems_to_error(&problems, p->tool_name, p->error);
}

static int check_limits(struct passage *p)
{
	return limits_check(&p->limits, p->request->spec->caps, p->arguments, p->tool_name,
			    p->error);
}

/* Takes over the repaired arguments; `p->arguments` are other ones afterwards where anything was
 * changed. */
static int apply_repairs(struct passage *p)
{
	const struct repair_options options = {
		.texts = p->request->repair,
		.nulls = true,
		.underscore_keys = p->request->drop_underscore_keys,
		.max_depth = (unsigned)p->limits.max_depth + 1,
	};
	json *repaired;

	if (repair_arguments(p->request->spec->input, &options, p->arguments, &repaired,
			     &p->repaired) != STATUS_OK)
		return no_memory(p);
	json_drop(p->arguments);
	p->arguments = repaired;
	return STATUS_OK;
}

/* What is valid as it was sent needs no repair, so that most calls are looked at once. */
static int check_schema(struct passage *p)
{
	const struct schema *schema = p->request->spec->input;
	const json *sent = p->arguments;
	struct schema_problems problems;
	int r;

	if (schema_validate(schema, p->arguments, NULL))
		return STATUS_OK;
	if ((r = apply_repairs(p)) != STATUS_OK)
		return r;
	if (p->arguments != sent) {
		if (json_kind(p->arguments) != JSON_OBJECT)
			return refuse_kind(p);
		if ((r = check_limits(p)) != STATUS_OK)
			return r;
	}
	if (schema_validate(schema, p->arguments, &problems))
		return STATUS_OK;
	return schema_problems_to_error(&problems, p->tool_name, p->error);
}

/* The whole arguments as one text, which only a repair makes into an object. */
static int open_text(struct passage *p)
{
	int r;

	if (json_kind(p->arguments) != JSON_TEXT || !p->request->repair)
		return STATUS_OK;
	if ((r = check_limits(p)) != STATUS_OK)
		return r;
	return apply_repairs(p);
}

static int fill_defaults(struct passage *p)
{
	json *filled;

	if (!p->request->spec->whole_schema)
		return STATUS_OK;
	if (repair_fill_defaults(p->request->spec->input, p->arguments, &filled) != STATUS_OK)
		return no_memory(p);
	json_drop(p->arguments);
	p->arguments = filled;
	return STATUS_OK;
}

static int pass(struct passage *p)
{
	int r;

	if ((r = open_text(p)) != STATUS_OK)
		return r;
	if (json_kind(p->arguments) != JSON_OBJECT)
		return refuse_kind(p);
	if ((r = check_limits(p)) != STATUS_OK || (r = check_schema(p)) != STATUS_OK)
		return r;
	return fill_defaults(p);
}

int gate_check(const struct gate_request *request, struct gate_answer *ret_answer,
	       struct error *error)
{
	struct passage p = {
		.request = request,
		.limits = limits_effective(request->limits),
		.error = error,
		.tool_name = request->spec->tool->name,
	};
	int r;

	*ret_answer = (struct gate_answer){ 0 };
	p.arguments = request->arguments ? json_hold(request->arguments) : json_new_object();
	r = p.arguments ? pass(&p) : no_memory(&p);
	if (r == STATUS_OK) {
		ret_answer->arguments = p.arguments;
		ret_answer->repaired = p.repaired;
	} else {
		json_drop(p.arguments);
		json_drop(p.repaired);
	}
	return r;
}

void gate_answer_free(struct gate_answer *answer)
{
	json_drop(answer->arguments);
	json_drop(answer->repaired);
	*answer = (struct gate_answer){ 0 };
}
