/* SPDX-License-Identifier: MIT
 *
 * How far a call is kept apart, from least to most.
 */
#ifndef TOOLHOST_ISOLATION_H
#define TOOLHOST_ISOLATION_H

#include <stdbool.h>

enum isolation { ISOLATION_IN_PROCESS, ISOLATION_ISOLATED, ISOLATION_SANDBOXED };

const char *isolation_name(enum isolation isolation); /* "in-process", "isolated", "sandboxed" */
bool isolation_parse(const char *name, enum isolation *ret_isolation);

#endif
