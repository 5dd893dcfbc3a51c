/* SPDX-License-Identifier: MIT
 *
 * The zoo: packs that are wrong in exactly one way, and a few good ones beside them.
 *
 * Each is built as build/tests/zoo/NAME.so and, where it can run at all, has one tool of its own name with
 * dashes as underscores, which takes no arguments. verdicts.txt says what toolhost has to say of each.
 */
#ifndef TOOLHOST_ZOO_H
#define TOOLHOST_ZOO_H

#include <toolhost/plugin.h>

TH_MAYBE_UNUSED_ static const th_param zoo_no_params[] = { TH_END };

/* A tool that does nothing wrong, for packs whose fault lies elsewhere. */
#define ZOO_GOOD_TOOL(tool)                                       \
	static int32_t tool(th_call *call, const void *input)      \
	{                                                          \
		(void)input;                                       \
		return th_put_boolean(call, "well", 1);            \
	}

/* One entry of a tool list. */
#define ZOO_ENTRY(tool)                                                                        \
	TH_TOOL(tool, th_no_input, zoo_no_params, NULL, #tool, "A tool of the zoo.", {})

/* The whole pack around one tool. The second is for tools whose name C has for something else. */
#define ZOO_PACK(tool)                                             \
	static const th_tool zoo_tools[] = { ZOO_ENTRY(tool) };    \
	TH_PACK(zoo_tools, {"version": "1.0.0", "summary": "One of the zoo."})
#define ZOO_PACK_NAMED(name, run)                                                          \
	static const th_tool zoo_tools[] = {                                               \
		{ TH_TEXT(name), TH_TEXT(name), TH_TEXT("A tool of the zoo."), TH_TEXT("{}"), TH_NO_TEXT, \
		  TH_NO_TEXT, zoo_no_params, NULL, run, sizeof(th_no_input), sizeof(th_param) } \
	};                                                                                 \
	TH_PACK(zoo_tools, {"version": "1.0.0", "summary": "One of the zoo."})

#endif
