/* SPDX-License-Identifier: MIT
 *
 * Switches the process to a locale that writes 0,1 for 0.1, while it is loaded and in its tool.
 */
#include "zoo.h"

#include <locale.h>

struct setlocale_in {
	double trim;
};

static const th_param params[] = {
	TH_NUMBER_OR(struct setlocale_in, trim, 0.1, "Any number.", {"minimum": 0, "maximum": 0.5}),
	TH_END
};

__attribute__((constructor)) static void switch_when_loaded(void)
{
	setlocale(LC_ALL, "de_DE.UTF-8");
}

static int32_t run(th_call *call, const void *input)
{
	const struct setlocale_in *in = (const struct setlocale_in *)input;
	const char *locale = setlocale(LC_ALL, "de_DE.UTF-8");

	th_put_string(call, "locale", locale ? locale : "not installed");
	th_put_string(call, "decimal_point", localeconv()->decimal_point);
	return th_put_number(call, "trim", in->trim);
}

/* The tool's own name is that of a function in locale.h, so it is spelled out. */
static const th_tool tools[] = {
	{ TH_TEXT("setlocale"), TH_TEXT("setlocale"), TH_TEXT("A tool of the zoo."), TH_TEXT("{}"),
	  TH_NO_TEXT, TH_NO_TEXT, params, NULL, run, sizeof(struct setlocale_in), sizeof(th_param) }
};
TH_PACK(tools, {"version": "1.0.0", "summary": "One of the zoo."})
