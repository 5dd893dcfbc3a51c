/* SPDX-License-Identifier: MIT
 *
 * Leaves a heap of many small holes when it is loaded, as a pack does that builds its tables then.
 */
#include "zoo.h"

#include <stdlib.h>

#define BLOCKS 200000

__attribute__((constructor)) static void build(void)
{
	static void *blocks[BLOCKS];

	for (int i = 0; i < BLOCKS; i++)
		blocks[i] = malloc(100 + (size_t)(i % 50) * 16);
	for (int i = 0; i < BLOCKS; i += 2)
		free(blocks[i]);
}

ZOO_GOOD_TOOL(ctor_heap_holes)
ZOO_PACK(ctor_heap_holes)
