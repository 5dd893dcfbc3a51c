/* SPDX-License-Identifier: MIT
 *
 * A good pack of a later minor version: every struct has grown at its end, which this host has to step over.
 */
#include "zoo.h"

struct later_param {
	th_param param;
	th_text unit;
};

struct later_tool {
	th_tool tool;
	th_text icon;
	uint64_t cost;
};

struct later_pack {
	th_pack pack;
	th_list agents;
};

struct numbers_in {
	double first, second;
};

static int32_t add_up(th_call *call, const void *input)
{
	const struct numbers_in *in = (const struct numbers_in *)input;

	return th_put_number(call, "sum", in->first + in->second);
}

static const struct later_param params[] = {
	{ TH_NUMBER_OR(struct numbers_in, first, 40, "The first term.", {}), TH_TEXT("m") },
	{ TH_NUMBER_OR(struct numbers_in, second, 2, "The second term.", {}), TH_TEXT("m") },
	{ TH_END, TH_NO_TEXT },
};

#define LATER_TOOL(name)                                                                         \
	{ { TH_TEXT(name), TH_TEXT("Later"), TH_TEXT("A tool of the zoo."), TH_TEXT("{}"),           \
	    TH_NO_TEXT, TH_NO_TEXT, &params[0].param, NULL, add_up, sizeof(struct numbers_in),     \
	    sizeof(struct later_param) },                                                          \
	  TH_TEXT("data:,"), 1 }

static const struct later_tool tools[] = { LATER_TOOL("ok_minor_newer"), LATER_TOOL("ok_minor_newer_too") };

TH_EXPORT extern const struct later_pack toolhost_pack_v1;
const struct later_pack toolhost_pack_v1 = {
	{ (uint32_t)sizeof(struct later_pack), TH_ABI_MAJOR, TH_ABI_MINOR + 7,
	  TH_TEXT("{\"version\": \"1.0.0\", \"later_key\": true}"), TH_LIST(tools), TH_NONE, TH_NONE, TH_NONE },
	TH_NONE,
};
