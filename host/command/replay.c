/* SPDX-License-Identifier: MIT
 *
 * toolhost replay: run again the call that a crash left behind.
 */
#include <config.h>

#include "command/call.h"
#include "command/command.h"

#include "base/settings.h"
#include "base/sha256.h"
#include "execute/replay.h"
#include "pipeline/gate.h"
#include "pipeline/pipeline.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- What to run ----------------------------------------------------------------------------- */

/* The call is told from other ones by its pack, as two packs may have tools of one name. */
static const struct registry_tool *find_tool(const struct registry *registry,
					     const struct replay_record *record)
{
	for (size_t i = 0; i < registry_tool_count(registry); i++) {
		const struct registry_tool *tool = registry_tool(registry, i);

		if (!strcmp(tool->name, record->tool) && !strcmp(tool->pack->path, record->path))
			return tool;
	}
	return NULL;
}

static const struct registry_pack *find_pack(const struct registry *registry,
					     const struct replay_record *record)
{
	for (size_t i = 0; i < registry_pack_count(registry); i++)
		if (!strcmp(registry_pack(registry, i)->path, record->path))
			return registry_pack(registry, i);
	return NULL;
}

/* The registry of the pack's folder beside those that the config and the options name. */
static int add_folder(const struct program *program, const struct replay_record *record,
		      struct registry **ret_registry, struct error *error)
{
	char *folder = strndup(record->path, (size_t)(strrchr(record->path, '/') - record->path));
	const char **folders = calloc(program->pack_dir_count + 2, sizeof(*folders));
	struct registry_options options;
	int r;

	command_registry_options(program, &options);
	options.only_pack = record->pack;
	options.pack_dirs = folders;
	for (size_t i = 0; folders && i < program->pack_dir_count; i++)
		folders[i] = program->pack_dirs[i];
	if (folders)
		folders[program->pack_dir_count] = folder && !*folder ? "/" : folder;
	if (!folder || !folders)
		r = error_set(error, STATUS_INTERNAL, "out of memory");
	else
		r = registry_build(&options, ret_registry, error);
	free(folders);
	free(folder);
	return r;
}

static int say_no_tool(const struct registry *registry, const struct replay_record *record,
		       struct error *error)
{
	const struct registry_pack *pack = find_pack(registry, record);

	if (!pack)
		return error_set(error, STATUS_UNKNOWN_PACK,
				 "the pack of this record is not there any more: %.512s",
				 record->path);
	if (pack->state == PACK_READY)
		return error_set(error, STATUS_UNKNOWN_TOOL,
				 "pack %.512s has no tool %.64s any more", record->path,
				 record->tool);
	return error_set(error, STATUS_UNKNOWN_PACK, "pack %.512s cannot be run: %.400s",
			 record->path, pack->reason);
}

/* The tool of the record. A record may come from anywhere, so a pack that is known from nothing
 * else is not trusted: *ret_at_least says how it has to run. */
static int find(const struct program *program, const struct replay_record *record,
		struct registry **ret_registry, const struct registry_tool **ret_tool,
		enum isolation *ret_at_least, struct error *error)
{
	int r;

	*ret_at_least = record->isolation;
	if (program->isolation > *ret_at_least)
		*ret_at_least = program->isolation;
	r = command_registry(program, record->pack, ret_registry, error);
	if (r)
		return r;
	if (!find_pack(*ret_registry, record) && !access(record->path, F_OK)) {
		registry_free(*ret_registry);
		*ret_registry = NULL;
		if (*ret_at_least < ISOLATION_ISOLATED)
			*ret_at_least = ISOLATION_ISOLATED;
		r = add_folder(program, record, ret_registry, error);
	}
	*ret_tool = r ? NULL : find_tool(*ret_registry, record);
	if (!r && !*ret_tool)
		r = say_no_tool(*ret_registry, record, error);
	return r;
}

