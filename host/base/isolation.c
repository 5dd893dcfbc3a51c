/* SPDX-License-Identifier: MIT */
#include "base/isolation.h"

#include "base/array.h"

#include <stddef.h>
#include <string.h>

static const char *const names[] = {
	[ISOLATION_IN_PROCESS] = "in-process",
	[ISOLATION_ISOLATED] = "isolated",
	[ISOLATION_SANDBOXED] = "sandboxed",
};

const char *isolation_name(enum isolation isolation)
{
	return names[isolation];
}

bool isolation_parse(const char *name, enum isolation *ret_isolation)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(names[i], name))
			continue;
		*ret_isolation = (enum isolation)i;
		return true;
	}
	return false;
}
