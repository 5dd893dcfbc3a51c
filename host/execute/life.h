/* SPDX-License-Identifier: MIT
 *
 * Whether a supervisor lives, which is what a call's verdict rests on: the page of pack/launch.h that
 * the kernel writes into. Its children share it, and whoever has it last puts it away.
 */
#ifndef TOOLHOST_LIFE_H
#define TOOLHOST_LIFE_H

#include <stdbool.h>

struct life;

/* Looks at the page behind `fd`, which stays the caller's. NULL: that is none. */
struct life *life_open(int fd);

/* One more holder of it. NULL: nothing. Answers it. */
struct life *life_hold(struct life *life);
void life_release(struct life *life);

/* False once its end has begun, before any call that it held could have failed; and of NULL. */
bool life_lasts(const struct life *life);

#endif
