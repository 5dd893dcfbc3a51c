/* SPDX-License-Identifier: MIT
 *
 * The median absolute deviation and Sn.
 */
#include "common/scale.h"

#include <math.h>

double median_absolute_deviation_from(double *values, size_t count, struct twofold centre,
				      double *scratch)
{
	for (size_t i = 0; i < count; i++)
		values[i] = fabs(deviation(values[i], centre));
	return twofold_value(median_of(values, count, scratch));
}

static double sn_factor(size_t count)
{
	static const double small[] = {
		0, 0, 0.743, 1.851, 0.954, 1.351, 0.993, 1.198, 1.005, 1.131
	};

	if (count < sizeof(small) / sizeof(small[0]))
		return small[count];
	return count % 2 ? (double)count / ((double)count - 0.9) : 1;
}

double scale_sn(double *values, size_t count, double *scratch)
{
	/* The high median of the count distances from a value, its own 0 included, is the distance
	 * to the farthest of its `near` nearest values, and those lie side by side once sorted.
	 * Croux and Rousseeuw search for that window by bisection; since it only ever moves up from
	 * one value to the next, a sweep finds it. */
	size_t near = count / 2 + 1;
	size_t first = 0;

	sort_values(values, count, scratch);
	for (size_t i = 0; i < count; i++) {
		while (first + near < count &&
		       values[first + near] - values[i] < values[i] - values[first])
			first++;
		scratch[i] = fmax(values[i] - values[first], values[first + near - 1] - values[i]);
	}
	/* `values` has done its service and lends the room that selecting needs. */
	return 1.1926 * sn_factor(count) * select_rank(scratch, count, (count + 1) / 2 - 1, values);
}
