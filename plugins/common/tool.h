/* SPDX-License-Identifier: MIT
 *
 * What the tools of several packs do alike: memory, refusals, limits.
 */
#ifndef TOOLHOST_COMMON_TOOL_H
#define TOOLHOST_COMMON_TOOL_H

#include <toolhost/arguments.h>
#include <toolhost/plugin.h>
#include <toolhost/settings.h>

static inline int32_t out_of_memory(th_call *call)
{
	return th_fail(call, "There is not enough memory for this many values: send fewer.");
}

/* A copy that may be reordered, with room for `extra` more doubles behind it; the call's own. NULL:
 * no memory. */
static inline double *copy_numbers(th_call *call, th_numbers numbers, uint64_t extra)
{
	double *copy = (double *)th_allocate(call, numbers.count + extra, sizeof(*copy));

	if (copy)
		memcpy(copy, numbers.values, (size_t)numbers.count * sizeof(*copy));
	return copy;
}

static inline int32_t refuse_lengths(th_call *call, const char *a, uint64_t a_count, const char *b,
				     uint64_t b_count)
{
	return th_refuse(
		call, b,
		"%s has %llu values and %s has %llu: the two belong together one by one, so "
		"give both the same number.",
		a, (unsigned long long)a_count, b, (unsigned long long)b_count);
}

/* The reason where a number has left the range of a double. */
#define BEYOND_RANGE "A number here is beyond the range of a double: use a larger unit."

/* Why a number in the answer is null, or not what it seems; NULL: there is nothing to say. */
static inline void give_reason(th_call *call, const char *reason)
{
	if (reason)
		th_put_string(call, "reason", reason);
}

#endif
