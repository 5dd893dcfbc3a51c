/* SPDX-License-Identifier: MIT
 *
 * The error catalogue: one code for every way in which something can fail.
 *
 * Functions answer STATUS_OK or one of these negative codes. Where the caller has to tell somebody,
 * they also fill a struct error (error.h). The names, categories and exit statuses are the
 * product's contract: they appear in JSON, in exit statuses and in the manual, and never change.
 */
#ifndef TOOLHOST_STATUS_H
#define TOOLHOST_STATUS_H

#include <stdbool.h>

enum status {
	STATUS_OK = 0,
	STATUS_INTERNAL = -1,
	STATUS_INPUT_INVALID = -2,
	STATUS_INPUT_TOO_LARGE = -3,
	STATUS_CALL_MALFORMED = -4,
	STATUS_TOOL_ERROR = -5,
	STATUS_RESULT_INVALID = -6,
	STATUS_RESULT_TOO_LARGE = -7,
	STATUS_TIMEOUT = -8,
	STATUS_MEMORY_EXCEEDED = -9,
	STATUS_CRASHED = -10,
	STATUS_EXITED = -11,
	STATUS_BLOCKED = -12,
	STATUS_CANCELLED = -13,
	STATUS_WORKER_FAILED = -14,
	STATUS_RATE_LIMITED = -15,
	STATUS_CIRCUIT_OPEN = -16,
	STATUS_OVERLOADED = -17,
	STATUS_REMOTE_FAILED = -18,
	STATUS_UNKNOWN_TOOL = -19,
	STATUS_UNKNOWN_RECIPE = -20,
	STATUS_UNKNOWN_PACK = -21,
	STATUS_UNKNOWN_BUNDLE = -22,
	STATUS_USAGE = -23,
	STATUS_CONFIG_INVALID = -24,
	STATUS_LAST = -24,
};

/* Exit statuses of the program. */
enum exit_status {
	EXIT_RESULT = 0,
	EXIT_TOOL_FAILED = 1,
	EXIT_MISUSED = 2,
	EXIT_REFUSED = 3,
	EXIT_VERDICT = 4,
	EXIT_UNKNOWN = 5,
};

/* The stable code ("input_invalid"), its category ("validation"), whether a retry can help, and the
 * exit status. A status that is not in the catalogue counts as STATUS_INTERNAL. Strings are
 * constant. */
const char *status_code(int status);
const char *status_category(int status);
bool status_retryable(int status);
int status_exit(int status);

/* The status of a code, or STATUS_INTERNAL. */
int status_from_code(const char *code);

#endif
