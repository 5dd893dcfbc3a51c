/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tools of the pack, one family a file. What each takes and gives is beside its function; what
 * is told of it to people and models is in univariate.c.
 */
#ifndef TOOLHOST_UNIVARIATE_H
#define TOOLHOST_UNIVARIATE_H

#include "common/tool.h"

/* "robust" and "classical", in this order. */
enum method { METHOD_ROBUST, METHOD_CLASSICAL };

/* location.c */
struct summary_in {
	th_numbers values;
	int32_t method;
};

extern const th_param summary_params[], summary_results[];
int32_t robust_summary_stats(th_call *call, const void *input);

struct interval_in {
	th_numbers values;
	double confidence_level;
	int32_t method;
};

extern const th_param interval_params[], interval_results[];
int32_t confidence_interval(th_call *call, const void *input);

/* spread.c */
struct values_in {
	th_numbers values;
};

extern const th_param sn_params[], sn_results[];
int32_t robust_scale_sn(th_call *call, const void *input);

struct mad_in {
	th_numbers values;
	int32_t scale;
};

extern const th_param mad_params[], mad_results[];
int32_t median_absolute_deviation(th_call *call, const void *input);

struct variance_in {
	th_numbers values;
	th_json groups;
};

extern const th_param variance_params[], variance_results[];
int32_t within_between_variance(th_call *call, const void *input);

/* shape.c */
struct outliers_in {
	th_numbers values;
	int64_t max_outliers_to_detect;
	double alpha;
	int32_t robust_variant;
};

extern const th_param outliers_params[], outliers_results[];
int32_t detect_outliers(th_call *call, const void *input);

struct normality_in {
	th_numbers values;
	double alpha;
};

extern const th_param normality_params[], normality_results[];
int32_t normality_test(th_call *call, const void *input);

/* compare.c */
struct two_samples_in {
	th_numbers group_a;
	th_numbers group_b;
	double confidence_level;
	int32_t equal_var;
};

extern const th_param two_samples_params[], two_samples_results[];
int32_t ttest_two_samples(th_call *call, const void *input);

struct paired_in {
	th_numbers group_a;
	th_numbers group_b;
	double confidence_level;
};

extern const th_param paired_params[], paired_results[];
int32_t ttest_paired_samples(th_call *call, const void *input);

#endif
