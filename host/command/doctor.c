/* SPDX-License-Identifier: MIT
 *
 * toolhost doctor: what this machine can isolate, and what is wrong with the configuration and the
 * packs. Every wall is tried, and a call is run at each level, so that what is told is seen and not
 * concluded.
 */
#include <config.h>

#include "command/call.h"
#include "command/command.h"

#include "base/array.h"
#include "base/json.h"
#include "base/log.h"
#include "base/settings.h"
#include "execute/probe.h"
#include "pipeline/pipeline.h"
#include "recipes/build.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A note is something to know, a fault is something to mend. */
enum grade { GRADE_GOOD, GRADE_NOTE, GRADE_FAULT };

static const char *const finding_names[] = { "good", "note", "fault" };

struct report {
	json *sections; /* in their order: "machine" and so on, each a list of findings */
	json *section;
	size_t faults;
};

/* ---- The report ------------------------------------------------------------------------------ */

static void begin_section(struct report *report, const char *name)
{
	report->section = json_new_list();
	json_set(report->sections, name, report->section);
}

static void add(struct report *report, enum grade grade, const char *name, const char *text,
		const char *cure)
{
	json *object = json_new_object();

	json_set_text(object, "finding", finding_names[grade]);
	json_set_text(object, "name", name);
	json_set_text(object, "text", text);
	if (*cure && grade != GRADE_GOOD)
		json_set_text(object, "cure", cure);
	json_append(report->section, object);
	report->faults += grade == GRADE_FAULT;
}

static void add_error(struct report *report, const char *name, const struct error *error)
{
	add(report, GRADE_FAULT, name, error->message, "");
}

/* ---- The machine ----------------------------------------------------------------------------- */

static void examine_wall(struct report *report, const struct probe_wall *wall)
{
	const char *without = wall->without ? wall->without
					    : "calls of the levels that need it are refused";
	char text[600];

	if (wall->stands)
		snprintf(text, sizeof(text), "%s%s%s", wall->purpose, *wall->detail ? ": " : "",
			 wall->detail);
	else
		snprintf(text, sizeof(text), "missing (%s); it would be there so that %s: %s",
			 wall->detail, wall->purpose, without);
	add(report,
	    wall->stands      ? GRADE_GOOD
	    : wall->needed_by ? GRADE_FAULT
			      : GRADE_NOTE,
	    wall->name, text, wall->cure);
}

static void examine_level(struct report *report, const struct probe *probe, enum isolation level)
{
	if (!probe_runs(probe, level))
		add(report, GRADE_FAULT, isolation_name(level),
		    "calls of this level are refused, since a wall that it needs is missing", "");
	else if (!probe_is_complete(probe, level))
		add(report, GRADE_NOTE, isolation_name(level),
		    "calls run, without the walls that are missing", "");
	else
		add(report, GRADE_GOOD, isolation_name(level), "complete", "");
}

/* Groups are made, as for a call, so that what is told is seen. Without them memory is limited by
 * RLIMIT_DATA, and by refusing what that does not count. */
static void examine_groups(struct report *report, struct executor *executor)
{
	struct error error = ERROR_INIT;
	const struct groups_home *state = executor_groups(executor, &error);
	bool demanded = setting_switch(SETTING_DEMAND_CGROUP);
	char text[2048];

	if (!state) {
		add_error(report, "groups", &error);
		error_clear(&error);
		return;
	}
	snprintf(text, sizeof(text),
		 "%s%s%s%s%s of each call in a group of its own (cgroup v2), in %s",
		 state->memory ? "all memory" : "", state->memory && state->pids ? ", " : "",
		 state->pids ? "the threads" : "",
		 (state->memory || state->pids) && state->cpu ? ", " : "",
		 state->cpu ? "the share of the processors" : "", state->path);
	if (state->memory && state->pids) {
		add(report, GRADE_GOOD, "groups", text, "");
		return;
	}
	if (state->memory || state->pids || state->cpu)
		add(report, GRADE_GOOD, "groups", text, "");
	snprintf(text, sizeof(text), "missing (%s): %s", state->why,
		 demanded ? "isolated calls are refused, since demand_cgroup is on"
			  : "a call's memory is limited by RLIMIT_DATA, which counts its data "
			    "alone, and threads for all calls of a pack together");
	add(report, demanded ? GRADE_FAULT : GRADE_NOTE, "groups", text, state->cure);
}

static bool examine_machine(struct report *report, const struct program *program,
			    struct executor *executor)
{
	struct error error = ERROR_INIT;
	struct probe probe;
	bool works;

