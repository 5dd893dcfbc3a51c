/* SPDX-License-Identifier: MIT
 *
 * Small questions about UTF-8 text.
 */
#ifndef TOOLHOST_TEXT_H
#define TOOLHOST_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool text_is_utf8(const char *text,
		  size_t length); /* no surrogates, no overlong forms, at most U+10FFFF */
size_t text_points(const char *text, size_t length); /* code points of valid UTF-8 */

/* The bytes of the code point that `text` begins with, 1 to 4. Where there is none, minus the
 * bytes, 1 to 3, that one U+FFFD stands for: the longest part of a sequence that could have become
 * valid. `length` is not 0. */
int text_sequence(const char *text, size_t length);

/* Equal but for the case of ASCII letters, in `length` bytes. */
bool text_same_folded(const char *a, const char *b, size_t length);

/* The byte length of the longest head of `text` that has at most `max` bytes and does not cut a
 * code point. */
size_t text_head(const char *text, size_t length, size_t max);

/* The one of `names` nearest to `name` by edit distance (transpositions count one, case folded), or
 * NULL where none is near: at most a third of the longer one's length away. Names past 128 bytes
 * are never near. */
const char *text_nearest(const char *name, const char *const *names, size_t count);

#define TEXT_TOOL_NAME_MOST 128 /* bytes */

/* A tool's name: 1 to 64 of [A-Za-z0-9_-], and before it any namespaces of the same form, each with
 * a dot behind it; at most TEXT_TOOL_NAME_MOST in all. */
bool text_is_tool_name(const char *name, size_t length);

/* fnmatch without locale: * and ? only. */
bool text_glob(const char *pattern, const char *name);

#endif
