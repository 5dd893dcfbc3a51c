/* SPDX-License-Identifier: MIT
 *
 * A pack with recipes: one that is good, one that names a tool of another pack, and one that hints at what is no
 * parameter. And with resources. Some of its texts try to steer the terminal, or to be a line of their own.
 */
#include <toolhost/plugin.h>

struct values_in {
	th_numbers values;
};

static const th_param values_params[] = { TH_NUMBERS(struct values_in, values, "Numbers.", {}), TH_END };

static int32_t advice_count(th_call *call, const void *input)
{
	return th_put_integer(call, "count", (int64_t)((const struct values_in *)input)->values.count);
}

static const th_tool tools[] = {
	TH_TOOL(advice_count, struct values_in, values_params, NULL, "Count", "Counts numbers.", {})
};

static const th_recipe recipes[] = {
	TH_RECIPE({"format": 1, "key": "advice_good", "title": "Count", "summary": "Counts.", "domain": "advice",
		   "cue_phrases": ["count my sheep"], "inputs_needed": ["Numbers."],
		   "stages": [{"order": 1, "directive": "Count.", "tools": ["advice_count"],
			       "arg_hints": {"values": "the numbers"}}]}),
	TH_RECIPE({"format": 1, "key": "advice_far", "title": "Add", "summary": "Adds.", "domain": "advice",
		   "cue_phrases": ["add up my sheep"], "inputs_needed": ["Numbers."],
		   "stages": [{"order": 1, "directive": "Add.", "tools": ["add"]}]}),
	TH_RECIPE({"format": 1, "key": "advice_bad", "title": "Wrong", "summary": "Hints wrongly.", "domain": "advice",
		   "cue_phrases": ["shear my sheep"], "inputs_needed": ["Numbers."],
		   "stages": [{"order": 1, "directive": "Count.", "tools": ["advice_count"],
			       "arg_hints": {"value": "the numbers"}}]}),
};

static int32_t item(th_call *call, const void *input)
{
	th_content content = { sizeof(content), TH_CONTENT_TEXT, 0, 0, *(const th_text *)input, TH_NO_TEXT, TH_NO_TEXT,
			       TH_NO_TEXT };

	return th_put_content(call, &content);
}

static const th_resource resources[] = {
	{ TH_TEXT("advice://fixed\033[2J"), TH_TEXT("fixed"), TH_TEXT("Fixed"), TH_NO_TEXT, TH_TEXT("text/plain"),
	  TH_TEXT("advice"), NULL, 0 },
	{ TH_TEXT("advice://item/{id}"), TH_TEXT("item"), TH_TEXT("Item"), TH_NO_TEXT, TH_TEXT("text/plain"),
	  TH_NO_TEXT, item, 1 },
};

TH_PACK_WITH(TH_LIST(tools), TH_LIST(recipes), TH_NONE, TH_LIST(resources), {"version": "1.0.0\nforged\u001b[2J"})