	begin_section(report, "machine");
	works = probe_machine(program->paths.worker, &probe, &error) == STATUS_OK;
	if (!works) {
		add_error(report, "worker", &error);
		error_clear(&error);
		return false;
	}
	for (size_t i = 0; i < PROBE_WALLS; i++)
		examine_wall(report, &probe.walls[i]);
	if (executor)
		examine_groups(report, executor);
	begin_section(report, "levels");
	examine_level(report, &probe, ISOLATION_ISOLATED);
	examine_level(report, &probe, ISOLATION_SANDBOXED);
	return true;
}

/* ---- The configuration and the packs --------------------------------------------------------- */

static void examine_config(struct report *report, const struct program *program)
{
	const char *const files[] = { program->paths.config_system, program->paths.config_user };
	size_t found = 0;

	begin_section(report, "configuration");
	if (program->fault.status) {
		add_error(report, "config", &program->fault);
		return;
	}
	if (program->config_file)
		add(report, GRADE_GOOD, "config", program->config_file, "");
	for (size_t i = 0; !program->config_file && i < 2; i++) {
		if (!files[i] || access(files[i], F_OK))
			continue;
		add(report, GRADE_GOOD, "config", files[i], "");
		found++;
	}
	if (!program->config_file && !found)
		add(report, GRADE_GOOD, "config",
		    "no config file; all settings are the default, "
		    "of the environment or of options",
		    "");
}

/* What the tools of a pack lack, where its calls run in a worker. */
static void examine_rights(struct report *report, const struct registry_pack *pack)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX), cure = BUFFER_INIT(SIZE_MAX);
	struct rights missing;

	rights_lack(pack->needs, pack->grants, &missing);
	if (rights_any(&missing)) {
		buffer_text(&text, "in a worker its tools lack ");
		rights_print(&text, &missing);
		buffer_text(&cure, "to grant it, write into the config: ");
		rights_print_section(&cure, pack->name, &missing);
		if (!text.fault && !cure.fault)
			add(report, GRADE_NOTE, pack->name, text.data, cure.data);
	}
	buffer_free(&text);
	buffer_free(&cure);
}

static void examine_packs(struct report *report, const struct registry *registry)
{
	size_t ready = 0;
	char text[64];

	for (size_t i = 0; i < registry_pack_count(registry); i++) {
		const struct registry_pack *pack = registry_pack(registry, i);

		ready += pack->state == PACK_READY;
		if (pack->state == PACK_REFUSED)
			add(report, GRADE_FAULT, pack->name, pack->reason, "");
		if (pack->state != PACK_READY)
			continue;
		if (*pack->distrust)
			add(report, GRADE_NOTE, pack->name, "not trusted, so it runs isolated",
			    pack->distrust);
		examine_rights(report, pack);
	}
	snprintf(text, sizeof(text), "%zu ready, with %zu tools", ready,
		 registry_tool_count(registry));
	add(report, GRADE_GOOD, "packs", text, "");
}

/* A recipe that is unavailable or has an ugly cue is its author's to mend; one that is left out, the
 * operator's. */
static void examine_recipes(struct report *report, struct registry *registry)
{
	struct error error = ERROR_INIT;
	const struct catalogue *catalogue = recipes_catalogue(registry, &error);
	char text[2048];

	begin_section(report, "recipes");
	if (!catalogue) {
		add_error(report, "recipes", &error);
		error_clear(&error);
		return;
	}
	for (size_t i = 0; i < catalogue_finding_count(catalogue); i++) {
		const struct finding *finding = catalogue_finding(catalogue, i);

		if (finding->kind != FINDING_FAULT)
			continue;
		snprintf(text, sizeof(text), "left out: %s: %s", finding->source, finding->text);
		add(report, GRADE_FAULT, *finding->recipe ? finding->recipe : "recipe", text, "");
	}
	snprintf(text, sizeof(text), "%zu in the catalogue", catalogue_count(catalogue));
	add(report, GRADE_GOOD, "recipes", text, "");
}

/* ---- A call ---------------------------------------------------------------------------------- */

/* A tool that says how it is called, and needs nothing: one that is trusted before others. */
static struct tool_spec *find_trial(struct registry *registry)
{
	for (int trusted = 1; trusted >= 0; trusted--)
		for (size_t i = 0; i < registry_tool_count(registry); i++) {
			const struct registry_tool *tool = registry_tool(registry, i);
			struct tool_spec *spec;

			if (!tool->enabled || tool->pack->linked ||
			    (tool->pack->trust != PACK_UNTRUSTED) != trusted ||
			    registry_spec(registry, tool, &spec, NULL))
				continue;
			if (json_count(spec->examples) && spec->read_only &&
			    !rights_any(&spec->needs))
				return spec;
		}
	return NULL;
}

