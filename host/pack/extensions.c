/* SPDX-License-Identifier: MIT
 *
 * Families of services beyond the table, which a tool gets by their id.
 */
#include "pack/services.h"

#include "base/settings.h"

#include <toolhost/settings.h>

#include <string.h>

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

const void *extension_find(th_call *public, const char *id)
{
	(void)public;
	if (id && !strcmp(id, TH_SETTINGS))
		return &settings;
	return NULL;
}
