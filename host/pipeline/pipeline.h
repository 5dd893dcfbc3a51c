/* SPDX-License-Identifier: MIT
 *
 * What surrounds a call: the gate, then the strategy. Later cache, rate limit, retry, breaker and bulkhead.
 */
#ifndef TOOLHOST_PIPELINE_H
#define TOOLHOST_PIPELINE_H

#include "execute/execute.h"

struct executor;

struct call_request {
	const char *tool;
	size_t tool_length;
	json *arguments; /* borrowed; NULL: none given */
	enum trust trust;
	enum isolation at_least;
	double timeout; /* seconds; 0: default */
	bool over_mcp;	/* repair_arguments applies */
};

/* Runs one call and waits for it; for the command line. Fills the outcome always (error.status tells) and answers its status. */
int pipeline_call(struct executor *executor, struct registry *registry, const struct call_request *request,
		  struct outcome *ret_outcome);

/* An executor for this process: call threads and loaded packs. */
int executor_new(struct registry *registry, const struct paths *paths, struct executor **ret_executor,
		 struct error *error);
void executor_free(struct executor *executor);

#endif
