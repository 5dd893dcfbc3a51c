/* SPDX-License-Identifier: MIT
 *
 * greeter: a whole tool pack to start from. Rename it, and say what your own tool does.
 *
 *	make                                            builds greeter.so
 *	make check                                      has toolhost look at it
 *	toolhost --pack-dir . call greet '{"name": "Ada"}'
 */
#include <toolhost/plugin.h>

/* What the tool receives. The table below has an entry for each field; one of another type does not compile. */
struct greet_in {
	th_text name;
	int32_t mood;
	int64_t times;
};

/* The indices of the words of TH_CHOICE_OR, in their order. */
enum mood { MOOD_FRIENDLY, MOOD_FORMAL };

static const th_param greet_params[] = {
	TH_STRING(struct greet_in, name, "Whom to greet.", {"minLength": 1}),
	TH_CHOICE_OR(struct greet_in, mood, "friendly", "How to greet.", ["friendly", "formal"]),
	TH_INTEGER_OR(struct greet_in, times, 1, "How often.", {"minimum": 1, "maximum": 100}),
	TH_END
};

static const th_param greet_results[] = {
	TH_GIVES_STRINGS(greetings, "One text for each time.", {}),
	TH_END
};

/* Everything was checked against the table before this is called. */
static int32_t greet(th_call *call, const void *input)
{
	const struct greet_in *in = input;
	const char *word = in->mood == MOOD_FORMAL ? "Good day" : "Hello";
	char text[200];

	if (in->name.length > 100)
		return th_fail(call, "The name is too long to say: give at most 100 bytes.");
	snprintf(text, sizeof(text), "%s, %s.", word, in->name.data);
	th_begin_list(call, "greetings");
	for (int64_t i = 0; i < in->times; i++)
		th_put_string(call, NULL, text);
	return th_end(call);
}

static const th_tool tools[] = {
	TH_TOOL(greet, struct greet_in, greet_params, greet_results,
		"Greet somebody", "Greets somebody by name, once or several times.",
		{"category": "example", "threads": "parallel",
		 "annotations": {"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"arguments": {"name": "Ada"}, "result": {"greetings": ["Hello, Ada."]}}]}),
};

TH_PACK(tools, {"version": "0.1.0", "summary": "Greets people.", "license": "MIT"})
