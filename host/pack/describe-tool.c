/* SPDX-License-Identifier: MIT
 *
 * One tool of the manifest: its names, its schemas, and that it can be called.
 */
#include "pack/describe.h"

#include "base/text.h"
#include "schema/params.h"
#include "schema/schema.h"

#include <stdlib.h>
#include <string.h>

static int check_name(struct describer *d, const th_tool *tool)
{
	int r;

	if (tool->name.data && tool->name.length)
		describe_set_where(d, "Tool", tool->name.data, tool->name.length);
	r = describe_check_text(d, tool->name, "name", NAME_BYTES_MOST, true);
	if (r)
		return r;
	if (!text_is_tool_name(tool->name.data, tool->name.length))
		return describe_refuse(d, "this is no name for a tool: allowed is " ALLOWED_NAME);
	if (memchr(tool->name.data, '.', tool->name.length))
		describe_warn(d, "clients and model services that allow only " ALLOWED_NAME
				 " as a name, such as those of Anthropic and OpenAI, see it under "
				 "another spelling");
	return STATUS_OK;
}

static int check_callable(struct describer *d, const th_tool *tool)
{
	bool has_text = tool->input_schema.data && tool->input_schema.length;

	if (!tool->run)
		return describe_refuse(d, "it has no function to run");
	if (tool->params && has_text)
		return describe_refuse(
			d, "it has both a parameter table and an input schema: give one");
	if (!tool->params && !has_text)
		return describe_refuse(d, "it has neither a parameter table nor an input schema: a "
					  "tool without arguments has a table of TH_END alone");
	if (has_text && tool->input_size != sizeof(th_json))
		return describe_refuse(d, "a tool with an input schema receives a th_json: declare "
					  "it with TH_TOOL_SCHEMA");
	if (tool->input_size == 0 || tool->input_size > INPUT_SIZE_MOST)
		return describe_refuse(d, "its input struct has %llu bytes, and may have 1 to %llu",
				       (unsigned long long)tool->input_size,
				       (unsigned long long)INPUT_SIZE_MOST);
	return STATUS_OK;
}

/* ---- Schemas ------------------------------------------------------------------------------ */

static int derive(struct describer *d, const th_tool *tool, const th_param *table, bool results,
		  json **ret_schema)
{
	struct error fault = ERROR_INIT;
	int r = params_check(table, tool->param_size, results ? 0 : tool->input_size,
			     results ? "result field" : "parameter", &fault);

	if (r)
		describe_refuse(d, "%s", fault.message);
	error_clear(&fault);
	if (r)
		return STATUS_INPUT_INVALID;
	*ret_schema = params_schema(table, tool->param_size, results);
	if (!*ret_schema)
		return error_set(d->error, STATUS_INTERNAL, "There is no memory left.");
	return STATUS_OK;
}

/* Clients check that a schema says "type": "object" at its top, and drop the whole list of tools
 * where one does not. */
static int repair_type(struct describer *d, json *schema, const char *what)
{
	const json *type = json_get(schema, "type");

	if (json_text_is(type, "object"))
		return STATUS_OK;
	if (type)
		return describe_refuse(d, "the type of its %s schema has to be \"object\"", what);
	json_set_text(schema, "type", "object");
	describe_warn(
		d,
		"its %s schema says no type, which clients refuse: \"type\": \"object\" was added",
		what);
	return STATUS_OK;
}

static int compile(struct describer *d, const json *schema, const char *what,
		   struct schema **ret_compiled)
{
	const struct schema_options options = { .refuse_beyond_64 = true, .check_defaults = true };
	struct error fault = ERROR_INIT;
	int r = schema_compile(schema, &options, ret_compiled, &fault);

	if (r)
		describe_refuse(d, "its %s schema is none: %s", what, fault.message);
	error_clear(&fault);
	return r;
}

/* Holds a schema that was given whole to the metaschema of its dialect. What has no effect there,
 * such as a keyword with a value of the wrong type, would be ignored by some clients and refused by
 * others. */
