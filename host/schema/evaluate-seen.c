/* SPDX-License-Identifier: MIT
 *
 * Which members or elements were looked at: a set of bits.
 */
#include "base/array.h"
#include "schema/evaluate.h"

#include <stdlib.h>
#include <string.h>

#define WORD_BITS 64

static size_t words(size_t count)
{
	return (count + WORD_BITS - 1) / WORD_BITS;
}

bool seen_init(struct seen *seen, struct run *run, const struct instance *in)
{
	size_t count = words(json_count(in->value));

	*seen = (struct seen){ .count = json_count(in->value) };
	seen->bits = seen->few;
	if (count > ARRAY_SIZE(seen->few) && !(seen->bits = calloc(count, sizeof(*seen->bits))))
		return run_stop(run, "memory");
	return run_charge(run, count);
}

void seen_free(struct seen *seen)
{
	if (seen->bits != seen->few)
		free(seen->bits);
}

void seen_add(struct seen *seen, size_t index)
{
	if (seen)
		seen->bits[index / WORD_BITS] |= (uint64_t)1 << index % WORD_BITS;
}

void seen_add_all(struct seen *seen)
{
	if (seen)
		memset(seen->bits, 0xFF, words(seen->count) * sizeof(*seen->bits));
}

bool seen_has(const struct seen *seen, size_t index)
{
	return seen->bits[index / WORD_BITS] >> index % WORD_BITS & 1;
}

void seen_merge(struct seen *seen, const struct seen *more)
{
	for (size_t i = 0; i < words(seen->count); i++)
		seen->bits[i] |= more->bits[i];
}
