/* SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "execute/seed.h"

#include "pack/call.h"

#include <sys/random.h>

uint64_t seed_choose(const struct tool_spec *spec, const json *arguments)
{
	json *given = spec->seed_param ? json_get(arguments, spec->seed_param) : NULL;
	uint64_t seed = 0;

	if (given && json_kind(given) == JSON_INTEGER)
		return (uint64_t)json_integer(given);
	if (given && json_kind(given) == JSON_NUMBER)
		return (uint64_t)(int64_t)json_number(given);
	if (spec->seed_param && spec->has_default_seed)
		return (uint64_t)spec->default_seed;
	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		seed = (uint64_t)call_now_ns();
	return seed >> 11; /* 53 bits, which every JSON reader can hold */
}
