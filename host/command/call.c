/* SPDX-License-Identifier: MIT
 *
 * toolhost call: one call of one tool.
 */
#include <config.h>

#include "command/call.h"
#include "command/command.h"
#include "command/input.h"
#include "command/manifest.h"
#include "command/vendor.h"

#include "base/json.h"
#include "base/settings.h"
#include "pipeline/pipeline.h"

#include <string.h>
#include <unistd.h>

static const char byte_order_mark[] = "\xef\xbb\xbf";

/* ---- The arguments -------------------------------------------------------------------------- */

static int parse_arguments(const char *text, size_t length, json **ret_arguments,
			   struct error *error)
{
	struct json_fault fault;
	int r = json_read(text, length, NULL, ret_arguments, &fault);

	if (r == STATUS_INPUT_INVALID)
		return error_set(error, r, "the arguments are no JSON: line %u, column %u: %s",
				 fault.line, fault.column, fault.reason);
	if (r != STATUS_OK)
		return error_set(error, r, "no memory for the arguments");
	if (json_kind(*ret_arguments) == JSON_OBJECT)
		return STATUS_OK;
	r = error_set(error, STATUS_INPUT_INVALID,
		      "the arguments are no object but %s: write a JSON object, as in "
		      "'{\"values\": [1, 2, 3]}'",
		      json_kind_name(json_kind(*ret_arguments)));
	json_drop(*ret_arguments);
	*ret_arguments = NULL;
	return r;
}

int call_read_arguments(const char *operand, json **ret_arguments, struct error *error)
{
	struct buffer text;
	size_t mark;
	int r;

	if (!operand) {
		*ret_arguments = json_new_object();
		return STATUS_OK;
	}
	if (operand[0] != '@' && strcmp(operand, "-") != 0)
		return parse_arguments(operand, strlen(operand), ret_arguments, error);
	if (!strcmp(operand, "@"))
		return error_set(error, STATUS_USAGE, "@ needs the path of a file: @FILE");

	r = input_read(operand[0] == '@' ? operand + 1 : NULL, &text, error);
	if (r == STATUS_OK) {
		mark = text.length >= 3 && !memcmp(text.data, byte_order_mark, 3) ? 3 : 0;
		r = parse_arguments(text.length ? text.data + mark : "", text.length - mark,
				    ret_arguments, error);
	}
	buffer_free(&text);
	return r;
}

/* ---- The answer ----------------------------------------------------------------------------- */

/* JSON that the pipeline joined by commas, as a list. NULL: there is none. */
static json *read_joined(const char *items, size_t length)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	json *list = NULL;

	if (!length)
		return NULL;
	buffer_byte(&text, '[');
	buffer_append(&text, items, length);
	buffer_byte(&text, ']');
	if (text.fault == BUFFER_GOOD)
		(void)json_read(text.data, text.length, NULL, &list, NULL);
	buffer_free(&text);
	return list;
}

/* "result", "content", "_meta" */
static void append_result(struct buffer *out, const struct outcome *outcome)
{
	buffer_text(out, "\"result\":");
	if (outcome->result)
		buffer_append(out, outcome->result, outcome->result_length);
	else
		buffer_text(out, "{}");
	if (outcome->content_length) {
		buffer_text(out, ",\"content\":[");
		buffer_append(out, outcome->content, outcome->content_length);
		buffer_byte(out, ']');
	}
	buffer_format(out, ",\"_meta\":{\"toolhost/strategy\":\"%s\"",
		      isolation_name(outcome->strategy));
	if (outcome->seeded)
		buffer_format(out, ",\"toolhost/seed\":%lld", (long long)outcome->seed);
	if (outcome->repaired) {
		buffer_text(out, ",\"toolhost/repaired\":");
		json_print(out, outcome->repaired);
	}
	if (outcome->warnings_length) {
		buffer_text(out, ",\"toolhost/warnings\":[");
		buffer_append(out, outcome->warnings, outcome->warnings_length);
		buffer_byte(out, ']');
	}
	buffer_byte(out, '}');
}

