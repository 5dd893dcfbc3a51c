/* SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "execute/seed.h"

#include "base/clock.h"
#include "pack/call.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/random.h>

static _Atomic uint64_t next;

static void draw_first(void)
{
	uint64_t first;

	if (getrandom(&first, sizeof(first), 0) != sizeof(first))
		first = (uint64_t)clock_now_ns();
	atomic_store(&next, first);
}

/* A seed that nobody has asked for: drawn once, then counted on and mixed (splitmix64; Steele, Lea
 * and Flood, 2014). */
static uint64_t draw(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	uint64_t mixed;

	pthread_once(&once, draw_first);
	mixed = atomic_fetch_add(&next, UINT64_C(0x9E3779B97F4A7C15));
	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
	return (mixed ^ mixed >> 31) >> 11; /* 53 bits, which every JSON reader can hold */
}

uint64_t seed_choose(const struct tool_spec *spec, const json *arguments)
{
	json *given = spec->seed_param ? json_get(arguments, spec->seed_param) : NULL;

	if (given && json_kind(given) == JSON_INTEGER)
		return (uint64_t)json_integer(given);
	if (given && json_kind(given) == JSON_NUMBER)
		return (uint64_t)(int64_t)json_number(given);
	if (spec->seed_param && spec->has_default_seed)
		return (uint64_t)spec->default_seed;
	return draw();
}
