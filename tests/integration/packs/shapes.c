/* SPDX-License-Identifier: MIT
 *
 * Tools whose schemas are written whole, in the shapes that clients and model services are known to stumble over.
 */
#include <toolhost/plugin.h>

static int32_t shape(th_call *call, const void *input)
{
	const th_json *in = (const th_json *)input;

	return th_put_json(call, "given", in->data, in->length);
}

static int32_t loose(th_call *call, const void *input)
{
	(void)input;
	return th_put_boolean(call, "done", 1);
}

#define SHAPE(name, input_schema, description) \
	TH_TOOL_SCHEMA(name, shape, input_schema, "", name, description, {})

static const th_tool tools[] = {
	SHAPE("shape_any_of",
	      "{\"type\": \"object\", \"anyOf\": [{\"required\": [\"a\"]}, {\"required\": [\"b\"]}], "
	      "\"properties\": {\"a\": {\"type\": \"number\"}, \"b\": {\"type\": \"number\"}}}",
	      "A combinator at the root."),
	SHAPE("shape_reference",
	      "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"type\": \"object\", "
	      "\"$defs\": {\"positive\": {\"type\": \"number\", \"exclusiveMinimum\": 0}}, "
	      "\"properties\": {\"size\": {\"$ref\": \"#/$defs/positive\"}}, \"required\": [\"size\"]}",
	      "A local reference that does not recur."),
	SHAPE("shape_tree",
	      "{\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\"}, "
	      "\"children\": {\"type\": \"array\", \"items\": {\"$ref\": \"#\"}}}}",
	      "A reference that recurs."),
	SHAPE("shape_untyped",
	      "{\"type\": \"object\", \"properties\": {\"anything\": {\"description\": \"Any value.\"}}}",
	      "A property without a type."),
	SHAPE("shape.dotted", "{\"type\": \"object\"}", "A name with a dot."),
	SHAPE("shape_pattern",
	      "{\"type\": \"object\", \"properties\": {\"nested\": {\"type\": \"string\", "
	      "\"pattern\": \"((a+)+)+$\"}, \"optional\": {\"type\": \"string\", \"pattern\": "
	      "\"^a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?"
	      "a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?"
	      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa$\"}}}",
	      "Regular expressions that backtrack for ever."),
	TH_TOOL_SCHEMA("shape_loose_output", loose, "{\"type\": \"object\"}", "{\"description\": \"x\"}",
		       "shape_loose_output", "An output schema that names no type.", {}),
	SHAPE("shape_plain", "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"number\"}}}",
	      "Nothing odd about it."),
};

TH_PACK(tools, {"version": "1.0.0", "summary": "Schemas of odd shapes.", "license": "MIT"})
