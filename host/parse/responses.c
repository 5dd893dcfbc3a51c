/* SPDX-License-Identifier: MIT
 *
 * The items of OpenAI's Responses.
 */
#include "parse/value.h"

void responses_item(struct parser *parser, const json *item, struct place place)
{
	const json *status = json_get(item, "status");
	struct found found = {
		.offset = place.offset,
		.name = json_get(item, "name"),
		.arguments = plain_arguments(item),
		.id = json_get(item, json_has(item, "call_id") ? "call_id" : "id"),
		.namespace = json_get(item, "namespace"),
		.cut = place.cut,
	};

	if (!json_text_is(json_get(item, "type"), "function_call"))
		parser_refuse(parser, place.offset, found.name, PARSE_UNSUPPORTED_TYPE,
			      "calls with free text are not taken: only functions are");
	else if (json_text_is(status, "incomplete") || json_text_is(status, "in_progress"))
		parser_refuse(parser, place.offset, found.name, PARSE_TRUNCATED,
			      "the item is incomplete");
	else
		parser_call(parser, &found);
}

void responses_response(struct parser *parser, const json *object, size_t offset)
{
	struct place place = {
		.offset = offset,
		.cut = json_text_is(json_get(object, "status"), "incomplete"),
	};

	if (json_kind(json_get(object, "output")) == JSON_LIST)
		value_items(parser, json_get(object, "output"), place);
}
