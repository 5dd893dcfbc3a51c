/* SPDX-License-Identifier: MIT
 *
 * toolhost show: one tool, where it comes from, and how a call of it would run.
 */
#include <config.h>

#include "command/command.h"
#include "command/manifest.h"
#include "command/vendor.h"

#include "base/array.h"
#include "base/json.h"
#include "base/settings.h"
#include "execute/probe.h"

#include <stdio.h>
#include <string.h>

/* Who calls, and what the policy says to that. */
struct decision {
	enum trust trust;
	const char *caller; /* for a person */
	const char *key;    /* for a program */
	enum isolation strategy;
	const char *reason;
};

enum { DECISIONS = 2 };

static const struct {
	enum pack_trust trust;
	const char *text;
} trusts[] = {
	{ PACK_UNTRUSTED, "not trusted" },
	{ PACK_TRUSTED_SYSTEM, "trusted: it stands in a system folder that only root may write" },
	{ PACK_TRUSTED_BUILD, "trusted: it is shipped, in the build tree" },
	{ PACK_TRUSTED_CONFIG, "trusted: the config or --pack-dir names its folder" },
};

static const char *trust_text(const struct registry_pack *pack)
{
	if (pack->linked)
		return "trusted: it is part of the program";
	for (size_t i = 0; i < ARRAY_SIZE(trusts); i++) {
		if (trusts[i].trust == pack->trust)
			return trusts[i].text;
	}
	return trusts[0].text;
}

static void decide(const struct program *program, const struct tool_spec *spec,
		   struct decision decisions[DECISIONS])
{
	decisions[0] = (struct decision){ .trust = TRUST_TRUSTED,
					  .caller = "from the command line and stdio",
					  .key = "trusted" };
	decisions[1] = (struct decision){ .trust = TRUST_UNTRUSTED,
					  .caller = "from untrusted callers",
					  .key = "untrusted" };
	for (size_t i = 0; i < DECISIONS; i++)
		policy_decide(spec, decisions[i].trust, program->isolation, false,
			      &decisions[i].strategy, &decisions[i].reason);
}

/* What a tool needs beyond the walls of a worker. */
struct wants {
	struct rights granted;
	struct rights missing;
};

static void compare_rights(const struct tool_spec *spec, struct wants *ret_wants)
{
	rights_meet(&spec->needs, spec->tool->pack->grants, &ret_wants->granted);
	rights_lack(&spec->needs, spec->tool->pack->grants, &ret_wants->missing);
}

/* ---- For a person --------------------------------------------------------------------------- */

static void print_row(struct buffer *out, const char *name, const char *value)
{
	buffer_format(out, "  %-10s ", name);
	command_wrapped(out, value, 13);
	buffer_byte(out, '\n');
}

static void print_decision(struct buffer *out, const struct decision *decision)
{
	char line[256];

	snprintf(line, sizeof(line), "%s: %s (%s)", decision->caller,
		 isolation_name(decision->strategy), decision->reason);
	print_row(out, "runs", line);
}

static void print_random(struct buffer *out, const struct tool_spec *spec)
{
	const char *note = manifest_text(json_get(spec->manifest, "rng"), "note");
	struct buffer line = BUFFER_INIT(4096);

	if (!spec->uses_rng)
		return;
	if (spec->seed_param)
		buffer_format(&line, "draws random numbers; the argument %s is their seed",
			      spec->seed_param);
	else
		buffer_text(&line,
			    "draws random numbers from a seed that the host chooses and tells");
	if (*note)
		buffer_format(&line, "; %s", note);
	if (line.length)
		print_row(out, "random", line.data);
	buffer_free(&line);
}

/* What this machine lacks of the levels that the tool runs at. */
static void print_walls(struct buffer *out, const struct program *program,
			const struct decision *decisions)
{
	struct buffer line = BUFFER_INIT(SIZE_MAX);
	enum isolation level = ISOLATION_IN_PROCESS;
	struct error error = ERROR_INIT;
	struct probe probe;

	for (size_t i = 0; i < DECISIONS; i++)
		if (decisions[i].strategy > level)
			level = decisions[i].strategy;
	if (level == ISOLATION_IN_PROCESS)
		return;
	if (probe_machine(program->paths.worker, &probe, &error)) {
		print_row(out, "walls", error.message);
		error_clear(&error);
		return;
	}
	for (size_t i = 0; i < PROBE_WALLS; i++) {
		const struct probe_wall *wall = &probe.walls[i];

		if (!wall->stands && wall->needed_by <= level)
			buffer_format(&line, "%s%s",
				      line.length ? ", " : "this machine lacks: ", wall->name);
	}
	if (!line.length)
		buffer_text(&line, "complete on this machine");
	else if (!probe_runs(&probe, level))
		buffer_format(&line, "; %s calls are refused", isolation_name(level));
	if (line.length && !probe_is_complete(&probe, level))
		buffer_text(&line, " (toolhost doctor says more)");
	print_row(out, "walls", line.fault ? "" : line.data);
	buffer_free(&line);
}

