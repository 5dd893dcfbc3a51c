/* SPDX-License-Identifier: MIT
 *
 * From a name and arguments to a job that passes the gate on its own thread.
 */
#include "config.h"

#include "pipeline/pipeline.h"

#include "base/settings.h"
#include "base/stricter.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static int pass_gate(struct job *job, struct outcome *outcome)
{
	struct gate_request request = {
		.spec = job->request.spec,
		.limits = job->gate_limits,
		.arguments = job->sent,
		.repair = job->repair,
		.drop_underscore_keys = setting_switch(SETTING_DROP_UNDERSCORE_KEYS),
	};
	struct gate_answer answer;
	int r;

	r = gate_check(&request, &answer, &outcome->error);
	if (r)
		return r;
	job->request.arguments = answer.arguments;
	outcome->repaired = answer.repaired;
	return STATUS_OK;
}

static int unknown_tool(const struct registry *registry, const struct call_request *request,
			struct error *error)
{
	char name[256]; /* no tool's name is longer, so what is cut is no tool's name either */
	size_t length = text_head(request->tool, request->tool_length, sizeof(name) - 1);

	memcpy(name, request->tool, length);
	name[length] = '\0';
	return registry_unknown_tool(registry, name, request->over_mcp, error);
}

/* The executor holds the rest to what the operator allows. */
static int set_limits(struct job *job, const struct call_limits *limits)
{
	struct gate_limits *kept = malloc(sizeof(*kept));

	if (!kept)
		return STATUS_INTERNAL;
	*kept = limits->gate;
	job->gate_limits = kept;
	job->request.timeout = stricter(limits->timeout, job->request.timeout);
	job->request.memory_mb = limits->memory_mb;
	return STATUS_OK;
}

int pipeline_job(struct executor *executor, const struct call_request *request,
		 struct job **ret_job, struct error *error)
{
	struct registry *registry = executor_registry(executor);
	const struct registry_tool *tool =
		registry_find_tool(registry, request->tool, request->tool_length);
	struct tool_spec *spec;
	struct job *job;
	int r;

	*ret_job = NULL;
	if (!tool)
		r = unknown_tool(registry, request, error);
	else
		r = registry_spec(registry, tool, &spec, error);
	job = r ? NULL : job_new(executor);
	if (!job) {
		json_drop(request->arguments);
		return r ? r : error_set(error, STATUS_INTERNAL, "out of memory");
	}
	job->gate = pass_gate;
	job->request.spec = spec;
	job->request.trust = request->trust;
	job->request.at_least = request->at_least;
	job->request.timeout = request->timeout;
	job->request.seed = request->seed;
	job->request.seeded = request->seeded;
	job->sent = request->arguments;
	job->repair = (request->over_mcp || request->untyped) &&
		      setting_switch(SETTING_REPAIR_ARGUMENTS);
	if (request->limits && set_limits(job, request->limits)) {
		job_release(job);
		return error_set(error, STATUS_INTERNAL, "out of memory");
	}
	*ret_job = job;
	return STATUS_OK;
}

int pipeline_call(struct executor *executor, const struct call_request *request,
		  struct outcome *ret_outcome)
{
	struct job *job;

	outcome_init(ret_outcome);
	if (!pipeline_job(executor, request, &job, &ret_outcome->error))
		executor_wait(job, ret_outcome);
	return ret_outcome->error.status;
}
