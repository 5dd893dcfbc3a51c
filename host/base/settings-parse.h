/* SPDX-License-Identifier: MIT
 *
 * The text of one setting to its value. Private to base.
 */
#ifndef TOOLHOST_SETTINGS_PARSE_H
#define TOOLHOST_SETTINGS_PARSE_H

#include "base/settings.h"

/* STATUS_OK, STATUS_CONFIG_INVALID where `text` is no value of this setting, or STATUS_INTERNAL.
 * The caller frees *ret_value. Numbers are written as Python writes them: blanks around, a plus
 * sign, 1_000; not in hexadecimal. */
int setting_parse(const struct setting_info *info, const char *text,
		  struct setting_value **ret_value);

/* For messages: the text in quotes, cut where it is long; and what may be written: "a whole number
 * from 1 to 512". */
void setting_show_text(struct buffer *out, const char *text);
void setting_show_allowed(struct buffer *out, const struct setting_info *info);

#endif