static void print_rights_row(struct buffer *out, const char *name, const struct rights *rights)
{
	struct buffer line = BUFFER_INIT(SIZE_MAX);

	rights_print(&line, rights);
	print_row(out, name, line.fault ? "" : line.data);
	buffer_free(&line);
}

/* Only in a worker is anything denied. */
static void print_rights(struct buffer *out, const struct tool_spec *spec)
{
	struct buffer line = BUFFER_INIT(SIZE_MAX);
	struct wants wants;

	if (!rights_any(&spec->needs))
		return;
	compare_rights(spec, &wants);
	print_rights_row(out, "needs", &spec->needs);
	print_rights_row(out, "granted", &wants.granted);
	if (!rights_any(&wants.missing))
		return;
	buffer_text(&line, "denied in a worker, unless the config says ");
	rights_print_section(&line, spec->tool->pack->name, &wants.missing);
	print_row(out, "missing", line.fault ? "" : line.data);
	buffer_free(&line);
}

static void print_origin(struct buffer *out, const struct program *program,
			 const struct tool_spec *spec, const struct decision *decisions)
{
	const struct registry_tool *tool = spec->tool;
	char line[128];

	buffer_text(out, tool->name);
	if (*spec->title) {
		buffer_text(out, ": ");
		command_one_line(out, spec->title);
	}
	buffer_format(out, "%s\n\n", tool->enabled ? "" : " (off)");
	buffer_format(out, "  %-10s %s ", "pack", tool->pack->name);
	command_one_line(out, tool->pack->version);
	buffer_format(out, "\n  %-10s ", "file");
	command_one_line(out, tool->pack->path);
	buffer_byte(out, '\n');
	print_row(out, "trust", trust_text(tool->pack));
	if (*tool->pack->distrust)
		print_row(out, "", tool->pack->distrust);
	for (size_t i = 0; i < DECISIONS; i++)
		print_decision(out, &decisions[i]);
	print_walls(out, program, decisions);
	print_rights(out, spec);
	snprintf(line, sizeof(line), "%g s%s",
		 spec->timeout > 0 ? spec->timeout : setting_real(SETTING_TOOL_TIMEOUT),
		 spec->timeout > 0 ? ", as the tool wishes" : "");
	print_row(out, "time limit", line);
	print_row(out, "calls",
		  spec->threads == TOOL_PARALLEL ? "may overlap" : "one at a time in its pack");
	if (*spec->category)
		print_row(out, "category", spec->category);
	print_random(out, spec);
}

static void print_examples(struct buffer *out, const struct tool_spec *spec)
{
	if (json_kind(spec->examples) != JSON_LIST || !json_count(spec->examples))
		return;
	buffer_text(out, "\nExamples:\n");
	for (size_t i = 0; i < json_count(spec->examples); i++) {
		const json *example = json_peek(spec->examples, i);
		struct buffer line = BUFFER_INIT(SIZE_MAX);

		if (*manifest_text(example, "title")) {
			buffer_text(out, "  # ");
			command_wrapped(out, manifest_text(example, "title"), 4);
			buffer_byte(out, '\n');
		}
		json_print(&line, json_get(example, "arguments"));
		buffer_format(out, "  toolhost call %s '", spec->tool->name);
		/* As a shell takes it: a quote inside ends the word, stands escaped, and opens the
		 * word again. */
		for (size_t j = 0; j < line.length; j++) {
			if (line.data[j] == '\'')
				buffer_text(out, "'\\''");
			else
				buffer_byte(out, line.data[j]);
		}
		buffer_text(out, "'\n");
		buffer_free(&line);
	}
}

static void print_schema(struct buffer *out, const char *heading, const json *schema)
{
	if (!schema)
		return;
	buffer_format(out, "\n%s:\n", heading);
	json_print_pretty(out, schema);
	buffer_byte(out, '\n');
}

