/* SPDX-License-Identifier: MIT
 *
 * The tools of the pack, and the four charts. What is told of the tools to people and models is in
 * monitoring.c.
 */
#ifndef TOOLHOST_MONITORING_H
#define TOOLHOST_MONITORING_H

#include "common/sums.h"
#include "common/tool.h"

#include <stdbool.h>

/* chart.c */
enum chart_type { CHART_SHEWHART, CHART_HOLT_WINTERS, CHART_EWMA, CHART_CUSUM };
enum style { STYLE_ROBUST, STYLE_REGULAR };

struct chart_in {
	th_numbers values;
	int32_t chart_type;
	int32_t style;
};

extern const th_param chart_params[], chart_results[];
int32_t control_chart(th_call *call, const void *input);

/* capability.c */
struct capability_in {
	th_numbers values;
	th_maybe_number lower_spec;
	th_maybe_number upper_spec;
	int32_t robust;
};

extern const th_param capability_params[], capability_results[];
int32_t process_capability(th_call *call, const void *input);

/* ---- What the charts share -------------------------------------------------------------- */

/* Target and spread that a chart judges by, in the units of the values. */
struct baseline {
	struct twofold target;
	double spread;
};

#define EWMA_WEIGHT 0.2

/* An exponentially weighted moving average and whether it was out, for each value. (Roberts 1959;
 * the limits of each time by Lucas and Saccucci 1990.) ret_averages: distances from the target. */
void ewma_run(const double *values, size_t count, struct baseline base, double *ret_averages,
	      bool *ret_out);

/* Half the width between the limits that the average approaches. */
double ewma_reach(double spread);

struct cusum_alarm {
	size_t sample;
	size_t shift_start; /* where the run of positive sums began */
	double shift;	    /* estimated, from the target; downward ones are negative */
};

/* The tabular CUSUM with reference value spread / 2 and decision interval 5 spread; a sum starts
 * again from 0 after its alarm. (Page 1954; Montgomery's form.) Answers the number of alarms, in
 * order of sample; ret_alarms has room for 2 * count. */
size_t cusum_run(const double *values, size_t count, struct baseline base,
		 struct cusum_alarm *ret_alarms);

/* Values from which the robust Holt-Winters smoothing makes a chart; fewer are judged by median and
 * standard deviation. */
#define HOLT_WINTERS_LEAST 10

/* Target and spread by robust Holt-Winters smoothing (Gelper, Fried and Croux 2010, Journal of
 * Forecasting 29), both smoothing weights from a grid: the pair whose one-step errors have the
 * smallest tau scale. spread 0: the errors have none. scratch: 4 * count doubles. */
struct baseline holt_winters_baseline(const double *values, size_t count, double *scratch);

#endif
