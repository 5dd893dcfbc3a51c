/* SPDX-License-Identifier: MIT
 *
 * How the worker of a pack is started: what it is told of its grants, and what it is given of the
 * host's environment.
 */
#ifndef TOOLHOST_LAUNCH_TASK_H
#define TOOLHOST_LAUNCH_TASK_H

#include "base/arena.h"
#include "execute/warden.h"
#include "registry/registry.h"

/* `group` is the path of the launcher's group of processes, or "". The lists of *ret_task live as long as the arena. STATUS_INTERNAL: no memory. */
int launch_task_make(const struct registry_pack *pack, enum isolation level, const char *group,
		     struct arena *arena, struct warden_task *ret_task);

#endif
