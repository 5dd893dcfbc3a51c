/* SPDX-License-Identifier: MIT */
#include "base/status.h"

#include "unit.h"

/* The product's contract, as the manual has it. */
static void catalogue_is_the_contract(void)
{
	static const struct {
		int status;
		const char *code, *category;
		int retryable, exit;
	} contract[] = {
		{ STATUS_INPUT_INVALID, "input_invalid", "validation", 0, 3 },
		{ STATUS_INPUT_TOO_LARGE, "input_too_large", "validation", 0, 3 },
		{ STATUS_CALL_MALFORMED, "call_malformed", "validation", 0, 3 },
		{ STATUS_TOOL_ERROR, "tool_error", "execution", 0, 1 },
		{ STATUS_RESULT_INVALID, "result_invalid", "execution", 0, 1 },
		{ STATUS_RESULT_TOO_LARGE, "result_too_large", "execution", 0, 1 },
		{ STATUS_TIMEOUT, "timeout", "timeout", 1, 4 },
		{ STATUS_MEMORY_EXCEEDED, "memory_exceeded", "execution", 0, 4 },
		{ STATUS_CRASHED, "crashed", "execution", 0, 4 },
		{ STATUS_EXITED, "exited", "execution", 0, 4 },
		{ STATUS_BLOCKED, "blocked", "execution", 0, 4 },
		{ STATUS_CANCELLED, "cancelled", "cancelled", 0, 4 },
		{ STATUS_WORKER_FAILED, "worker_failed", "execution", 1, 4 },
		{ STATUS_RATE_LIMITED, "rate_limited", "rate_limit", 1, 4 },
		{ STATUS_CIRCUIT_OPEN, "circuit_open", "circuit_open", 1, 4 },
		{ STATUS_OVERLOADED, "overloaded", "bulkhead_full", 1, 4 },
		{ STATUS_REMOTE_FAILED, "remote_failed", "connection", 1, 4 },
		{ STATUS_UNKNOWN_TOOL, "unknown_tool", "not_found", 0, 5 },
		{ STATUS_UNKNOWN_RECIPE, "unknown_recipe", "not_found", 0, 5 },
		{ STATUS_UNKNOWN_PACK, "unknown_pack", "not_found", 0, 5 },
		{ STATUS_UNKNOWN_BUNDLE, "unknown_bundle", "not_found", 0, 5 },
		{ STATUS_USAGE, "usage", "configuration", 0, 2 },
		{ STATUS_CONFIG_INVALID, "config_invalid", "configuration", 0, 2 },
		{ STATUS_INTERNAL, "internal", "execution", 0, 4 },
	};

	CU_ASSERT_EQUAL(sizeof(contract) / sizeof(contract[0]), -STATUS_LAST);
	for (size_t i = 0; i < sizeof(contract) / sizeof(contract[0]); i++) {
		int status = contract[i].status;

		UNIT_TEXT(status_code(status), contract[i].code);
		UNIT_TEXT(status_category(status), contract[i].category);
		CU_ASSERT_EQUAL(status_retryable(status), contract[i].retryable);
		CU_ASSERT_EQUAL(status_exit(status), contract[i].exit);
		CU_ASSERT_EQUAL(status_from_code(contract[i].code), status);
	}
	CU_ASSERT_EQUAL(status_exit(STATUS_OK), 0);
}

static void the_unknown_is_internal(void)
{
	UNIT_TEXT(status_code(1), "internal");
	UNIT_TEXT(status_code(STATUS_LAST - 1), "internal");
	CU_ASSERT_EQUAL(status_exit(12345), 4);
	CU_ASSERT_EQUAL(status_from_code("no such code"), STATUS_INTERNAL);
	CU_ASSERT_EQUAL(status_from_code(""), STATUS_INTERNAL);
}

static const struct unit_test tests[] = {
	UNIT_TEST(catalogue_is_the_contract),
	UNIT_TEST(the_unknown_is_internal),
};

UNIT_MAIN("status", tests)
