/* SPDX-License-Identifier: MIT
 *
 * From an outcome to a CallToolResult. The result is JSON text already, so this only puts texts
 * together.
 */
#include "config.h"

#include "mcp/session.h"

#include <string.h>

static void print_text_block(struct buffer *out, const char *text, size_t length)
{
	buffer_text(out, "{\"type\":\"text\",\"text\":");
	json_print_text(out, text, length);
	buffer_byte(out, '}');
}

static void print_meta(struct buffer *out, const struct outcome *outcome)
{
	buffer_text(out, ",\"_meta\":{\"toolhost/strategy\":\"");
	buffer_text(out, isolation_name(outcome->strategy));
	buffer_byte(out, '"');
	if (outcome->seeded) {
		buffer_text(out, ",\"toolhost/seed\":");
		json_print_integer(out, (int64_t)outcome->seed);
	}
	if (outcome->repaired) {
		buffer_text(out, ",\"toolhost/repaired\":");
		json_print(out, outcome->repaired);
	}
	if (outcome->warnings) {
		buffer_text(out, ",\"toolhost/warnings\":[");
		buffer_append(out, outcome->warnings, outcome->warnings_length);
		buffer_byte(out, ']');
	}
	buffer_byte(out, '}');
}

/* An error is a result that a model can act on, and what the tool gave before it failed follows. Clients check structured content against the output
 * schema even then, so it goes there only where the tool lists none. */
static void print_failure(struct buffer *out, const struct outcome *outcome, bool structured)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);

	error_print(&text, &outcome->error);
	buffer_text(out, "{\"content\":[");
	print_text_block(out, text.data, text.length);
	if (outcome->partials) {
		buffer_byte(out, ',');
		buffer_append(out, outcome->partials, outcome->partials_length);
	}
	buffer_byte(out, ']');
	if (structured) {
		buffer_text(out, ",\"structuredContent\":");
		buffer_append(out, text.data, text.length);
	}
	buffer_text(out, ",\"isError\":true");
	buffer_free(&text);
}

/* The result as text, which every client shows, behind the blocks that the tool made itself; and as
 * structured content, which in this era has to be an object. A tool that made blocks and no result
 * is answered by its blocks alone. */
static void print_success(struct buffer *out, const struct outcome *outcome, bool has_output_schema,
			  bool structured)
{
	bool is_object = outcome->result && outcome->result[0] == '{';
	bool empty = !outcome->result || (is_object && outcome->result_length == 2);
	bool show = !empty || has_output_schema || !outcome->content;

	buffer_text(out, "{\"content\":[");
	if (outcome->content) {
		buffer_append(out, outcome->content, outcome->content_length);
		if (show)
			buffer_byte(out, ',');
	}
	if (show)
		print_text_block(out, outcome->result ? outcome->result : "{}",
				 outcome->result ? outcome->result_length : 2);
	buffer_byte(out, ']');
	if (show && structured && is_object) {
		buffer_text(out, ",\"structuredContent\":");
		buffer_append(out, outcome->result, outcome->result_length);
	}
}

void mcp_print_result(struct buffer *out, const struct outcome *outcome, bool has_output_schema,
		      enum mcp_version version)
{
	bool structured = version >= MCP_2025_06_18;

	if (outcome->error.status)
		print_failure(out, outcome, structured && !has_output_schema);
	else
		print_success(out, outcome, has_output_schema, structured);
	print_meta(out, outcome);
	buffer_byte(out, '}');
}
