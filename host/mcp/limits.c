/* SPDX-License-Identifier: MIT
 *
 * What a client asks for in the _meta of one call, under "toolhost/limits".
 */
#include "config.h"

#include "base/array.h"
#include "mcp/session.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static const struct {
	const char *key;
	size_t place; /* of an int64_t */
} whole_limits[] = {
	{ "max_cells", offsetof(struct call_limits, gate.max_cells) },
	{ "max_string", offsetof(struct call_limits, gate.max_string) },
	{ "max_depth", offsetof(struct call_limits, gate.max_depth) },
	{ "max_keys", offsetof(struct call_limits, gate.max_keys) },
	{ "max_key_length", offsetof(struct call_limits, gate.max_key_length) },
	{ "memory_mb", offsetof(struct call_limits, memory_mb) },
};
/* clang-format on */

static bool read_whole(const json *value, int64_t *ret_limit)
{
	if (json_kind(value) != JSON_INTEGER)
		return false;
	*ret_limit = json_integer(value);
	return *ret_limit > 0;
}

static bool read_timeout(const json *value, double *ret_seconds)
{
	if (json_kind(value) != JSON_INTEGER && json_kind(value) != JSON_NUMBER)
		return false;
	*ret_seconds = json_number(value);
	return *ret_seconds > 0;
}

/* One of them; false, with a reason, where it is none. */
static bool read_limit(const char *key, const json *value, struct call_limits *limits,
		       char ret_reason[MCP_REASON])
{
	if (!strcmp(key, "timeout")) {
		snprintf(ret_reason, MCP_REASON,
			 MCP_LIMITS ": timeout has to be a number of seconds above 0");
		return read_timeout(value, &limits->timeout);
	}
	for (size_t i = 0; i < ARRAY_SIZE(whole_limits); i++) {
		if (strcmp(key, whole_limits[i].key))
			continue;
		snprintf(ret_reason, MCP_REASON, MCP_LIMITS ": %s has to be a whole number above 0",
			 key);
		return read_whole(value,
				  (int64_t *)(void *)((char *)limits + whole_limits[i].place));
	}
	snprintf(ret_reason, MCP_REASON,
		 MCP_LIMITS " has no %.40s: there are timeout, memory_mb, max_cells, max_string, "
			    "max_depth, max_keys and max_key_length",
		 key);
	return false;
}

bool mcp_read_limits(const json *meta, struct call_limits *ret_limits, bool *ret_there,
		     char ret_reason[MCP_REASON])
{
	const json *limits = json_kind(meta) == JSON_OBJECT ? json_get(meta, MCP_LIMITS) : NULL;
	struct json_member m;

	*ret_there = limits != NULL;
	memset(ret_limits, 0, sizeof(*ret_limits));
	if (!limits)
		return true;
	if (json_kind(limits) != JSON_OBJECT) {
		snprintf(ret_reason, MCP_REASON, MCP_LIMITS " has to be an object");
		return false;
	}
	for (bool more = json_first(limits, &m); more; more = json_next(&m))
		if (!read_limit(m.key, m.value, ret_limits, ret_reason))
			return false;
	return true;
}
