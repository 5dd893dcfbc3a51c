/* SPDX-License-Identifier: MIT
 *
 * Questions about doubles.
 */
#ifndef TOOLHOST_NUMBER_H
#define TOOLHOST_NUMBER_H

#include <stdbool.h>

bool number_is_whole(double number);
bool number_is_beyond_64(double number); /* no int64_t holds it, whole or not */

#endif
