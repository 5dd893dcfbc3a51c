/* SPDX-License-Identifier: MIT
 *
 * Families of services beyond the table, which a tool gets by their id.
 */
#include "pack/services.h"

#include "base/settings.h"

#include <toolhost/arguments.h>
#include <toolhost/settings.h>

#include <string.h>

/* ---- toolhost.settings/1 ------------------------------------------------------------------ */

static int32_t settings_whole(th_call *public, const char *name, int64_t *ret_value)
{
	int found = name ? setting_find(name) : -1;

	(void)public;
	if (found < 0 || setting_info((enum setting)found)->type != SETTING_WHOLE)
		return TH_UNSUPPORTED;
	*ret_value = setting_whole((enum setting)found);
	return TH_OK;
}

static const th_settings settings = {
	.struct_size = sizeof(settings),
	.whole = settings_whole,
};

/* ---- toolhost.arguments/1 ----------------------------------------------------------------- */

/* The name of an argument as a JSON Pointer (RFC 6901). */
static void pointer_to(const char *name, char *pointer, size_t size)
{
	size_t used = 0;

	pointer[used++] = '/';
	for (; *name && used + 3 < size; name++) {
		if (*name == '~' || *name == '/') {
			pointer[used++] = '~';
			pointer[used++] = *name == '~' ? '0' : '1';
		} else {
			pointer[used++] = *name;
		}
	}
	pointer[used] = '\0';
}

/* As the gate says it: one problem, at that argument. */
static void detail_problem(struct error *error, const struct call *call, const char *name)
{
	json *problem = json_new_object(), *problems = json_new_list();
	char pointer[256];

	pointer_to(name, pointer, sizeof(pointer));
	json_set_text(problem, "path", pointer);
	json_set_text(problem, "keyword", "tool");
	json_set_text(problem, "expected", error->message);
	json_set_text(problem, "found", "");
	json_set_text(problem, "hint", "");
	json_append(problems, problem);
	error_detail_text(error, "tool_name", call->tool_name ? call->tool_name : "");
	error_detail(error, "errors", problems);
	error_detail_integer(error, "more", 0);
}

static int32_t refuse_argument(th_call *public, const char *name, const char *message,
			       uint64_t length)
{
	struct call *call = call_of(public);

	if (call_fail(call, STATUS_INPUT_INVALID, message, length, NULL))
		detail_problem(&call->failure, call, name ? name : "");
	return TH_FAILED;
}

static const th_arguments arguments = {
	.struct_size = sizeof(arguments),
	.refuse = refuse_argument,
};

/* ---- All of them -------------------------------------------------------------------------- */

const void *extension_find(th_call *public, const char *id)
{
	(void)public;
	if (id && !strcmp(id, TH_SETTINGS))
		return &settings;
	if (id && !strcmp(id, TH_ARGUMENTS))
		return &arguments;
	return NULL;
}
