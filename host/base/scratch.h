/* SPDX-License-Identifier: MIT
 *
 * A buffer that each thread keeps for messages on their way out.
 */
#ifndef TOOLHOST_SCRATCH_H
#define TOOLHOST_SCRATCH_H

#include "base/buffer.h"

/* This thread's buffer, empty, until this function is called again on the thread. It is freed with
 * the thread. */
struct buffer *scratch_buffer(void);

#endif
