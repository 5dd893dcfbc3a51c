/* SPDX-License-Identifier: MIT
 *
 * Calls a function that no library defines.
 */
#include "zoo.h"

extern int32_t nobody_defines_this(void);

static int32_t undef_symbol(th_call *call, const void *input)
{
	(void)input;
	return th_put_integer(call, "answer", nobody_defines_this());
}

ZOO_PACK(undef_symbol)