static void print_properties(struct buffer *out, const char *heading, const json *schema)
{
	const json *properties = json_kind(schema) == JSON_OBJECT ? json_get(schema, "properties")
								  : NULL;

	if (json_kind(properties) != JSON_OBJECT || !json_count(properties))
		return;
	buffer_format(out, "\n%s:\n", heading);
	manifest_print_properties(out, schema);
}

static void print_text(struct buffer *out, const struct program *program,
		       const struct tool_spec *spec, const struct decision *decisions)
{
	print_origin(out, program, spec, decisions);
	buffer_byte(out, '\n');
	command_wrapped(out, spec->description, 0);
	buffer_byte(out, '\n');
	print_properties(out, "Arguments", spec->input_schema);
	print_properties(out, "Result", spec->output_schema);
	print_examples(out, spec);
	print_schema(out, "Input schema", spec->input_schema);
	print_schema(out, "Output schema", spec->output_schema);
}

/* ---- For a program -------------------------------------------------------------------------- */

static json *decision_to_json(const struct decision *decision)
{
	json *object = json_new_object();

	json_set_text(object, "strategy", isolation_name(decision->strategy));
	json_set_text(object, "reason", decision->reason);
	return object;
}

static json *rights_of(const struct tool_spec *spec)
{
	json *object = json_new_object();
	struct wants wants;

	compare_rights(spec, &wants);
	json_set(object, "needed", rights_to_json(&spec->needs));
	json_set(object, "granted", rights_to_json(&wants.granted));
	json_set(object, "missing", rights_to_json(&wants.missing));
	return object;
}

static void print_json(struct buffer *out, const struct tool_spec *spec,
		       const struct decision *decisions)
{
	const struct registry_pack *pack = spec->tool->pack;
	json *object = json_new_object();
	json *about = json_new_object();
	json *runs = json_new_object();

	json_set_text(about, "name", pack->name);
	json_set_text(about, "version", pack->version);
	json_set_text(about, "path", pack->path);
	json_set_text(about, "trust", trust_text(pack));
	json_set_text(about, "distrust", pack->distrust);
	for (size_t i = 0; i < DECISIONS; i++)
		json_set(runs, decisions[i].key, decision_to_json(&decisions[i]));
	json_set(object, "tool", json_hold(spec->manifest));
	json_set_boolean(object, "enabled", spec->tool->enabled);
	json_set(object, "pack", about);
	json_set(object, "runs", runs);
	json_set(object, "rights", rights_of(spec));
	json_print_pretty(out, object);
	buffer_byte(out, '\n');
	json_drop(object);
}

/* The spec of the tool that is asked for; also of one that is switched off. */
static int find_spec(const struct program *program, const char *name,
		     struct registry **ret_registry, struct tool_spec **ret_spec,
		     struct error *error)
{
	const struct registry_tool *tool;
	int r = command_registry(program, NULL, ret_registry, error);

	if (r != STATUS_OK)
		return r;
	tool = vendor_find_tool(*ret_registry, name);
	return tool ? registry_spec(*ret_registry, tool, ret_spec, error)
		    : registry_unknown_tool(*ret_registry, name, false, error);
}

static int run_show(struct program *program, const struct arguments *arguments)
{
	struct decision decisions[DECISIONS];
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	struct registry *registry = NULL;
	struct tool_spec *spec = NULL;
	struct error error = ERROR_INIT;
	int status;

	if (find_spec(program, arguments->operands[0], &registry, &spec, &error) != STATUS_OK) {
		status = command_fail(program, &error);
	} else {
		decide(program, spec, decisions);
		if (program->json)
			print_json(&out, spec, decisions);
		else
			print_text(&out, program, spec, decisions);
		status = command_print(program, &out, EXIT_RESULT);
	}
	registry_free(registry);
	error_clear(&error);
	return status;
}

const struct command command_show = {
	.name = "show",
	.operands = "TOOL",
	.summary = "Show one tool: its arguments, examples and schema, and how it would run",
	.help = "Tells where the tool comes from, whether its pack is trusted, how a call of it "
		"would run and\n"
		"which rule decides that, what it needs and is granted, what it takes and gives, "
		"and commands\n"
		"that call it.\n"
		"\n"
		"Example:\n"
		"  toolhost show add\n",
	.least = 1,
	.most = 1,
	.run = run_show,
};
