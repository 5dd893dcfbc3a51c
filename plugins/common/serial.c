/* SPDX-License-Identifier: MIT
 *
 * Autocorrelation; see serial.h.
 */
#include "common/serial.h"

#include "common/sums.h"

#include <math.h>

double autocorrelation(const double *values, size_t count, size_t lag)
{
	const struct moments m = moments_of(values, count);
	struct twofold sum = { 0, 0 };

	if (m.norm == 0)
		return NAN;
	for (size_t i = 0; i + lag < count; i++) {
		/* In units of the norm, so that no product leaves the range of a double. */
		double now = deviation(values[i], m.mean) / m.norm;
		double later = deviation(values[i + lag], m.mean) / m.norm;
		struct twofold next = twofold_add(sum.high, now * later);

		sum.high = next.high;
		sum.low += next.low;
	}
	return twofold_value(sum);
}
