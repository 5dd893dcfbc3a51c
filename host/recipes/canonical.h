/* SPDX-License-Identifier: MIT
 *
 * The form in which cues and requests are compared: lower case, words alone, one blank between
 * them. "Batch-to-batch... VARIATION!" becomes "batch to batch variation".
 */
#ifndef TOOLHOST_RECIPES_CANONICAL_H
#define TOOLHOST_RECIPES_CANONICAL_H

#include "base/buffer.h"
#include "base/error.h"

struct canonical; /* immutable; any thread may use it */

int canonical_new(struct canonical **ret_canonical, struct error *error);
void canonical_free(struct canonical *canonical);

/* Appends the canonical form of a text. What is not UTF-8 in it parts words, as punctuation does. */
int canonical_print(const struct canonical *canonical, const char *text, size_t length,
		    struct buffer *out, struct error *error);

#endif
