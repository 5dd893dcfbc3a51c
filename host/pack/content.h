/* SPDX-License-Identifier: MIT
 *
 * Content blocks: what a pack gives as a th_content, in the form in which MCP has them.
 */
#ifndef TOOLHOST_CONTENT_H
#define TOOLHOST_CONTENT_H

#include "base/buffer.h"

#include <toolhost/plugin.h>

/* Checks a block of a pack. NULL, with *ret_content the block and nothing that its kind does not use;
 * or what is wrong with it, as a constant phrase. The texts stay the pack's. */
const char *content_check(const th_content *given, th_content *ret_content);

/* Appends a block that was checked: {"type": "text", "text": ...} and so on. */
void content_print(struct buffer *out, const th_content *content);

#endif
