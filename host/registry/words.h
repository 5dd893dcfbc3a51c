/* SPDX-License-Identifier: MIT
 *
 * Texts that live in an arena.
 */
#ifndef TOOLHOST_WORDS_H
#define TOOLHOST_WORDS_H

#include "base/arena.h"

/* A formatted text. Never NULL: where there is no memory it is a constant that says so. */
const char *words_format(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The words of a list that is separated by commas, blanks around them left out, NULL-ended. NULL:
 * no memory. */
const char *const *words_split(struct arena *arena, const char *list);

#endif
