/* SPDX-License-Identifier: MIT
 *
 * What a transport asks for, made into a job that passes the gate before it runs.
 */
#ifndef TOOLHOST_PIPELINE_H
#define TOOLHOST_PIPELINE_H

#include "execute/executor.h"
#include "pipeline/gate.h"

/* What one call asks for, each 0 where it does not; never more than the operator allows. */
struct call_limits {
	struct gate_limits gate;
	double timeout; /* seconds */
	int64_t memory_mb;
};

struct call_request {
	const char *tool; /* its name: valid UTF-8, a NUL behind it is not needed */
	size_t tool_length;
	json *arguments; /* its reference is taken over; NULL: none given */
	enum trust trust;
	enum isolation at_least;
	double timeout;			  /* seconds; 0: default */
	const struct call_limits *limits; /* borrowed; NULL: none */
	bool over_mcp;			  /* repair_arguments applies */
	bool untyped;  /* the arguments are texts since their form knows nothing else: so it does */
	uint64_t seed; /* of the random numbers, where `seeded`; else it is chosen */
	bool seeded;
};

/* The job of one call, ready to be submitted once its listener is set. STATUS_UNKNOWN_TOOL;
 * its arguments are dropped then. */
int pipeline_job(struct executor *executor, const struct call_request *request,
		 struct job **ret_job, struct error *error);

/* Runs one call and waits for it; for the command line. Fills the outcome always (error.status
 * tells) and answers its status. */
int pipeline_call(struct executor *executor, const struct call_request *request,
		  struct outcome *ret_outcome);

#endif
