/* SPDX-License-Identifier: MIT */
#include "base/status.h"

#include "base/array.h"

#include <stddef.h>
#include <string.h>

struct status_entry {
	const char *code;
	const char *category;
	bool retryable;
	int exit;
};

/* Indexed by the negated status. */
static const struct status_entry catalogue[] = {
	[-STATUS_OK] = { "ok", "", false, EXIT_RESULT },
	[-STATUS_INTERNAL] = { "internal", "execution", false, EXIT_VERDICT },
	[-STATUS_INPUT_INVALID] = { "input_invalid", "validation", false, EXIT_REFUSED },
	[-STATUS_INPUT_TOO_LARGE] = { "input_too_large", "validation", false, EXIT_REFUSED },
	[-STATUS_CALL_MALFORMED] = { "call_malformed", "validation", false, EXIT_REFUSED },
	[-STATUS_TOOL_ERROR] = { "tool_error", "execution", false, EXIT_TOOL_FAILED },
	[-STATUS_RESULT_INVALID] = { "result_invalid", "execution", false, EXIT_TOOL_FAILED },
	[-STATUS_RESULT_TOO_LARGE] = { "result_too_large", "execution", false, EXIT_TOOL_FAILED },
	[-STATUS_TIMEOUT] = { "timeout", "timeout", true, EXIT_VERDICT },
	[-STATUS_MEMORY_EXCEEDED] = { "memory_exceeded", "execution", false, EXIT_VERDICT },
	[-STATUS_CRASHED] = { "crashed", "execution", false, EXIT_VERDICT },
	[-STATUS_EXITED] = { "exited", "execution", false, EXIT_VERDICT },
	[-STATUS_BLOCKED] = { "blocked", "execution", false, EXIT_VERDICT },
	[-STATUS_CANCELLED] = { "cancelled", "cancelled", false, EXIT_VERDICT },
	[-STATUS_WORKER_FAILED] = { "worker_failed", "execution", true, EXIT_VERDICT },
	[-STATUS_RATE_LIMITED] = { "rate_limited", "rate_limit", true, EXIT_VERDICT },
	[-STATUS_CIRCUIT_OPEN] = { "circuit_open", "circuit_open", true, EXIT_VERDICT },
	[-STATUS_OVERLOADED] = { "overloaded", "bulkhead_full", true, EXIT_VERDICT },
	[-STATUS_REMOTE_FAILED] = { "remote_failed", "connection", true, EXIT_VERDICT },
	[-STATUS_UNKNOWN_TOOL] = { "unknown_tool", "not_found", false, EXIT_UNKNOWN },
	[-STATUS_UNKNOWN_RECIPE] = { "unknown_recipe", "not_found", false, EXIT_UNKNOWN },
	[-STATUS_UNKNOWN_PACK] = { "unknown_pack", "not_found", false, EXIT_UNKNOWN },
	[-STATUS_UNKNOWN_BUNDLE] = { "unknown_bundle", "not_found", false, EXIT_UNKNOWN },
	[-STATUS_USAGE] = { "usage", "configuration", false, EXIT_MISUSED },
	[-STATUS_CONFIG_INVALID] = { "config_invalid", "configuration", false, EXIT_MISUSED },
};

_Static_assert(ARRAY_SIZE(catalogue) == 1 - STATUS_LAST,
	       "every status has its line in the catalogue");

static const struct status_entry *status_entry(int status)
{
	if (status > STATUS_OK || status < STATUS_LAST)
		status = STATUS_INTERNAL;
	return &catalogue[-status];
}

const char *status_code(int status)
{
	return status_entry(status)->code;
}

const char *status_category(int status)
{
	return status_entry(status)->category;
}

bool status_retryable(int status)
{
	return status_entry(status)->retryable;
}

int status_exit(int status)
{
	return status_entry(status)->exit;
}

int status_from_code(const char *code)
{
	for (int status = STATUS_OK; status >= STATUS_LAST; status--)
		if (!strcmp(catalogue[-status].code, code))
			return status;
	return STATUS_INTERNAL;
}
