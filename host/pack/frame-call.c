/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/json-wire.h"
#include "pack/frame.h"

#include <string.h>

bool frame_read_call(const char *payload, size_t length, struct frame_call *ret_head,
		     char ret_name[TEXT_TOOL_NAME_MOST + 1], json **ret_arguments)
{
	size_t behind;

	*ret_arguments = NULL;
	if (length < sizeof(*ret_head))
		return false;
	memcpy(ret_head, payload, sizeof(*ret_head));
	behind = length - sizeof(*ret_head);
	if (ret_head->name_length > TEXT_TOOL_NAME_MOST || ret_head->name_length > behind)
		return false;
	memcpy(ret_name, payload + length - ret_head->name_length, ret_head->name_length);
	ret_name[ret_head->name_length] = '\0';
	return json_wire_read(payload + sizeof(*ret_head), behind - ret_head->name_length,
			      ret_arguments);
}
