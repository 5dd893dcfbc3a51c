/* SPDX-License-Identifier: MIT
 *
 * From model output to the list of its calls.
 */
#include "parse/parser.h"

#include <string.h>

static const char *const names[] = {
	[PARSE_CALL] = "",
	[PARSE_ARGUMENTS_NOT_JSON] = "arguments_not_json",
	[PARSE_ARGUMENTS_NOT_OBJECT] = "arguments_not_object",
	[PARSE_DUPLICATE_ID] = "duplicate_id",
	[PARSE_DUPLICATE_KEY] = "duplicate_key",
	[PARSE_NO_NAME] = "no_name",
	[PARSE_NOT_AN_OBJECT] = "not_an_object",
	[PARSE_NOT_A_LIST] = "not_a_list",
	[PARSE_NOT_JSON] = "not_json",
	[PARSE_TRUNCATED] = "truncated",
	[PARSE_UNSUPPORTED_TYPE] = "unsupported_type",
};

const char *parse_reason_name(enum parse_reason reason)
{
	return names[reason];
}

int parse_output(const char *text, size_t length, const struct parse_options *options,
		 struct parse_list *ret_list, struct error *error)
{
	struct parser parser = { .options = options, .list = ret_list };
	struct source source = { .text = text, .length = length, .whole = true };

	*ret_list = (struct parse_list){ 0 };
	text_read(&parser, &source);
	parser_check_ids(&parser);
	if (parser.status == STATUS_INPUT_TOO_LARGE) {
		error_set(error, parser.status,
			  "the model output holds more than %d calls, which is the most that is "
			  "taken at once: split it",
			  PARSE_ENTRIES_MAX);
		error_detail_text(error, "key", "calls");
		error_detail_integer(error, "limit", PARSE_ENTRIES_MAX);
	} else if (parser.status != STATUS_OK) {
		error_set(error, parser.status, "no memory for the calls of the model output");
	}
	return parser.status;
}
