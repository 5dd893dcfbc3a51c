/* SPDX-License-Identifier: MIT
 *
 * Small questions about UTF-8 text.
 */
#ifndef TOOLHOST_TEXT_H
#define TOOLHOST_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool text_is_utf8(const char *text, size_t length); /* no surrogates, no overlong forms, at most U+10FFFF */
size_t text_points(const char *text, size_t length); /* code points of valid UTF-8 */

/* The byte length of the longest head of `text` that has at most `max` bytes and does not cut a code point. */
size_t text_head(const char *text, size_t length, size_t max);

/* The one of `names` nearest to `name` by edit distance (transpositions count one, case folded), or NULL where
 * none is near: at most a third of the length away. */
const char *text_nearest(const char *name, const char *const *names, size_t count);

/* A tool's own name: 1 to 64 of [A-Za-z0-9_-], dots allowed between namespaces. */
bool text_is_tool_name(const char *name, size_t length);

/* fnmatch without locale: * and ? only. */
bool text_glob(const char *pattern, const char *name);

#endif
