/* SPDX-License-Identifier: MIT
 *
 * Where a call runs. One executor serves one program; it owns the call threads, the loaded packs
 * and, for isolated calls, the launchers.
 */
#ifndef TOOLHOST_EXECUTE_H
#define TOOLHOST_EXECUTE_H

#include "registry/registry.h"

enum trust { TRUST_TRUSTED, TRUST_UNTRUSTED }; /* of the transport that a call came in on */

/* What one call asks for. Filled by the pipeline, after the gate. */
struct execute_request {
	struct tool_spec *spec;
	json *arguments; /* what the gate answered; borrowed until the outcome */
	enum trust trust;
	enum isolation at_least; /* --isolation; it can only tighten */
	double timeout;		 /* seconds; 0: the tool's wish within the operator's setting */
	int64_t memory_mb;	 /* in a worker; 0: likewise */
	uint64_t seed;		 /* of the generator, where `seeded` */
	bool seeded;		 /* else it is chosen when the call runs */
};

/* What came of it. The texts are owned, or borrowed from the thread that ran the call until its
 * listener has looked at them. */
struct outcome {
	char *result; /* JSON text */
	size_t result_length;
	char *content; /* JSON text of content blocks, joined by commas; NULL: none */
	size_t content_length;
	char *warnings; /* JSON text of {category, message} objects, joined by commas; NULL: none */
	size_t warnings_length;
	char *partials; /* JSON text of the blocks that the tool gave before it failed, joined by
			   commas; NULL: none. Always owned */
	size_t partials_length;
	json *repaired; /* what the gate repaired, or NULL; owned */
	uint64_t seed;
	enum isolation strategy; /* where it ran */
	bool seeded;		 /* the generator was used: the seed is echoed */
	bool borrowed;		 /* the three texts are */
	struct error error;	 /* error.status 0: a result */
};

void outcome_init(struct outcome *outcome);
void outcome_free(struct outcome *outcome);

/* A copy that owns all it has; for a listener that keeps it. */
void outcome_copy(struct outcome *to, const struct outcome *from);

/* The decision of section "Trust" in toolhost(1): the strictest of transport, pack, tool, operator
 * and caller, in one table. *ret_reason is a constant phrase that says which of them decided.
 * `abandoned`: a call of the pack did not come back here. */
void policy_decide(const struct tool_spec *spec, enum trust trust, enum isolation at_least,
		   bool abandoned, enum isolation *ret_strategy, const char **ret_reason);

#endif
