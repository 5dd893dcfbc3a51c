/* SPDX-License-Identifier: MIT
 *
 * toolhost/settings.h - an extension: the operator's settings, for tools whose limits are knobs of the host.
 *
 *	int64_t limit = th_setting_whole(call, "max_regression_points", 5000);
 *
 *	if (in->x.count > (uint64_t)limit)
 *		return th_fail(call, "...", ...);
 *
 * The struct obeys the rules of the border in toolhost/plugin.h: it begins with its size and grows only at
 * its end. A host without the extension, or one that does not know the name, gives the fallback.
 */
#ifndef TOOLHOST_SETTINGS_EXTENSION_H
#define TOOLHOST_SETTINGS_EXTENSION_H

#include <toolhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What th_extension() is asked for. */
#define TH_SETTINGS "toolhost.settings/1"

/* Belongs to the host and lives until the tool returns. */
typedef struct th_settings {
	uint32_t struct_size;
	uint32_t reserved;

	/* The effective value of a whole-number setting, by its name in the config file, into *ret_value. TH_OK, or
	 * TH_UNSUPPORTED, leaving *ret_value alone, where there is no whole-number setting of that name. Any
	 * thread of the call. */
	int32_t (*whole)(th_call *call, const char *name, int64_t *ret_value);
} th_settings;

/* The effective value of a whole-number setting, or `fallback`. */
TH_INLINE_ int64_t th_setting_whole(th_call *call, const char *name, int64_t fallback)
{
	const th_settings *settings = (const th_settings *)th_extension(call, TH_SETTINGS);
	int64_t value = fallback;

	if (settings &&
	    settings->struct_size >= offsetof(th_settings, whole) + sizeof(settings->whole) &&
	    settings->whole && settings->whole(call, name, &value) == TH_OK)
		return value;
	return fallback;
}

#ifdef __cplusplus
}
#endif

#endif
