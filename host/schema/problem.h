/* SPDX-License-Identifier: MIT
 *
 * The texts of problems: short views of values, and lists of words.
 */
#ifndef TOOLHOST_PROBLEM_H
#define TOOLHOST_PROBLEM_H

#include "base/json.h"
#include "base/text.h"

#include <string.h>

/* Copies what fits, cut at a code point and then ended by "...". */
void problem_copy(char *ret, size_t size, const char *text);

/* A text for "%.*s": its head of at most `most` bytes, cut at a code point. */
#define PROBLEM_HEAD(text, most) (int)text_head((text), strlen(text), (most)), (text)

/* Drops the start of a code point that snprintf() cut in two. */
void problem_trim(char *text);

/* What a value is, in few words: 5, "abc", an array of 3 items. */
void problem_view(const json *value, char *ret, size_t size);

/* The same for a text, and for a number that is no json. */
void problem_view_text(const char *text, size_t length, char *ret, size_t size);
void problem_view_number(double number, char *ret, size_t size);

/* Appends `"word"` to what is in `list`, with a comma before it where it is not the first. Once
 * there is no room it appends ", ..." and answers false. */
bool problem_add_word(char *list, size_t size, const char *word, bool first);

#endif
