/* SPDX-License-Identifier: MIT
 *
 * Numbers and texts inside sentences.
 */
#ifndef TOOLHOST_COMMON_PROSE_H
#define TOOLHOST_COMMON_PROSE_H

#include <stdint.h>

struct prose_number {
	char text[32];
};

/* A number with this many significant digits (1 to 17), with a point whatever the locale: another
 * pack of the process may have set one. */
struct prose_number prose_number(double value, int digits);

/* How many bytes of a text (UTF-8) a sentence shows: as many as there are, or up to `most` without
 * cutting a character. */
int prose_cut(const char *text, uint64_t length, int most);

#endif
