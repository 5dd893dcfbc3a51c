/* SPDX-License-Identifier: MIT
 *
 * Links to ok.so, which has the descriptor, and has none of its own: asking the dynamic linker for the symbol
 * would find that of ok.so, and its tools would appear twice.
 */
#include "zoo.h"

TH_EXPORT extern const int32_t something_else;
const int32_t something_else = 42;
