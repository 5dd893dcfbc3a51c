/* SPDX-License-Identifier: MIT
 *
 * hello: a small pack that shows how one is made. Two tools, each of four parts: the struct that
 * the tool receives, the table that describes its fields, the table that describes its answer, and
 * the function.
 *
 *	toolhost call add '{"a": 1, "b": 2}'        {"sum": 3}
 *	toolhost call echo '{"text": "Hello."}'     {"text": "Hello."}
 */
#include <toolhost/plugin.h>

#include <math.h>

struct echo_in {
	th_text text;
};

static const th_param echo_params[] = {
	TH_STRING(struct echo_in, text, "What to send back.", {}),
	TH_END
};

static const th_param echo_results[] = {
	TH_GIVES_STRING(text, "What was sent.", {}),
	TH_END
};

static int32_t echo(th_call *call, const void *input)
{
	const struct echo_in *in = input;

	return th_put_text(call, "text", in->text);
}

struct add_in {
	double a;
	double b;
};

static const th_param add_params[] = {
	TH_NUMBER(struct add_in, a, "The first term.", {}),
	TH_NUMBER(struct add_in, b, "The second term.", {}),
	TH_END
};

static const th_param add_results[] = {
	TH_GIVES_NUMBER(sum, "The sum of both terms.", {}),
	TH_END
};

static int32_t add(th_call *call, const void *input)
{
	const struct add_in *in = input;
	double sum = in->a + in->b;

	if (!isfinite(sum))
		return th_fail(call, "The sum is beyond the range of a double: add smaller numbers.");
	return th_put_number(call, "sum", sum);
}

/* The last argument says the rest about a tool, as JSON. */
static const th_tool tools[] = {
	TH_TOOL(echo, struct echo_in, echo_params, echo_results,
		"Echo", "Sends a text back as it came.",
		{"category": "example", "threads": "parallel", "cacheable": true,
		 "annotations": {"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"arguments": {"text": "Hello."}, "result": {"text": "Hello."}}]}),
	TH_TOOL(add, struct add_in, add_params, add_results,
		"Add two numbers", "Adds two numbers.",
		{"category": "example", "threads": "parallel", "cacheable": true,
		 "annotations": {"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"arguments": {"a": 1, "b": 2}, "result": {"sum": 3}},
			      {"title": "Fractions", "arguments": {"a": 0.5, "b": -0.25},
			       "result": {"sum": 0.25}}]}),
};

TH_PACK(tools, {"version": "1.0.0",
		"summary": "Two tools to try things out with.",
		"license": "MIT"})
