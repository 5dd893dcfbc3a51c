/* SPDX-License-Identifier: MIT
 *
 * Brings a function of its own under a name that the host's JSON library has, and exports it: the host has to
 * keep its own, and the pack, which is linked with -Bsymbolic, gets this one.
 */
#include "zoo.h"

TH_EXPORT int32_t json_object_new_int(int32_t value);

int32_t json_object_new_int(int32_t value)
{
	return value + 1;
}

static int32_t own_jsonc(th_call *call, const void *input)
{
	(void)input;
	return th_put_integer(call, "own", json_object_new_int(41));
}

ZOO_PACK(own_jsonc)