static void try_level(struct report *report, struct executor *executor,
		      const struct tool_spec *spec, enum isolation level)
{
	const json *example = json_peek(spec->examples, 0);
	const struct call_request request = {
		.tool = spec->tool->name,
		.tool_length = spec->tool->name_length,
		.arguments = json_copy(json_get(example, "arguments")),
		.trust = TRUST_TRUSTED,
		.at_least = level,
	};
	struct outcome outcome;
	char text[128];
	int r = pipeline_call(executor, &request, &outcome);

	snprintf(text, sizeof(text), "a call of %s was answered", spec->tool->name);
	if (r && r != STATUS_TOOL_ERROR)
		add_error(report, isolation_name(level), &outcome.error);
	else
		add(report, GRADE_GOOD, isolation_name(level), text, "");
	outcome_free(&outcome);
}

static void examine_calls(struct report *report, struct executor *executor,
			  struct registry *registry)
{
	const struct tool_spec *spec = find_trial(registry);

	begin_section(report, "calls");
	if (!spec) {
		add(report, GRADE_NOTE, "calls",
		    "not tried: no tool here has an example, only reads, and needs nothing", "");
		return;
	}
	executor_set_registry(executor, registry);
	try_level(report, executor, spec, ISOLATION_ISOLATED);
	try_level(report, executor, spec, ISOLATION_SANDBOXED);
}

/* ---- Printing -------------------------------------------------------------------------------- */

static void print_finding(struct buffer *out, const json *finding)
{
	static const char *const marks[] = { "ok", "note", "FAULT" };
	const char *cure = json_has(finding, "cure") ? json_text(json_get(finding, "cure"), NULL)
						     : "";
	const char *mark = "";

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (json_text_is(json_get(finding, "finding"), finding_names[i]))
			mark = marks[i];
	buffer_format(out, "  %-5s  %-17s ", mark, json_text(json_get(finding, "name"), NULL));
	command_wrapped(out, json_text(json_get(finding, "text"), NULL), 27);
	if (*cure) {
		buffer_format(out, "\n%27s", "");
		command_wrapped(out, cure, 27);
	}
	buffer_byte(out, '\n');
}

static void print_text(struct buffer *out, const struct report *report)
{
	struct json_member section;

	for (bool more = json_first(report->sections, &section); more; more = json_next(&section)) {
		buffer_format(out, "%s\n", section.key);
		for (size_t i = 0; i < json_count(section.value); i++)
			print_finding(out, json_peek(section.value, i));
		buffer_byte(out, '\n');
	}
	if (report->faults)
		buffer_format(out, "%zu fault%s\n", report->faults, report->faults == 1 ? "" : "s");
	else
		buffer_text(out, "no faults\n");
}

static void print_json(struct buffer *out, struct report *report)
{
	json_set_integer(report->sections, "faults", (int64_t)report->faults);
	json_print_pretty(out, report->sections);
	buffer_byte(out, '\n');
}

static int run_doctor(struct program *program, const struct arguments *arguments)
{
	struct report report = { .sections = json_new_object() };
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	struct error error = ERROR_INIT;
	struct registry *registry = NULL;
	struct executor *executor = NULL;
	bool works;

	(void)arguments;
	/* What the log would say of packs stands in the report. */
	if (!program->verbosity)
		log_set_level(LOG_LEVEL_ERROR);
	executor_new(NULL, &program->paths, &executor, &error);
	works = examine_machine(&report, program, executor);
	if (error.status)
		add_error(&report, "calls", &error);
	error_clear(&error);
	examine_config(&report, program);
	begin_section(&report, "packs");
	if (command_registry(program, NULL, &registry, &error))
		add_error(&report, "packs", &error);
	else
		examine_packs(&report, registry);
	if (registry)
		examine_recipes(&report, registry);
	if (registry && executor && works)
		examine_calls(&report, executor, registry);
	if (program->json)
		print_json(&out, &report);
	else
		print_text(&out, &report);
	call_end(program, executor, registry);
	json_drop(report.sections);
	error_clear(&error);
	return command_print(program, &out, report.faults ? EXIT_TOOL_FAILED : EXIT_RESULT);
}

const struct command command_doctor = {
	.name = "doctor",
	.operands = "",
	.summary = "Tell what this machine can isolate, and what is wrong with config and packs",
	.help = "Tries every wall of a worker, runs a call at each level of isolation, and looks "
		"through the\n"
		"config, the packs and the recipes. What is missing is told with what would mend "
		"it: a fault "
		"is something\n"
		"to mend, a note something to know.\n"
		"\n"
		"Exit status: 0 no faults; 1 faults.\n"
		"\n"
		"Example:\n"
		"  toolhost doctor\n",
	.bears_faults = true,
	.run = run_doctor,
};
