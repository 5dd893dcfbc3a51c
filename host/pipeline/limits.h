/* SPDX-License-Identifier: MIT
 *
 * How large arguments may be, whatever their schema says.
 */
#ifndef TOOLHOST_LIMITS_H
#define TOOLHOST_LIMITS_H

#include "pipeline/gate.h"

/* The settings, and `wanted` (may be NULL) where that is stricter. */
struct gate_limits limits_effective(const struct gate_limits *wanted);

/* `caps`: {argument: number} of the tool, or NULL; they hold for keys at the top.
 * STATUS_INPUT_TOO_LARGE. */
int limits_check(const struct gate_limits *limits, const json *caps, const json *arguments,
		 const char *tool_name, struct error *error);

#endif