static void note_changes(const struct replay_record *record)
{
	char sum[SHA256_TEXT];
	int fd = open(record->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return; /* which is about to be told */
	if (record->sha256 && !sha256_file(fd, sum) && strcmp(sum, record->sha256))
		command_note("warning: %.512s has changed since the record was made (SHA-256 then "
			     "%.64s, now %s): this runs what is there now",
			     record->path, record->sha256, sum);
	close(fd);
}

/* ---- How to run it --------------------------------------------------------------------------- */

/* The limits of the record hold as if the operator had set them, unless the options say others. */
static int apply_limits(const struct program *program, const struct replay_record *record,
			struct error *error)
{
	char text[32];
	int r = STATUS_OK;

	if (program->timeout <= 0) {
		snprintf(text, sizeof(text), "%.17g", record->timeout);
		r = settings_set_flag(SETTING_TOOL_TIMEOUT, text, error);
	}
	if (!r && strcmp(setting_source(SETTING_MAX_MEMORY_MB), "flag")) {
		snprintf(text, sizeof(text), "%lld", (long long)record->memory_mb);
		r = settings_set_flag(SETTING_MAX_MEMORY_MB, text, error);
	}
	/* The record that there is will do. */
	if (!r)
		r = settings_set_flag(SETTING_REPLAY_RECORDS, "0", error);
	settings_reload();
	return r ? r : settings_check(error);
}

static int choose_arguments(const struct replay_record *record, const char *given,
			    json **ret_arguments, struct error *error)
{
	const json *bytes = json_get(record->whole, "arguments_bytes");

	if (given)
		return call_read_arguments(given, ret_arguments, error);
	if (record->arguments) {
		*ret_arguments = json_hold(record->arguments);
		return STATUS_OK;
	}
	return error_set(error, STATUS_USAGE,
			 "the record does not hold the arguments of the call (%lld bytes of JSON): "
			 "give them with --arguments; the setting replay_arguments has them kept",
			 json_kind(bytes) == JSON_INTEGER ? (long long)json_integer(bytes) : 0);
}

static int run_again(struct program *program, struct registry *registry,
		     const struct replay_record *record, enum isolation at_least, json *arguments,
		     struct outcome *ret_outcome, struct error *error)
{
	struct call_request request = {
		.tool = record->tool,
		.tool_length = strlen(record->tool),
		.arguments = arguments,
		.trust = TRUST_TRUSTED,
		.at_least = at_least,
		.timeout = program->timeout,
		.seed = record->seed,
		.seeded = true,
	};
	struct executor *executor;
	int r;

	r = executor_new(registry, &program->paths, &executor, error);
	if (r) {
		json_drop(arguments);
		registry_free(registry);
		return r;
	}
	r = pipeline_call(executor, &request, ret_outcome);
	if (r)
		error_move(error, &ret_outcome->error);
	call_end(program, executor, registry);
	return r;
}

/* Answers only where gdb could not be started. */
static int debug(const struct program *program, struct registry *registry,
		 const struct registry_tool *tool, const struct replay_record *record,
		 enum isolation level, json *arguments, struct error *error)
{
	struct execute_request request = { .seed = record->seed, .memory_mb = record->memory_mb };
	struct gate_request gate = { .arguments = arguments };
	struct gate_answer answer = { 0 };
	int r;

	r = registry_spec(registry, tool, &request.spec, error);
	gate.spec = request.spec;
	if (!r)
		r = gate_check(&gate, &answer, error);
	request.arguments = answer.arguments;
	if (!r)
		r = replay_debug(&program->paths, &request,
				 level < ISOLATION_ISOLATED ? ISOLATION_ISOLATED : level, error);
	gate_answer_free(&answer);
	json_drop(arguments);
	registry_free(registry);
	return r;
}

static int replay(struct program *program, const struct arguments *given,
		  const struct replay_record *record, struct outcome *ret_outcome,
		  struct error *error)
{
	struct registry *registry = NULL;
	const struct registry_tool *tool;
	json *arguments = NULL;
	enum isolation at_least;
	int r;

	r = choose_arguments(record, arguments_value(given, "arguments"), &arguments, error);
	if (!r)
		r = apply_limits(program, record, error);
	if (!r) {
		note_changes(record);
		r = find(program, record, &registry, &tool, &at_least, error);
	}
	if (r) {
		json_drop(arguments);
		registry_free(registry);
		return r;
	}
	if (arguments_value(given, "gdb"))
		return debug(program, registry, tool, record, at_least, arguments, error);
	return run_again(program, registry, record, at_least, arguments, ret_outcome, error);
}

static int run_replay(struct program *program, const struct arguments *arguments)
{
	struct error error = ERROR_INIT;
	struct outcome outcome = { .error = ERROR_INIT };
	struct replay_record record = { .whole = NULL };
	int r = STATUS_OK, status;

	/* A debugger talks on standard output itself. */
	if (!arguments_value(arguments, "gdb"))
		r = command_claim_output(program, &error);
	if (!r)
		r = replay_read(arguments->operands[0], &record, &error);
	if (!r)
		(void)replay(program, arguments, &record, &outcome, &error);
	status = call_print(program, &outcome, &error);
	outcome_free(&outcome);
	replay_record_free(&record);
	error_clear(&error);
	return status;
}

static const struct command_option options[] = {
	{ "arguments", "JSON", "the arguments, also @FILE or -, where the record has none" },
	{ "gdb", NULL, "run the call under gdb, in one process and without a time limit" },
	{ NULL, NULL, NULL },
};

const struct command command_replay = {
	.name = "replay",
	.operands = "FILE",
	.summary = "Run again the call that a crash left behind",
	.help = "A call that crashed, hung, was blocked or ran out of memory leaves a record, "
		"whose name is\n"
		"in the log. This runs the call again: the same tool of the same file, with the "
		"same\n"
		"arguments, seed, limits and isolation, and prints what comes of it as "
		"\"toolhost call\" does.\n"
		"Arguments are in a record only where the setting replay_arguments was on.\n"
		"\n"
		"Exit status: that of \"toolhost call\".\n"
		"\n"
		"Examples:\n"
		"  toolhost replay "
		"~/.local/state/toolhost/replay/20260131T120000.000-add-1-0.json\n"
		"  toolhost replay record.json --arguments '{\"a\": 1, \"b\": 2}' --gdb\n",
	.options = options,
	.least = 1,
	.most = 1,
	.run = run_replay,
};
