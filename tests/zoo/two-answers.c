/* SPDX-License-Identifier: MIT
 *
 * Gives a whole result twice.
 */
#include "zoo.h"

static int32_t two_answers(th_call *call, const void *input)
{
	(void)input;
	th_put_string(call, NULL, "the first answer");
	return th_put_string(call, NULL, "the second answer");
}

ZOO_PACK(two_answers)
