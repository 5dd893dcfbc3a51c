/* SPDX-License-Identifier: MIT
 *
 * The charts that remember: EWMA and CUSUM. Both work on distances from the target, which keep
 * their digits however far from 0 the data lie.
 */
#include "monitoring/monitoring.h"

#include <math.h>

/* ---- EWMA ------------------------------------------------------------------------------- */

double ewma_reach(double spread)
{
	return 3 * spread * sqrt(EWMA_WEIGHT / (2 - EWMA_WEIGHT));
}

void ewma_run(const double *values, size_t count, struct baseline base, double *ret_averages,
	      bool *ret_out)
{
	double average = 0, reach = ewma_reach(base.spread), fading = 1;

	for (size_t i = 0; i < count; i++) {
		average += EWMA_WEIGHT * (deviation(values[i], base.target) - average);
		fading *= (1 - EWMA_WEIGHT) * (1 - EWMA_WEIGHT);
		ret_averages[i] = average;
		ret_out[i] = fabs(average) > reach * sqrt(1 - fading);
	}
}

/* ---- CUSUM ------------------------------------------------------------------------------ */

/* The sum of one direction; values of the other are mirrored before. */
struct sum {
	double value;
	size_t start; /* of the present run of positive sums */
};

/* Takes one distance in; true with *ret_alarm set where that raises an alarm, after which the sum
 * is 0 again. */
static bool sum_take(struct sum *sum, double distance, size_t sample, double spread,
		     struct cusum_alarm *ret_alarm)
{
	double reference = spread / 2, before = sum->value;

	sum->value = fmax(0, before + distance - reference);
	if (before == 0)
		sum->start = sample;
	if (!(sum->value > 5 * spread))
		return false;
	ret_alarm->sample = sample;
	ret_alarm->shift_start = sum->start;
	ret_alarm->shift = reference + sum->value / (double)(sample - sum->start + 1);
	sum->value = 0;
	return true;
}

size_t cusum_run(const double *values, size_t count, struct baseline base,
		 struct cusum_alarm *ret_alarms)
{
	struct sum up = { 0, 0 }, down = { 0, 0 };
	size_t alarms = 0;

	for (size_t i = 0; i < count; i++) {
		double distance = deviation(values[i], base.target);

		alarms += sum_take(&up, distance, i, base.spread, &ret_alarms[alarms]);
		if (sum_take(&down, -distance, i, base.spread, &ret_alarms[alarms])) {
			ret_alarms[alarms].shift = -ret_alarms[alarms].shift;
			alarms++;
		}
	}
	return alarms;
}
