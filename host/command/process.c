/* SPDX-License-Identifier: MIT
 *
 * toolhost process: the calls of a model's output, and their results.
 */
#include <config.h>

#include "command/call.h"
#include "command/command.h"
#include "command/input.h"
#include "command/vendor.h"

#include "base/json.h"
#include "base/settings.h"
#include "parse/parse.h"
#include "pipeline/pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One entry of the output on its way to its result. */
struct processed {
	const struct parse_entry *entry;
	struct outcome outcome; /* outcome.error.status: 0 is a result */
};

/* ---- Reading ---------------------------------------------------------------------------------- */

static int read_output(const char *operand, struct parse_list *ret_list, struct error *error)
{
	struct parse_options options = { .no_fences = !setting_switch(SETTING_FENCED_CALLS) };
	const char *path = operand && strcmp(operand, "-") != 0 ? operand : NULL;
	struct buffer text;
	int r;

	*ret_list = (struct parse_list){ 0 };
	r = input_read(path, &text, error);
	if (r == STATUS_OK)
		r = parse_output(text.length ? text.data : "", text.length, &options, ret_list,
				 error);
	buffer_free(&text);
	return r;
}

/* A value as a member, with a comma behind it. */
static void append_member(struct buffer *out, const char *key, const json *value)
{
	buffer_format(out, "\"%s\":", key);
	json_print(out, value);
	buffer_byte(out, ',');
}

static void append_call(struct buffer *out, const struct parse_entry *entry)
{
	buffer_byte(out, '{');
	if (entry->id)
		append_member(out, "id", entry->id);
	if (entry->namespace)
		append_member(out, "namespace", entry->namespace);
	append_member(out, "tool", entry->tool);
	buffer_text(out, "\"arguments\":");
	json_print(out, entry->arguments);
	buffer_byte(out, '}');
}

static void append_malformed(struct buffer *out, const struct parse_entry *entry)
{
	const char *message = entry->message ? entry->message : "";

	buffer_byte(out, '{');
	append_member(out, "tool", entry->tool);
	buffer_format(out, "\"reason\":\"%s\",\"offset\":%zu,\"message\":",
		      parse_reason_name(entry->reason), entry->offset);
	json_print_text(out, message, strlen(message));
	buffer_byte(out, '}');
}

static void append_entries(struct buffer *out, const struct parse_list *list, bool malformed)
{
	bool first = true;

	for (size_t i = 0; i < list->count; i++) {
		if ((list->entries[i].reason != PARSE_CALL) != malformed)
			continue;
		buffer_text(out, first ? "" : ",");
		first = false;
		if (malformed)
			append_malformed(out, &list->entries[i]);
		else
			append_call(out, &list->entries[i]);
	}
}

/* ---- Printing --------------------------------------------------------------------------------- */

/* Takes over the text, one JSON value, and prints it on one line with --json and indented without. */
static int print_value(const struct program *program, struct buffer *text, int status)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	json *value = NULL;

	if (!program->json && text->fault == BUFFER_GOOD &&
	    json_read(text->data, text->length, NULL, &value, NULL) == STATUS_OK) {
		json_print_pretty(&out, value);
		json_drop(value);
		buffer_free(text);
		*text = out;
	}
	buffer_byte(text, '\n');
	return command_print(program, text, status);
}

static int print_parsed(const struct program *program, const struct parse_list *list)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);

	buffer_text(&out, "{\"calls\":[");
	append_entries(&out, list, false);
	buffer_text(&out, "],\"malformed\":[");
	append_entries(&out, list, true);
	buffer_text(&out, "]}");
	return print_value(program, &out, EXIT_RESULT);
}

/* Ids that the output itself has are left to their calls. */
static void make_id(char ret_id[32], size_t *number, const json *taken)
{
	do
		snprintf(ret_id, 32, "call_%zu", ++*number);
	while (json_has(taken, ret_id));
}

static json *taken_ids(const struct processed *all, size_t count)
{
	json *taken = json_new_object();

	for (size_t i = 0; i < count; i++)
		if (all[i].entry->id)
			json_set_boolean(taken, json_text(all[i].entry->id, NULL), true);
	return taken;
}

static void note_failure(const struct processed *processed, const char *id)
{
	const json *tool = processed->entry->tool;

	command_note("%s, %.128s: %s: %s", id, tool ? json_text(tool, NULL) : "no name",
		     status_code(processed->outcome.error.status),
		     processed->outcome.error.message);
}

