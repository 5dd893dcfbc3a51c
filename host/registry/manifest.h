/* SPDX-License-Identifier: MIT
 *
 * A manifest as the host takes it from a worker.
 */
#ifndef TOOLHOST_MANIFEST_H
#define TOOLHOST_MANIFEST_H

#include "base/error.h"

/* The version of the form that ARCHITECTURE.md gives. */
#define MANIFEST_FORMAT 1

/* Whether a manifest has the form that the rest of the host relies on: names that are names and
 * stand once, texts where texts belong. The worker has checked far more, but a pack's constructors
 * have run in it, so its word alone does not do. STATUS_INPUT_INVALID names the fault. */
int manifest_check(const json *manifest, struct error *error);

#endif
