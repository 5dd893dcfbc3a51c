/* SPDX-License-Identifier: MIT
 *
 * Gemini: parts with a functionCall, or function_call in the spelling of its libraries.
 */
#include "parse/value.h"

bool gemini_part(struct parser *parser, const json *part, size_t offset)
{
	const json *call = json_get(part, "functionCall");
	struct found found = { .offset = offset };

	if (json_kind(call) != JSON_OBJECT)
		call = json_get(part, "function_call");
	if (json_kind(call) != JSON_OBJECT)
		return false;
	found.name = json_get(call, "name");
	found.arguments = plain_arguments(call);
	found.id = json_get(call, "id");
	parser_call(parser, &found);
	return true;
}

static bool is_answer(const json *part)
{
	return json_has(part, "functionResponse") || json_has(part, "function_response");
}

void gemini_content(struct parser *parser, const json *content, size_t offset)
{
	const json *parts = json_get(content, "parts"), *role = json_get(content, "role");
	size_t count = json_count(parts), first = count;

	if (json_kind(role) == JSON_TEXT && !json_text_is(role, "model") &&
	    !json_text_is(role, "assistant"))
		return;
	while (first > 0 && !is_answer(json_peek(parts, first - 1)))
		first--;
	for (size_t i = first; i < count && parser_goes_on(parser); i++) {
		const json *part = json_peek(parts, i);

		if (json_kind(part) == JSON_OBJECT && !gemini_part(parser, part, offset) &&
		    !json_boolean(json_get(part, "thought")))
			value_text(parser, json_get(part, "text"), offset);
	}
}

void gemini_response(struct parser *parser, const json *object, size_t offset)
{
	const json *content = json_get(plain_first(json_get(object, "candidates")), "content");

	if (json_kind(json_get(content, "parts")) == JSON_LIST)
		gemini_content(parser, content, offset);
}
