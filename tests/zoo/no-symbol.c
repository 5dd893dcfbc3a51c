/* SPDX-License-Identifier: MIT
 *
 * A shared object that is no pack: it exports other things, and no descriptor.
 */
#include "zoo.h"

TH_EXPORT extern const int32_t something_else;
const int32_t something_else = 42;
