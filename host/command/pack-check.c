/* SPDX-License-Identifier: MIT
 *
 * toolhost pack check: is this pack right, and will clients take it?
 */
#include <config.h>

#include "command/call.h"
#include "command/pack.h"

#include "command/manifest.h"

#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "pipeline/pipeline.h"
#include "recipes/build.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FINDING_MAX = 1400 };

static const double NEAR = 1e-6; /* between the result of an example and what it says */

struct report {
	const char *path;
	json *faults;	/* of texts */
	json *warnings; /* of texts */
	size_t tools;
	size_t examples; /* that ran */
	size_t untried;	 /* that may do harm, and so did not */
};

static void find(json *list, const char *format, va_list arguments)
{
	char text[FINDING_MAX];

	vsnprintf(text, sizeof(text), format, arguments);
	json_append(list, json_new_text_n(text, text_head(text, strlen(text), sizeof(text) - 1)));
}

static void fault(struct report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void fault(struct report *report, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	find(report->faults, format, arguments);
	va_end(arguments);
}

static void warn(struct report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void warn(struct report *report, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	find(report->warnings, format, arguments);
	va_end(arguments);
}

/* ---- What the scan says --------------------------------------------------------------------- */

static void check_manifest(struct report *report, const json *manifest)
{
	const json *tools = json_get(manifest, "tools");
	const json *warnings = json_get(manifest, "warnings");

	for (size_t i = 0; i < json_count(warnings); i++)
		warn(report, "%s", json_text(json_peek(warnings, i), NULL));
	if (json_boolean(json_get(manifest, "starts_threads")))
		warn(report,
		     "the pack starts threads when it is loaded, so it never runs in-process");
	report->tools = json_count(tools);
}

/* ---- What the examples give ----------------------------------------------------------------- */

static bool near_number(double a, double b)
{
	return fabs(a - b) <= NEAR * fmax(1, fmax(fabs(a), fabs(b)));
}

static bool near_value(const json *result, const json *said);

static bool near_list(const json *result, const json *said)
{
	size_t count = json_count(said);
	bool near = json_count(result) == count;

	for (size_t i = 0; near && i < count; i++) {
		json *a = json_item(result, i), *b = json_item(said, i);

		near = near_value(a, b);
		json_drop(a);
		json_drop(b);
	}
	return near;
}

/* What an example says of its result may leave keys out. */
static bool near_value(const json *result, const json *said)
{
	struct json_member m;

	if (json_is_number(result) && json_is_number(said))
		return near_number(json_number(result), json_number(said));
	if (json_kind(result) != json_kind(said))
		return false;
	if (json_kind(said) == JSON_LIST)
		return near_list(result, said);
	if (json_kind(said) != JSON_OBJECT)
		return json_equal(result, said);
	for (bool more = json_first(said, &m); more; more = json_next(&m)) {
		if (!json_has(result, m.key) || !near_value(json_get(result, m.key), m.value))
			return false;
	}
	return true;
}

static void check_result(struct report *report, const struct tool_spec *spec, size_t number,
			 const json *example, const struct outcome *outcome)
{
	struct schema_problems problems = { .count = 0 };
	const char *tool = spec->tool->name;
	json *result = NULL;

	if (json_read(outcome->result, outcome->result_length, NULL, &result, NULL) != STATUS_OK) {
		fault(report, "Tool \"%s\": the result of example %zu is no JSON", tool, number);
		return;
	}
	if (spec->output && !schema_validate(spec->output, result, &problems))
		fault(report,
		      "Tool \"%s\": the result of example %zu breaks the output schema: %s%s"
		      "expected %s, found %s",
		      tool, number, problems.items[0].path, *problems.items[0].path ? ": " : "",
		      problems.items[0].expected, problems.items[0].found);
	if (json_has(example, "result") && (!spec->uses_rng || spec->seed_param) &&
	    !near_value(result, json_get(example, "result")))
		fault(report,
		      "Tool \"%s\": example %zu says another result than the tool gives; `toolhost "
		      "show %s` "
		      "prints the command that runs it",
		      tool, number, tool);
	json_drop(result);
}

/* Isolated, so that a pack that crashes is a fault that is told, and not the end of the check.
 * False where no worker can be had, which is told once. */
static bool run_example(const struct program *program, struct report *report,
			struct executor *executor, const struct tool_spec *spec, size_t index)
{
	const json *example = json_peek(spec->examples, index);
	struct call_request request = {
		.tool = spec->tool->name,
		.tool_length = spec->tool->name_length,
		.arguments = json_hold(json_get(example, "arguments")),
		.trust = TRUST_TRUSTED,
		.at_least = program->isolation == ISOLATION_IN_PROCESS ? ISOLATION_ISOLATED
								       : program->isolation,
		.timeout = program->timeout,
	};
	struct outcome outcome = { .error = ERROR_INIT };
	bool goes_on = true;

	log_info("example %zu of %s", index + 1, spec->tool->name);
	switch (pipeline_call(executor, &request, &outcome)) {
	case STATUS_OK:
		report->examples++;
		check_result(report, spec, index + 1, example, &outcome);
		break;
	case STATUS_WORKER_FAILED:
		warn(report, "the examples were not run: %s", outcome.error.message);
		goes_on = false;
		break;
	default:
		fault(report, "Tool \"%s\": example %zu fails: %s: %s", spec->tool->name, index + 1,
		      status_code(outcome.error.status), outcome.error.message);
	}
	outcome_free(&outcome);
	return goes_on;
}

static bool is_safe_to_try(const struct tool_spec *spec)
{
	const json *annotations = json_get(spec->manifest, "annotations");

	return !json_boolean(json_get(annotations, "destructiveHint")) &&
	       !json_boolean(json_get(annotations, "openWorldHint")) &&
	       !json_has(spec->manifest, "needs");
}

static void run_examples(const struct program *program, struct report *report,
			 struct executor *executor, struct registry *registry)
{
	bool goes_on = true;

	for (size_t i = 0; goes_on && i < registry_tool_count(registry); i++) {
		struct tool_spec *spec = NULL;
		struct error error = ERROR_INIT;

		if (registry_spec(registry, registry_tool(registry, i), &spec, &error) !=
		    STATUS_OK) {
			fault(report, "%s", error.message);
			error_clear(&error);
			continue;
		}
		if (!spec->tool->enabled || json_kind(spec->examples) != JSON_LIST)
			continue;
		if (!is_safe_to_try(spec)) {
			report->untried += json_count(spec->examples);
			continue;
		}
		for (size_t j = 0; goes_on && j < json_count(spec->examples); j++)
			goes_on = run_example(program, report, executor, spec, j);
	}
}

/* ---- What its recipes say -------------------------------------------------------------------- */

/* Those that the config adds to every registry are none of the pack's. */
static void check_recipes(struct report *report, struct registry *registry, const char *pack)
{
	struct error error = ERROR_INIT;
	char source[128];
	const struct catalogue *catalogue = recipes_catalogue(registry, &error);

	snprintf(source, sizeof(source), "pack %s", pack);
	if (!catalogue)
		warn(report, "the recipes were not checked: %s", error.message);
	for (size_t i = 0; catalogue && i < catalogue_finding_count(catalogue); i++) {
		const struct finding *finding = catalogue_finding(catalogue, i);

		if (strcmp(finding->source, source) != 0)
			continue;
		if (finding->kind == FINDING_FAULT)
			fault(report, "Recipe \"%s\": %s", finding->recipe, finding->text);
		else
			warn(report, "Recipe \"%s\": %s%s", finding->recipe, finding->text,
			     finding->kind == FINDING_UNAVAILABLE
				     ? " (only this pack was looked at)"
				     : "");
	}
	error_clear(&error);
}

/* Runs the pack's own examples and checks its recipes, in a registry that holds nothing else. */
static void check_offers(struct program *program, struct report *report)
{
	char *folder = strdup(report->path), *name = NULL;
	char *slash = folder ? strrchr(folder, '/') : NULL;
	const char *const folders[] = { folder, NULL };
	struct registry_options options;
	struct registry *registry = NULL;
	struct executor *executor = NULL;
	struct error error = ERROR_INIT;

	command_registry_options(program, &options);
	options.pack_dirs = folders;
	options.no_default_packs = true;
	options.no_cache = true;
	if (slash && strlen(slash) > 4)
		name = strndup(slash + 1, strlen(slash + 1) - 3);
	if (!name) {
		free(folder);
		return;
	}
	slash[slash == folder ? 1 : 0] = '\0';
	options.only_pack = name;
	if (registry_build(&options, &registry, &error) != STATUS_OK ||
	    executor_new(registry, &program->paths, &executor, &error) != STATUS_OK)
		warn(report, "the examples were not run: %s", error.message);
	else
		run_examples(program, report, executor, registry);
	if (registry)
		check_recipes(report, registry, name);
	call_end(program, executor, registry);
	error_clear(&error);
	free(folder);
	free(name);
}

/* ---- The report ----------------------------------------------------------------------------- */

/* A pack is called by the name of its file, which a folder of packs refuses where it is none. */
static void check_name(struct report *report)
{
	const char *slash = strrchr(report->path, '/');
	const char *name = slash ? slash + 1 : report->path;
	size_t length = strlen(name);

	if (length < 4 || strcmp(name + length - 3, ".so") != 0)
		warn(report, "no folder of packs finds this file: its name has to end in .so.");
	else if (!text_is_tool_name(name, length - 3))
		fault(report, "its name has to be 1 to 64 letters, digits, _ and -, before .so: "
			      "rename the file.");
}

static void check_file(struct program *program, struct report *report)
{
	struct error error = ERROR_INIT;
	json *manifest = NULL;

	check_name(report);
	if (registry_scan_file(&program->paths, report->path, &manifest, &error) != STATUS_OK) {
		fault(report, "refused: %s", error.message);
	} else {
		check_manifest(report, manifest);
		if (!json_count(report->faults))
			check_offers(program, report);
	}
	json_drop(manifest);
	error_clear(&error);
}

/* One line a finding, however long: it is searched for and copied from. */
static void print_findings(struct buffer *out, const char *kind, const json *findings)
{
	for (size_t i = 0; i < json_count(findings); i++) {
		size_t length;
		const char *text = json_text(json_peek(findings, i), &length);

		buffer_format(out, "  %s: ", kind);
		command_plain(out, text, length, 4);
		buffer_byte(out, '\n');
	}
}

static void print_report(struct buffer *out, const struct report *report)
{
	size_t faults = json_count(report->faults);

	command_one_line(out, report->path);
	buffer_text(out, ": ");
	if (faults)
		buffer_format(out, "%zu fault%s", faults, faults == 1 ? "" : "s");
	else
		buffer_format(out, "good, %zu tool%s, %zu example%s ran", report->tools,
			      report->tools == 1 ? "" : "s", report->examples,
			      report->examples == 1 ? "" : "s");
	if (!faults && report->untried)
		buffer_format(out, ", %zu not tried", report->untried);
	buffer_byte(out, '\n');
	print_findings(out, "fault", report->faults);
	print_findings(out, "warning", report->warnings);
}

static json *report_to_json(const struct report *report)
{
	json *object = json_new_object();

	json_set_text(object, "path", report->path);
	json_set_boolean(object, "good", json_count(report->faults) == 0);
	json_set_integer(object, "tools", (int64_t)report->tools);
	json_set_integer(object, "examplesRun", (int64_t)report->examples);
	json_set_integer(object, "examplesNotTried", (int64_t)report->untried);
	json_set(object, "faults", json_hold(report->faults));
	json_set(object, "warnings", json_hold(report->warnings));
	return object;
}

static int check_operand(struct program *program, const char *operand, struct buffer *out,
			 json *list, bool *ret_good, struct error *error)
{
	struct report report = { .path = NULL };
	char *path;
	int r = pack_resolve(program, operand, &path, error);

	if (r != STATUS_OK)
		return r;
	report.path = path;
	report.faults = json_new_list();
	report.warnings = json_new_list();
	check_file(program, &report);
	*ret_good = json_count(report.faults) == 0;
	if (program->json)
		json_append(list, report_to_json(&report));
	else
		print_report(out, &report);
	json_drop(report.faults);
	json_drop(report.warnings);
	free(path);
	return STATUS_OK;
}

static int run_check(struct program *program, const struct arguments *arguments)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	struct error error = ERROR_INIT;
	json *list = json_new_list();
	int status = EXIT_RESULT;
	int r = command_claim_output(program, &error);

	for (size_t i = 0; r == STATUS_OK && i < arguments->count; i++) {
		bool good = false;

		r = check_operand(program, arguments->operands[i], &out, list, &good, &error);
		if (!good)
			status = EXIT_TOOL_FAILED;
	}
	if (program->json && r == STATUS_OK) {
		json_print_pretty(&out, list);
		buffer_byte(&out, '\n');
	}
	json_drop(list);
	status = command_print(program, &out, status);
	if (r != STATUS_OK)
		status = command_fail(program, &error);
	error_clear(&error);
	return status;
}

const struct command command_pack_check = {
	.name = "check",
	.operands = "FILE | NAME ...",
	.summary =
		"Check packs: do they load, will clients take their tools, do their examples hold",
	.help = "Scans each file in a process of its own, warns of what clients are known to "
		"refuse, and runs the\n"
		"examples of the pack's tools: a result has to fit the output schema and what the "
		"example says.\n"
		"Tools that are marked destructive or open-world, or that need anything, are not "
		"run. The pack's\n"
		"recipes are checked as toolhost-recipe(5) says, against the tools of the pack "
		"alone.\n"
		"\n"
		"Exit status: 0 good, warnings or not; 1 faults were found.\n"
		"\n"
		"Example:\n"
		"  toolhost pack check hello\n",
	.least = 1,
	.most = SIZE_MAX,
	.run = run_check,
};
