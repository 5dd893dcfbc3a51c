/* SPDX-License-Identifier: MIT */
#include "pack/loaded.h"

#include <stdlib.h>
#include <string.h>

#define ITEM_SIZE_MOST 4096u

int list_check(const th_list *list, uint32_t least, uint32_t most, const char *what,
	       struct error *error)
{
	if (list->count == 0)
		return STATUS_OK;
	if (!list->items)
		return pack_refuse(
			error,
			"The list of %s has a count and no items: fill it with TH_LIST(array).",
			what);
	/* The size is the distance between elements, whose pointers have to stay aligned. */
	if (list->item_size < least || list->item_size > ITEM_SIZE_MOST || list->item_size % 8)
		return pack_refuse(error,
				   "The list of %s has elements of %u bytes, and they have at "
				   "least %u: fill it with TH_LIST(array).",
				   what, list->item_size, least);
	if (list->count > most)
		return pack_refuse(error, "The list of %s has %u elements, more than %u.", what,
				   list->count, most);
	return STATUS_OK;
}

void list_read(const th_list *list, uint32_t index, void *ret_item, size_t size)
{
	size_t theirs = list->item_size;

	memset(ret_item, 0, size);
	memcpy(ret_item, (const char *)list->items + (size_t)index * theirs,
	       theirs < size ? theirs : size);
}

static int copy_tools(struct pack *pack, struct error *error)
{
	const th_list *list = &pack->descriptor.tools;
	int r = list_check(list, TOOL_SIZE_LEAST, TOOLS_MOST, "tools", error);

	if (r || list->count == 0)
		return r;
	pack->tools = calloc(list->count, sizeof(*pack->tools));
	if (!pack->tools)
		return error_set(error, STATUS_INTERNAL, "There is no memory left.");
	for (uint32_t i = 0; i < list->count; i++)
		list_read(list, i, &pack->tools[i], sizeof(pack->tools[i]));
	pack->tool_count = list->count;
	return STATUS_OK;
}

int pack_linked_in(const th_pack *descriptor, struct pack **ret_pack, struct error *error)
{
	struct pack *pack;
	size_t size = descriptor->struct_size;
	int r;

	*ret_pack = NULL;
	if (descriptor->abi_major != TH_ABI_MAJOR || size < PACK_SIZE_LEAST)
		return pack_refuse(error, "The pack's descriptor states no version and size that "
					  "this host reads: define it with TH_PACK(...).");
	pack = calloc(1, sizeof(*pack));
	if (!pack)
		return error_set(error, STATUS_INTERNAL, "There is no memory left.");
	memcpy(&pack->descriptor, descriptor,
	       size < sizeof(*descriptor) ? size : sizeof(*descriptor));
	r = copy_tools(pack, error);
	if (r) {
		pack_free(pack);
		return r;
	}
	*ret_pack = pack;
	return STATUS_OK;
}

void pack_free(struct pack *pack)
{
	if (!pack)
		return;
	free(pack->tools);
	free(pack);
}
