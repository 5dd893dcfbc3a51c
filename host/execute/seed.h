/* SPDX-License-Identifier: MIT
 */
#ifndef TOOLHOST_SEED_H
#define TOOLHOST_SEED_H

#include "registry/registry.h"

/* The seed of a call: that of its own seed argument or of that argument's default, or one that the
 * host draws and tells. */
uint64_t seed_choose(const struct tool_spec *spec, const json *arguments);

#endif
