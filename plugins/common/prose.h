/* SPDX-License-Identifier: MIT
 *
 * Numbers inside sentences.
 */
#ifndef TOOLHOST_COMMON_PROSE_H
#define TOOLHOST_COMMON_PROSE_H

struct prose_number {
	char text[32];
};

/* A number with this many significant digits (1 to 17), with a point whatever the locale: another
 * pack of the process may have set one. */
struct prose_number prose_number(double value, int digits);

#endif
