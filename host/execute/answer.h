/* SPDX-License-Identifier: MIT
 *
 * The answer of a worker, which is believed nothing.
 */
#ifndef TOOLHOST_ANSWER_H
#define TOOLHOST_ANSWER_H

#include "execute/execute.h"

/* Reads the payload of a RESULT frame into `outcome`: a result, or the failure that the tool told.
 * False where no worker can have sent it; the outcome is then to be freed and says nothing. */
bool answer_read(const char *payload, size_t length, struct outcome *outcome);

#endif
