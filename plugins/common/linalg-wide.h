/* SPDX-License-Identifier: MIT
 *
 * Numbers of 106 bits, each the unevaluated sum of two doubles.
 *
 * Least squares on polynomials of high degree loses up to twice as many digits as the condition of
 * the matrix has. With 106 bits all the way, all digits of a double are left. A step costs about
 * ten of plain arithmetic, and no library.
 *
 * Sources: T. J. Dekker, Numerische Mathematik 18 (1971) 224; D. E. Knuth, The Art of Computer
 * Programming 2, 4.2.2, theorem B; M. Joldes, J.-M. Muller, V. Popescu, ACM Transactions on
 * Mathematical Software 44 (2017) 15res, algorithms 6 and 12. Each operation errs by a few units of
 * 2^-106 at most.
 *
 * Values have to be finite, and 0 or between 1e-140 and 1e140 in size, so that no part of a product
 * is lost.
 */
#ifndef TOOLHOST_COMMON_LINALG_WIDE_H
#define TOOLHOST_COMMON_LINALG_WIDE_H

#include <math.h>

struct wide {
	double hi; /* the value, rounded to a double */
	double lo; /* what that rounding left; at most half a unit in the last place of hi */
};

static inline struct wide wide_of(double value)
{
	return (struct wide){ value, 0 };
}

static inline double wide_round(struct wide a)
{
	return a.hi + a.lo;
}

/* a + b, where |a| >= |b| or a is 0. Exact. */
static inline struct wide wide_sum_ordered(double a, double b)
{
	double sum = a + b;

	return (struct wide){ sum, b - (sum - a) };
}

/* a + b. Exact. */
static inline struct wide wide_sum(double a, double b)
{
	double sum = a + b;
	double other = sum - a;

	return (struct wide){ sum, (a - (sum - other)) + (b - other) };
}

/* a * b. Exact. */
static inline struct wide wide_product(double a, double b)
{
	double product = a * b;

	return (struct wide){ product, fma(a, b, -product) };
}

static inline struct wide wide_negate(struct wide a)
{
	return (struct wide){ -a.hi, -a.lo };
}

static inline struct wide wide_add(struct wide a, struct wide b)
{
	struct wide high = wide_sum(a.hi, b.hi), low = wide_sum(a.lo, b.lo);

	high = wide_sum_ordered(high.hi, high.lo + low.hi);
	return wide_sum_ordered(high.hi, high.lo + low.lo);
}

static inline struct wide wide_subtract(struct wide a, struct wide b)
{
	return wide_add(a, wide_negate(b));
}

static inline struct wide wide_multiply(struct wide a, struct wide b)
{
	struct wide high = wide_product(a.hi, b.hi);

	return wide_sum_ordered(high.hi, high.lo + fma(a.hi, b.lo, fma(a.lo, b.hi, a.lo * b.lo)));
}

static inline struct wide wide_divide(struct wide a, struct wide b)
{
	double first = a.hi / b.hi;
	struct wide left = wide_subtract(a, wide_multiply(b, wide_of(first)));
	double second = left.hi / b.hi;

	left = wide_subtract(left, wide_multiply(b, wide_of(second)));
	return wide_add(wide_sum_ordered(first, second), wide_of(left.hi / b.hi));
}

/* The square root; 0 for what is not positive. One step of Newton from the root of a double. */
static inline struct wide wide_root(struct wide a)
{
	double root;

	if (!(a.hi > 0))
		return wide_of(0);
	root = sqrt(a.hi);
	return wide_sum_ordered(root, wide_subtract(a, wide_product(root, root)).hi / (2 * root));
}

/* a * 2^exponent. Exact, but for underflow. */
static inline struct wide wide_shift(struct wide a, int exponent)
{
	return (struct wide){ ldexp(a.hi, exponent), ldexp(a.lo, exponent) };
}

#endif