/* "error", and "content" where the tool gave something before it failed. */
static void append_failure(struct buffer *out, const struct outcome *outcome,
			   const struct error *error)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);

	error_print(&text, error);
	if (text.length > 2)
		buffer_append(out, text.data + 1, text.length - 2);
	buffer_free(&text);
	if (outcome->partials_length) {
		buffer_text(out, ",\"content\":[");
		buffer_append(out, outcome->partials, outcome->partials_length);
		buffer_byte(out, ']');
	}
}

void call_append(struct buffer *out, const struct outcome *outcome, const struct error *error)
{
	if (error->status != STATUS_OK)
		append_failure(out, outcome, error);
	else
		append_result(out, outcome);
}

static void print_block(struct buffer *out, const json *block)
{
	const char *type = manifest_text(block, "type");
	const json *resource = json_get(block, "resource");
	const json *text = json_get(!strcmp(type, "resource") ? resource : block, "text");
	size_t length;

	if (json_kind(text) == JSON_TEXT) {
		const char *data = json_text(text, &length);

		buffer_append(out, data, length);
		buffer_text(out, length && data[length - 1] == '\n' ? "" : "\n");
		return;
	}
	buffer_format(out, "[%s", type);
	if (!strcmp(type, "resource_link"))
		buffer_format(out, " %s", manifest_text(block, "uri"));
	else if (resource)
		buffer_format(out, " %s", manifest_text(resource, "uri"));
	if (*manifest_text(block, "mimeType"))
		buffer_format(out, " %s", manifest_text(block, "mimeType"));
	if (json_kind(json_get(block, "data")) == JSON_TEXT) {
		(void)json_text(json_get(block, "data"), &length);
		buffer_format(out, ", %zu bytes in base64; --json has them", length);
	}
	buffer_text(out, "]\n");
}

static void note_warnings(const struct outcome *outcome)
{
	json *warnings = read_joined(outcome->warnings, outcome->warnings_length);

	for (size_t i = 0; i < json_count(warnings); i++) {
		const json *warning = json_peek(warnings, i);

		command_note("warning: %s: %s", manifest_text(warning, "category"),
			     manifest_text(warning, "message"));
	}
	json_drop(warnings);
	if (outcome->seeded)
		command_note("the seed of the random numbers was %lld", (long long)outcome->seed);
}

/* The result object, or where the tool gave blocks alone, the blocks. With both, the blocks go to
 * stderr, so that standard output stays one JSON value. */
static int print_outcome(const struct program *program, const struct outcome *outcome)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX), blocks = BUFFER_INIT(SIZE_MAX);
	json *content = read_joined(outcome->content, outcome->content_length);
	json *result = NULL;
	bool has_result;

	for (size_t i = 0; i < json_count(content); i++)
		print_block(&blocks, json_peek(content, i));
	json_drop(content);

	if (!outcome->result ||
	    json_read(outcome->result, outcome->result_length, NULL, &result, NULL) != STATUS_OK)
		result = json_new_object();
	has_result = json_kind(result) != JSON_OBJECT || json_count(result) > 0 || !blocks.length;
	if (has_result) {
		json_print_pretty(&out, result);
		buffer_byte(&out, '\n');
	}
	json_drop(result);

	note_warnings(outcome);
	if (has_result) {
		struct program aside = *program;

		aside.output = STDERR_FILENO;
		(void)command_print(&aside, &blocks, EXIT_RESULT);
		return command_print(program, &out, EXIT_RESULT);
	}
	buffer_free(&out);
	return command_print(program, &blocks, EXIT_RESULT);
}

/* {"result", "content", "_meta"} or {"error", "content"}, for programs. */
static int print_json(const struct program *program, const struct outcome *outcome,
		      const struct error *error)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);

	buffer_byte(&out, '{');
	call_append(&out, outcome, error);
	buffer_text(&out, "}\n");
	return command_print(program, &out,
			     error->status ? status_exit(error->status) : EXIT_RESULT);
}

