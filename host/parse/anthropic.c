/* SPDX-License-Identifier: MIT
 *
 * Anthropic's Messages: blocks of type tool_use.
 */
#include "parse/value.h"

void anthropic_block(struct parser *parser, const json *block, struct place place)
{
	struct found found = {
		.offset = place.offset,
		.name = json_get(block, "name"),
		.arguments = json_get(block, "input"),
		.id = json_get(block, "id"),
		.namespace = json_get(block, "namespace"),
	};

	/* The input of a block that was cut may be an object all the same, of what had come. */
	if (place.cut && place.last)
		parser_refuse(parser, place.offset, found.name, PARSE_TRUNCATED,
			      "the message was cut by its limit of tokens");
	else
		parser_call(parser, &found);
}

void anthropic_content(struct parser *parser, const json *message, struct place place)
{
	if (json_text_is(json_get(message, "stop_reason"), "max_tokens"))
		place.cut = true;
	value_items(parser, json_get(message, "content"), place);
}