/* Prints all results, and answers the exit status of the first call that failed. */
static int print_results(const struct program *program, const struct processed *all, size_t count)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	json *taken = taken_ids(all, count);
	int status = EXIT_RESULT;
	size_t number = 0;

	buffer_text(&out, "{\"results\":[");
	for (size_t i = 0; i < count; i++) {
		const struct error *error = &all[i].outcome.error;
		const json *id = all[i].entry->id;
		char made[32];

		buffer_text(&out, i ? ",{\"id\":" : "{\"id\":");
		if (id)
			json_print(&out, id);
		else
			make_id(made, &number, taken);
		if (!id)
			buffer_format(&out, "\"%s\"", made);
		buffer_byte(&out, ',');
		if (all[i].entry->namespace)
			append_member(&out, "namespace", all[i].entry->namespace);
		append_member(&out, "tool", all[i].entry->tool);
		call_append(&out, &all[i].outcome, error);
		buffer_byte(&out, '}');
		if (error->status && !program->json)
			note_failure(&all[i], id ? json_text(id, NULL) : made);
		if (error->status && status == EXIT_RESULT)
			status = status_exit(error->status);
	}
	json_drop(taken);
	buffer_text(&out, "]}");
	return print_value(program, &out, status);
}

/* ---- Which tool is meant ----------------------------------------------------------------------- */

static const struct registry_tool *find_in(const struct registry *registry, const json *namespace,
					   const json *tool)
{
	struct buffer name = BUFFER_INIT(4096);
	const struct registry_tool *found = NULL;

	buffer_format(&name, "%s.%s", json_text(namespace, NULL), json_text(tool, NULL));
	if (name.fault == BUFFER_GOOD)
		found = vendor_find_tool(registry, name.data);
	buffer_free(&name);
	return found;
}

/* The only tool of that name in any namespace. */
static const struct registry_tool *find_anywhere(const struct registry *registry, const char *name)
{
	const struct registry_tool *found = NULL;
	size_t length = strlen(name);

	for (size_t i = 0; i < registry_tool_count(registry); i++) {
		const struct registry_tool *tool = registry_tool(registry, i);
		size_t behind = tool->name_length - length;

		if (!tool->enabled || tool->name_length <= length ||
		    tool->name[behind - 1] != '.' || strcmp(tool->name + behind, name) != 0)
			continue;
		if (found)
			return NULL;
		found = tool;
	}
	return found;
}

static bool lies_in(const char *name, const char *namespace)
{
	size_t length = strlen(namespace);

	return !strncmp(name, namespace, length) && name[length] == '.';
}

/* A namespace is never left: a call of it is of a tool in it, or of none. Without one the name is
 * taken as it is, and then as that of the only tool that has it in a namespace. */
static const struct registry_tool *find_tool(const struct registry *registry,
					     const struct parse_entry *entry)
{
	const json *namespace = entry->namespace;
	const struct registry_tool *tool;
	size_t length;
	const char *name = json_text(entry->tool, &length);

	if (strlen(name) != length)
		return NULL;
	if (namespace && !json_text_is(namespace, "default")) {
		tool = find_in(registry, namespace, entry->tool);
		return tool || !lies_in(name, json_text(namespace, NULL))
			       ? tool
			       : vendor_find_tool(registry, name);
	}
	tool = vendor_find_tool(registry, name);
	return tool ? tool : find_anywhere(registry, name);
}

/* The name to say that there is no such tool. */
static void full_name(const struct parse_entry *entry, struct buffer *out)
{
	size_t length;
	const char *name = json_text(entry->tool, &length);

	if (entry->namespace && !json_text_is(entry->namespace, "default"))
		buffer_format(out, "%s.", json_text(entry->namespace, NULL));
	buffer_append(out, name, length);
}

/* ---- Making the calls -------------------------------------------------------------------------- */

static void set_malformed(const struct parse_entry *entry, struct error *error)
{
	error_set(error, STATUS_CALL_MALFORMED, "the call of %.128s cannot be made (%s): %s",
		  entry->tool ? json_text(entry->tool, NULL) : "a tool",
		  parse_reason_name(entry->reason),
		  entry->message ? entry->message : "write it anew");
	error_detail_text(error, "reason", parse_reason_name(entry->reason));
	error_detail_integer(error, "offset", (int64_t)entry->offset);
}

/* The job of one call; NULL, with the error set, where there is none. Takes the arguments out of the
 * entry. */
static struct job *make_job(const struct program *program, struct executor *executor,
			    struct parse_entry *entry, struct error *error)
{
	const struct registry_tool *tool = find_tool(executor_registry(executor), entry);
	struct buffer name = BUFFER_INIT(SIZE_MAX);
	struct call_request request = {
		.arguments = entry->arguments,
		.trust = TRUST_TRUSTED,
		.at_least = program->isolation,
		.timeout = program->timeout,
		.untyped = entry->untyped,
	};
	struct job *job = NULL;

	entry->arguments = NULL;
	if (tool)
		buffer_append(&name, tool->name, tool->name_length);
	else
		full_name(entry, &name);
	request.tool = name.data;
	request.tool_length = name.length;
	(void)pipeline_job(executor, &request, &job, error);
	buffer_free(&name);
	return job;
}

