/* SPDX-License-Identifier: MIT
 *
 * Names with dots, for services that take none.
 */
#include <config.h>

#include "command/vendor.h"

#include <stdio.h>
#include <string.h>

static const char dot[] = "_-_";

enum {
	DOT_LENGTH = sizeof(dot) - 1,
	CHECKSUM_LENGTH = 9, /* "_" and eight digits */
	SPELLED_MAX = 1024,
};

/* FNV-1a (Fowler, Noll, Vo 1991), 32 bits: short, and the same everywhere and always. */
static uint32_t checksum(const char *name)
{
	uint32_t sum = 2166136261u;

	for (; *name; name++)
		sum = (sum ^ (unsigned char)*name) * 16777619u;
	return sum;
}

/* Whether reading every "_-_" of `spelled` as a dot gives `name` again: not so for "a_-.b" and for
 * "a_-_b". */
static bool reads_back(const char *spelled, const char *name)
{
	while (*spelled) {
		bool is_dot = !strncmp(spelled, dot, DOT_LENGTH);

		if (*name++ != (is_dot ? '.' : *spelled))
			return false;
		spelled += is_dot ? DOT_LENGTH : 1;
	}
	return !*name;
}

void vendor_name(const char *name, char ret_name[VENDOR_NAME_MAX + 1])
{
	char spelled[SPELLED_MAX];
	size_t length = 0;

	for (const char *at = name; *at && length < sizeof(spelled) - DOT_LENGTH - 1; at++) {
		if (*at == '.') {
			memcpy(spelled + length, dot, DOT_LENGTH);
			length += DOT_LENGTH;
		} else {
			spelled[length++] = *at;
		}
	}
	spelled[length] = '\0';
	if (length <= VENDOR_NAME_MAX && reads_back(spelled, name))
		memcpy(ret_name, spelled, length + 1);
	else
		snprintf(ret_name, VENDOR_NAME_MAX + 1, "%.*s_%08x",
			 VENDOR_NAME_MAX - CHECKSUM_LENGTH, spelled, (unsigned)checksum(name));
}

const struct registry_tool *vendor_find_tool(const struct registry *registry, const char *name)
{
	const struct registry_tool *found = registry_find_tool(registry, name, strlen(name));
	char spelled[VENDOR_NAME_MAX + 1];

	for (size_t i = 0; !found && i < registry_tool_count(registry); i++) {
		const struct registry_tool *tool = registry_tool(registry, i);

		vendor_name(tool->name, spelled);
		if (!strcmp(tool->name, name) || !strcmp(spelled, name))
			found = tool;
	}
	return found;
}
