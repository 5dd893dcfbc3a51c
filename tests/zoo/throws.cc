/* SPDX-License-Identifier: MIT
 *
 * Lets a C++ exception out of its tool, which ends the process that runs it.
 */
#include "zoo.h"

#include <stdexcept>

static int32_t throws(th_call *, const void *)
{
	throw std::runtime_error("nobody catches this");
}

ZOO_PACK(throws)
