/* SPDX-License-Identifier: MIT
 *
 * The smaller of two limits, of which either may be left open: 0 or less limits nothing.
 */
#ifndef TOOLHOST_STRICTER_H
#define TOOLHOST_STRICTER_H

#include <stdint.h>

static inline double stricter(double a, double b)
{
	return a > 0 && (b <= 0 || a < b) ? a : b;
}

static inline int64_t stricter_whole(int64_t a, int64_t b)
{
	return a > 0 && (b <= 0 || a < b) ? a : b;
}

#endif
