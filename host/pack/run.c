/* SPDX-License-Identifier: MIT */
#include "pack/loaded.h"
#include "pack/services.h"

#include "schema/params.h"

#include <string.h>

int pack_find_tool(const struct pack *pack, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < pack->tool_count; i++) {
		const th_text *theirs = &pack->tools[i].name;

		if (theirs->length == length && !memcmp(theirs->data, name, length))
			return (int)i;
	}
	return -1;
}

/* A function is no object to C, but its first byte can be read. */
static void touch(uintptr_t address)
{
	(void)*(const volatile char *)address;
}

void pack_touch(const struct pack *pack)
{
	for (size_t i = 0; i < pack->tool_count; i++) {
		const th_tool *tool = &pack->tools[i];

		touch((uintptr_t)tool->run);
		touch((uintptr_t)tool->name.data);
		if (tool->params)
			touch((uintptr_t)tool->params);
	}
	touch((uintptr_t)memcmp);
	touch((uintptr_t)params_fill);
}

static int fail_no_memory(struct call *call)
{
	return error_set(&call->failure, STATUS_MEMORY_EXCEEDED,
			 "There is not enough memory for the arguments: send less data.");
}

/* The tool takes its arguments as JSON text, which has to live until it returns. */
static int run_with_text(const th_tool *tool, const json *arguments, struct call *call)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	th_json input;
	int r;

	json_print(&text, arguments);
	if (text.fault != BUFFER_GOOD) {
		r = fail_no_memory(call);
		goto out;
	}
	input = (th_json){ text.data, text.length };
	r = call_run(call, tool->run, &input);
out:
	buffer_free(&text);
	return r;
}

static int run_with_struct(const th_tool *tool, const json *arguments, struct call *call)
{
	void *input;
	int r;

	call_bound(call);
	input = arena_allocate(&call->arena, tool->input_size);
	if (!input)
		return fail_no_memory(call);
	r = params_fill(tool->params, tool->param_size, arguments, &call->arena, input,
			tool->input_size, call->tool_name, &call->failure);
	return r ? r : call_run(call, tool->run, input);
}

int pack_run_tool(const struct pack *pack, int index, struct call *call)
{
	const th_tool *tool = &pack->tools[index];
	json *nothing = NULL;
	int r;

	if (!call->arguments) {
		call->arguments = nothing = json_new_object();
		if (!nothing)
			return fail_no_memory(call);
	}
	if (tool->params)
		r = run_with_struct(tool, call->arguments, call);
	else
		r = run_with_text(tool, call->arguments, call);
	if (nothing) {
		call->arguments = NULL;
		json_drop(nothing);
	}
	return r;
}