/* What the tool gave before it failed comes first, as it did in time, so that the error stands last. */
static int print_failure(const struct program *program, const struct outcome *outcome,
			 const struct error *error)
{
	struct program aside = *program;
	struct buffer blocks = BUFFER_INIT(SIZE_MAX);
	json *content;

	if (!outcome->partials_length)
		return command_fail(program, error);
	if (program->json)
		return print_json(program, outcome, error);
	content = read_joined(outcome->partials, outcome->partials_length);
	for (size_t i = 0; i < json_count(content); i++)
		print_block(&blocks, json_peek(content, i));
	command_note("partial output of the tool, in blocks: %zu", json_count(content));
	json_drop(content);
	aside.output = STDERR_FILENO;
	(void)command_print(&aside, &blocks, EXIT_RESULT);
	return command_fail(program, error);
}

int call_print(const struct program *program, const struct outcome *outcome,
	       const struct error *error)
{
	if (error->status != STATUS_OK)
		return print_failure(program, outcome, error);
	return program->json ? print_json(program, outcome, error)
			     : print_outcome(program, outcome);
}

/* ---- The call ------------------------------------------------------------------------------- */

void call_end(struct program *program, struct executor *executor, struct registry *registry)
{
	program->leave_at_once = executor && executor_busy(executor);
	if (program->leave_at_once)
		return;
	executor_free(executor);
	registry_free(registry);
}

/* Takes over the arguments, which a thread that does not come back from its tool may still read. */
static int call(struct program *program, const char *name, json *tool_arguments,
		struct outcome *ret_outcome, struct error *error)
{
	struct call_request request = {
		.tool = name,
		.arguments = tool_arguments,
		.trust = TRUST_TRUSTED,
		.at_least = program->isolation,
		.timeout = program->timeout,
	};
	struct registry *registry = NULL;
	struct executor *executor = NULL;
	const struct registry_tool *tool;
	int r;

	if (command_registry(program, NULL, &registry, error) != STATUS_OK ||
	    executor_new(registry, &program->paths, &executor, error) != STATUS_OK) {
		json_drop(tool_arguments);
		registry_free(registry);
		return error->status;
	}
	tool = vendor_find_tool(registry, name);
	if (tool)
		request.tool = tool->name;
	request.tool_length = strlen(request.tool);
	r = pipeline_call(executor, &request, ret_outcome);
	if (r != STATUS_OK)
		error_move(error, &ret_outcome->error);
	call_end(program, executor, registry);
	return r;
}

static int run_call(struct program *program, const struct arguments *arguments)
{
	struct error error = ERROR_INIT;
	struct outcome outcome = { .error = ERROR_INIT };
	json *tool_arguments = NULL;
	int r, status;

	r = command_claim_output(program, &error);
	if (r == STATUS_OK)
		r = call_read_arguments(arguments->operands[1], &tool_arguments, &error);
	if (r == STATUS_OK)
		r = call(program, arguments->operands[0], tool_arguments, &outcome, &error);

	status = call_print(program, &outcome, &error);
	outcome_free(&outcome);
	error_clear(&error);
	return status;
}

const struct command command_call = {
	.name = "call",
	.operands = "TOOL [JSON | @FILE | -]",
	.summary = "Run one tool and print its result as JSON",
	.help = "The arguments are a JSON object: as a word, in a file (@FILE), or on standard "
		"input (-).\n"
		"Without them the tool gets none. They are taken as they are: 5 is a number, \"5\" "
		"is not.\n"
		"Warnings of the tool and the seed of its random numbers go to standard error. "
		"With --json\n"
		"the result, its content blocks and what is told beside it come as one object.\n"
		"\n"
		"Exit status: 0 a result; 1 the tool failed; 2 usage or configuration; 3 the "
		"arguments were\n"
		"refused; 4 timeout, crash or another verdict; 5 there is no such tool.\n"
		"\n"
		"Examples:\n"
		"  toolhost call add '{\"a\": 1, \"b\": 2}'\n"
		"  echo '{\"text\": \"hello\"}' | toolhost call echo -\n",
	.least = 1,
	.most = 2,
	.run = run_call,
};
