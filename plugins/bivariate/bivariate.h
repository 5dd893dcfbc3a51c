/* SPDX-License-Identifier: MIT
 *
 * The tools of the pack. What is told of them to people and models is in bivariate.c.
 */
#ifndef TOOLHOST_BIVARIATE_H
#define TOOLHOST_BIVARIATE_H

#include "common/tool.h"

/* elbow.c */
struct elbow_in {
	th_numbers x;
	th_numbers y;
};

extern const th_param elbow_params[], elbow_results[];
int32_t find_elbow(th_call *call, const void *input);

#endif