/* Makes the calls among the entries. jobs and outcomes have room for all of them. */
static int run_jobs(const struct program *program, struct executor *executor,
		    struct parse_list *list, struct processed *all, struct job **jobs,
		    struct outcome *outcomes, struct error *error)
{
	size_t count = 0, next = 0;
	bool *has_job = calloc(list->count, sizeof(*has_job));
	int r;

	if (!has_job)
		return error_set(error, STATUS_INTERNAL, "out of memory");
	for (size_t i = 0; i < list->count; i++) {
		if (list->entries[i].reason != PARSE_CALL) {
			set_malformed(&list->entries[i], &all[i].outcome.error);
			continue;
		}
		jobs[count] = make_job(program, executor, &list->entries[i], &all[i].outcome.error);
		has_job[i] = jobs[count] != NULL;
		count += has_job[i];
	}
	r = executor_wait_all(jobs, outcomes, count);
	for (size_t i = 0; i < list->count && r == STATUS_OK; i++)
		if (has_job[i])
			all[i].outcome = outcomes[next++];
	free(has_job);
	return r ? error_set(error, r, "out of memory") : r;
}

static int run_all(struct program *program, struct parse_list *list, struct processed *all,
		   struct error *error)
{
	struct job **jobs = calloc(list->count, sizeof(struct job *));
	struct outcome *outcomes = calloc(list->count, sizeof(*outcomes));
	struct registry *registry = NULL;
	struct executor *executor = NULL;
	int r;

	for (size_t i = 0; outcomes && i < list->count; i++)
		outcome_init(&outcomes[i]);
	if (!jobs || !outcomes)
		r = error_set(error, STATUS_INTERNAL, "out of memory");
	else
		r = command_registry(program, NULL, &registry, error);
	if (r == STATUS_OK)
		r = executor_new(registry, &program->paths, &executor, error);
	if (r == STATUS_OK) {
		r = run_jobs(program, executor, list, all, jobs, outcomes, error);
		call_end(program, executor, registry);
	} else {
		registry_free(registry);
	}
	free(jobs);
	free(outcomes);
	return r;
}

/* All of what was read becomes a list of results, or the error says why there is none. */
static int process(struct program *program, struct parse_list *list, struct error *error)
{
	struct processed *all = calloc(list->count ? list->count : 1, sizeof(*all));
	int status;

	if (!all) {
		error_set(error, STATUS_INTERNAL, "out of memory");
		return command_fail(program, error);
	}
	for (size_t i = 0; i < list->count; i++) {
		all[i].entry = &list->entries[i];
		outcome_init(&all[i].outcome);
	}
	if (!list->count)
		command_note("the model output has no calls");
	if (list->count && run_all(program, list, all, error) != STATUS_OK)
		status = command_fail(program, error);
	else
		status = print_results(program, all, list->count);
	for (size_t i = 0; i < list->count; i++)
		outcome_free(&all[i].outcome);
	free(all);
	return status;
}

static int run_process(struct program *program, const struct arguments *arguments)
{
	struct error error = ERROR_INIT;
	struct parse_list list = { 0 };
	int status;

	if (command_claim_output(program, &error) != STATUS_OK ||
	    read_output(arguments->operands[0], &list, &error) != STATUS_OK)
		status = command_fail(program, &error);
	else if (arguments_value(arguments, "parse"))
		status = print_parsed(program, &list);
	else
		status = process(program, &list, &error);
	parse_list_free(&list);
	error_clear(&error);
	return status;
}

static const struct command_option options[] = {
	{ "parse", NULL, "only read the calls, and print them" },
	{ NULL, NULL, NULL },
};

const struct command command_process = {
	.name = "process",
	.operands = "[FILE | -]",
	.summary = "Make the calls that a model's output holds, and print their results",
	.help = "The output is text as the model wrote it, or the message, response or stored "
		"stream "
		"of a model\n"
		"service, from a file or from standard input. What is quoted, thought or answered "
		"in it "
		"is no\n"
		"call. The results come in the order of the calls, as one JSON object; a call that "
		"cannot be\n"
		"made has its error there, and the others are made all the same.\n"
		"\n"
		"Exit status: 0 all calls have results, or there are none; else that of the first "
		"call "
		"that\n"
		"failed, as \"toolhost call\" has it: 1, 3, 4 or 5. 2 usage or configuration. With "
		"--parse 0.\n"
		"\n"
		"Examples:\n"
		"  echo '<tool name=\"add\" args=\"{&quot;a&quot;: 1, &quot;b&quot;: 2}\"/>' | "
		"toolhost "
		"process\n"
		"  echo '{\"name\": \"echo\", \"arguments\": {\"text\": \"hello\"}}' | toolhost "
		"process "
		"--parse -\n",
	.options = options,
	.most = 1,
	.run = run_process,
};
