/* SPDX-License-Identifier: MIT
 *
 * A loaded pack, for the files of this room.
 */
#ifndef TOOLHOST_LOADED_H
#define TOOLHOST_LOADED_H

#include "pack/pack.h"

/* Why a pack is refused, in a sentence that says what to do. */
#define pack_refuse(error, ...) error_set(error, STATUS_INPUT_INVALID, __VA_ARGS__)

#define TOOLS_MOST 10000u
#define INPUT_SIZE_MOST ((uint64_t)1 << 20) /* of a tool's struct */

/* The sizes of the structs in version 1.0, below which none can be. */
#define PACK_SIZE_LEAST 88u
#define TOOL_SIZE_LEAST 136u
#define RECIPE_SIZE_LEAST 16u
#define PROMPT_SIZE_LEAST 80u
#define RESOURCE_SIZE_LEAST 112u

struct pack {
	struct pack_file file; /* all zero for one that is linked in */
	th_pack descriptor;    /* a copy by the smaller size, zero beyond */
	th_tool *tools;	       /* likewise, one after the other */
	size_t tool_count;
};

/* Whether a list of the descriptor makes sense: elements of at least `least` bytes, at most `most`
 * of them. */
int list_check(const th_list *list, uint32_t least, uint32_t most, const char *what,
	       struct error *error);

/* Copies element `index` by the smaller size, zero beyond. */
void list_read(const th_list *list, uint32_t index, void *ret_item, size_t size);

#endif