static int check_metaschema(struct describer *d, const json *schema, const char *what)
{
	const json *dialect = json_get(schema, "$schema");
	struct schema_problems *problems = calloc(1, sizeof(*problems));
	struct schema *compiled = NULL;
	struct error fault = ERROR_INIT;
	json *metaschema = json_new_object();
	int r;

	json_set_text(metaschema, "$ref",
		      json_kind(dialect) == JSON_TEXT
			      ? json_text(dialect, NULL)
			      : "https://json-schema.org/draft/2020-12/schema");
	r = problems ? schema_compile(metaschema, NULL, &compiled, &fault) : STATUS_INTERNAL;
	if (r)
		describe_refuse(d, "the dialect of its %s schema is none that is known: %s", what,
				fault.message);
	else if (!schema_validate(compiled, schema, problems))
		r = describe_refuse(d, "its %s schema is none: at \"%s\" expected %s, found %s",
				    what, problems->items[0].path, problems->items[0].expected,
				    problems->items[0].found);
	schema_free(compiled);
	error_clear(&fault);
	json_drop(metaschema);
	free(problems);
	return r;
}

static int take_schema(struct describer *d, const struct tool_parts *parts, bool results,
		       json **ret_schema, struct schema **ret_compiled)
{
	const th_tool *tool = parts->tool;
	const th_param *table = results ? tool->results : tool->params;
	const char *what = results ? "output" : "input";
	int r;

	if (table) {
		r = derive(d, tool, table, results, ret_schema);
	} else {
		r = describe_read_object(d, results ? tool->output_schema : tool->input_schema,
					 results ? "output schema" : "input schema", ret_schema);
		if (!r && *ret_schema)
			r = repair_type(d, *ret_schema, what);
	}
	if (r || !*ret_schema)
		return r;
	r = compile(d, *ret_schema, what, ret_compiled);
	if (!r && !table)
		r = check_metaschema(d, *ret_schema, what);
	if (!r)
		describe_warn_schema(d, *ret_schema, !results);
	return r;
}

/* Fills the schemas of `parts`, derived or read, and compiled. */
static int take_schemas(struct describer *d, struct tool_parts *parts)
{
	const th_tool *tool = parts->tool;
	int r = take_schema(d, parts, false, &parts->input, &parts->compiled_input);

	if (!r && tool->results && tool->output_schema.data && tool->output_schema.length)
		r = describe_refuse(d, "it has both result fields and an output schema: give one");
	return r ? r : take_schema(d, parts, true, &parts->output, &parts->compiled_output);
}

/* ---- The tool ----------------------------------------------------------------------------- */

static int describe_parts(struct describer *d, struct tool_parts *parts, json *object)
{
	const th_tool *tool = parts->tool;
	int r;

	r = check_name(d, tool);
	if (!r)
		r = describe_take_text(d, object, "name", tool->name, NAME_BYTES_MOST, true);
	if (!r)
		r = describe_take_text(d, object, "title", tool->title, TITLE_BYTES_MOST, false);
	if (!r)
		r = describe_take_text(d, object, "description", tool->description,
				       DESCRIPTION_BYTES_MOST, true);
	if (!r)
		r = check_callable(d, tool);
	if (!r)
		r = describe_read_object(d, tool->about, "about", &parts->about);
	if (!r)
		r = take_schemas(d, parts);
	return r ? r : describe_about(d, parts, object);
}

int describe_tool(struct describer *d, const th_tool *tool, json **ret_object)
{
	struct tool_parts parts = { .tool = tool };
	json *object = json_new_object();
	int r = describe_parts(d, &parts, object);

	json_drop(parts.about);
	json_drop(parts.input);
	json_drop(parts.output);
	schema_free(parts.compiled_input);
	schema_free(parts.compiled_output);
	if (r) {
		json_drop(object);
		return r;
	}
	*ret_object = object;
	return STATUS_OK;
}
